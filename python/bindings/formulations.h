#pragma once
// What the bindings of lissom::formulations share.
#include "bound_model.h"
#include "lissom/formulations/charted.h"
#include "lissom/formulations/mechanism.h"
#include "records.h"

namespace lissom::python {

/// A Mechanism, or that of a Model.
formulations::Mechanism mechanism_of(nb::handle robot);
/// A link of a mechanism by its name or index.
int link_of(const formulations::Mechanism& mechanism, nb::handle object, const char* argument);

/// A dict of any mapping; None is an empty one. A TypeError names the argument and what was expected.
nb::dict mapping(const char* argument, nb::handle object, const char* expected);

/// Runs f without the GIL.
template <class F>
auto without_gil(const F& f) {
  const nb::gil_scoped_release release;
  return f();
}

/// n × k from a list of vectors with k elements, and back.
nb::object to_numpy(const std::vector<Vector6>& rows);
nb::object to_numpy(const std::vector<Eigen::Vector3d>& rows);
std::vector<Vector6> rows6(const char* name, nb::handle object);
std::vector<Eigen::Vector3d> rows3(const char* name, nb::handle object);

/// As short_repr, but of a long array only the shape.
std::string shape_or_repr(nb::handle value);

/// A member of a result: how it appears in Python, and its documentation.
template <class T>
struct Member {
  const char* name;
  nb::object (*get)(const T&);
  const char* doc;
};
/// A class of results: members that are read, and a repr of all of them.
template <class T>
nb::class_<T> bind_result(nb::handle module, const char* name, const char* doc, std::vector<Member<T>> members) {
  nb::class_<T> c(module, name, doc);
  for (const auto& member : members)
    c.def_prop_ro(
        member.name, [get = member.get](const T& self) { return get(self); },
        nb::sig(("def " + std::string(member.name) + "(self) -> Any").c_str()), member.doc);
  c.def("__repr__", [name, members](const T& self) {
    std::string text = std::string(name) + "(";
    for (const auto& member : members)
      text += (text.back() == '(' ? "" : ", ") + std::string(member.name) + "=" + shape_or_repr(member.get(self));
    return text + ")";
  });
  return c;
}
#define LISSOM_ARRAY_MEMBER(name, doc) {#name, [](const auto& self) { return to_numpy(self.name); }, doc}
#define LISSOM_MEMBER(name, doc) {#name, [](const auto& self) { return nb::cast(self.name); }, doc}

void bind_mechanism(nb::module_& m);
void bind_charted(nb::module_& m);
void bind_equations(nb::module_& m);
void bind_conversions(nb::module_& m);
void bind_blocks(nb::module_& m);
void bind_conventions(nb::module_& m);
void bind_verify(nb::module_& m);
void bind_formulations(nb::module_& m);

}  // namespace lissom::python
