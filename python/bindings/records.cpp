#include "records.h"

#include "lissom/model/text.h"

namespace lissom::python {

void unknown_field(const char* type, const std::string& name, const std::vector<std::string>& fields) {
  std::string list;
  for (const auto& field : fields) list += (list.empty() ? "" : ", ") + field;
  const std::vector<std::string_view> known(fields.begin(), fields.end());
  auto hint = did_you_mean(name, known);
  if (!hint.empty()) hint += " ";
  PyErr_Format(PyExc_TypeError, "%s has no field '%s'; %sits fields are %s", type, name.c_str(), hint.c_str(),
               list.c_str());
  throw nb::python_error();
}

void wrong_field(const char* type, const char* name, nb::handle value, const std::string& expected) {
  PyErr_Clear();
  const std::string found = short_repr(value);
  PyErr_Format(PyExc_TypeError, "%s.%s is %s, expected %s", type, name, found.c_str(), expected.c_str());
  throw nb::python_error();
}

nb::object frozen(nb::object value) {
  if (PyList_Check(value.ptr())) return nb::tuple(value);
  if (PyArray_Check(value.ptr()))
    PyArray_CLEARFLAGS(reinterpret_cast<PyArrayObject*>(value.ptr()), NPY_ARRAY_WRITEABLE);
  return value;
}

std::string short_repr(nb::handle value) {
  if (PyArray_Check(value.ptr())) {
    const auto numpy = nb::module_::import_("numpy");
    return nb::cast<std::string>(numpy.attr("array2string")(value, nb::arg("precision") = 4, nb::arg("threshold") = 12,
                                                            nb::arg("separator") = ", "));
  }
  if (nb::hasattr(value, "__len__") && !PyUnicode_Check(value.ptr()) && nb::len(value) > 4)
    return "<" + std::to_string(nb::len(value)) + " elements>";
  return nb::cast<std::string>(nb::repr(value));
}

}  // namespace lissom::python
