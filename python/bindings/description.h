#pragma once
// Descriptions as Python has them: their lists are those of Python, so that `description.links.append(…)` and
// `description.links[0].mass = 2` change the description, and no element goes away while Python holds it.
#include "items.h"
#include "lissom/model/description_fields.h"

namespace nanobind::detail {
// A symmetric matrix: 3 × 3 in Python.
template <>
struct type_caster<lissom::Sym3<double>> {
  NB_TYPE_CASTER(lissom::Sym3<double>, const_name("numpy.typing.NDArray[numpy.float64]"))
  bool from_python(handle source, uint32_t, cleanup_list*) noexcept {
    try {
      const auto m = lissom::python::mat3("value", source);
      const double scale = 1e-9 * (std::abs(m.xx) + std::abs(m.yy) + std::abs(m.zz));
      if (std::abs(m.xy - m.yx) > scale || std::abs(m.xz - m.zx) > scale || std::abs(m.yz - m.zy) > scale) return false;
      value = {m.xx, m.xy, m.xz, m.yy, m.yz, m.zz};
      return true;
    } catch (...) {
      PyErr_Clear();
      return false;
    }
  }
  static handle from_cpp(const lissom::Sym3<double>& x, rv_policy, cleanup_list*) noexcept {
    return lissom::python::to_numpy(full(x)).release();
  }
};
}  // namespace nanobind::detail

namespace lissom::python {

LISSOM_PYTHON_TYPE(Sym3<double>, "ArrayLike")
template <>
inline constexpr bool copied_field<Sym3<double>> = true;

struct BoundLinkDescription {
  std::string name = {};
  double mass = 0;
  Vec3<double> com{0, 0, 0};
  Sym3<double> inertia{0, 0, 0, 0, 0, 0};
  Items<Geometry> visuals = {}, collisions = {};
  int line = 0;
  bool connects_joints = false;
};

struct BoundDescription {
  std::string name = {}, file = {};
  Items<BoundLinkDescription> links = {};
  Items<JointDescription> joints = {};
  Items<FrameDescription> frames = {};
  Items<LoopDescription> loops = {};
  Items<JointCoupling> couplings = {};
  Items<SpringDescription> springs = {};
  Items<ActuatorDescription> actuators = {};
  Items<ContactMaterial> contact_materials = {};
  Vec3<double> gravity{0, 0, -9.81};
  Items<RootDescription> roots = {};
  Items<TendonDescription> tendons = {};
  Items<PostureDescription> postures = {};
  Items<ContactExclusion> contact_exclusions = {};
  Items<ContactPair> contact_pairs = {};
  Items<KeptAttribute> kept = {};
  std::optional<double> time_step = {};
  Items<SourceFile> sources = {};
};

/// bind_record of a structure of description.h (`Described`, where Python has a structure of its own). Copies and
/// pickled robots consist of these fields: what were missing here, they would lose.
template <class T, class Described = T, class... M>
nb::class_<T> bind_described(nb::handle module, const char* name, const char* doc,
                             const std::tuple<Field<T, M>...>& fields) {
  static_assert(sizeof...(M) == std::tuple_size_v<std::remove_cvref_t<decltype(description_fields<Described>)>>,
                "a member of this structure has no field in Python");
  return bind_record<T>(module, name, doc, fields);
}

/// Tendons, postures, contact filters and what else a file may say besides links and joints.
void bind_file_extras(nb::module_& m);

/// Throws a TypeError that names the element where a list holds something else.
Description to_description(const BoundDescription& description);
BoundDescription from_description(const Description& description);

}  // namespace lissom::python
