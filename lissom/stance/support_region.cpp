#include "lissom/stance/support_region.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lissom/api/eigen.h"
#include "lissom/stance/static_forces.h"

namespace lissom::stance {

namespace {

constexpr double edge_tolerance = 2e-4;  // m: an edge that can be pushed out by less is final
constexpr double far_away = 100;         // m, bounds of the position
constexpr int max_programs = 80;

// Solves max n · c over c and forces, subject to six equations of equilibrium: forces, and moments about the world's
// origin.
class Extremes {
 public:
  explicit Extremes(const StanceSetup& s) : n_(s.variables + 2), cones_(cone_rows(s)), solver_({n_, 6, cones_}) {
    A_.setZero(6, n_), b_.setZero(6), H_ = 1e-7 * Matrix::Identity(n_, n_), g_.setZero(n_);
    C_.setZero(cones_, n_), l_.setZero(cones_), u_.setZero(cones_);
    lx_.setConstant(n_, -qp::unbounded), ux_.setConstant(n_, qp::unbounded);
    add_cones(s, 0, 0, C_, l_, u_, lx_);
    int column = 0;
    for (std::size_t i = 0; i < s.contacts.size(); ++i)
      for (int k = 0; k < s.variables_of(i); ++k) put(column++, s.contacts[i], Vector6(s.contacts[i].G.col(k)));
    // Gravity in weights: its force g, and its moment c × g for c = (c_x, c_y, height).
    const auto down = (s.model.moving_mass() / s.weight) * s.model.gravity();
    b_.head<3>() = -to_eigen(down);
    const auto add = [&](int at, const Vec3<double>& c) { A_.col(at).tail<3>() = to_eigen(cross(c, down)); };
    add(n_ - 2, {1, 0, 0}), add(n_ - 1, {0, 1, 0});
    b_.tail<3>() = -to_eigen(cross(Vec3<double>(0, 0, s.robot.com.z), down));
    lx_.tail<2>().setConstant(-far_away), ux_.tail<2>().setConstant(far_away);
  }
  // Returns false if no position is balanced.
  bool find(double nx, double ny, Vec3<double>& corner) {
    g_[n_ - 2] = -nx, g_[n_ - 1] = -ny;
    const auto& s = solver_.solve({.H = H_, .g = g_, .A = A_, .b = b_, .C = C_, .l = l_, .u = u_, .lx = lx_, .ux = ux_},
                                  {.elastic = false});
    if (s.status != qp::Status::optimal) return false;
    corner = {s.x[n_ - 2], s.x[n_ - 1], 0};
    return true;
  }

 private:
  void put(int column, const ContactRows& c, const Vector6& wrench) {
    const auto& R = c.axes.R;
    const auto force = R * Vec3<double>(wrench[0], wrench[1], wrench[2]);
    const auto point = c.contact.kind == ContactKind::point ? c.points[0] : Vec3<double>(0, 0, 0);
    const auto moment = R * Vec3<double>(wrench[3], wrench[4], wrench[5]) + cross(c.axes * point, force);
    A_.col(column) << to_eigen(force), to_eigen(moment);
  }
  int n_, cones_;
  qp::Solver solver_;
  Matrix H_, A_, C_;
  Eigen::VectorXd g_, b_, l_, u_, lx_, ux_;
};

Vec3<double> outward(const Vec3<double>& a, const Vec3<double>& b) {
  const auto along = b - a;
  const double length = std::hypot(along.x, along.y);
  return {along.y / length, -along.x / length, 0};
}
double apart(const Vec3<double>& a, const Vec3<double>& b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

void remove_duplicates(std::vector<Vec3<double>>& corners) {
  std::vector<Vec3<double>> kept;
  for (const auto& c : corners)
    if (kept.empty() || apart(kept.back(), c) > edge_tolerance) kept.push_back(c);
  while (kept.size() > 1 && apart(kept.front(), kept.back()) <= edge_tolerance) kept.pop_back();
  corners = kept;
}

void set_sides(SupportRegion& region) {
  const auto& c = region.corners;
  const auto add = [&](const Vec3<double>& n, const Vec3<double>& through) {
    region.sides.push_back({n, dot(n, through)});
  };
  if (c.size() == 1)
    for (const auto& n : {Vec3<double>(1, 0, 0), Vec3<double>(-1, 0, 0), Vec3<double>(0, 1, 0), Vec3<double>(0, -1, 0)})
      add(n, c[0]);
  for (std::size_t i = 0; c.size() > 1 && i < c.size(); ++i) {
    const auto& next = c[(i + 1) % c.size()];
    const auto n = outward(c[i], next);
    add(n, c[i]);
    if (c.size() == 2) add({-n.y, n.x, 0}, next);  // the ends of a line
  }
}

}  // namespace

double SupportRegion::margin(const Vec3<double>& com) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (everywhere) return infinity;
  if (corners.empty()) return -infinity;
  double inside = infinity, distance = infinity;
  for (const auto& side : sides) inside = std::min(inside, side.d - dot(side.n, com));
  if (inside >= 0) return inside;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const auto &a = corners[i], &b = corners[(i + 1) % corners.size()];
    const double length = apart(a, b);
    const auto along = b - a;
    const double part =
        length > 0 ? std::clamp((along.x * (com.x - a.x) + along.y * (com.y - a.y)) / (length * length), 0.0, 1.0) : 0;
    distance = std::min(distance, apart(a + part * along, com));
  }
  return -distance;
}

SupportRegion support_region(const StanceSetup& setup) {
  SupportRegion region;
  region.everywhere = !setup.needs_balance;
  for (std::size_t k = 0; k < setup.contacts.size(); ++k)  // a grip holds a robot wherever its center of mass is
    if (setup.contacts[k].contact.kind == ContactKind::fixed && setup.variables_of(k) > 0) region.everywhere = true;
  if (region.everywhere) return region;
  Extremes extremes(setup);
  auto& corners = region.corners;
  for (const auto& n : {Vec3<double>(0, -1, 0), Vec3<double>(1, 0, 0), Vec3<double>(0, 1, 0), Vec3<double>(-1, 0, 0)}) {
    Vec3<double> corner;
    if (!extremes.find(n.x, n.y, corner)) return {};
    corners.push_back(corner);
  }
  remove_duplicates(corners);
  // Edge after edge, the farthest position beyond it becomes a corner, until there is none.
  int programs = 4;
  for (std::size_t i = 0; corners.size() > 1 && i < corners.size() && programs < max_programs; ++programs) {
    const auto n = outward(corners[i], corners[(i + 1) % corners.size()]);
    Vec3<double> corner;
    if (extremes.find(n.x, n.y, corner) && dot(n, corner - corners[i]) > edge_tolerance)
      corners.insert(corners.begin() + std::ptrdiff_t(i) + 1, corner);
    else
      ++i;
  }
  remove_duplicates(corners);
  set_sides(region);
  return region;
}

}  // namespace lissom::stance
