#include "lissom/formulations/com_frames.h"

#include "lissom/formulations/joint_forms.h"

namespace lissom::formulations {

using Eigen::Matrix3d;
using Eigen::Vector3d;

std::vector<ComFrame> com_frames(const Mechanism& mechanism, const VectorIn& q, const VectorIn& v) {
  check_configuration(mechanism, q);
  check_vector(v, mechanism.nv, "v");
  std::vector<ComFrame> all;
  for (const auto& link : mechanism.links) {
    const auto joint = joint_motion(link, q, v);
    const auto X = link.origin * joint.X;
    const int nv = int(joint.S.cols());
    const Vector3d d = link.com;  // from the joint to the center of mass
    ComFrame i;
    i.R = to_eigen(X.R).transpose();
    const ComFrame* p = link.parent < 0 ? nullptr : &all[std::size_t(link.parent)];
    const Vector3d parent_com = p ? mechanism.links[std::size_t(link.parent)].com : Vector3d(Vector3d::Zero());
    i.r = i.R * (to_eigen(X.p) - parent_com) + d;
    i.R_W = p ? Matrix3d(p->R_W * i.R.transpose()) : Matrix3d(i.R.transpose());

    i.axes.resize(6, nv);
    for (int k = 0; k < nv; ++k) {
      const Vector3d linear = joint.axes.col(k).head<3>(), u = joint.axes.col(k).tail<3>();
      i.axes.col(k) << u, linear + u.cross(d);
    }
    i.s = (link.follows ? link.ratio : 1.0) * i.axes;
    const Vector3d omega_p = p ? Vector3d(i.R * p->omega) : Vector3d(Vector3d::Zero());
    const Vector3d v_p = p ? Vector3d(i.R * p->v) : Vector3d(Vector3d::Zero());
    const Vector6 relative = i.s * v.segment(link.v_index, nv);
    const Vector3d omega_rel = relative.head<3>(), v_rel = relative.tail<3>();
    i.omega = omega_p + omega_rel;
    i.v = v_p + omega_p.cross(i.r) + v_rel;

    const Vector3d linear_dot = joint.S_dot_v.head<3>(), u_dot = joint.S_dot_v.tail<3>();
    i.c << omega_p.cross(omega_rel) + u_dot, omega_p.cross(omega_p.cross(i.r)) + 2 * omega_p.cross(v_rel) +
                                                 omega_rel.cross(v_rel) + linear_dot + u_dot.cross(d);
    all.push_back(std::move(i));
  }
  return all;
}

}  // namespace lissom::formulations
