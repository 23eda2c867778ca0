#include "lissom/formulations/conversions.h"

#include <cmath>

#include "lissom/formulations/joint_forms.h"
#include "lissom/math/dense.h"
#include "lissom/model/arguments.h"
#include "lissom/spatial/rotation_checks.h"

namespace lissom::formulations {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

double length(const Vec3<double>& v) {
  return std::sqrt(dot(v, v));
}
double angle_of(const Mat3<double>& R) {
  return length(rotation_vector(orthonormal(R)));
}

// The joint coordinates that come nearest to a relative pose.
struct Fit {
  VectorXd q;
  Pose<double> X;  // the pose that they give
};
Fit fit(const MechanismLink& link, const Pose<double>& X, const Eigen::VectorXd* near) {
  Fit f{joint_coordinates(link, X, near), {}};
  MechanismLink alone = link;
  alone.q_index = alone.v_index = 0;
  f.X = joint_motion(alone, f.q, VectorXd::Zero(std::max(1, link.nv))).X;
  return f;
}

void check(const Mechanism& mechanism, const MaximalState& state) {
  const auto n = mechanism.links.size();
  if (state.X.size() != n || state.V.size() != n)
    throw Error("maximal state has " + std::to_string(state.X.size()) + " poses and " + std::to_string(state.V.size()) +
                " velocities, expected " + std::to_string(n) + " of each, one per link, beginning with '" +
                (n ? mechanism.links[0].name : "") + "'");
  for (std::size_t k = 0; k < n; ++k) {
    expect_rotation(("R of link '" + mechanism.links[k].name + "'").c_str(), state.X[k].R);
    if (!std::isfinite(length(state.X[k].p)) || !state.V[k].allFinite())
      throw Error("position or velocity of link '" + mechanism.links[k].name + "' is NaN or infinite");
  }
}

// The velocity of a link's origin and its angular velocity, both relative to the parent, along the link's axes.
Vector6 relative_velocity(const Mechanism& mechanism, const MaximalState& state, std::size_t k) {
  const auto& link = mechanism.links[k];
  Vector6 V = state.V[k];
  if (link.parent >= 0) {
    const auto p = std::size_t(link.parent);
    const Vector3d omega = state.V[p].tail<3>(), arm = to_eigen(state.X[k].p - state.X[p].p);
    V.head<3>() -= state.V[p].head<3>() + omega.cross(arm);
    V.tail<3>() -= omega;
  }
  const Matrix3d Rt = to_eigen(state.X[k].R).transpose();
  Vector6 relative;
  relative << Rt * V.head<3>(), Rt * V.tail<3>();
  return relative;
}

Matrix3d parent_rotation(const Mechanism& mechanism, const MaximalState& state, std::size_t k) {
  const int p = mechanism.links[k].parent;
  return p < 0 ? Matrix3d(Matrix3d::Identity()) : to_eigen(state.X[std::size_t(p)].R);
}

void check_count(const Mechanism& mechanism, std::size_t found, const char* what) {
  if (found != mechanism.links.size())
    throw Error(std::string(what) + ": found " + std::to_string(found) + ", expected one for each of the " +
                std::to_string(mechanism.links.size()) + " links");
}

}  // namespace

MaximalState to_maximal(const Mechanism& mechanism, const VectorIn& q, const VectorIn& v) {
  check_configuration(mechanism, q);
  check_vector(v, mechanism.nv, "v");
  MaximalState state;
  for (const auto& link : mechanism.links) {
    const auto joint = joint_motion(link, q, v);
    const auto X_PL = link.origin * joint.X;
    const Vector6 relative = joint.S * v.segment(link.v_index, joint.S.cols());
    Vector6 V = Vector6::Zero();
    Pose<double> X = X_PL;
    if (link.parent >= 0) {
      const auto& X_P = state.X[std::size_t(link.parent)];
      const auto& V_P = state.V[std::size_t(link.parent)];
      X = X_P * X_PL;
      const Vector3d omega = V_P.tail<3>();
      V << V_P.head<3>() + omega.cross(to_eigen(X.p - X_P.p)), omega;
    }
    const Matrix3d R = to_eigen(X.R);
    V.head<3>() += R * relative.head<3>();
    V.tail<3>() += R * relative.tail<3>();
    state.X.push_back(X);
    state.V.push_back(V);
  }
  return state;
}

