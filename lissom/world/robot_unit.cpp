#include "lissom/api/dynamics.h"
#include "lissom/api/mass_matrix_factor.h"
#include "lissom/api/state.h"
#include "lissom/api/unchecked.h"
#include "lissom/model/text.h"
#include "lissom/world/unit.h"

namespace lissom::worlds {

struct RobotUnit::Memory {
  explicit Memory(const Model& model) : work(model), middle_work(model), factor(model) {
    q_middle = Eigen::VectorXd::Zero(model.nq());
    v_middle = a = Eigen::VectorXd::Zero(model.nv());
    J = Columns6::Zero(6, model.nv());
  }
  mutable Workspace work, middle_work;
  MassMatrixFactor factor;
  Eigen::VectorXd q_middle, v_middle, a;
  mutable Columns6 J;
};

RobotUnit::RobotUnit(std::string name, const Model& model, const RobotSettings& settings)
    : Unit(std::move(name), model.nq(), model.nv()),
      model_(model),
      settings_(settings),
      memory_(std::make_unique<Memory>(model_)) {
  q = neutral(model_);
  update_poses();
}

RobotUnit::~RobotUnit() = default;

void RobotUnit::set_servos(const Servos& servos) {
  const auto fits = [&](const Eigen::VectorXd& x, int n, const char* what) {
    if (x.size() != n || !x.allFinite())
      throw Error("the servos of " + in_quotes(name()) + ": " + what + " has " + std::to_string(x.size()) +
                  " elements, expected " + std::to_string(n) + " finite ones");
  };
  if (servos.stiffness.size() > 0) {
    fits(servos.stiffness, nv(), "stiffness"), fits(servos.damping, nv(), "damping");
    fits(servos.q_target, nq(), "q_target"), fits(servos.v_target, nv(), "v_target");
    if (servos.stiffness.minCoeff() < 0 || servos.damping.minCoeff() < 0)
      throw Error("the servos of " + in_quotes(name()) + ": a gain is negative, expected 0 or more");
  }
  servos_ = servos;
}

void RobotUnit::begin(double h, const Vec3<double>& gravity) {
  if (const auto g = model_.gravity(); g.x != gravity.x || g.y != gravity.y || g.z != gravity.z)
    model_ = model_.with_gravity(gravity);
  auto& m = *memory_;
  Unchecked start(model_, m.work), middle(model_, m.middle_work);
  start.velocities(q.data(), v.data());
  start.crba(q.data());
  start.factorize(m.factor);
  // The acceleration at mid-step makes free flight of second order.
  start.aba(q.data(), v.data(), tau.data(), nullptr, m.a.data());
  start.integrate(q.data(), v.data(), .5 * h, m.q_middle.data());
  m.v_middle = v + .5 * h * m.a;
  middle.aba(m.q_middle.data(), m.v_middle.data(), tau.data(), nullptr, m.a.data());
  dv = h * m.a;
}

Pose<double> RobotUnit::pose(int body) const {
  return Unchecked(model_, memory_->work).pose(body);
}

void RobotUnit::update_poses() {
  Unchecked(model_, memory_->work).placements(q.data());
}

void RobotUnit::jacobian(int body, const Vec3<double>& point, const Mat3<double>& axes, double* J) const {
  auto& m = *memory_;
  Unchecked(model_, m.work).jacobian(body, point, axes, m.J.data());
  for (int row = 0; row < 3; ++row)
    for (int k = 0; k < nv(); ++k) *J++ = m.J(row, k);
}

void RobotUnit::solve(const double* b, double* x) const {
  Unchecked::solve(memory_->factor, b, x);
}

void RobotUnit::move(const Eigen::VectorXd& mean_v, double h) {
  Unchecked(model_, memory_->work).integrate(q.data(), mean_v.data(), h, memory_->q_middle.data());
  q = memory_->q_middle;
}

double RobotUnit::kinetic_energy(const Eigen::VectorXd& w) const {
  return lissom::kinetic_energy(model_, memory_->middle_work, q, w);
}

SpatialVector RobotUnit::velocity(int body) const {
  Unchecked start(model_, memory_->work);
  const auto& R = start.pose(body).R;
  const auto& V = start.velocity(body);
  return {R * V.linear, R * V.angular};
}

double RobotUnit::potential_energy(const Vec3<double>& gravity) const {
  const auto com = center_of_mass(model_, memory_->middle_work, q);
  return -model_.mass() * dot(gravity, com);
}

Vector6 RobotUnit::momentum() const {
  // Centroidal momentum, shifted to the world's origin.
  auto h = centroidal_momentum(model_, memory_->middle_work, q, v);
  const auto com = center_of_mass(model_, memory_->middle_work, q);
  const auto L = cross(com, Vec3<double>{h[0], h[1], h[2]});
  h[3] += L.x, h[4] += L.y, h[5] += L.z;
  return h;
}

}  // namespace lissom::worlds
