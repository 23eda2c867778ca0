#include "lissom/formulations/link_frames.h"

#include "lissom/formulations/joint_forms.h"

namespace lissom::formulations {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

VectorXd inverse_dynamics_in_link_frames(const Mechanism& mechanism, const VectorIn& q, const VectorIn& v,
                                         const VectorIn& a, const std::vector<LinkForce>& external,
                                         std::vector<Vector6>* joint_wrench) {
  check_configuration(mechanism, q);
  check_numbers(v, mechanism.nv, "v");
  check_numbers(a, mechanism.nv, "a");
  const auto& links = mechanism.links;
  for (const auto& e : external)
    if (e.link < 0 || std::size_t(e.link) >= links.size())
      throw Error("external force on link number " + std::to_string(e.link) + "; there are " +
                  std::to_string(links.size()));
  for (const auto& e : external)
    check_numbers(e.force, 3, "external force"), check_numbers(e.torque, 3, "external torque");
  struct LinkMotion {
    Matrix3d R;  // the link in its parent
    Vector3d d;  // its origin, in the parent's frame
    Matrix6X S;
    Vector3d omega, alpha;            // angular velocity and acceleration
    Vector3d velocity, acceleration;  // of the link's origin
    Vector3d f, tau;                  // what the joint gives, at the link's origin
  };
  std::vector<LinkMotion> state(links.size());

  // Outward: velocities and accelerations.
  for (std::size_t k = 0; k < links.size(); ++k) {
    const auto& link = links[k];
    auto& i = state[k];
    const auto joint = joint_motion(link, q, v);
    const auto X = link.origin * joint.X;
    i.R = in_eigen(X.R), i.d = in_eigen(X.p), i.S = joint.S;
    const int nv = int(joint.S.cols());
    const Vector6 relative = joint.S * v.segment(link.v, nv);
    const Vector6 gained = joint.S * a.segment(link.v, nv) + joint.S_dot_v;
    const Vector3d v_rel = relative.head<3>(), omega_rel = relative.tail<3>();

    Vector3d omega_p = Vector3d::Zero(), alpha_p = omega_p, velocity_p = omega_p;
    Vector3d acceleration_p = -mechanism.gravity;  // the world is accelerated upward (85)
    if (link.parent >= 0) {
      const auto& p = state[std::size_t(link.parent)];
      omega_p = p.omega, alpha_p = p.alpha, velocity_p = p.velocity, acceleration_p = p.acceleration;
    }
    const Matrix3d Rt = i.R.transpose();
    const Vector3d carried = Rt * omega_p;                                 // the parent's angular velocity, here
    i.omega = carried + omega_rel;                                         // (78)
    i.velocity = Rt * (velocity_p + omega_p.cross(i.d)) + v_rel;           // (76), and (83) where it slides
    i.alpha = Rt * alpha_p + gained.tail<3>() + carried.cross(omega_rel);  // (80)
    // The origin is carried by the parent, and slides along it: the slide turns with the child's axes (79, 84).
    i.acceleration = Rt * (acceleration_p + alpha_p.cross(i.d) + omega_p.cross(omega_p.cross(i.d))) + gained.head<3>() +
                     omega_rel.cross(v_rel) + 2 * carried.cross(v_rel);
  }

  // Inward: the force and torque that each joint gives its link; the link's own, and what it hands on to children (72,
  // 73).
  for (std::size_t k = 0; k < links.size(); ++k) {
    const auto& link = links[k];
    auto& i = state[k];
    const Vector3d a_com = i.acceleration + i.alpha.cross(link.com) + i.omega.cross(i.omega.cross(link.com));
    const Vector3d f = link.mass * a_com;
    const Vector3d n = link.inertia * i.alpha + i.omega.cross(link.inertia * i.omega);
    i.f = f;
    i.tau = n + link.com.cross(f);
  }
  for (const auto& e : external) {
    state[std::size_t(e.link)].f -= e.force;
    state[std::size_t(e.link)].tau -= e.torque;
  }
  VectorXd tau = VectorXd::Zero(mechanism.nv);
  if (joint_wrench) joint_wrench->assign(links.size(), Vector6::Zero());
  for (std::size_t k = links.size(); k-- > 0;) {
    const auto& link = links[k];
    const auto& i = state[k];
    Vector6 wrench;
    wrench << i.f, i.tau;
    const int nv = int(i.S.cols());
    tau.segment(link.v, nv) += i.S.transpose() * wrench;  // Q_k = Ĵᵀ (f, τ)
    if (link.armature != 0) tau.segment(link.v, nv) += link.ratio * link.ratio * link.armature * a.segment(link.v, nv);
    if (joint_wrench) (*joint_wrench)[k] = wrench;
    if (link.parent < 0) continue;
    auto& p = state[std::size_t(link.parent)];
    const Vector3d f = i.R * i.f;
    p.f += f;
    p.tau += i.R * i.tau + i.d.cross(f);
  }
  return tau;
}

}  // namespace lissom::formulations
