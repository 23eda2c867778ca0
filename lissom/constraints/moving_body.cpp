#include "lissom/constraints/moving_body.h"

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

BodySlopes::BodySlopes(const Model& model) : scratch_(motion_slopes_kernels().scratch(ModelView<double>(model))) {}

void BodySlopes::set_state(const Model& model, const double* q, const double* v, const double* a) {
  motion_slopes_kernels().accelerations(ModelView<double>(model), *scratch_, q, v, a);
}

void BodySlopes::of(const Model& model, int body, OfBody& result) {
  const auto nv = std::size_t(model.nv());
  struct {
    Pose<double> X;
    Motion<double> V, A;
  } motion;
  static_assert(sizeof motion == 24 * sizeof(double) && sizeof(MotionSlopes<double>) == 24 * sizeof(double));
  result.slopes_.resize(nv);
  result.moved_.assign(nv, false);
  motion_slopes_kernels().motion_derivatives(ModelView<double>(model), *scratch_, body, &motion.X.R.xx,
                                             reinterpret_cast<double*>(result.slopes_.data()));
  result.X_ = motion.X, result.V_ = motion.V, result.A_ = motion.A;
  for (std::size_t j = 0; j < nv; ++j) {
    const auto& S = result.slopes_[j].S;
    result.moved_[j] = dot(S.angular, S.angular) + dot(S.linear, S.linear) > 0;
  }
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