GeneralizedState to_generalized(const Mechanism& mechanism, const MaximalState& state, const VectorXd* near) {
  check(mechanism, state);
  if (near) check_vector(*near, mechanism.nq, "near");
  GeneralizedState g;
  g.q = VectorXd::Zero(mechanism.nq), g.v = VectorXd::Zero(mechanism.nv);
  const auto& links = mechanism.links;
  // Independent joints come first; the residual of a mimic joint is then computed from its leader's coordinate.
  std::vector<Fit> fits(links.size());
  for (const bool followers : {false, true})
    for (std::size_t k = 0; k < links.size(); ++k) {
      const auto& link = links[k];
      if (link.follows != followers) continue;
      const auto parent = link.parent < 0 ? Pose<double>{} : state.X[std::size_t(link.parent)];
      const auto X = inverse(parent * link.origin) * state.X[k];
      if (link.follows)
        fits[k].X = joint_motion(link, g.q, g.v).X;
      else {
        fits[k] = fit(link, X, near);
        g.q.segment(link.q_index, fits[k].q.size()) = fits[k].q;
      }
      // The velocity, joint by joint (66).
      const auto S = joint_motion(link, g.q, g.v).S;
      const Vector6 relative = relative_velocity(mechanism, state, k);
      if (!link.follows && S.cols() > 0) g.v.segment(link.v_index, S.cols()) = dense::least_squares(S, relative);
    }
  for (std::size_t k = 0; k < links.size(); ++k) {
    const auto& link = links[k];
    const auto parent = link.parent < 0 ? Pose<double>{} : state.X[std::size_t(link.parent)];
    const auto X = inverse(parent * link.origin) * state.X[k];
    const auto& name = link.joint.empty() ? link.name : link.joint;
    g.position.push_back({name, length(X.p - fits[k].X.p), angle_of(transpose(fits[k].X.R) * X.R)});
    const auto S = joint_motion(link, g.q, g.v).S;
    const Vector6 left = relative_velocity(mechanism, state, k) - S * g.v.segment(link.v_index, S.cols());
    g.velocity.push_back({name, left.head<3>().norm(), left.tail<3>().norm()});
    const auto add = [](double& total, const JointResidual& r) {
      total = std::hypot(total, std::hypot(r.linear, r.angular));
    };
    add(g.position_total, g.position.back());
    add(g.velocity_total, g.velocity.back());
  }
  return g;
}

std::string GeneralizedState::worst(double tolerance) const {
  std::string message;
  double max_residual = tolerance;
  const auto look = [&](const std::vector<JointResidual>& all, const char* linear, const char* angular) {
    for (const auto& r : all)
      if (const double size = std::max(r.linear, r.angular); size > max_residual) {
        max_residual = size;
        message = "joint '" + r.joint + "' is violated by " + std::to_string(size) +
                  (r.linear >= r.angular ? linear : angular);
      }
  };
  look(position, " m", " rad");
  look(velocity, " m/s", " rad/s");
  return message;
}

MatrixXd stacked_jacobian(const Mechanism& mechanism, const VectorIn& q) {
  MatrixXd J(6 * long(mechanism.links.size()), mechanism.nv);
  VectorXd unit = VectorXd::Zero(mechanism.nv);
  for (int j = 0; j < mechanism.nv; ++j) {
    unit[j] = 1;
    const auto state = to_maximal(mechanism, q, unit);
    for (std::size_t k = 0; k < state.V.size(); ++k) J.block<6, 1>(6 * long(k), j) = state.V[k];
    unit[j] = 0;
  }
  return J;
}

LeastSquares velocities_by_least_squares(const Mechanism& mechanism, const VectorIn& q, const std::vector<Vector6>& V) {
  check_count(mechanism, V.size(), "velocities of links");
  for (const auto& each : V) check_vector(each, 6, "velocity of a link");
  const MatrixXd J = stacked_jacobian(mechanism, q);
  VectorXd all(J.rows());
  for (std::size_t k = 0; k < V.size(); ++k) all.segment<6>(6 * long(k)) = V[k];
  if (mechanism.nv == 0) return {VectorXd(0), all.norm()};
  const VectorXd v = dense::least_squares(J, all);
  return {v, (J * v - all).norm()};
}

