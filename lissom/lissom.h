#pragma once
// What most programs include: load a robot, ask for its kinematics and dynamics, one robot or many, solve inverse
// kinematics and quadratic programs. Simulation, control, stances, recordings and formulations have headers of their
// own beside this one: lissom/sim.h and so on. No algorithm is compiled here; they are in the library.
#include "lissom/api/dynamics.h"
#include "lissom/api/eigen.h"
#include "lissom/api/kinematics.h"
#include "lissom/api/load.h"
#include "lissom/api/state.h"
#include "lissom/api/statics.h"
#include "lissom/api/workspace.h"
#include "lissom/batch.h"
#include "lissom/ik.h"
#include "lissom/qp.h"
