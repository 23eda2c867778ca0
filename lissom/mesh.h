#pragma once
// Triangle meshes: reading and writing files, mass properties, hulls (docs/meshes.md).
#include "lissom/mesh/convex_hull.h"
#include "lissom/mesh/decompose.h"
#include "lissom/mesh/load.h"
#include "lissom/mesh/mass_properties.h"
#include "lissom/mesh/write.h"