MatrixXd difference_matrix(const Mechanism& mechanism) {
  const long n = long(mechanism.links.size());
  MatrixXd D = MatrixXd::Identity(3 * n, 3 * n);
  for (long k = 0; k < n; ++k)
    if (const int p = mechanism.links[std::size_t(k)].parent; p >= 0)
      D.block<3, 3>(3 * k, 3 * p) = -Matrix3d::Identity();
  return D;
}
MatrixXd parent_rotations(const Mechanism& mechanism, const VectorIn& q) {
  const auto state = to_maximal(mechanism, q, VectorXd::Zero(mechanism.nv));
  const auto n = mechanism.links.size();
  MatrixXd R = MatrixXd::Zero(3 * long(n), 3 * long(n));
  for (std::size_t k = 0; k < n; ++k) R.block<3, 3>(3 * long(k), 3 * long(k)) = parent_rotation(mechanism, state, k);
  return R;
}

VectorXd generalized_forces(const Mechanism& mechanism, const VectorIn& q, const std::vector<PointForce>& forces,
                            const std::vector<Vector3d>& joint_torques) {
  const auto state = to_maximal(mechanism, q, VectorXd::Zero(mechanism.nv));
  const MatrixXd J = stacked_jacobian(mechanism, q);
  VectorXd Q = VectorXd::Zero(mechanism.nv);
  for (const auto& f : forces) {
    if (f.link < 0 || std::size_t(f.link) >= mechanism.links.size())
      throw Error("force.link is " + std::to_string(f.link) + ", expected an index below " +
                  std::to_string(mechanism.links.size()));
    check_vector(f.point, 3, "point of a force");
    check_vector(f.force, 3, "force");
    // J'_v of the point is that of the link's origin, plus ω × arm.
    const Vector3d arm = f.point - to_eigen(state.X[std::size_t(f.link)].p);
    const auto rows = J.middleRows<6>(6 * f.link);
    Q += rows.topRows<3>().transpose() * f.force + rows.bottomRows<3>().transpose() * arm.cross(f.force);
  }
  if (joint_torques.empty()) return Q;
  const auto torques = body_torques(mechanism, q, joint_torques);
  for (std::size_t k = 0; k < torques.size(); ++k) Q += J.middleRows<3>(6 * long(k) + 3).transpose() * torques[k];
  return Q;
}

std::vector<Vector3d> body_torques(const Mechanism& mechanism, const VectorIn& q,
                                   const std::vector<Vector3d>& joint_torques) {
  check_count(mechanism, joint_torques.size(), "joint torques");
  for (const auto& torque : joint_torques) check_vector(torque, 3, "joint torque");
  VectorXd all(3 * long(joint_torques.size()));
  for (std::size_t k = 0; k < joint_torques.size(); ++k) all.segment<3>(3 * long(k)) = joint_torques[k];
  const VectorXd torques = difference_matrix(mechanism).transpose() * parent_rotations(mechanism, q) * all;
  std::vector<Vector3d> bodies;
  for (std::size_t k = 0; k < joint_torques.size(); ++k) bodies.emplace_back(torques.segment<3>(3 * long(k)));
  return bodies;
}

JointTorques joint_torques(const Mechanism& mechanism, const VectorIn& q, const VectorIn& Q) {
  check_vector(Q, mechanism.nv, "Q");
  const auto state = to_maximal(mechanism, q, VectorXd::Zero(mechanism.nv));
  JointTorques result;
  result.unmet = Q;
  for (std::size_t k = 0; k < mechanism.links.size(); ++k) {
    const auto& link = mechanism.links[k];
    Vector3d torque = Vector3d::Zero();
    if (link.nv > 0 && !link.follows) {
      const auto S = joint_motion(link, q, VectorXd::Zero(mechanism.nv)).S;
      // Ĵ_ω along the parent's axes.
      const MatrixXd J = parent_rotation(mechanism, state, k).transpose() * to_eigen(state.X[k].R) * S.bottomRows<3>();
      const VectorXd own = Q.segment(link.v_index, link.nv);
      torque = dense::least_squares(J.transpose(), own);
      result.unmet.segment(link.v_index, link.nv) -= J.transpose() * torque;
    }
    result.torques.push_back(torque);
  }
  return result;
}

std::vector<Vector6> body_forces(const Mechanism& mechanism, const VectorIn& q, const VectorIn& Q) {
  check_vector(Q, mechanism.nv, "Q");
  if (mechanism.nv == 0) return std::vector<Vector6>(mechanism.links.size(), Vector6::Zero());
  const MatrixXd J = stacked_jacobian(mechanism, q);
  const VectorXd F = dense::least_squares(J.transpose(), Q);
  std::vector<Vector6> bodies;
  for (std::size_t k = 0; k < mechanism.links.size(); ++k) bodies.emplace_back(F.segment<6>(6 * long(k)));
  return bodies;
}

}  // namespace lissom::formulations
