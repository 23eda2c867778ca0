#pragma once
// Charts of SO(3) in Python: the built-in ones, and those that are Python functions.
#include "casters.h"
#include "lissom/coordinates/charts.h"

LISSOM_ENUM(lissom::ExpressedIn, "world_axes", "body_axes")

namespace lissom::python {

/// A Chart, or the built-in one of this name.
Chart chart_of(const char* argument, nb::handle object);

void bind_duals(nb::module_& m);
void bind_charts(nb::module_& m);

}  // namespace lissom::python
