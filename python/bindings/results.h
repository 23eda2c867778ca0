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
    bind_repr(bound, name, fields);
  bind_state(bound, name, fields);
  return bound;
}

}  // namespace lissom::python
