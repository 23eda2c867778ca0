#include "lissom/control/support.h"

#include <algorithm>
#include <cmath>

#include "lissom/api/eigen.h"
#include "lissom/constraints/contact_rows.h"
#include "lissom/geometry/contact_polygon.h"
#include "lissom/math/minimum_jerk.h"
#include "lissom/qp/solver.h"

namespace lissom::control {

namespace {

constexpr double force_weight = 1e4;  // of an error of the force, against one of the moment: what misses is a moment
constexpr double small = 1e-7;        // weight of the forces themselves, which determines their distribution
constexpr double negligible = 2e-3;   // m
constexpr int samples = 20;           // of a path

}  // namespace

Support::Support(const Model& model, const MotionPlan& plan, const std::vector<int>& standing,
                 const std::vector<Pose<double>>& placements, double scale, double friction)
    : gravity_(model.gravity()) {
  for (const int i : standing) {
    const auto& contact = plan.contacts[std::size_t(i)];
    const auto& X = placements[std::size_t(i)];
    auto corners = ContactRows(model, contact).points;
    if (contact.kind == ContactKind::point)
      corners[0].z -= contact.radius;
    else
      scale_about_mean(corners, scale);
    for (const auto& p : corners) points_.push_back({X * p, X.R, friction * contact.friction / std::sqrt(2)});
  }
}

// Minimizes the error of force and moment over forces within the pyramids, all in units of the weight.
double Support::outside(const Vec3<double>& com, const Vec3<double>& acceleration) const {
  if (points_.empty()) return std::numeric_limits<double>::infinity();
  const int n = 3 * int(points_.size()), cones = 4 * int(points_.size());
  const double g = std::sqrt(dot(gravity_, gravity_));
  Eigen::MatrixXd G(6, n);
  qp::Matrix C = qp::Matrix::Zero(cones, n);
  Eigen::VectorXd lx = Eigen::VectorXd::Constant(n, -qp::unbounded);
  for (std::size_t p = 0; p < points_.size(); ++p) {
    const auto& [at, R, slope] = points_[p];
    const Vec3<double> axes[] = {{R.xx, R.yx, R.zx}, {R.xy, R.yy, R.zy}, {R.xz, R.yz, R.zz}};
    const int first = 3 * int(p);
    for (int k = 0; k < 3; ++k) G.col(first + k) << to_eigen(axes[k]), to_eigen(cross(at - com, axes[k]));
    lx[first + 2] = 0;
    for (int side = 0; side < 4; ++side) {
      C(4 * int(p) + side, first + side / 2) = side % 2 ? 1 : -1;
      C(4 * int(p) + side, first + 2) = slope;
    }
  }
  Eigen::VectorXd desired = Eigen::VectorXd::Zero(6), weights = Eigen::VectorXd::Ones(6);
  desired.head<3>() = to_eigen((1 / g) * (acceleration - gravity_));
  weights.head<3>().setConstant(force_weight);
  qp::Matrix H = G.transpose() * weights.asDiagonal() * G;
  H.diagonal().array() += small;
  const Eigen::VectorXd gradient = -G.transpose() * weights.cwiseProduct(desired);
  const Eigen::VectorXd l = Eigen::VectorXd::Zero(cones), u = Eigen::VectorXd::Constant(cones, qp::unbounded),
                        ux = Eigen::VectorXd::Constant(n, qp::unbounded), b(0), hard(0);
  const qp::Matrix A(0, n);
  qp::Solver solver({n, 0, cones});
  const auto& s = solver.solve({.H = H,
                                .g = gradient,
                                .A = A,
                                .b = b,
                                .C = C,
                                .l = l,
                                .u = u,
                                .lx = lx,
                                .ux = ux,
                                .weight = hard,
                                .blocks = {}});
  if (s.status != qp::Status::optimal) return 0;  // nothing can be said
  const Eigen::VectorXd error = G * s.x - desired;
  const double off = error.tail<3>().norm() + 10 * error.head<3>().norm();
  return off < negligible ? 0 : off;
}

double Support::outside(const Vec3<double>& from, const Vec3<double>& to, double seconds) const {
  double most = 0;
  for (int i = 0; i <= samples; ++i) {
    const auto r = minimum_jerk(seconds * i / samples, seconds);
    most = std::max(most, outside(from + r.s * (to - from), r.acceleration * (to - from)));
  }
  return most;
}

double Support::seconds_for(const Vec3<double>& from, const Vec3<double>& to, double least) const {
  if (outside(from) > 0 || outside(to) > 0) return 0;
  double seconds = least;
  for (int i = 0; i < 40; ++i, seconds *= 1.1)
    if (outside(from, to, seconds) == 0) return seconds;
  return 0;
}

}  // namespace lissom::control
