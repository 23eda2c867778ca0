#include "lissom/formulations/link_frames.h"

#include "lissom/formulations/joint_forms.h"

namespace lissom::formulations {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

struct LinkState {
  Matrix3d R;  // orientation of the link in its parent
  Vector3d d;  // its origin, in the parent's frame
  Matrix6X S;
  Vector3d omega = Vector3d::Zero(), alpha = Vector3d::Zero();            // angular velocity and acceleration
  Vector3d velocity = Vector3d::Zero(), acceleration = Vector3d::Zero();  // of the link's origin
  Vector3d f, tau;  // what the joint transmits, at the link's origin
};

void check_external(const Mechanism& mechanism, const std::vector<LinkForce>& external) {
  for (const auto& e : external) {
    if (e.link < 0 || std::size_t(e.link) >= mechanism.links.size())
      throw Error("external.link is " + std::to_string(e.link) + ", expected an index below " +
                  std::to_string(mechanism.links.size()));
    check_vector(e.force, 3, "external force");
    check_vector(e.torque, 3, "external torque");
  }
}

// The velocity and acceleration of a link, from those of its parent.
LinkState propagated(const MechanismLink& link, const LinkState& parent, const VectorIn& q, const VectorIn& v,
                     const VectorIn& a) {
  LinkState i;
  const auto joint = joint_motion(link, q, v);
  const auto X = link.origin * joint.X;
  i.R = to_eigen(X.R), i.d = to_eigen(X.p), i.S = joint.S;
  const int nv = int(joint.S.cols());
  const Vector6 relative = joint.S * v.segment(link.v_index, nv);
  const Vector6 relative_rate = joint.S * a.segment(link.v_index, nv) + joint.S_dot_v;
  const Vector3d v_rel = relative.head<3>(), omega_rel = relative.tail<3>();

  const auto& p = parent;
  const Matrix3d Rt = i.R.transpose();
  const Vector3d carried = Rt * p.omega;                        // the parent's angular velocity, along this link's axes
  i.omega = carried + omega_rel;                                // (78)
  i.velocity = Rt * (p.velocity + p.omega.cross(i.d)) + v_rel;  // (76), and (83) for translational axes
  i.alpha = Rt * p.alpha + relative_rate.tail<3>() + carried.cross(omega_rel);  // (80)
  // The origin moves with the parent and translates relative to it; the translation rotates with the child's axes (79,
  // 84).
  i.acceleration = Rt * (p.acceleration + p.alpha.cross(i.d) + p.omega.cross(p.omega.cross(i.d))) +
                   relative_rate.head<3>() + omega_rel.cross(v_rel) + 2 * carried.cross(v_rel);
  return i;
}

// The force and torque that the link needs for its own acceleration, at its origin (72, 73).
void set_own_force(const MechanismLink& link, LinkState& i) {
  const Vector3d a_com = i.acceleration + i.alpha.cross(link.com) + i.omega.cross(i.omega.cross(link.com));
  const Vector3d n = link.inertia * i.alpha + i.omega.cross(link.inertia * i.omega);
  i.f = link.mass * a_com;
  i.tau = n + link.com.cross(i.f);
}

}  // namespace

VectorXd inverse_dynamics_in_link_frames(const Mechanism& mechanism, const VectorIn& q, const VectorIn& v,
                                         const VectorIn& a, const std::vector<LinkForce>& external,
                                         std::vector<Vector6>* joint_wrench) {
  check_configuration(mechanism, q);
  check_vector(v, mechanism.nv, "v");
  check_vector(a, mechanism.nv, "a");
  check_external(mechanism, external);
  const auto& links = mechanism.links;
  LinkState world;
  world.acceleration = -mechanism.gravity;  // gravity as an upward acceleration of the world (85)

  // Outward pass: velocities and accelerations, and the forces that these need.
  std::vector<LinkState> state(links.size());
  for (std::size_t k = 0; k < links.size(); ++k) {
    const int parent = links[k].parent;
    state[k] = propagated(links[k], parent < 0 ? world : state[std::size_t(parent)], q, v, a);
    set_own_force(links[k], state[k]);
  }
  for (const auto& e : external) {
    state[std::size_t(e.link)].f -= e.force;
    state[std::size_t(e.link)].tau -= e.torque;
  }

  // Inward pass: each joint transmits what its link needs, and what the link transmits to its children.
  VectorXd tau = VectorXd::Zero(mechanism.nv);
  if (joint_wrench) joint_wrench->assign(links.size(), Vector6::Zero());
  for (std::size_t k = links.size(); k-- > 0;) {
    const auto& link = links[k];
    const auto& i = state[k];
    Vector6 wrench;
    wrench << i.f, i.tau;
    const int nv = int(i.S.cols());
    tau.segment(link.v_index, nv) += i.S.transpose() * wrench;  // Q_k = Ĵᵀ (f, τ)
    if (link.armature != 0)
      tau.segment(link.v_index, nv) += link.ratio * link.ratio * link.armature * a.segment(link.v_index, nv);
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
