#pragma once
// The Jacobians of all links in charted coordinates (Liu & Jain, 49–58): ω = J_ω q̃̇, and v = J_v q̃̇ of the center of
// mass, along the world's axes. The scalar type is a parameter: on dual numbers whose slopes are q̃̇, the slopes of J are
// J̇. Not for users.
//   J_ω,k = J_ω,p + R_WJ Ĵ_ω          J_v at the origin: J_v,p + J_ω,p × (p_k - p_p) + R_WJ Ĵ_v
// where Ĵ is the joint's own Jacobian: its axis; for a universal joint both axes, of which the second rotates with the
// first; for a spherical joint the rate map of its chart (52, 54).
#include <vector>

#include "lissom/formulations/charted.h"
#include "lissom/formulations/joint_forms.h"

namespace lissom::formulations {

template <class T>
struct LinkJacobian {
  Pose<T> X;                      // pose of the link in the world
  Vec3<T> com;                    // in the world
  std::vector<Vec3<T>> origin_v;  // columns: velocity of the link's origin
  std::vector<Vec3<T>> v, omega;  // columns: velocity of the center of mass, angular velocity
};

// The pose of the child in the joint's frame, and the columns of Ĵ, along the joint's axes.
template <class T>
struct LocalJacobian {
  Pose<T> X;
  struct Column {
    int at;  // index in q̃
    Vec3<T> v, omega;
  };
  std::vector<Column> columns;
};
template <class T>
LocalJacobian<T> local_jacobian(const MechanismLink& link, const Charted::Slot* slot, const T* charted) {
  LocalJacobian<T> J;
  if (link.type == JointType::fixed) return J;
  const auto column = [&](int k, const Vec3<T>& v, const Vec3<T>& omega) {
    J.columns.push_back({slot->at + k, T(link.ratio) * v, T(link.ratio) * omega});
  };
  if (slot->chart) {
    const int before = slot->size - slot->chart->size();  // the position of a free joint
    const T* theta = charted + slot->at + before;
    J.X.R = slot->chart->rotation_of(theta);
    const Vec3<T> e[3] = {cast<T>(Vec3<double>(1, 0, 0)), cast<T>(Vec3<double>(0, 1, 0)),
                          cast<T>(Vec3<double>(0, 0, 1))};
    if (before) J.X.p = {charted[slot->at], charted[slot->at + 1], charted[slot->at + 2]};
    for (int k = 0; k < before; ++k) column(k, e[k], zero_vec3<T>());
    const auto map = slot->chart->rate_columns(theta);
    for (int k = 0; k < slot->chart->size(); ++k) column(before + k, zero_vec3<T>(), map[std::size_t(k)]);
    return J;
  }
  std::vector<T> x;
  for (int k = 0; k < slot->size; ++k) x.push_back(T(link.ratio) * charted[slot->at + k] + T(link.offset));
  const auto form = joint_form(link, x.data());
  J.X = form.X;
  for (int k = 0; k < slot->size; ++k) column(k, form.columns[std::size_t(k)].v, form.columns[std::size_t(k)].omega);
  return J;
}

// The slot of each link's joint, or of its leader if it is a mimic joint; nullptr for a fixed joint.
std::vector<const Charted::Slot*> slots_of_links(const Charted& coordinates);

// With `base_at_rest`, free joints at the roots are taken as fixed at the origin, with the identity as orientation: the
// result are Jacobians relative to the base.
template <class T>
std::vector<LinkJacobian<T>> link_jacobians(const Charted& coordinates, const T* charted, bool base_at_rest = false) {
  const auto& links = coordinates.mechanism().links;
  const auto slots = slots_of_links(coordinates);
  std::vector<LinkJacobian<T>> all;
  all.reserve(links.size());
  for (std::size_t k = 0; k < links.size(); ++k) {
    const auto& link = links[k];
    LinkJacobian<T> i;
    const auto zeros = std::vector<Vec3<T>>(std::size_t(coordinates.size()), zero_vec3<T>());
    const bool rests = base_at_rest && link.parent < 0 && link.type == JointType::free;
    const auto J = rests ? LocalJacobian<T>{} : local_jacobian(link, slots[k], charted);
    const auto origin = rests ? Pose<T>{} : Pose<T>{cast<T>(link.origin.R), cast<T>(link.origin.p)};
    const auto X_WJ = link.parent < 0 ? origin : all[std::size_t(link.parent)].X * origin;
    i.X = X_WJ * J.X;
    i.origin_v = link.parent < 0 ? zeros : all[std::size_t(link.parent)].origin_v;
    i.omega = link.parent < 0 ? zeros : all[std::size_t(link.parent)].omega;
    if (link.parent >= 0) {
      const auto arm = i.X.p - all[std::size_t(link.parent)].X.p;
      for (std::size_t c = 0; c < i.omega.size(); ++c) i.origin_v[c] += cross(i.omega[c], arm);
    }
    for (const auto& column : J.columns) {
      i.origin_v[std::size_t(column.at)] += X_WJ.R * column.v;
      i.omega[std::size_t(column.at)] += X_WJ.R * column.omega;
    }
    const auto to_com = i.X.R * cast<T>(Vec3<double>(link.com.x(), link.com.y(), link.com.z()));
    i.com = i.X.p + to_com;
    i.v = i.origin_v;
    for (std::size_t c = 0; c < i.omega.size(); ++c) i.v[c] += cross(i.omega[c], to_com);
    all.push_back(std::move(i));
  }
  return all;
}

// The values, and the slopes, of dual columns.
Eigen::Matrix3Xd values(const std::vector<Vec3<Dual<double>>>& columns);
Eigen::Matrix3Xd slopes(const std::vector<Vec3<Dual<double>>>& columns);
// Dual numbers with values q̃ and slopes q̃̇. Throws an Error if one of them has the wrong size or is not finite.
std::vector<Dual<double>> moving(const Charted& coordinates, const VectorIn& charted, const VectorIn& rates);

// The contribution of rotors to the kinetic energy, ½ Σ armature (E q̃̇)²: a row of E, and of Ė, for each rotor.
struct RotorRows {
  Eigen::MatrixXd E, E_rate;
  Eigen::VectorXd armature;
};
RotorRows rotor_rows(const Charted& coordinates, const VectorIn& charted, const VectorIn& rates);

}  // namespace lissom::formulations
