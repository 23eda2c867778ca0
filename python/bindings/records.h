#pragma once
// Plain structures of lissom as Python classes, from one list of their fields: keyword arguments, attributes, repr,
// equality, copying and pickling.
#include <tuple>

#include "casters.h"

namespace lissom::python {

/// A member of a structure, with its documentation.
template <class T, class M>
struct Field {
  const char* name;
  M T::* member;
  const char* doc;
};
template <class T, class M>
Field(const char*, M T::*, const char*) -> Field<T, M>;

/// The type of a value as stubs write it.
template <class T>
std::string python_type();
template <class T>
struct PythonType {
  static std::string text() {
    if constexpr (Named<T>) {
      std::string list;
      for (const char* const name : names<T>) list += (list.empty() ? "'" : ", '") + std::string(name) + "'";
      return "Literal[" + list + "]";
    } else {
      return "Any";
    }
  }
};
#define LISSOM_PYTHON_TYPE(T, name) \
  template <>                       \
  struct PythonType<T> {            \
    static std::string text() {     \
      return name;                  \
    }                               \
  };
LISSOM_PYTHON_TYPE(double, "float")
LISSOM_PYTHON_TYPE(int, "int")
LISSOM_PYTHON_TYPE(long, "int")
LISSOM_PYTHON_TYPE(unsigned long, "int")
LISSOM_PYTHON_TYPE(bool, "bool")
LISSOM_PYTHON_TYPE(std::string, "str")
LISSOM_PYTHON_TYPE(PerDof, "float | ArrayLike")
LISSOM_PYTHON_TYPE(Vec3<double>, "ArrayLike")
LISSOM_PYTHON_TYPE(Mat3<double>, "ArrayLike")
LISSOM_PYTHON_TYPE(Pose<double>, "ArrayLike")
LISSOM_PYTHON_TYPE(SpatialVector, "ArrayLike")
LISSOM_PYTHON_TYPE(Eigen::VectorXd, "ArrayLike")
LISSOM_PYTHON_TYPE(Matrix, "ArrayLike")
LISSOM_PYTHON_TYPE(std::vector<Vec3<double>>, "ArrayLike")
template <class T>
struct PythonType<std::optional<T>> {
  static std::string text() { return python_type<T>() + " | None"; }
};
template <class T>
struct PythonType<std::vector<T>> {
  static std::string text() { return "Sequence[" + python_type<T>() + "]"; }
};
template <class T>
std::string python_type() {
  return PythonType<T>::text();
}

/// Whether `record.target[2] = 1` changes the record: true for records that Python owns and that stay where they are.
/// 3-vectors and 6-vectors are then views; other arrays and lists cannot be written to, because writing to a copy would
/// have no effect and say nothing.
template <class T>
inline constexpr bool fields_in_place = false;

/// An array that cannot be written to, a tuple instead of a list; everything else as it is.
nb::object frozen(nb::object value);

template <class Value>
inline constexpr bool copied_field = false;
template <>
inline constexpr bool copied_field<Eigen::VectorXd> = true;
template <>
inline constexpr bool copied_field<Matrix> = true;
template <>
inline constexpr bool copied_field<Mat3<double>> = true;
template <>
inline constexpr bool copied_field<Pose<double>> = true;
template <class V>
inline constexpr bool copied_field<std::optional<V>> = true;
template <class V>
inline constexpr bool copied_field<std::vector<V>> = true;

/// A field as Python sees it where fields_in_place holds.
template <class Value>
nb::object field_in_place(nb::handle record, Value& value) {
  if constexpr (std::is_same_v<Value, Vec3<double>>)
    return numpy_view(&value.x, std::array{3L}, record, true);
  else if constexpr (std::is_same_v<Value, SpatialVector>)
    return numpy_view(&value.linear.x, std::array{6L}, record, true);
  else
    return frozen(nb::cast(value));
}
template <class T, class Value>
inline constexpr bool own_getter = fields_in_place<T> && (std::is_same_v<Value, Vec3<double>> ||
                                                          std::is_same_v<Value, SpatialVector> || copied_field<Value>);

/// "'mas' is not a field of LinkDescription; did you mean 'mass'?"
[[noreturn]] void unknown_field(const char* type, const std::string& name, const std::vector<std::string>& fields);
/// "LinkDescription.mass is 'heavy', expected float"
[[noreturn]] void wrong_field(const char* type, const char* name, nb::handle value, const std::string& expected);
/// Short text of a value for repr: arrays with four digits, long lists as their length.
std::string short_repr(nb::handle value);

template <class T, class... M>
void set_field(const char* type, T& record, const std::string& name, nb::handle value,
               const std::tuple<Field<T, M>...>& fields) {
  bool found = false;
  std::apply(
      [&](const auto&... field) {
        const auto try_one = [&](const auto& f) {
          using Value = std::remove_cvref_t<decltype(record.*f.member)>;
          if (found || name != f.name) return;
          found = true;
          Value converted = record.*f.member;
          if (!nb::try_cast<Value>(value, converted)) wrong_field(type, f.name, value, python_type<Value>());
          record.*f.member = std::move(converted);
        };
        (try_one(field), ...);
      },
      fields);
  if (found) return;
  std::vector<std::string> known;
  std::apply([&](const auto&... field) { (known.emplace_back(field.name), ...); }, fields);
  unknown_field(type, name, known);
}

/// Members are handed out as references, so that `record.member.field = …` works. Elements of a list that Python gets
/// as a list of its own are copies: the list may be replaced while Python holds them.
template <class Value>
constexpr auto getter_policy() {
  if constexpr (requires { typename Value::allocator_type; } &&
                !nb::detail::is_base_caster_v<nb::detail::make_caster<Value>>)
    return nb::rv_policy::copy;
  else
    return nb::rv_policy::reference_internal;
}

/// An attribute of the class, with errors that name it.
template <class T, class Value>
void bind_field(nb::class_<T>& bound, const char* name, const Field<T, Value>& f) {
  const auto member = f.member;
  const char* const field_name = f.name;
  const std::string setter = "def " + std::string(f.name) + "(self, value: " + python_type<Value>() + ", /) -> None";
  const auto get = [member] {
    if constexpr (own_getter<T, Value>)
      return [member](nb::handle self) { return field_in_place(self, nb::cast<T&>(self).*member); };
    else
      return [member](T& self) -> Value& { return self.*member; };
  }();
  bound.def_prop_rw(
      f.name, get,
      [member, name, field_name](T& self, nb::handle value) {
        Value converted = self.*member;
        if (!nb::try_cast<Value>(value, converted)) wrong_field(name, field_name, value, python_type<Value>());
        self.*member = std::move(converted);
      },
      nb::for_setter(nb::sig(setter.c_str())), nb::for_setter(nb::arg("value").none()), getter_policy<Value>(), f.doc);
}

/// As text, Name(first=…, second=…).
template <class T, class... M>
void bind_repr(nb::class_<T>& bound, const char* name, const std::tuple<Field<T, M>...>& fields) {
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
}
/// Copying and pickling, through the fields, so that they need no code of their own.
template <class T, class... M>
void bind_state(nb::class_<T>& bound, const char* name, const std::tuple<Field<T, M>...>& fields) {
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
}

/// Defines the class. Its constructor takes the fields in their order, or by name.
template <class T, class... M>
nb::class_<T> bind_record(nb::handle module, const char* name, const char* doc,
                          const std::tuple<Field<T, M>...>& fields) {
  auto bound = nb::class_<T>(module, name, doc);
  std::string signature = "def __init__(self";
  std::apply(
      [&](const auto&... f) { ((signature += std::string(", ") + f.name + ": " + python_type<M>() + " = ..."), ...); },
      fields);
  signature += ") -> None";
  bound.def(
      "__init__",
      [name, fields](T* self, const nb::args& args, const nb::kwargs& kwargs) {
        T record{};
        std::vector<std::string> known;
        std::apply([&](const auto&... f) { (known.emplace_back(f.name), ...); }, fields);
        if (args.size() > known.size()) {
          PyErr_Format(PyExc_TypeError, "%s takes at most %d arguments, %d were given", name, int(known.size()),
                       int(args.size()));
          throw nb::python_error();
        }
        for (std::size_t i = 0; i < args.size(); ++i) set_field(name, record, known[i], args[i], fields);
        for (const auto [key, value] : kwargs) set_field(name, record, nb::cast<std::string>(key), value, fields);
        new (self) T(std::move(record));
      },
      nb::sig(signature.c_str()));
  std::apply([&](const auto&... field) { (bind_field(bound, name, field), ...); }, fields);
  bind_repr(bound, name, fields);
  bind_state(bound, name, fields);
  return bound;
}

}  // namespace lissom::python
