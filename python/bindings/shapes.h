#pragma once
// Triangle meshes and collision shapes in Python.
#include "bound_model.h"
#include "lissom/mesh/triangle_mesh.h"
#include "records.h"

namespace lissom::python {

LISSOM_PYTHON_TYPE(mesh::TriangleMesh, "TriangleMesh")
LISSOM_PYTHON_TYPE(Shape, "Shape")

void bind_mesh(nb::module_& m);
void bind_geometry(nb::module_& m);

}  // namespace lissom::python
