#pragma once
// The header that most programs include: loading robots, kinematics and dynamics of one robot or many, inverse
// kinematics and quadratic programs. Simulation, control, stances, recordings and formulations have their own headers:
// lissom/sim.h and so on. The headers contain no algorithms; these are compiled into the library.
#include "lissom/api/derivatives.h"
#include "lissom/api/dynamics.h"
#include "lissom/api/eigen.h"
#include "lissom/api/kinematics.h"
#include "lissom/api/load.h"
#include "lissom/api/second_order.h"
#include "lissom/api/state.h"
#include "lissom/api/statics.h"
#include "lissom/api/workspace.h"
#include "lissom/batch.h"
#include "lissom/ik.h"
#include "lissom/qp.h"
