#pragma once
// The members of the structures of description.h with their names, for code that treats all of them alike: it compares
// descriptions, and writes them to JSON and reads them back. A member that is missing here does not compile. Not
// installed.
#include <array>
#include <string_view>
#include <tuple>
#include <utility>

#include "lissom/model/description.h"

namespace lissom {

template <class T, class Member>
struct DescriptionField {
  const char* name;
  Member T::* member;
};
template <class T, class Member>
DescriptionField(const char*, Member T::*) -> DescriptionField<T, Member>;

// description_fields<T>: a tuple of DescriptionField.
template <class T>
inline constexpr auto description_fields = nullptr;
template <class T>
concept HasFields = !std::is_same_v<std::remove_cvref_t<decltype(description_fields<T>)>, std::nullptr_t>;

// The words for the values of an enumeration, in its order.
template <class E>
inline constexpr std::array<std::string_view, 0> description_words{};
template <class E>
concept HasWords = std::is_enum_v<E>;

// clang-format off
#define LISSOM_FIELD(name) DescriptionField{#name, &Owner::name}
#define LISSOM_FIELDS(Type, ...)                                             \
  template <>                                                                \
  inline constexpr auto description_fields<Type> = [] {                      \
    using Owner = Type;                                                      \
    return std::tuple{__VA_ARGS__};                                          \
  }();
#define F LISSOM_FIELD
LISSOM_FIELDS(Color, F(r), F(g), F(b), F(a))
LISSOM_FIELDS(Material, F(name), F(color), F(texture))
LISSOM_FIELDS(Shape, F(kind), F(size), F(radius), F(length), F(file), F(path), F(scale))
LISSOM_FIELDS(Geometry, F(name), F(origin), F(shape), F(material), F(contact_material), F(line), F(contact_group), F(contact_mask))
LISSOM_FIELDS(LinkDescription, F(name), F(mass), F(com), F(inertia), F(visuals), F(collisions), F(line), F(connects_joints))
LISSOM_FIELDS(RootDescription, F(link), F(base), F(placement), F(line), F(is_ground))
LISSOM_FIELDS(Mimic, F(joint), F(ratio), F(offset))
LISSOM_FIELDS(JointDescription, F(name), F(type), F(parent), F(child), F(origin), F(axis), F(axis2), F(pitch), F(lower), F(upper),
              F(velocity_limit), F(effort_limit), F(damping), F(dry_friction), F(spring_stiffness), F(spring_rest), F(armature),
              F(mimic), F(line))
LISSOM_FIELDS(FrameDescription, F(name), F(link), F(origin), F(line))
LISSOM_FIELDS(AttachmentDescription, F(frame), F(placement))
LISSOM_FIELDS(LoopAxes, F(along), F(about))
LISSOM_FIELDS(LoopDescription, F(name), F(a), F(b), F(axes), F(line), F(kind), F(length))
LISSOM_FIELDS(JointCoupling, F(name), F(joint), F(of), F(coefficients), F(line))
LISSOM_FIELDS(SpringDescription, F(name), F(a), F(b), F(stiffness), F(damping), F(rest), F(line))
LISSOM_FIELDS(TendonDescription::Term, F(joint), F(coefficient))
LISSOM_FIELDS(TendonDescription, F(name), F(terms), F(lower), F(upper), F(stiffness), F(rest), F(damping), F(dry_friction), F(armature),
              F(line))
LISSOM_FIELDS(ActuatorDescription, F(name), F(joint), F(component), F(gear), F(min_command), F(max_command), F(line), F(kind), F(gain),
              F(bias), F(min_force), F(max_force), F(tendon))
LISSOM_FIELDS(PostureDescription::JointPosition, F(joint), F(q))
LISSOM_FIELDS(PostureDescription, F(name), F(positions), F(line))
LISSOM_FIELDS(ContactExclusion, F(name), F(a), F(b), F(line))
LISSOM_FIELDS(ContactPair, F(name), F(a), F(b), F(friction), F(line))
LISSOM_FIELDS(ContactMaterial, F(name), F(friction), F(restitution), F(line))
LISSOM_FIELDS(KeptAttribute, F(subject), F(name), F(value), F(line))
LISSOM_FIELDS(SourceFile, F(file), F(first_line))
LISSOM_FIELDS(Description, F(name), F(file), F(links), F(joints), F(frames), F(loops), F(couplings), F(springs), F(actuators),
              F(contact_materials), F(gravity), F(roots), F(tendons), F(postures), F(contact_exclusions), F(contact_pairs), F(kept),
              F(time_step), F(sources))
#undef F
#undef LISSOM_FIELDS
#undef LISSOM_FIELD

template <> inline constexpr std::array<std::string_view, 4> description_words<Base> = {"file", "fixed", "free", "planar"};
template <> inline constexpr std::array<std::string_view, 2> description_words<LoopKind> = {"axes", "distance"};
template <> inline constexpr std::array<std::string_view, 8> description_words<Shape::Kind> = {
    "box", "sphere", "cylinder", "capsule", "ellipsoid", "plane", "mesh", "height_field"};
template <> inline constexpr std::array<std::string_view, 4> description_words<ActuatorDescription::Kind> = {
    "motor", "position", "velocity", "general"};
template <> inline constexpr std::array<std::string_view, std::size(joint_types)> description_words<JointType> = [] {
  std::array<std::string_view, std::size(joint_types)> words;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = joint_types[i].name;
  return words;
}();
// clang-format on

namespace description_checks {

struct Anything {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor): it stands for any member
};
template <class T, std::size_t... i>
constexpr bool takes(std::index_sequence<i...>) {
  return requires { T{(void(i), Anything{})...}; };
}
template <class T>
constexpr bool lists_all_members() {
  constexpr auto n = std::tuple_size_v<std::remove_cvref_t<decltype(description_fields<T>)>>;
  return takes<T>(std::make_index_sequence<n>()) && !takes<T>(std::make_index_sequence<n + 1>());
}
template <class... T>
constexpr bool all_list_their_members() {
  return (lists_all_members<T>() && ...);
}
static_assert(
    all_list_their_members<Color, Material, Shape, Geometry, LinkDescription, RootDescription, Mimic, JointDescription,
                           FrameDescription, AttachmentDescription, LoopAxes, LoopDescription, JointCoupling,
                           SpringDescription, TendonDescription::Term, TendonDescription, ActuatorDescription,
                           PostureDescription::JointPosition, PostureDescription, ContactExclusion, ContactPair,
                           ContactMaterial, KeptAttribute, SourceFile, Description>(),
    "a member of a structure of description.h is missing in its LISSOM_FIELDS");

}  // namespace description_checks

}  // namespace lissom
