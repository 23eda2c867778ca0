#include "lissom/formulations/mechanism.h"

#include <cmath>
#include <unordered_map>

#include "lissom/model/arguments.h"
#include "lissom/model/axes.h"

namespace lissom::formulations {

Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& a) {
  return to_eigen(skew(Vec3<double>(a.x(), a.y(), a.z())));
}

Mechanism::Mechanism(const Model& model) : gravity(to_eigen(model.gravity())), nq(model.nq()), nv(model.nv()) {
  std::unordered_map<std::string, const JointDescription*> joint_above;  // by the child link; a root has none
  for (const auto& joint : model.description().joints) joint_above[joint.child] = &joint;
  std::unordered_map<std::string, int> placed;  // links by name
  const auto add = [&](const std::string& name, MechanismLink link) {
    const auto& d = model.link_description(name);
    link.name = name, link.mass = d.mass, link.com = to_eigen(d.com), link.inertia = to_eigen(d.inertia);
    placed[name] = int(links.size());
    links.push_back(std::move(link));
  };
  // Roots that are fixed to the world have no joint.
  for (const auto& link : model.links())
    if (link.joint < 0) {
      MechanismLink root;
      root.origin = link.placement;
      add(link.name, std::move(root));
    }
  // Joints are in depth-first order: a parent comes before its children.
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const auto& joint = model.joints()[j];
    MechanismLink link;
    link.joint = joint.name, link.type = joint.type, link.joint_index = int(j), link.armature = joint.armature;
    const auto& own = joint.follows ? model.joints()[std::size_t(joint.follows->joint)] : joint;
    link.q_index = own.q_index, link.v_index = own.v_index, link.nv = own.nv;
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

void check_vector(const VectorIn& x, int size, const char* what) {
  expect_size(what, x.size(), size);
  expect_finite(what, x.data(), size);
}

void check_configuration(const Mechanism& mechanism, const VectorIn& q) {
  check_vector(q, mechanism.nq, "q");
  for (const auto& link : mechanism.links) {
    const auto& traits = joint_traits(link.type);
    if (traits.has_quaternion()) expect_unit_quaternion("q", q.data(), link.q_index + traits.quaternion());
  }
}

int Mechanism::link(const std::string& name) const {
  for (std::size_t k = 0; k < links.size(); ++k)
    if (links[k].name == name) return int(k);
  throw Error("no link '" + name + "'");
}

}  // namespace lissom::formulations
