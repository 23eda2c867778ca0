#pragma once
// How small types of lissom appear in Python: 3-vectors, matrices and poses as NumPy arrays, enumerations as strings.
#include <algorithm>
#include <string>
#include <string_view>

#include "arrays.h"
#include "lissom/api/eigen.h"
#include "lissom/api/kinematics.h"
#include "lissom/model/model.h"
#include "lissom/model/text.h"
#include "lissom/spatial/rotation_checks.h"

namespace lissom::python {

/// Conversions of single values, for arguments that need their name in errors.
Vec3<double> vec3(const char* name, nb::handle object);
Mat3<double> mat3(const char* name, nb::handle object);
/// From a 4 × 4 homogeneous matrix, or a pair (rotation matrix, position).
Pose<double> pose(const char* name, nb::handle object);
SpatialVector spatial_vector(const char* name, nb::handle object);
std::vector<Vec3<double>> points(const char* name, nb::handle object);  ///< from an array (n, 3)
nb::object to_numpy(const Vec3<double>& v);
nb::object to_numpy(const Mat3<double>& m);
nb::object to_numpy(const Pose<double>& X);  ///< 4 × 4
nb::object to_numpy(const SpatialVector& x);
nb::object to_numpy(const std::vector<Vec3<double>>& x);  ///< (n, 3)
nb::object to_numpy(const PerDof& x);                     ///< a float, or an array

/// The names of an enumeration, in its order; LISSOM_ENUM below gives them.
template <class E>
inline constexpr std::array<const char*, 0> names{};
template <class E>
concept Named = (names<E>.size() > 0);

template <Named E>
const char* name_of(E e) {
  return names<E>[std::size_t(e)];
}
/// Throws a ValueError that lists the names.
template <Named E>
E value_of(std::string_view text, const char* what) {
  for (std::size_t i = 0; i < names<E>.size(); ++i)
    if (text == names<E>[i]) return E(i);
  std::string list;
  for (const char* const name : names<E>) list += (list.empty() ? "'" : ", '") + std::string(name) + "'";
  throw Error(std::string(what) + " is '" + std::string(text) + "', expected one of " + list);
}

template <class E>
bool read_enum(nb::handle source, E& value) noexcept {
  const char* const text = PyUnicode_Check(source.ptr()) ? PyUnicode_AsUTF8AndSize(source.ptr(), nullptr) : nullptr;
  if (!text) return PyErr_Clear(), false;
  for (std::size_t i = 0; i < names<E>.size(); ++i)
    if (std::string_view(text) == names<E>[i]) return value = E(i), true;
  return false;
}

/// A frame by its name, its index, or as a Frame.
FrameId frame(const Model& model, nb::handle object, const char* argument = "frame");

}  // namespace lissom::python

/// Python sees the values of an enumeration as its names. Stands outside of namespaces.
#define LISSOM_NAMED_CASTER(Type)                                       \
  template <>                                                           \
  struct nanobind::detail::type_caster<Type> {                          \
    NB_TYPE_CASTER(Type, const_name("str"))                             \
    bool from_python(handle source, uint32_t, cleanup_list*) noexcept { \
      return lissom::python::read_enum(source, value);                  \
    }                                                                   \
    static handle from_cpp(Type e, rv_policy, cleanup_list*) noexcept { \
      return PyUnicode_FromString(lissom::python::name_of(e));          \
    }                                                                   \
  };
/// LISSOM_ENUM(Type, "first", "second", …): the names of an enumeration, in its order.
#define LISSOM_ENUM(Type, ...)                                             \
  template <>                                                              \
  inline constexpr std::array lissom::python::names<Type> = {__VA_ARGS__}; \
  LISSOM_NAMED_CASTER(Type)
template <>
inline constexpr std::array lissom::python::names<lissom::JointType> = [] {
  std::array<const char*, std::size(lissom::joint_types)> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = lissom::joint_types[i].name;
  return all;
}();
LISSOM_NAMED_CASTER(lissom::JointType)
LISSOM_ENUM(lissom::Base, "file", "fixed", "free", "planar")
LISSOM_ENUM(lissom::Severity, "note", "warning", "error")
LISSOM_ENUM(lissom::LoopKind, "axes", "distance")
LISSOM_ENUM(lissom::ActuatorDescription::Kind, "motor", "position", "velocity", "general")
LISSOM_ENUM(lissom::Shape::Kind, "box", "sphere", "cylinder", "capsule", "ellipsoid", "plane", "mesh", "height_field")

namespace nanobind::detail {

// Reads with an error of NumPy's or ours cleared: nanobind then says which types the function takes.
#define LISSOM_ARRAY_CASTER(Type, read)                                        \
  template <>                                                                  \
  struct type_caster<Type> {                                                   \
    NB_TYPE_CASTER(Type, const_name("numpy.typing.NDArray[numpy.float64]"))    \
    bool from_python(handle source, uint32_t, cleanup_list*) noexcept {        \
      try {                                                                    \
        value = lissom::python::read("value", source);                         \
        return true;                                                           \
      } catch (...) {                                                          \
        PyErr_Clear();                                                         \
        return false;                                                          \
      }                                                                        \
    }                                                                          \
    static handle from_cpp(const Type& x, rv_policy, cleanup_list*) noexcept { \
      try {                                                                    \
        return lissom::python::to_numpy(x).release();                          \
      } catch (...) {                                                          \
        return {};                                                             \
      }                                                                        \
    }                                                                          \
  };
LISSOM_ARRAY_CASTER(lissom::Vec3<double>, vec3)
LISSOM_ARRAY_CASTER(lissom::Mat3<double>, mat3)
LISSOM_ARRAY_CASTER(lissom::Pose<double>, pose)
LISSOM_ARRAY_CASTER(lissom::SpatialVector, spatial_vector)
LISSOM_ARRAY_CASTER(Eigen::VectorXd, vector)
LISSOM_ARRAY_CASTER(lissom::Matrix, matrix)
LISSOM_ARRAY_CASTER(std::vector<lissom::Vec3<double>>, points)
#undef LISSOM_ARRAY_CASTER

// One number for all degrees of freedom, or one for each.
template <>
struct type_caster<lissom::PerDof> {
  NB_TYPE_CASTER(lissom::PerDof, const_name("float | numpy.typing.NDArray[numpy.float64]"))
  type_caster() : value(0) {}
  bool from_python(handle source, uint32_t, cleanup_list*) noexcept {
    try {
      if (PyFloat_Check(source.ptr()) || PyLong_Check(source.ptr())) {
        value = lissom::PerDof(PyFloat_AsDouble(source.ptr()));
      } else {
        const auto each = lissom::python::vector("value", source);
        value = lissom::PerDof(std::span<const double>(each.data(), std::size_t(each.size())));
      }
      return true;
    } catch (...) {
      PyErr_Clear();
      return false;
    }
  }
  static handle from_cpp(const lissom::PerDof& x, rv_policy, cleanup_list*) noexcept {
    try {
      return lissom::python::to_numpy(x).release();
    } catch (...) {
      return {};
    }
  }
};

}  // namespace nanobind::detail
