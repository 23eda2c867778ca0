#include "lissom/world/contact_set.h"

#include <cmath>
#include <numeric>

namespace lissom::worlds {

Mat3<double> contact_axes(const Vec3<double>& n) {
  // The coordinate axis that is farthest from n gives the first tangent.
  const auto e = std::abs(n.x) < .6 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
  auto t = e - dot(e, n) * n;
  t = (1 / std::sqrt(dot(t, t))) * t;
  const auto s = cross(n, t);
  return {n.x, t.x, s.x, n.y, t.y, s.y, n.z, t.z, s.z};
}

Mat3<double> product(const double* A, const double* B, int n) {
  double sums[3][3] = {};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < n; ++k) sums[i][j] += A[i * n + k] * B[j * n + k];
  return {sums[0][0], sums[0][1], sums[0][2], sums[1][0], sums[1][1], sums[1][2], sums[2][0], sums[2][1], sums[2][2]};
}

void ContactSet::make_rows(const Units& units) {
  std::size_t count = 0;
  for (auto& c : contacts)
    for (std::size_t side = 0; side < 2; ++side) {
      if (c.unit[side] == fixed_unit) continue;
      const auto n = 3 * std::size_t(units[std::size_t(c.unit[side])]->nv());
      c.J[side] = count;
      c.W[side] = count + n;
      count += 2 * n;
    }
  numbers.resize(count);
  for (auto& c : contacts) {
    c.G = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    for (std::size_t side = 0; side < 2; ++side) {
      if (c.unit[side] == fixed_unit) continue;
      const auto& unit = *units[std::size_t(c.unit[side])];
      const int n = unit.nv();
      double* const J = &numbers[c.J[side]];
      double* const W = &numbers[c.W[side]];
      unit.jacobian(c.body[side], c.point, c.axes, J);
      if (side == 1)  // u is the velocity of a relative to b
        for (int k = 0; k < 3 * n; ++k) J[k] = -J[k];
      for (int row = 0; row < 3; ++row) unit.solve(J + row * n, W + row * n);
      c.G = c.G + product(J, W, n);
    }
    if (c.unit[0] == c.unit[1] && c.unit[0] != fixed_unit)
      c.G = c.G + cross_terms(c, units[std::size_t(c.unit[0])]->nv());
  }
}

// Both sides on one unit: what the impulse on one side does to the other.
Mat3<double> ContactSet::cross_terms(const Contact& c, int n) const {
  return product(&numbers[c.J[0]], &numbers[c.W[1]], n) + product(&numbers[c.J[1]], &numbers[c.W[0]], n);
}

void ContactSet::find_islands(const Units& units) {
  root_.resize(units.size());
  std::iota(root_.begin(), root_.end(), 0);
  const auto root_of = [&](int unit) {
    while (root_[std::size_t(unit)] != unit)
      unit = root_[std::size_t(unit)] = root_[std::size_t(root_[std::size_t(unit)])];
    return unit;
  };
  for (const auto& c : contacts)
    if (c.unit[0] != fixed_unit && c.unit[1] != fixed_unit) {
      const int a = root_of(c.unit[0]), b = root_of(c.unit[1]);
      root_[std::size_t(std::max(a, b))] = std::min(a, b);
    }
  for (auto& island : islands) island.clear();
  index_.assign(units.size(), -1);
  std::size_t used = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto& c = contacts[i];
    const int root = root_of(c.unit[0] != fixed_unit ? c.unit[0] : c.unit[1]);
    if (index_[std::size_t(root)] < 0) index_[std::size_t(root)] = int(used++);
    if (islands.size() < used) islands.emplace_back();
    islands[std::size_t(index_[std::size_t(root)])].push_back(int(i));
  }
  islands.resize(used);
}

Vec3<double> ContactSet::velocity(const Contact& c, const std::vector<Eigen::VectorXd>& v) const {
  double u[3] = {};
  for (std::size_t side = 0; side < 2; ++side) {
    if (c.unit[side] == fixed_unit) continue;
    const auto& x = v[std::size_t(c.unit[side])];
    const double* J = &numbers[c.J[side]];
    for (double& sum : u)
      for (long k = 0; k < x.size(); ++k) sum += *J++ * x[k];
  }
  return {u[0], u[1], u[2]};
}

void ContactSet::apply(const Contact& c, const Vec3<double>& p, std::vector<Eigen::VectorXd>& v) const {
  for (std::size_t side = 0; side < 2; ++side) {
    if (c.unit[side] == fixed_unit) continue;
    auto& x = v[std::size_t(c.unit[side])];
    const long n = x.size();
    const double* W = &numbers[c.W[side]];
    for (long k = 0; k < n; ++k) x[k] += W[k] * p.x + W[n + k] * p.y + W[2 * n + k] * p.z;
  }
}

}  // namespace lissom::worlds
