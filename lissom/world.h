#pragma once
// Worlds of robots and bodies that touch each other (docs/contact.md), and scenes, which describe them in files
// (docs/scenes.md).
#include "lissom/scenes/scene.h"
#include "lissom/scenes/simulation.h"
#include "lissom/scenes/world_model.h"
#include "lissom/world/energy_audit.h"
#include "lissom/world/world.h"
#include "lissom/world/world_batch.h"
