#pragma once
// The viewer's page: for lissom/viewing.py, which has the functions for users.
#include "numpy.h"

namespace lissom::python {

void bind_view(nb::module_& m);

}  // namespace lissom::python
