#pragma once
// Collision shapes: contact points, distances, and which of many shapes are near each other (docs/geometry.md).
#include "lissom/geometry/broad_phase.h"
#include "lissom/geometry/capsule.h"
#include "lissom/geometry/collide.h"
#include "lissom/geometry/collision_geometry.h"
#include "lissom/geometry/contact_polygon.h"
