#include "lissom/formulations/link_jacobians.h"

#include <unordered_map>

namespace lissom::formulations {

std::vector<const Charted::Slot*> slots_of_links(const Charted& coordinates) {
  std::unordered_map<int, const Charted::Slot*> by_v;  // followers carry the v of their leader
  for (const auto& slot : coordinates.slots()) by_v[slot.v] = &slot;
  std::vector<const Charted::Slot*> slots;
  for (const auto& link : coordinates.mechanism().links) slots.push_back(link.nv == 0 ? nullptr : by_v.at(link.v));
  return slots;
}

namespace {

template <class T, class F>
Eigen::Matrix3Xd each(const std::vector<Vec3<T>>& columns, F number) {
  Eigen::Matrix3Xd m(3, long(columns.size()));
  for (long k = 0; k < m.cols(); ++k) {
    const auto& c = columns[std::size_t(k)];
    m.col(k) << number(c.x), number(c.y), number(c.z);
  }
  return m;
}

}  // namespace

Eigen::Matrix3Xd in_eigen(const std::vector<Vec3<double>>& columns) {
  return each(columns, [](double x) { return x; });
}
Eigen::Matrix3Xd values(const std::vector<Vec3<Dual<double>>>& columns) {
  return each(columns, [](const Dual<double>& x) { return x.value; });
}
Eigen::Matrix3Xd slopes(const std::vector<Vec3<Dual<double>>>& columns) {
  return each(columns, [](const Dual<double>& x) { return x.slope; });
}

std::vector<Dual<double>> moving(const VectorIn& charted, const VectorIn& rates) {
  std::vector<Dual<double>> x;
  for (long k = 0; k < charted.size(); ++k) x.push_back({charted[k], rates[k]});
  return x;
}

}  // namespace lissom::formulations
