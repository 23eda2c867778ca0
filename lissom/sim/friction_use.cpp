#include "lissom/sim/friction_use.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lissom::sim {

namespace {

constexpr int sides = 8;        // of the polygon inscribed in a friction circle
constexpr double small = 1e-6;  // diagonal of H, which makes the solution of the linear program unique
constexpr int max_rounds = 6;
constexpr double edge = 1e-5;       // by which the center of pressure is moved inwards, relative
constexpr double converged = 1e-3;  // relative change of the result
// Every point is assumed to carry this fraction of N in addition: with the center of pressure at a corner, rounding
// must not look like slip.
constexpr double spare = 1e-4;
// Far from slipping, the first round is sufficient; it is accurate to a few percent.
constexpr double far_from_slipping = 0.5;

// Two points: their shares of the normal force, and of the force across the line between them, are determined. The
// force along the line is shared so that both need the same friction, or one takes all.
double on_an_edge(const Vec3<double>& a, const Vec3<double>& b, const PlaneLoad& load, double friction) {
  const double length = std::hypot(b.x - a.x, b.y - a.y), ex = (b.x - a.x) / length, ey = (b.y - a.y) / length;
  const double N = load.normal;
  const double part = std::clamp(((load.x / N - a.x) * ex + (load.y / N - a.y) * ey) / length, 0.0, 1.0);  // of b
  const double can_a = friction * N * (1 - part + spare), can_b = friction * N * (part + spare);
  const double across = load.tangent_y * ex - load.tangent_x * ey, along = load.tangent_x * ex + load.tangent_y * ey;
  const double about_a = load.spin - (a.x * load.tangent_y - a.y * load.tangent_x);
  const double across_b = about_a / length, across_a = across - across_b;
  const auto use_a = [&](double x) { return std::hypot(across_a, x) / can_a; };
  const auto use_b = [&](double x) { return std::hypot(across_b, along - x) / can_b; };
  // use_a increases from x = 0 to x = along, use_b decreases.
  double low = 0, high = 1;
  for (int i = 0; i < 30; ++i) {
    const double middle = (low + high) / 2;
    (use_a(middle * along) < use_b(middle * along) ? low : high) = middle;
  }
  return std::max(use_a(low * along), use_b(low * along));
}

}  // namespace

FrictionUse::FrictionUse(int max_points)
    : solver_({.variables = 3 * max_points + 1, .equalities = 6, .rows = sides * max_points}),
      H_(small * qp::Matrix::Identity(3 * max_points + 1, 3 * max_points + 1)),
      A_(6, 3 * max_points + 1),
      C_(sides * max_points, 3 * max_points + 1),
      g_(Eigen::VectorXd::Zero(3 * max_points + 1)),
      b_(Eigen::VectorXd::Zero(6)),
      l_(Eigen::VectorXd::Constant(sides * max_points, -qp::unbounded)),
      u_(Eigen::VectorXd::Zero(sides * max_points)),
      lx_(Eigen::VectorXd::Constant(3 * max_points + 1, -qp::unbounded)),
      ux_(Eigen::VectorXd::Constant(3 * max_points + 1, qp::unbounded)),
      corner_(std::size_t(max_points), 0),
      blocks_(std::size_t(3 * max_points + 1), 1) {}

