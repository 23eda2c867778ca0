#pragma once
// NumPy's C interface and nanobind, in the order that both need. Every file of the bindings includes this first;
// module.cpp alone imports the interface. The casters are here, too: a file that did without one of them would compile
// its own meaning of nb::cast, and the linker would keep either.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#define PY_ARRAY_UNIQUE_SYMBOL lissom_numpy
#ifndef LISSOM_IMPORT_NUMPY
#define NO_IMPORT_ARRAY
#endif
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#include <numpy/arrayobject.h>
#pragma GCC diagnostic pop

namespace nb = nanobind;
