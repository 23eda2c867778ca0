#include "lissom/formulations/link_jacobians.h"

#include <unordered_map>

namespace lissom::formulations {

std::vector<const Charted::Slot*> slots_of_links(const Charted& coordinates) {
  std::unordered_map<int, const Charted::Slot*> by_v;  // a mimic joint has the v_index of its leader
  for (const auto& slot : coordinates.slots()) by_v[slot.v_index] = &slot;
  std::vector<const Charted::Slot*> slots;
  for (const auto& link : coordinates.mechanism().links)
    slots.push_back(link.nv == 0 ? nullptr : by_v.at(link.v_index));
  return slots;
}

namespace {

template <class T, class F>
Eigen::Matrix3Xd each(const std::vector<Vec3<T>>& columns, F part) {
  Eigen::Matrix3Xd m(3, long(columns.size()));
  for (long k = 0; k < m.cols(); ++k) {
    const auto& c = columns[std::size_t(k)];
    m.col(k) << part(c.x), part(c.y), part(c.z);
  }
  return m;
}

}  // namespace

Eigen::Matrix3Xd values(const std::vector<Vec3<Dual<double>>>& columns) {
  return each(columns, [](const Dual<double>& x) { return x.value; });
}
Eigen::Matrix3Xd slopes(const std::vector<Vec3<Dual<double>>>& columns) {
  return each(columns, [](const Dual<double>& x) { return x.slope; });
}

std::vector<Dual<double>> moving(const Charted& coordinates, const VectorIn& charted, const VectorIn& rates) {
  check_vector(charted, coordinates.size(), "charted coordinates");
  check_vector(rates, coordinates.size(), "rates");
  std::vector<Dual<double>> x;
  for (long k = 0; k < charted.size(); ++k) x.push_back({charted[k], rates[k]});
  return x;
}

RotorRows rotor_rows(const Charted& c, const VectorIn& charted, const VectorIn& rates) {
  const Eigen::MatrixXd E = c.velocity_map(charted), E_rate = c.velocity_map_rate(charted, rates);
  RotorRows rows;
  int count = 0;
  for (const auto& link : c.mechanism().links) count += link.armature != 0 ? link.nv : 0;
  rows.E.resize(count, c.size()), rows.E_rate.resize(count, c.size()), rows.armature.resize(count);
  count = 0;
  for (const auto& link : c.mechanism().links)
    for (int k = 0; k < link.nv && link.armature != 0; ++k, ++count) {
      rows.E.row(count) = link.ratio * E.row(link.v_index + k);
      rows.E_rate.row(count) = link.ratio * E_rate.row(link.v_index + k);
      rows.armature[count] = link.armature;
    }
  return rows;
}

}  // namespace lissom::formulations