double FrictionUse::min_use(std::span<const Vec3<double>> points, const PlaneLoad& load, double friction) {
  const double tangent = std::hypot(load.tangent_x, load.tangent_y), all = tangent + std::abs(load.spin);
  if (all == 0) return 0;
  if (!(load.normal > 0) || !(friction > 0)) return max_use;
  const double N = load.normal, cx = load.x / N, cy = load.y / N;
  const double spin = load.spin - (cx * load.tangent_y - cy * load.tangent_x);  // about the center of pressure
  const double lower_bound = tangent / (friction * N);
  if (points.size() == 1) return std::min(lower_bound, max_use);
  if (points.size() == 2) return std::min(on_an_edge(points[0], points[1], load, friction), max_use);
  // Without a spin about the center of pressure, all points need the same friction. The use that a spin adds:
  double radius = 0;
  for (const auto& p : points) radius = std::max(radius, std::hypot(p.x - cx, p.y - cy));
  const double spin_use = radius > 0 ? std::abs(spin) / (friction * N * radius) : max_use;
  if (spin_use < 1e-3 * lower_bound) return std::min(lower_bound + spin_use, max_use);
  // The first corners are those of a face that slips about one center under uniform pressure, which is near the
  // optimum.
  double inertia = 0;
  for (const auto& p : points) inertia += (std::pow(p.x - cx, 2) + std::pow(p.y - cy, 2)) / double(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    corner_[i] = std::atan2(load.tangent_y + spin / inertia * (points[i].x - cx),
                            load.tangent_x - spin / inertia * (points[i].y - cy));
  const double scale = std::hypot(lower_bound, spin_use);
  double use = max_use;
  for (int round = 0; round < max_rounds; ++round) {
    const double before = use;
    use = std::min(use, solve(points, load, friction, scale));
    if (use < far_from_slipping || use > (1 - converged) * before) break;
  }
  return use;
}

// The variables are (t_x, t_y, n) of each point in units of N, and λ in units of 1/scale.
double FrictionUse::solve(std::span<const Vec3<double>> points, const PlaneLoad& load, double friction, double scale) {
  const int count = int(points.size()), n = 3 * count + 1, rows = sides * count;
  const double N = load.normal;
  A_.leftCols(n).setZero();
  C_.topLeftCorner(rows, n).setZero();
  g_[n - 1] = -1;
  lx_[n - 1] = 0, ux_[n - 1] = max_use;
  // A center of pressure exactly on the edge leaves no margin for rounding, so it is moved inwards a little.
  double middle_x = 0, middle_y = 0;
  for (const auto& p : points) middle_x += p.x / count, middle_y += p.y / count;
  const auto inwards = [](double x, double middle) { return x + edge * (middle - x); };
  b_ << 0, 0, 0, 1, inwards(load.x / N, middle_x), inwards(load.y / N, middle_y);
  A_(0, n - 1) = -load.tangent_x / (scale * N);
  A_(1, n - 1) = -load.tangent_y / (scale * N);
  A_(2, n - 1) = -load.spin / (scale * N);
  const double inside = friction * std::cos(std::numbers::pi / sides);
  for (int i = 0; i < count; ++i) {
    const auto& p = points[std::size_t(i)];
    const int t = 3 * i;
    A_(0, t) = A_(1, t + 1) = A_(3, t + 2) = 1;
    A_(2, t) = -p.y, A_(2, t + 1) = p.x;
    A_(4, t + 2) = p.x, A_(5, t + 2) = p.y;
    g_.segment<3>(t).setZero();
    lx_[t] = lx_[t + 1] = -qp::unbounded, ux_[t] = ux_[t + 1] = ux_[t + 2] = qp::unbounded;
    lx_[t + 2] = 0;
    for (int k = 0; k < sides; ++k) {
      const double angle = corner_[std::size_t(i)] + (2 * k + 1) * std::numbers::pi / sides;
      C_(sides * i + k, t) = std::cos(angle), C_(sides * i + k, t + 1) = std::sin(angle);
      C_(sides * i + k, t + 2) = -inside;
      u_[sides * i + k] = spare * inside;
    }
  }
  const auto& s = solver_.solve({.H = H_.topLeftCorner(n, n),
                                 .g = g_.head(n),
                                 .A = A_.leftCols(n),
                                 .b = b_,
                                 .C = C_.topLeftCorner(rows, n),
                                 .l = l_.head(rows),
                                 .u = u_.head(rows),
                                 .lx = lx_.head(n),
                                 .ux = ux_.head(n),
                                 .blocks = {blocks_.data(), std::size_t(n)}});
  // A load exactly on the edge may be infeasible by rounding.
  const bool found = s.status == qp::Status::optimal ||
                     (s.status == qp::Status::elastic && s.equality_error < 1e-6 && s.row_error < 1e-6);
  if (!found || !(s.x[n - 1] > 0)) return max_use;
  for (int i = 0; i < count; ++i)
    if (std::hypot(s.x[3 * i], s.x[3 * i + 1]) > 1e-9) corner_[std::size_t(i)] = std::atan2(s.x[3 * i + 1], s.x[3 * i]);
  return scale / s.x[n - 1];
}

}  // namespace lissom::sim
