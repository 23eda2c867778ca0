#include "lissom/sim/system_slopes.h"

#include <cmath>

#include "lissom/api/derivatives.h"
#include "lissom/api/unchecked.h"

namespace lissom::sim {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

const Frame& frame_of(const Model& model, FrameId id) {
  return model.frames()[std::size_t(id.index)];
}
template <class Column>
void add_slope(const Force<Slope>& f, Column&& to) {
  const Slope parts[] = {f.angular.x, f.angular.y, f.angular.z, f.linear.x, f.linear.y, f.linear.z};
  for (int i = 0; i < 6; ++i) to[i] += parts[i].slope;
}
// The force on the first end of a spring, along the line to the second; see System::add_spring_forces.
Vec3<Slope> pull_of(const Spring& s, const FrameMotion<Slope>& a, const FrameMotion<Slope>& b) {
  const auto r = b.X.p - a.X.p;
  const Slope length = sqrt(dot(r, r));
  const auto along = (Slope(1) / length) * r;
  return (s.stiffness * (length - s.rest) + s.damping * dot(b.v - a.v, along)) * along;
}

}  // namespace

SystemSlopes::SystemSlopes(System& system)
    : system_(system),
      terms_(system.model(), system.loops()),
      slopes_(system.model()),
      applied_(system.applied()),
      factor_(system.model()),
      passive_dq_(MatrixXd::Zero(system.model().nv(), system.model().nv())),
      passive_dv_(VectorXd::Zero(system.model().nv())),
      damping_change_(passive_dv_),
      input_(passive_dv_),
      zero_(passive_dv_) {
  if (system.loops()) rates_.emplace(system.model(), system.loops()->rows());
}

SystemSlopes::WrenchSlopes& SystemSlopes::on(int body) {
  auto [place, added] = wrenches_.try_emplace(body);
  if (added) place->second.dq = place->second.dv = Columns6::Zero(6, system_.model().nv());
  return place->second;
}

void SystemSlopes::evaluate_forces(double t, const VectorXd& q, const VectorXd& v) {
  const auto& model = system_.model();
  system_.evaluate(t, q, v, applied_);
  for (int i = 0; i < model.nv(); ++i) input_[i] = system_.at_limit()[std::size_t(i)] ? 0 : 1;
  passive_dq_.setZero();
  passive_dv_.setZero();
  damping_change_.setZero();
  system_.add_passive_slopes(q, v, passive_dq_, passive_dv_, &damping_change_);
  wrenches_.clear();
  if (!applied_.any_external) return;
  slopes_.set_state(model, q.data(), v.data(), zero_.data());
  for (const auto& push : system_.pushes())
    if (t >= push.from && t < push.until) add_push(push.force);
  for (const auto& spring : system_.springs()) add_spring(spring);
}

// A push is along the axes of a frame, and acts at a point of another one: it is not constant in the frame of its body.
void SystemSlopes::add_push(const ExternalForce& push) {
  const auto& model = system_.model();
  const auto &body = frame_of(model, push.on), &axes = frame_of(model, push.in),
             &point = frame_of(model, push.at.frame);
  slopes_.of(model, body.body, first_);
  slopes_.of(model, axes.body, second_);
  slopes_.of(model, point.body, third_);
  auto& wrench = on(body.body);
  for (int j = 0; j < model.nv(); ++j) {
    if (!first_.moved_by(j) && !second_.moved_by(j) && !third_.moved_by(j)) continue;
    const auto R = (second_.along_q(j).X * axes.placement).R;
    const auto at = third_.along_q(j).X * point.placement * push.at.position;
    add_slope(on_body<Slope>(first_.along_q(j).X, R * push.force, R * push.torque, at), wrench.dq.col(j));
  }
}

void SystemSlopes::add_spring(const Spring& s) {
  const auto& model = system_.model();
  const auto &a = frame_of(model, s.a.frame), &b = frame_of(model, s.b.frame);
  slopes_.of(model, a.body, first_);
  slopes_.of(model, b.body, second_);
  const auto r = second_.X() * (b.placement * s.b.placement).p - first_.X() * (a.placement * s.a.placement).p;
  if (dot(r, r) == 0) return;  // as System::add_spring_forces
  const auto none = zero_vec3<Slope>();
  const auto add = [&](const MovingBody& body_a, const MovingBody& body_b, auto part, int j) {
    const auto end_a = body_a.frame(a.placement * s.a.placement), end_b = body_b.frame(b.placement * s.b.placement);
    const auto pull = pull_of(s, end_a, end_b);
    add_slope(on_body(body_a.X, pull, none, end_a.X.p), (on(a.body).*part).col(j));
    add_slope(on_body(body_b.X, -pull, none, end_b.X.p), (on(b.body).*part).col(j));
  };
  for (int j = 0; j < model.nv(); ++j) {
    if (!first_.moved_by(j) && !second_.moved_by(j)) continue;
    add(first_.along_q(j), second_.along_q(j), &WrenchSlopes::dq, j);
    add(first_.along_v(j), second_.along_v(j), &WrenchSlopes::dv, j);
  }
}

