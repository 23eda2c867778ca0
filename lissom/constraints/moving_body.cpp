#include "lissom/constraints/moving_body.h"

#include <algorithm>

#include "lissom/kernels/in_model_coordinates.h"

namespace lissom {
namespace {

Vec3<Slope> with_slope(const Vec3<double>& x, const Vec3<double>& slope) {
  return {{x.x, slope.x}, {x.y, slope.y}, {x.z, slope.z}};
}
Motion<Slope> with_slope(const Motion<double>& x, const Motion<double>& slope) {
  return {with_slope(x.angular, slope.angular), with_slope(x.linear, slope.linear)};
}
// The columns of R move by R (ω × e), the origin by R u, for the motion (ω, u) in the body's frame.
Pose<Slope> with_slope(const Pose<double>& X, const Motion<double>& S) {
  const auto row = [&](const Vec3<double>& r) { return with_slope(r, cross(r, S.angular)); };
  return {from_rows(row(row_x(X.R)), row(row_y(X.R)), row(row_z(X.R))), with_slope(X.p, X.R * S.linear)};
}

}  // namespace

struct BodySlopes::Scratch {
  explicit Scratch(const ModelView<double>& m)
      : kinematics(m),
        q(std::size_t(m.coupling.nq + padding)),
        v(std::size_t(m.coupling.nv + padding)),
        a(v.size()),
        model_index(std::size_t(m.tree.nv)),
        ratio(std::size_t(m.tree.nv), 1.0) {
    for (std::size_t i = 0; i < model_index.size(); ++i) model_index[i] = int(i);
    if (m.coupling.trivial()) return;
    for (const auto& s : m.coupling.v_segments)
      for (int i = 0; i < s.count; ++i) model_index[std::size_t(s.to + i)] = s.from + i;
    for (const auto& f : m.coupling.followers)
      model_index[std::size_t(f.v_to)] = f.v_from, ratio[std::size_t(f.v_to)] = f.ratio;
  }
  in_model_coordinates::KinematicsInModel<double> kinematics;
  std::vector<double> q, v, a;   // padded
  std::vector<int> model_index;  // of each degree of freedom of the tree
  std::vector<double> ratio;     // by which it follows that one
};

BodySlopes::BodySlopes(const Model& model) : scratch_(std::make_unique<Scratch>(ModelView<double>(model))) {}
BodySlopes::~BodySlopes() = default;

void BodySlopes::set_state(const Model& model, const double* q, const double* v, const double* a) {
  auto& s = *scratch_;
  std::copy_n(q, model.nq(), s.q.begin());
  std::copy_n(v, model.nv(), s.v.begin());
  std::copy_n(a, model.nv(), s.a.begin());
  in_model_coordinates::accelerations<double>(ModelView<double>(model), s.kinematics, s.q.data(), s.v.data(),
                                              s.a.data());
}

void BodySlopes::of(const Model& model, int body, OfBody& result) {
  const auto& s = *scratch_;
  const auto& all = s.kinematics.kinematics;
  const auto nv = std::size_t(model.nv());
  const auto none = zero_motion<double>();
  result.slopes_.assign(nv, {none, none, none, none});
  result.moved_.assign(nv, false);
  result.X_ = all.X[body];
  result.V_ = body == world ? none : all.v[body], result.A_ = body == world ? none : all.a[body];
  const ModelView<double> view(model);
  motion_derivatives(view.tree, all, body, [&](int j, const MotionSlopes<double>& slopes) {
    const double ratio = s.ratio[std::size_t(j)];
    const auto at = std::size_t(s.model_index[std::size_t(j)]);
    auto& sum = result.slopes_[at];
    sum.S += ratio * slopes.S;
    sum.V_q += ratio * slopes.V_q;
    sum.A_q += ratio * slopes.A_q;
    sum.A_v += ratio * slopes.A_v;
    result.moved_[at] = true;
  });
}

MovingBody BodySlopes::OfBody::along_q(int j) const {
  const auto& s = slopes_[std::size_t(j)];
  return {with_slope(X_, s.S), with_slope(V_, s.V_q), with_slope(A_, s.A_q)};
}
MovingBody BodySlopes::OfBody::along_v(int j) const {
  const auto& s = slopes_[std::size_t(j)];
  return {with_slope(X_, zero_motion<double>()), with_slope(V_, s.S), with_slope(A_, s.A_v)};
}
void BodySlopes::OfBody::add_generalized(const Force<double>& f, Eigen::Ref<Eigen::VectorXd> tau) const {
  for (int j = 0; j < tau.size(); ++j) {
    const auto& S = slopes_[std::size_t(j)].S;
    tau[j] += dot(f.angular, S.angular) + dot(f.linear, S.linear);
  }
}

}  // namespace lissom
