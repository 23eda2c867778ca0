#pragma once
// Lists of records inside records.
#include "records.h"

namespace lissom::python {

/// A list of Python, each of whose elements is a T: `plan.stages[0].seconds = 2` and `.append(…)` change it itself.
template <class T>
struct Items {
  nb::list list = {};
  std::vector<T> values(const char* name, const char* type) const {
    std::vector<T> all;
    for (const auto item : list) {
      T one{};
      if constexpr (requires { one.frame; })  // A name stands for what has this frame.
        if (PyUnicode_Check(item.ptr())) {
          one.frame = nb::cast<std::string>(item);
          all.push_back(std::move(one));
          continue;
        }
      if (!nb::try_cast<T>(item, one)) {
        PyErr_Format(PyExc_TypeError, "%s[%d] is %R, expected a %s", name, int(all.size()), item.ptr(), type);
        throw nb::python_error();
      }
      all.push_back(std::move(one));
    }
    return all;
  }
};
template <class T>
struct PythonType<Items<T>> {
  static std::string text() { return "list[Any]"; }
};
template <class T>
Items<T> items(const std::vector<T>& values) {
  Items<T> all;
  for (const auto& value : values) all.list.append(nb::cast(value, nb::rv_policy::copy));
  return all;
}

}  // namespace lissom::python

namespace nanobind::detail {
template <class T>
struct type_caster<lissom::python::Items<T>> {
  NB_TYPE_CASTER(lissom::python::Items<T>, const_name("list"))
  bool from_python(handle source, uint32_t, cleanup_list*) noexcept {
    if (PyUnicode_Check(source.ptr()) || PyDict_Check(source.ptr())) return false;
    PyObject* const list = PyList_Check(source.ptr()) ? source.inc_ref().ptr() : PySequence_List(source.ptr());
    if (!list) return PyErr_Clear(), false;
    value.list = steal<nb::list>(list);
    return true;
  }
  static handle from_cpp(const lissom::python::Items<T>& x, rv_policy, cleanup_list*) noexcept {
    return x.list.inc_ref();
  }
};
}  // namespace nanobind::detail
