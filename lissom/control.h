#pragma once
// Whole-body control: tasks, contacts, motion plans, and running them on a simulated robot (docs/control.md).
#include "lissom/api/postures.h"
#include "lissom/control/motion_plan.h"
#include "lissom/control/motion_runner.h"
#include "lissom/control/run.h"
#include "lissom/control/whole_body.h"
