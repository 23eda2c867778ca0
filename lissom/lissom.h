#pragma once
// What a program includes: load a robot, ask for its kinematics, inverse kinematics and dynamics, solve quadratic
// programs. No algorithm is compiled here; they are in the library.
#include "lissom/api/dynamics.h"
#include "lissom/api/kinematics.h"
#include "lissom/api/load.h"
#include "lissom/api/state.h"
#include "lissom/api/statics.h"
#include "lissom/api/workspace.h"
#include "lissom/batch/batch.h"
#include "lissom/ik/batch.h"
#include "lissom/ik/solver.h"
#include "lissom/ik/velocity.h"
#include "lissom/qp/solver.h"
