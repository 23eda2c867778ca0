#pragma once
// Several arrays that a function returns together: attributes by name, which can also be unpacked in their order.
#include "arrays.h"
#include "casters.h"

namespace lissom::python {

/// One of the arrays.
struct ArrayField {
  const char* name;
  const char* doc;
};

/// Kind has `type`, the name of the class in Python, `doc`, and `fields`, an array of ArrayField.
template <class Kind>
struct NamedArrays {
  std::array<nb::object, Kind::fields.size()> arrays;
};

/// What was given as `out`, array by array; without it, None for each. It may be any iterable of as many arrays.
template <class Kind>
std::array<nb::object, Kind::fields.size()> targets_of(nb::handle out) {
  std::array<nb::object, Kind::fields.size()> targets;
  targets.fill(nb::none());
  if (out.is_none()) return targets;
  std::string names;
  for (const auto& field : Kind::fields) names += (names.empty() ? "" : ", ") + std::string(field.name);
  const std::string expected = ", expected " + std::to_string(targets.size()) + " arrays: " + names;
  if (!nb::hasattr(out, "__iter__")) {
    PyErr_SetString(PyExc_TypeError, ("out is of type " + python::type_name(out) + expected).c_str());
    throw nb::python_error();
  }
  const nb::list given(out);
  if (given.size() != targets.size()) throw Error("out has " + std::to_string(given.size()) + " elements" + expected);
  for (std::size_t k = 0; k < targets.size(); ++k) targets[k] = nb::borrow(given[k]);
  return targets;
}
/// "out[1] (dtau_dv)"
template <class Kind>
std::string target_name(std::size_t k) {
  return "out[" + std::to_string(k) + "] (" + Kind::fields[k].name + ")";
}

/// The results of a call, in the order of their names.
template <class Kind>
nb::object finish(Call& call) {
  NamedArrays<Kind> result;
  for (std::size_t k = 0; k < result.arrays.size(); ++k) result.arrays[k] = call.finish(int(k));
  return nb::cast(std::move(result));
}

template <class Kind>
void bind_named_arrays(nb::module_& m) {
  using Type = NamedArrays<Kind>;
  constexpr std::size_t count = Kind::fields.size();
  const auto as_tuple = [](const Type& self) {
    nb::list all;
    for (const auto& array : self.arrays) all.append(array);
    return nb::tuple(all);
  };
  nb::class_<Type> bound(m, Kind::type, Kind::doc);
  for (std::size_t k = 0; k < count; ++k) {
    const std::string getter = "def " + std::string(Kind::fields[k].name) + "(self) -> NDArray[Any]";
    bound.def_prop_ro(
        Kind::fields[k].name, [k](const Type& self) { return self.arrays[k]; }, nb::sig(getter.c_str()),
        Kind::fields[k].doc);
  }
  bound.def("__len__", [](const Type&) { return count; });
  bound.def(
      "__iter__", [as_tuple](const Type& self) { return nb::iter(as_tuple(self)); },
      nb::sig("def __iter__(self) -> Iterator[NDArray[Any]]"));
  bound.def(
      "__getitem__",
      [](const Type& self, long index) {
        const long at = index < 0 ? index + long(count) : index;
        if (at < 0 || at >= long(count)) throw nb::index_error();
        return self.arrays[std::size_t(at)];
      },
      nb::arg("index"), nb::sig("def __getitem__(self, index: int, /) -> NDArray[Any]"));
  bound.def("__repr__", [](const Type& self) {
    std::string text = std::string(Kind::type) + "(";
    for (std::size_t k = 0; k < count; ++k) {
      const nb::object shape = self.arrays[k].attr("shape");
      text += (k ? ", " : "") + std::string(Kind::fields[k].name) + ": " + nb::cast<std::string>(nb::str(shape));
    }
    return text + ")";
  });
  bound.def("__getstate__", as_tuple);
  bound.def("__setstate__", [](Type& self, const nb::tuple& state) {
    new (&self) Type{};
    for (std::size_t k = 0; k < count; ++k) self.arrays[k] = nb::borrow(state[k]);
  });
}

}  // namespace lissom::python
