#pragma once
// Problems on the very edge of feasibility: there are points that meet all rows, but they have no interior, many rows
// meet in them, and rounding alone may take them away. A controller that stands on the edge of a foot asks such.
#include <numbers>

#include "qp_test_support.h"

namespace lissom::qp::test {

// How much friction a contact needs (lissom/sim/friction_use.cpp): forces (t_x, t_y, n) at points of the plane and λ,
// as large as it may be, in a linear program with a small curvature. Load: the center of pressure, tangential force and
// spin, all in proportion to the normal force.
struct Load {
  double x, y, tangent_x, tangent_y, spin, friction;
  std::vector<double> corner;  // of the cone of each point: how it is turned
};
using Polygon = std::vector<Eigen::Vector2d>;

inline Data friction_problem(const Polygon& points, const Load& load) {
  const int count = int(points.size()), n = 3 * count + 1, sides = 8;
  Data d = unconstrained(1e-6 * Matrix::Identity(n, n), Eigen::VectorXd::Zero(n));
  d.g[n - 1] = -1;
  d.lx[n - 1] = 0, d.ux[n - 1] = 1000;
  d.A = Matrix::Zero(6, n), d.C = Matrix::Zero(sides * count, n), d.b.resize(6);
  d.b << 0, 0, 0, 1, load.x, load.y;
  d.A(0, n - 1) = -load.tangent_x, d.A(1, n - 1) = -load.tangent_y, d.A(2, n - 1) = -load.spin;
  d.l = Eigen::VectorXd::Constant(sides * count, -unbounded), d.u = Eigen::VectorXd::Zero(sides * count);
  const double inside = load.friction * std::cos(std::numbers::pi / sides);
  for (int i = 0; i < count; ++i) {
    const auto& p = points[std::size_t(i)];
    const int t = 3 * i;
    d.A(0, t) = d.A(1, t + 1) = d.A(3, t + 2) = 1;
    d.A(2, t) = -p.y(), d.A(2, t + 1) = p.x();
    d.A(4, t + 2) = p.x(), d.A(5, t + 2) = p.y();
    d.lx[t + 2] = 0;
    for (int k = 0; k < sides; ++k) {
      const double angle = load.corner[std::size_t(i)] + (2 * k + 1) * std::numbers::pi / sides;
      d.C.row(sides * i + k).segment<3>(t) << std::cos(angle), std::sin(angle), -inside;
    }
  }
  return d;
}

inline Polygon foot() {
  return {{-0.12, -0.065}, {0.12, -0.065}, {0.12, 0.065}, {-0.12, 0.065}};
}

// Convex; a foot, a regular one, or points on an ellipse, turned and moved.
inline Polygon random_polygon(Random& r) {
  if (r.chance(0.3)) return foot();
  const int count = r.integer(3, 6);
  const double a = r.between(0.02, 0.3), b = r.between(0.02, 0.3), turned = r.between(0, 7);
  const Eigen::Vector2d middle(r.chance(0.5) ? 0 : r.normal(), r.chance(0.5) ? 0 : r.normal());
  const bool regular = r.chance(0.3);
  Polygon points;
  for (int i = 0; i < count; ++i) {
    const double angle = (i + (regular ? 0 : r.between(0, 0.8))) * 2 * std::numbers::pi / count;
    const double x = a * std::cos(angle), y = (regular ? a : b) * std::sin(angle);
    points.push_back(middle + Eigen::Vector2d(std::cos(turned) * x - std::sin(turned) * y,
                                              std::sin(turned) * x + std::cos(turned) * y));
  }
  return points;
}

// The pressure on an edge or in a corner; outwards by `out`, in proportion to the size of the polygon.
inline Data friction_on_the_edge(Random& r, double out = 0) {
  const auto points = random_polygon(r);
  const int count = int(points.size()), i = r.integer(0, count - 1);
  const double part = r.chance(0.3) ? 0 : r.between(0, 1);
  const Eigen::Vector2d from = points[std::size_t(i)], to = points[std::size_t((i + 1) % count)];
  Eigen::Vector2d center = (1 - part) * from + part * to;
  if (out != 0) {
    Eigen::Vector2d middle = Eigen::Vector2d::Zero();
    for (const auto& p : points) middle += p / count;
    center += out * (center - middle);
  }
  const double N = std::pow(10, r.between(0, 3)), T = N * std::pow(10, r.between(-4, 0)), angle = r.between(0, 7);
  const double tangent_x = T * std::cos(angle), tangent_y = T * std::sin(angle);
  const double spin = r.chance(0.2) ? 0 : T * r.normal() * 0.1, friction = r.between(0.3, 1);
  const double scale = r.chance(0.5) ? std::hypot(T, spin / 0.1) / N / friction : 1;
  std::vector<double> corner;
  for (int k = 0; k < count; ++k) corner.push_back(r.chance(0.5) && k > 0 ? corner[0] : r.between(0, 7));
  return friction_problem(points, {center.x(), center.y(), tangent_x / scale / N, tangent_y / scale / N,
                                   spin / scale / N, friction, corner});
}

// Bounds and rows that all meet in one point, and equalities that only this point satisfies together with them.
inline Data single_point(Random& r, int most = 10) {
  const int n = r.integer(1, most), mi = r.integer(n, 3 * n), me = r.integer(0, n);
  Kind kind = random_kind(r);
  kind.semidefinite = r.chance(0.2);
  const double curvature = std::pow(10, r.between(-6, 3)), gradient = std::pow(10, r.between(-3, 3));
  Data d = unconstrained(random_hessian(r, kind, n) * curvature, r.vector(n) * gradient);
  // Where x could go far away, no solver has the digits to meet a tolerance.
  const bool keep_near = kind.semidefinite || gradient > 1e3 * curvature;
  const Eigen::VectorXd point = r.vector(n);
  d.A = r.matrix(me, n), d.C = r.matrix(mi, n), d.l.resize(mi), d.u.resize(mi);
  // The last row is a sum of others with positive weights, turned round: none of them may give way.
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(n);
  for (int i = 0; i + 1 < mi; ++i)
    if (r.chance(0.5)) sum += std::abs(r.normal()) * d.C.row(i).transpose();
  d.C.row(mi - 1) = -sum.transpose();
  if (kind.scaled)
    for (int i = 0; i < mi; ++i) d.C.row(i) *= std::pow(10, r.between(-3, 3));
  d.b = d.A * point;
  d.l = d.C * point;
  d.u.setConstant(unbounded);
  for (int i = 0; i < n; ++i) {
    const int side = r.integer(0, 3);
    if (side == 1) d.lx[i] = point[i];
    if (side == 2) d.ux[i] = point[i];
    if (keep_near && side != 1) d.lx[i] = point[i] - 3;
    if (keep_near && side != 2) d.ux[i] = point[i] + 3;
  }
  return d;
}

// Mixtures: x = Σ p_i a_i with p ≥ 0 and Σ p = 1, where x is one of the corners, on an edge or a face of what can be
// reached. As the pressures of contacts are, in more dimensions.
inline Data mixture(Random& r) {
  const int dimensions = r.integer(1, 5), n = r.integer(dimensions + 1, 16);
  Data d = unconstrained(std::pow(10, r.between(-6, 1)) * Matrix::Identity(n, n),
                         r.vector(n) * std::pow(10, r.between(-3, 1)));
  d.A.resize(dimensions + 1, n);
  d.A.row(0).setOnes();
  const Matrix corners = r.matrix(dimensions, n);
  for (int i = 0; i < n; ++i) d.A.col(i).tail(dimensions) = corners.col(i) / corners.col(i).norm();
  if (r.chance(0.3)) d.A *= r.between(0.01, 100);
  // All that lie farthest in one direction, made equal in it: a face.
  const Eigen::VectorXd direction = r.vector(dimensions).normalized();
  const int face = r.integer(1, std::min(n, dimensions));
  std::vector<std::pair<double, int>> order;
  for (int i = 0; i < n; ++i) order.push_back({-direction.dot(d.A.col(i).tail(dimensions)), i});
  std::sort(order.begin(), order.end());
  Eigen::VectorXd p = Eigen::VectorXd::Zero(n);
  for (int k = 0; k < face; ++k) {
    auto column = d.A.col(order[std::size_t(k)].second).tail(dimensions);
    column += (-order[0].first - direction.dot(column)) * direction;
    p[order[std::size_t(k)].second] = r.between(0, 1);
  }
  p /= p.sum();
  d.b = d.A * p;
  d.lx.setZero();
  if (r.chance(0.5)) d.ux.setConstant(r.between(1, 2));
  return d;
}

// Rows moved at random, by up to `out` of their length: whether all of them can be met then is not known.
inline void push_apart(Random& r, Data& d, double out) {
  for (int i = 0; i < d.l.size(); ++i)
    if (d.l[i] > -unbounded && r.chance(0.5))
      d.l[i] = std::min(d.u[i], d.l[i] + out * d.C.row(i).norm() * r.between(0, 1));
  for (int i = 0; i < d.b.size(); ++i)
    if (r.chance(0.5)) d.b[i] += out * d.A.row(i).norm() * r.normal();
}

// Rows chosen first, then others that contradict their sum.
inline Data infeasible_problem(Random& r, const Kind& kind) {
  auto d = random_problem(r, kind, 8);
  const int n = int(d.g.size()), mi = int(d.l.size());
  d.C.conservativeResize(mi + 2, n);
  d.l.conservativeResize(mi + 2), d.u.conservativeResize(mi + 2);
  d.C.row(mi) = r.vector(n).transpose();
  d.C.row(mi + 1) = -r.between(0.1, 10) * d.C.row(mi);
  const double gap = r.between(0.01, 10), length = d.C.row(mi).norm();
  d.l[mi] = gap * length, d.u[mi] = unbounded;
  d.l[mi + 1] = gap * d.C.row(mi + 1).norm(), d.u[mi + 1] = unbounded;
  return d;
}

// One of all kinds, and what is known about it.
struct Any {
  Data data;
  std::string name;
  enum { feasible, infeasible, unknown } truth = feasible;
};

inline Any any_problem(Random& r) {
  const int family = r.integer(0, 9);
  const auto kind = random_kind(r);
  if (family < 4) return {random_problem(r, kind), "random", Any::feasible};
  if (family == 4) return {infeasible_problem(r, kind), "infeasible", Any::infeasible};
  const double out = r.chance(0.5) ? 0 : std::pow(10, r.between(-16, 1));
  const auto truth = out <= 1e-10 ? Any::feasible : Any::unknown;  // (1e-10: feasible within any tolerance)
  if (family < 7) return {friction_on_the_edge(r, out), "friction", truth};
  Any any{family < 9 ? single_point(r) : mixture(r), family < 9 ? "single point" : "mixture", truth};
  if (out > 0) push_apart(r, any.data, out);
  return any;
}

}  // namespace lissom::qp::test
