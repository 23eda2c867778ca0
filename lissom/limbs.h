#pragma once
// Feet, hands and a posture to stand in, for any robot (docs/contacts-file.md).
#include "lissom/limbs/contacts_file.h"
#include "lissom/limbs/propose.h"
#include "lissom/limbs/standing_robot.h"
