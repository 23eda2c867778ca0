#include "lissom/formulations/conventions.h"

#include <cmath>

#include "lissom/spatial/quaternion.h"

namespace lissom::formulations {
namespace {

struct Place {
  int quaternion, linear, angular;  // in q, v, v; linear -1 for a ball joint
  std::string joint;
};
std::vector<Place> places(const Model& model) {
  std::vector<Place> all;
  for (const auto& joint : model.joints()) {
    if (joint.nv == 0) continue;
    if (joint.type == JointType::free) all.push_back({joint.q + 3, joint.v, joint.v + 3, joint.name});
    if (joint.type == JointType::spherical) all.push_back({joint.q, -1, joint.v, joint.name});
  }
  return all;
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
  if (state.q.size() != model.nq() || state.v.size() != model.nv())
    throw Error("state: q has " + std::to_string(state.q.size()) + " numbers and v " + std::to_string(state.v.size()) +
                "; expected " + std::to_string(model.nq()) + " and " + std::to_string(model.nv()));
  State result = state;
  for (const auto& p : places(model)) {
    auto w = result.q.segment<4>(p.quaternion);
    if (!(std::abs(w.norm() - 1) <= 1e-6))
      throw Error("joint '" + p.joint + "': its quaternion has length " + std::to_string(w.norm()) + "; expected 1");
    if (from == Convention::pinocchio) w = Eigen::Vector4d(w[3], w[0], w[1], w[2]);
    const Eigen::Matrix3d R = in_eigen(matrix(normalised(Quaternion<double>{w[0], w[1], w[2], w[3]})));
    auto turn = [&](int at, bool to_body) {
      if (at < 0) return;
      const Eigen::Vector3d x = result.v.segment<3>(at);
      result.v.segment<3>(at) = to_body ? Eigen::Vector3d(R.transpose() * x) : Eigen::Vector3d(R * x);
    };
    const auto in_world = [](Convention c) {
      return std::pair(c == Convention::mujoco || c == Convention::world, c == Convention::world);
    };
    const auto [linear_from, angular_from] = in_world(from);
    const auto [linear_to, angular_to] = in_world(to);
    if (linear_from != linear_to) turn(p.linear, linear_from);
    if (angular_from != angular_to) turn(p.angular, angular_from);
    if (to == Convention::pinocchio) w = Eigen::Vector4d(w[1], w[2], w[3], w[0]);
  }
  return result;
}

}  // namespace lissom::formulations