MatrixXd SystemSlopes::generalized(const VectorXd& at, bool with_respect_to_v) {
  const auto& model = system_.model();
  MatrixXd sum = MatrixXd::Zero(model.nv(), model.nv());
  if (wrenches_.empty()) return sum;
  slopes_.set_state(model, at.data(), zero_.data(), zero_.data());
  for (const auto& [body, wrench] : wrenches_) {
    slopes_.of(model, body, first_);
    const auto& d = with_respect_to_v ? wrench.dv : wrench.dq;
    for (int j = 0; j < model.nv(); ++j)
      first_.add_generalized({{d(0, j), d(1, j), d(2, j)}, {d(3, j), d(4, j), d(5, j)}}, sum.col(j));
  }
  return sum;
}
MatrixXd SystemSlopes::force_dq(const VectorXd& at) {
  return passive_dq_ + generalized(at, false);
}
MatrixXd SystemSlopes::force_dv(const VectorXd& at) {
  MatrixXd all = generalized(at, true);
  all.diagonal() += passive_dv_;
  return all;
}

AccelerationSlopes SystemSlopes::acceleration(double t, const VectorXd& q, const VectorXd& v) {
  const auto& model = system_.model();
  const int nv = model.nv();
  AccelerationSlopes d{.a = VectorXd::Zero(nv), .dq = MatrixXd(nv, nv), .dv = MatrixXd(nv, nv), .dtau = {}};
  auto* const loops = system_.loops();
  ProjectionSlopes closed;
  if (loops) closed = project(q, v);
  evaluate_forces(t, q, v);
  const MatrixXd force_q = force_dq(loops ? closed.q : q), force_v = force_dv(loops ? closed.q : q);
  system_.acceleration(t, q, v, applied_, d.a);
  d.dtau = input_.asDiagonal();
  if (!loops) {
    terms_.evaluate(model, nullptr, q, v, d.a, zero_, external());
    factor_.factorize(model, system_.work(), q);
    const auto solve = [&](const MatrixXd& right, MatrixXd& to) {
      to = right;
      for (int j = 0; j < nv; ++j) Unchecked::solve(factor_, to.col(j).data(), to.col(j).data());
    };
    solve(force_q - terms_.dq(), d.dq);
    solve(force_v - terms_.dv(), d.dv);
    solve(MatrixXd(d.dtau), d.dtau);
    return d;
  }
  // (The basis of the loops is the one at the closed state, which acceleration() has left.)
  terms_.evaluate(model, loops, closed.q, closed.v, d.a, VectorXd(loops->multipliers()), external());
  const auto& rows = terms_.of_rows();
  Matrix X, L;
  solve_constrained(*loops, loops->factor(), force_q - terms_.dq() * closed.qq - terms_.dv() * closed.vq,
                    -(rows.acceleration_dq() * closed.qq + rows.acceleration_dv() * closed.vq), X, L);
  d.dq = X;
  solve_constrained(*loops, loops->factor(), force_v - terms_.dv() * closed.vv, -rows.acceleration_dv() * closed.vv, X,
                    L);
  d.dv = X;
  solve_constrained(*loops, loops->factor(), MatrixXd(d.dtau), MatrixXd::Zero(loops->rows().count(), nv), X, L);
  d.dtau = X;
  return d;
}

// The first step s of Newton's method solves M s = Jᵀ μ, J s = -c at the given q; later ones are of the order of the
// gap squared, and their derivatives only remove what would open the loops. The velocity moves by s with M s = Jᵀ μ and
// J (v + s) = 0 at the projected q. Both systems are differentiated as they stand.
ProjectionSlopes SystemSlopes::project(const VectorXd& q, const VectorXd& v) {
  const auto& model = system_.model();
  auto& work = system_.work();
  auto& loops = *system_.loops();
  const int nv = model.nv();
  ProjectionSlopes p{.q = q, .v = v, .qq = {}, .vq = {}, .vv = {}};
  system_.project(p.q, p.v);

  VectorXd step = zero_, v_at_q = v;
  loops.project_velocity(model, work, q, v_at_q);  // M, the rows and their basis at q
  loops.satisfy(step, -loops.rows().residual());
  const VectorXd mu = loops.multipliers();
  rates_->evaluate(model, loops.rows(), q, step, zero_, mu);
  Matrix X, L;
  solve_constrained(loops, loops.factor(), -terms_.evaluate_momentum(model, &loops, q, step, mu),
                    -(loops.rows().J() + rates_->rate_dq()), X, L);
  const auto moved = integrate_derivatives(model, work, q, step, 1);
  p.qq = moved.dq + moved.dv * X;

  VectorXd v_closed = v;
  loops.project_velocity(model, work, p.q, v_closed);
  const VectorXd mu_v = loops.multipliers(), change = v_closed - v;
  VectorXd column(nv);
  for (int j = 0; j < nv; ++j) {
    column = p.qq.col(j);
    loops.keep_allowed(column);
    p.qq.col(j) = column;
  }
  rates_->evaluate(model, loops.rows(), p.q, v_closed, zero_, mu_v);
  solve_constrained(loops, loops.factor(), -terms_.evaluate_momentum(model, &loops, p.q, change, mu_v),
                    -rates_->rate_dq(), X, L);
  p.vq = X * p.qq;
  solve_constrained(loops, loops.factor(), MatrixXd::Zero(nv, nv), -loops.rows().J(), X, L);
  p.vv = MatrixXd::Identity(nv, nv) + X;
  return p;
}

}  // namespace lissom::sim
