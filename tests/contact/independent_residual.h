#pragma once
// The residual once more, from its definition: p - Π(p - u'/g) with projections found by other formulas than the
// solver's, in Eigen.
#include <algorithm>
#include <cmath>

#include "contact_problems.h"
#include "largest.h"

namespace lissom::contact::test {

using lissom::test::larger;

using lissom::test::ContactData;

/// The point of the cone |x_t| ≤ μ x_n nearest to x: the best of x itself, the apex, and the foot on the generator in
/// x's direction.
inline Eigen::Vector3d nearest_in_cone(double mu, const Eigen::Vector3d& x) {
  const double length = std::hypot(x[1], x[2]);
  if (x[0] >= 0 && length <= mu * x[0]) return x;
  Eigen::Vector3d generator(1, 0, 0);
  if (length > 0) generator.tail<2>() = mu / length * x.tail<2>();
  generator.normalize();
  return std::max(0.0, generator.dot(x)) * generator;
}

/// x projected onto the admissible impulses. Disks take their radius from the impulses `radius_from`.
inline Eigen::VectorXd project(const ContactData& data, const Eigen::VectorXd& x, const Eigen::VectorXd& radius_from) {
  Eigen::VectorXd y = x;
  for (const auto& block : data.blocks) {
    if (block.kind == Kind::cone) {
      y.segment<3>(block.row) = nearest_in_cone(block.friction, x.segment<3>(block.row));
    } else if (block.kind == Kind::box) {
      y[block.row] = std::min(std::max(x[block.row], block.lower), block.upper);
    } else if (block.kind == Kind::disk) {
      auto part = y.segment(block.row, block.size);
      const double radius = block.friction * std::max(0.0, radius_from[block.normal_row]), length = part.norm();
      if (length > radius) part *= radius / length;
    }
  }
  return y;
}

inline double independent_residual(const ContactData& data, const Eigen::VectorXd& p) {
  const Eigen::VectorXd u = data.G * p + data.b;
  Eigen::VectorXd x = p, scale = p;
  for (const auto& block : data.blocks) {
    double g = 0;
    for (int k = 0; k < block.size; ++k) g += data.G(block.row + k, block.row + k) / block.size;
    g = larger(g, 1e-300);
    for (int k = 0; k < block.size; ++k) scale[block.row + k] = g;
    x.segment(block.row, block.size) -= u.segment(block.row, block.size) / g;
    if (block.kind == Kind::cone) x[block.row] -= block.friction * std::hypot(u[block.row + 1], u[block.row + 2]) / g;
  }
  const Eigen::VectorXd y = project(data, x, p);
  double worst = 0;
  for (const auto& block : data.blocks) {
    const auto part = [&](const Eigen::VectorXd& v) { return v.segment(block.row, block.size); };
    const double r = block.kind == Kind::free ? part(u).norm() : scale[block.row] * (part(p) - part(y)).norm();
    if (!(r <= worst)) worst = r;
  }
  return worst;
}

}  // namespace lissom::contact::test
