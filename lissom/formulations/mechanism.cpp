#include "lissom/formulations/mechanism.h"

#include <cmath>
#include <unordered_map>

#include "lissom/model/axes.h"

namespace lissom::formulations {
namespace {

Eigen::Matrix3d in_eigen(const Sym3<double>& m) {
  Eigen::Matrix3d e;
  e << m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz;
  return e;
}

}  // namespace

Eigen::Matrix3d in_eigen(const Mat3<double>& m) {
  Eigen::Matrix3d e;
  e << m.xx, m.xy, m.xz, m.yx, m.yy, m.yz, m.zx, m.zy, m.zz;
  return e;
}
Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& a) {
  return in_eigen(skew(Vec3<double>(a.x(), a.y(), a.z())));
}

Mechanism::Mechanism(const Model& model) : gravity(in_eigen(model.gravity())), nq(model.nq()), nv(model.nv()) {
  std::unordered_map<std::string, const JointDescription*> joint_above;  // by its child; a root has none
  for (const auto& joint : model.description().joints) joint_above[joint.child] = &joint;
  std::unordered_map<std::string, int> placed;  // links by name
  const auto add = [&](const std::string& name, MechanismLink link) {
    const auto& d = model.link_description(name);
    link.name = name, link.mass = d.mass, link.com = in_eigen(d.com), link.inertia = in_eigen(d.inertia);
    placed[name] = int(links.size());
    links.push_back(std::move(link));
  };
  // Roots welded to the world have no joint of their own.
  for (const auto& link : model.links())
    if (link.joint < 0) add(link.name, {});
  // Joints are in depth-first order: a parent comes before its children.
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const auto& joint = model.joints()[j];
    MechanismLink link;
    link.joint = joint.name, link.type = joint.type, link.joint_index = int(j), link.armature = joint.armature;
    const auto& own = joint.follows ? model.joints()[std::size_t(joint.follows->joint)] : joint;
    link.q = own.q_index, link.v = own.v_index, link.nv = own.nv;
    if (joint.follows) {
      link.follows = coupled = true;
      link.ratio = joint.follows->ratio, link.offset = joint.follows->offset;
    }
    if (const auto d = joint_above.find(joint.child); d != joint_above.end()) {
      link.parent = placed.at(joint.parent);
      link.origin = d->second->origin, link.pitch = d->second->pitch;
      if (dot(d->second->axis, d->second->axis) > 0) link.axis = unit(d->second->axis);
      if (dot(d->second->axis2, d->second->axis2) > 0) link.axis2 = unit(d->second->axis2);
    }
    add(joint.child, link);
  }
}

void check_numbers(const VectorIn& x, int size, const char* what) {
  if (x.size() != size)
    throw Error(std::string(what) + " has " + std::to_string(x.size()) + " numbers; expected " + std::to_string(size));
  for (long k = 0; k < x.size(); ++k)
    if (!std::isfinite(x[k]))
      throw Error(std::string(what) + "[" + std::to_string(k) + "] is " + std::to_string(x[k]) +
                  "; expected a finite number");
}

void check_configuration(const Mechanism& mechanism, const VectorIn& q) {
  check_numbers(q, mechanism.nq, "q");
  for (const auto& link : mechanism.links) {
    const auto& traits = joint_traits(link.type);
    if (!traits.has_quaternion()) continue;
    const double length = q.segment<4>(link.q + traits.quaternion()).norm();
    if (!(std::abs(length - 1) <= 1e-6))
      throw Error("q: the quaternion of joint '" + link.joint + "' has length " + std::to_string(length) +
                  "; expected 1 (normalise() mends it)");
  }
}

int Mechanism::link(const std::string& name) const {
  for (std::size_t k = 0; k < links.size(); ++k)
    if (links[k].name == name) return int(k);
  throw Error("no link is called '" + name + "'");
}

}  // namespace lissom::formulations
