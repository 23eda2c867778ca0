#include "lissom/formulations/conventions.h"

#include <cmath>

#include "lissom/spatial/quaternion.h"

namespace lissom::formulations {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

// Numbers in q that a joint has.
int size_of(const Joint& joint, Convention c) {
  if (c != Convention::pinocchio || joint.nq == 0) return joint.nq;
  return joint.type == JointType::continuous ? 2 : joint.type == JointType::planar ? 4 : joint.nq;
}
void check_length(const Joint& joint, double length, const char* what) {
  if (!(std::abs(length - 1) <= 1e-6))
    throw Error("joint '" + joint.name + "': its " + what + " has length " + std::to_string(length) + "; expected 1");
}
bool has_quaternion(const Joint& joint) {
  return joint_traits(joint.type).has_quaternion();
}

// A joint's numbers to lissom's way of writing them, and from it.
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

// Whether a convention takes linear and angular velocities along the outer axes.
struct Outside {
  bool linear, angular;
};
Outside outside(Convention c) {
  return {c == Convention::mujoco || c == Convention::world, c == Convention::world};
}

}  // namespace

Convention convention(std::string_view name) {
  if (name == "lissom") return Convention::lissom;
  if (name == "pinocchio" || name == "ros") return Convention::pinocchio;
  if (name == "mujoco") return Convention::mujoco;
  if (name == "world") return Convention::world;
  throw Error("no convention is called '" + std::string(name) + "'; there are lissom, pinocchio, ros, mujoco, world");
}

State convert(const Model& model, const State& state, Convention from, Convention to) {
  int size = 0, size_there = 0;
  for (const auto& joint : model.joints()) size += size_of(joint, from), size_there += size_of(joint, to);
  check_numbers(state.q, size, "q");
  check_numbers(state.v, model.nv(), "v");
  State result{VectorXd(size_there), state.v};
  int at = 0, at_there = 0;
  for (const auto& joint : model.joints()) {
    if (joint.nq == 0) continue;
    const VectorXd q = read(joint, state.q.segment(at, size_of(joint, from)), from);
    result.q.segment(at_there, size_of(joint, to)) = written(joint, q, to);
    at += size_of(joint, from), at_there += size_of(joint, to);
    if (!has_quaternion(joint)) continue;
    const auto w = q.tail<4>();
    const Eigen::Matrix3d R = in_eigen(matrix(normalised(Quaternion<double>{w[0], w[1], w[2], w[3]})));
    const auto turn = [&](int place, bool was_outside, bool is_outside) {
      const Vector3d x = result.v.segment<3>(place);
      if (was_outside && !is_outside) result.v.segment<3>(place) = R.transpose() * x;
      if (!was_outside && is_outside) result.v.segment<3>(place) = R * x;
    };
    if (joint_traits(joint.type).manifold == ManifoldKind::se3)
      turn(joint.v_index, outside(from).linear, outside(to).linear);
    turn(joint.v_index + joint.nv - 3, outside(from).angular, outside(to).angular);
  }
  return result;
}

}  // namespace lissom::formulations
