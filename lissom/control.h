#pragma once
// Whole-body control: tasks, contacts, motions, and the robot that a controller acts on (docs/control.md).
#include "lissom/control/motion.h"
#include "lissom/control/motion_runner.h"
#include "lissom/control/postures.h"
#include "lissom/control/whole_body.h"
#include "lissom/plant/motion_run.h"
#include "lissom/plant/plant.h"
