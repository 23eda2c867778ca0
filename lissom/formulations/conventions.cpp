#include "lissom/formulations/conventions.h"

#include <cmath>

#include "lissom/spatial/quaternion.h"

namespace lissom::formulations {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

// Number of elements that a joint has in q.
int size_of(const Joint& joint, Convention c) {
  if (c != Convention::pinocchio || joint.nq == 0) return joint.nq;
  return joint.type == JointType::continuous ? 2 : joint.type == JointType::planar ? 4 : joint.nq;
}
void check_length(const Joint& joint, double length, const char* what) {
  if (!(std::abs(length - 1) <= 1e-6))
    throw Error(std::string(what) + " of joint '" + joint.name + "' has norm " + std::to_string(length) +
                ", expected 1");
}
bool has_quaternion(const Joint& joint) {
  return joint_traits(joint.type).has_quaternion();
}

// The coordinates of a joint from another convention to lissom's.
VectorXd read(const Joint& joint, const VectorIn& x, Convention from) {
  VectorXd q = x;
  const bool theirs = from == Convention::pinocchio;
  if (has_quaternion(joint)) {
    const long at = q.size() - 4;
    if (theirs) q.tail<4>() = Eigen::Vector4d(x[at + 3], x[at], x[at + 1], x[at + 2]);
    check_length(joint, q.tail<4>().norm(), "quaternion");
  } else if (theirs && size_of(joint, from) != joint.nq) {  // … cos, sin
    const long at = x.size() - 2;
    check_length(joint, x.tail<2>().norm(), "(cos, sin)");
    q = x.head(joint.nq);
    q[at] = std::atan2(x[at + 1], x[at]);
  }
  return q;
}
// The coordinates of a joint from lissom's convention to another.
VectorXd written(const Joint& joint, const VectorXd& q, Convention to) {
  if (to == Convention::mujoco && joint.type == JointType::planar)
    throw Error("joint '" + joint.name + "' is planar; MuJoCo has no such joint");
  VectorXd x = q;
  if (to != Convention::pinocchio) return x;
  if (has_quaternion(joint)) {
    const long at = q.size() - 4;
    x.tail<4>() = Eigen::Vector4d(q[at + 1], q[at + 2], q[at + 3], q[at]);
  } else if (const int n = size_of(joint, to); n != joint.nq) {
    x.resize(n);
    x.head(joint.nq) = q;
    x.tail<2>() << std::cos(q[joint.nq - 1]), std::sin(q[joint.nq - 1]);
  }
  return x;
}

// Whether a convention has the linear and the angular velocity along the world's axes.
struct AlongWorld {
  bool linear, angular;
};
AlongWorld along_world(Convention c) {
  return {c == Convention::mujoco || c == Convention::world, c == Convention::world};
}

}  // namespace

Convention convention(std::string_view name) {
  if (name == "lissom") return Convention::lissom;
  if (name == "pinocchio" || name == "ros") return Convention::pinocchio;
  if (name == "mujoco") return Convention::mujoco;
  if (name == "world") return Convention::world;
  throw Error("no convention '" + std::string(name) + "'; conventions: lissom, pinocchio, ros, mujoco, world");
}

State convert(const Model& model, const State& state, Convention from, Convention to) {
  int size = 0, size_there = 0;
  for (const auto& joint : model.joints()) size += size_of(joint, from), size_there += size_of(joint, to);
  check_vector(state.q, size, "q");
  check_vector(state.v, model.nv(), "v");
  State result{VectorXd(size_there), state.v};
  int at = 0, at_there = 0;
  for (const auto& joint : model.joints()) {
    if (joint.nq == 0) continue;
    const VectorXd q = read(joint, state.q.segment(at, size_of(joint, from)), from);
    result.q.segment(at_there, size_of(joint, to)) = written(joint, q, to);
    at += size_of(joint, from), at_there += size_of(joint, to);
    if (!has_quaternion(joint)) continue;
    const auto w = q.tail<4>();
    const Eigen::Matrix3d R = to_eigen(matrix(normalized(Quaternion<double>{w[0], w[1], w[2], w[3]})));
    const auto rotate = [&](int index, bool from_world, bool to_world) {
      const Vector3d x = result.v.segment<3>(index);
      if (from_world && !to_world) result.v.segment<3>(index) = R.transpose() * x;
      if (!from_world && to_world) result.v.segment<3>(index) = R * x;
    };
    if (joint_traits(joint.type).manifold == ManifoldKind::se3)
      rotate(joint.v_index, along_world(from).linear, along_world(to).linear);
    rotate(joint.v_index + joint.nv - 3, along_world(from).angular, along_world(to).angular);
  }
  return result;
}

}  // namespace lissom::formulations
