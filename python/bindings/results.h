#pragma once
// Structures that functions return: as records.h, but their attributes cannot be assigned to, so that lists inside them
// can be handed out as copies.
#include "records.h"

namespace lissom::python {

/// The type of an attribute as stubs write it: what goes in as ArrayLike or Sequence comes out as an array or a list.
template <class T>
std::string result_type() {
  std::string text = python_type<T>();
  if (text == "ArrayLike") return "NDArray[np.float64]";
  if (text.starts_with("Sequence[")) text.replace(0, 8, "list");
  if (text == "list[ArrayLike]") return "list[NDArray[np.float64]]";
  return text;
}

template <class T, class... M>
nb::class_<T> bind_result(nb::handle module, const char* name, const char* doc,
                          const std::tuple<Field<T, M>...>& fields, std::string (*text)(const T&) = nullptr) {
  auto bound = nb::class_<T>(module, name, doc);
  std::apply(
      [&](const auto&... field) {
        const auto add = [&](const auto& f) {
          using Value = std::remove_cvref_t<decltype(std::declval<T>().*f.member)>;
          const auto member = f.member;
          const std::string getter = "def " + std::string(f.name) + "(self) -> " + result_type<Value>();
          bound.def_prop_ro(
              f.name, [member](const T& self) -> const Value& { return self.*member; }, nb::sig(getter.c_str()),
              nb::rv_policy::copy, f.doc);
        };
        (add(field), ...);
      },
      fields);
  if (text)
    bound.def("__repr__", text);
  else
    bound.def("__repr__", [name, fields](nb::handle self) {
      std::string text = std::string(name) + "(";
      bool first = true;
      std::apply(
          [&](const auto&... f) {
            ((text += (first ? "" : ", ") + std::string(f.name) + "=" + short_repr(self.attr(f.name)), first = false),
             ...);
          },
          fields);
      return text + ")";
    });
  bound.def("__getstate__", [fields](nb::handle self) {
    nb::list state;
    std::apply([&](const auto&... f) { (state.append(self.attr(f.name)), ...); }, fields);
    return nb::tuple(state);
  });
  bound.def("__setstate__", [name, fields](T& self, const nb::tuple& state) {
    new (&self) T{};
    std::size_t i = 0;
    std::apply([&](const auto&... f) { ((set_field(name, self, f.name, state[i++], fields)), ...); }, fields);
  });
  return bound;
}

}  // namespace lissom::python
