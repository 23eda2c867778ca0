#pragma once
// The derivatives of the forces of a System, of its acceleration, and of the projection onto closed states: what the
// derivatives of integrators' steps consist of. The controller's torques are constant, and force laws are not known
// here. Derivatives with respect to q are along the tangent space. Not for users: linearize_step.h.
#include <map>

#include "lissom/constraints/constrained_slopes.h"
#include "lissom/sim/system.h"

namespace lissom::sim {

/// The derivatives of a state after it was projected onto closed states, with respect to the state before.
struct ProjectionSlopes {
  Eigen::VectorXd q, v;        ///< projected
  Eigen::MatrixXd qq, vq, vv;  ///< ∂q/∂q, ∂v/∂q, ∂v/∂v; ∂q/∂v is zero
};
struct AccelerationSlopes {
  Eigen::VectorXd a;
  Eigen::MatrixXd dq, dv, dtau;
};

class SystemSlopes {
 public:
  explicit SystemSlopes(System& system);

  /// Evaluates the forces and their derivatives.
  void evaluate_forces(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  const Applied& applied() const { return applied_; }
  const double* external() const { return applied_.any_external ? applied_.external.data() : nullptr; }
  /// The derivatives of the applied generalized forces, less what external forces that are constant in the frames of
  /// their bodies contribute. at: the configuration in which external forces act.
  Eigen::MatrixXd force_dq(const Eigen::VectorXd& at);
  Eigen::MatrixXd force_dv(const Eigen::VectorXd& at);
  /// 1, or 0 where a motor is at its limit.
  const Eigen::VectorXd& input() const { return input_; }
  const Eigen::VectorXd& damping_change() const { return damping_change_; }

  /// As System::acceleration, with its derivatives.
  AccelerationSlopes acceleration(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  /// As System::project. The derivatives are exact where the loops are closed, and up to the square of the gap
  /// elsewhere.
  ProjectionSlopes project(const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  /// The derivatives of inverse dynamics and of momenta.
  ConstrainedSlopes& terms() { return terms_; }

 private:
  struct WrenchSlopes {
    Eigen::Matrix<double, 6, Eigen::Dynamic> dq, dv;
  };
  void add_push(const ExternalForce& push);
  void add_spring(const Spring& spring);
  WrenchSlopes& on(int body);
  Eigen::MatrixXd generalized(const Eigen::VectorXd& at, bool with_respect_to_v);

  System& system_;
  ConstrainedSlopes terms_;
  std::optional<LoopDerivatives> rates_;
  BodySlopes slopes_;
  BodySlopes::OfBody first_, second_, third_;
  Applied applied_;
  MassMatrixFactor factor_;
  Eigen::MatrixXd passive_dq_;
  Eigen::VectorXd passive_dv_, damping_change_, input_, zero_;
  std::map<int, WrenchSlopes> wrenches_;  // by body
};

}  // namespace lissom::sim
