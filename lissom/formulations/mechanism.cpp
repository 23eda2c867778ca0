#include "lissom/formulations/mechanism.h"

#include <cmath>
#include <unordered_map>

#include "lissom/coordinates/rotations.h"
#include "lissom/formulations/turn.h"
#include "lissom/model/arguments.h"
#include "lissom/model/axes.h"

namespace lissom::formulations {
Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& a) {
  return to_eigen(skew(Vec3<double>(a.x(), a.y(), a.z())));
}

Mechanism::Mechanism(const Model& model) : gravity(to_eigen(model.gravity())), nq(model.nq()), nv(model.nv()) {
  const auto& description = model.description();
  std::unordered_map<std::string, const LinkDescription*> described;
  for (const auto& link : description.links) described[link.name] = &link;
  std::unordered_map<std::string, const JointDescription*> joint_above;  // by its child; a root has none
  for (const auto& joint : description.joints) joint_above[joint.child] = &joint;
  std::unordered_map<std::string, int> placed;  // links by name
  const auto add = [&](const std::string& name, MechanismLink link) {
    const auto& d = *described.at(name);
    link.name = name, link.mass = d.mass, link.com = to_eigen(d.com), link.inertia = to_eigen(d.inertia);
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
    link.q = own.q, link.v = own.v, link.nv = own.nv;
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
  expect_size(what, x.size(), size);
  expect_finite(what, x.data(), size);
}

void check_configuration(const Mechanism& mechanism, const VectorIn& q) {
  check_numbers(q, mechanism.nq, "q");
  for (const auto& link : mechanism.links) {
    if (link.type != JointType::free && link.type != JointType::spherical) continue;
    expect_unit_quaternion("q", q.data(), link.q + (link.type == JointType::free ? 3 : 0));
  }
}

int Mechanism::link(const std::string& name) const {
  for (std::size_t k = 0; k < links.size(); ++k)
    if (links[k].name == name) return int(k);
  throw Error("no link is called '" + name + "'");
}

JointMotion joint_motion(const MechanismLink& link, const VectorIn& q, const VectorIn& v) {
  const auto at = [&](int k) { return link.ratio * q[link.q + k] + link.offset; };
  const auto rate = [&](int k) { return link.ratio * v[link.v + k]; };
  const Eigen::Vector3d a = to_eigen(link.axis), a2 = to_eigen(link.axis2);
  JointMotion j;
  auto& S = j.S;
  S = Matrix6X::Zero(6, link.nv);
  switch (link.type) {
    case JointType::fixed:
      S.resize(6, 0);
      j.axes = S;
      return j;
    case JointType::revolute:
    case JointType::continuous:
      j.X.R = turn(link.axis, at(0));
      S.bottomRows<3>().col(0) = a;
      break;
    case JointType::prismatic:
      j.X.p = at(0) * link.axis;
      S.topRows<3>().col(0) = a;
      break;
    case JointType::helical:
      j.X = {turn(link.axis, at(0)), (link.pitch * at(0)) * link.axis};
      S.col(0) << link.pitch * a, a;
      break;
    case JointType::cylindrical:
      j.X = {turn(link.axis, at(1)), at(0) * link.axis};
      S.topRows<3>().col(0) = a;
      S.bottomRows<3>().col(1) = a;
      break;
    case JointType::universal: {
      // The first axis, seen from the child, is turned back by the second angle.
      const Eigen::Matrix3d R2 = to_eigen(turn(link.axis2, at(1)));
      j.X.R = turn(link.axis, at(0)) * turn(link.axis2, at(1));
      const Eigen::Vector3d first = R2.transpose() * a;
      S.bottomRows<3>().col(0) = first;
      S.bottomRows<3>().col(1) = a2;
      j.S_dot_v.tail<3>() = -(rate(1) * a2).cross(first) * rate(0);
      break;
    }
    case JointType::planar: {
      const Eigen::Matrix3d E = to_eigen(rotation_from_z_to(link.axis));
      j.X.R = turn(link.axis, at(2));
      const Eigen::Vector3d p = E * Eigen::Vector3d(at(0), at(1), 0);
      j.X.p = {p.x(), p.y(), p.z()};
      S.topRows<3>().leftCols<2>() = E.leftCols<2>();
      S.bottomRows<3>().col(2) = a;
      break;
    }
    case JointType::spherical:
      j.X.R = matrix(Quaternion<double>{q[link.q], q[link.q + 1], q[link.q + 2], q[link.q + 3]});
      S.bottomRows<3>() = Eigen::Matrix3d::Identity();
      break;
    case JointType::free:
      j.X.R = matrix(Quaternion<double>{q[link.q + 3], q[link.q + 4], q[link.q + 5], q[link.q + 6]});
      j.X.p = {q[link.q], q[link.q + 1], q[link.q + 2]};
      S = Matrix6::Identity();
      break;
  }
  j.axes = S;
  if (link.follows) S *= link.ratio;
  return j;
}

}  // namespace lissom::formulations
