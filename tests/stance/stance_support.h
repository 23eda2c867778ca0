#pragma once
// Support for the tests of stances: a stance is checked with kinematics and inverse dynamics only.
#include <cmath>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "largest.h"
#include "lissom/lissom.h"
#include "lissom/spatial/quaternion.h"
#include "lissom/stance/stance.h"

namespace lissom::test {

inline Model standing_model(const std::string& name, Base base = Base::free) {
  return load(std::string(LISSOM_MODELS_DIR) + "/" + name + ".urdf", {.base = base});
}

// A posture of models/postures/humanoid.json.
inline Eigen::VectorXd own_posture(const Model& model, const std::string& name) {
  std::ifstream file(std::string(LISSOM_MODELS_DIR) + "/postures/humanoid.json");
  const auto entry = nlohmann::json::parse(file).at(name);
  Eigen::VectorXd q = neutral(model);
  for (const auto& [joint, angle] : entry.at("joints").items()) q[model.joint(joint).q_index] = angle.get<double>();
  for (int i = 0; i < 3; ++i) q[i] = entry.at("base_position")[std::size_t(i)].get<double>();
  for (int i = 0; i < 4; ++i) q[3 + i] = entry.at("base_quaternion")[std::size_t(i)].get<double>();
  return normalize(model, q);
}

inline std::vector<StanceContact> contacts_on(const std::vector<std::string>& frames) {
  std::vector<StanceContact> all;
  for (const auto& frame : frames) all.push_back({.frame = frame});
  return all;
}

inline double norm(const Vec3<double>& x) {
  return std::sqrt(dot(x, x));
}

// Whether a position lies in the convex hull of points, projected onto the ground: no direction separates it from all
// of them.
inline bool in_hull(const std::vector<Vec3<double>>& points, const Vec3<double>& position, double tolerance = 1e-6) {
  for (int k = 0; k < 3600; ++k) {
    const double angle = k * 2 * 3.14159265358979 / 3600;
    const Vec3<double> n(std::cos(angle), std::sin(angle), 0);
    double farthest = -1e9;
    for (const auto& p : points) farthest = larger(farthest, dot(n, p - position));
    if (farthest < -tolerance) return false;
  }
  return true;
}

inline void expect_contacts(const Model& model, const StanceProblem& problem, const Stance& s) {
  Workspace work(model);
  forward_kinematics(model, work, s.q);
  ASSERT_EQ(s.contacts.size(), problem.contacts.size());
  for (std::size_t k = 0; k < s.contacts.size(); ++k) {
    const auto& asked = problem.contacts[k];
    const auto X = placement(model, work, model.frame(asked.frame));
    const bool point = s.contacts[k].kind == ContactKind::point;
    SCOPED_TRACE(asked.frame);
    EXPECT_LT(norm(X.p - s.contacts[k].placement.p), 1e-12);
    if (asked.placement) {
      EXPECT_LT(norm(X.p - asked.placement->p), 1e-8);
      EXPECT_LT(point ? 0 : norm(logarithm(quaternion(transpose(asked.placement->R) * X.R))), 1e-8);
    } else if (!point) {
      EXPECT_NEAR(X.p.z, problem.ground.value_or(0), 1e-8);
      EXPECT_NEAR(X.R.zz, 1, 1e-12);
    }
  }
}

// The reported forces, applied to the robot at rest, give the reported torques, and zero without a motor.
inline void expect_equilibrium(const Model& model, const StanceProblem& problem, const Stance& s) {
  Workspace work(model);
  std::vector<ExternalForce> external;
  for (std::size_t k = 0; k < s.contacts.size(); ++k) {
    const auto& c = s.contacts[k];
    const auto frame = model.frame(c.frame);
    const auto normal =
        problem.contacts[k].placement ? column_z(problem.contacts[k].placement->R) : Vec3<double>(0, 0, 1);
    if (c.kind == ContactKind::fixed)
      external.push_back({.on = frame, .force = c.force, .torque = c.torque, .at = {frame, {0, 0, 0}}});
    Vec3<double> sum(0, 0, 0), moment(0, 0, 0);
    for (std::size_t i = 0; i < c.points.size(); ++i) {
      const auto& f = c.point_forces[i];
      external.push_back({.on = frame, .force = f, .at = {world_frame, c.points[i]}});
      sum += f, moment += cross(c.points[i] - c.placement.p, f);
      const double n = dot(normal, f), t = norm(f - n * normal);
      EXPECT_GT(n, -1e-4) << c.frame << " pulls";
      EXPECT_LT(t, problem.contacts[k].friction * n + 1e-3) << c.frame << " slips";
    }
    if (c.kind != ContactKind::fixed) {
      EXPECT_LT(norm(sum - c.force), 1e-9);
      EXPECT_LT(norm(moment - c.torque), 1e-9);
    }
  }
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.nv());
  const Eigen::VectorXd tau = inverse_dynamics(model, work, s.q, zero, zero, external);
  for (const auto& joint : model.joints())
    for (int i = joint.v_index; i < joint.v_index + joint.nv; ++i) {
      EXPECT_NEAR(tau[i], s.torques[i], 1e-3) << joint.name;
      const double limit = joint.type == JointType::free ? 0 : problem.torque_fraction * joint.effort_limit[0];
      EXPECT_LE(std::abs(tau[i]), limit * (1 + 1e-5) + 1e-3) << joint.name;
    }
}

inline void expect_above_ground(const Model& model, const Stance& s, double ground) {
  Workspace work(model);
  forward_kinematics(model, work, s.q);
  for (const auto& link : model.description().links)
    for (const auto& geometry : link.collisions) {
      const auto X = placement(model, work, model.frame(link.name)) * geometry.origin;
      const auto& shape = geometry.shape;
      double lowest = X.p.z;
      if (shape.kind == Shape::Kind::box)
        lowest -=
            (std::abs(X.R.zx) * shape.size.x + std::abs(X.R.zy) * shape.size.y + std::abs(X.R.zz) * shape.size.z) / 2;
      if (shape.kind == Shape::Kind::sphere) lowest -= shape.radius;
      if (shape.kind == Shape::Kind::cylinder)
        lowest -= std::abs(X.R.zz) * shape.length / 2 + std::hypot(X.R.zx, X.R.zy) * shape.radius;
      EXPECT_GT(lowest, ground - .01) << link.name;
    }
}

inline void expect_stance(const Model& model, const StanceProblem& problem, const Stance& s) {
  ASSERT_EQ(s.status, StanceStatus::found) << s.what;
  EXPECT_EQ(s.what, "");
  for (int i = 0; i < model.nq(); ++i) {
    EXPECT_GE(s.q[i], model.lower()[std::size_t(i)]);
    EXPECT_LE(s.q[i], model.upper()[std::size_t(i)]);
  }
  for (const int i : model.quaternions()) EXPECT_NEAR(s.q.segment<4>(i).norm(), 1, 1e-12);
  expect_contacts(model, problem, s);
  expect_equilibrium(model, problem, s);
  if (problem.ground) expect_above_ground(model, s, *problem.ground);
  Workspace work(model);
  EXPECT_LT(norm(center_of_mass(model, work, s.q) - s.com), 1e-12);
  if (problem.com) {
    EXPECT_NEAR(s.com.x, problem.com->x, 1e-8);
    EXPECT_NEAR(s.com.y, problem.com->y, 1e-8);
    EXPECT_NEAR(s.com.z, problem.com_height ? problem.com->z : s.com.z, 1e-8);
  }
}

// On contacts that lie flat, the support region is the hull of their points.
inline void expect_over_its_points(const Stance& s) {
  std::vector<Vec3<double>> points;
  for (const auto& c : s.contacts)
    for (const auto& p : c.points) points.push_back({p.x, p.y, 0});
  const Vec3<double> com(s.com.x, s.com.y, 0);
  EXPECT_TRUE(in_hull(points, com));
  for (const auto& corner : s.support) EXPECT_TRUE(in_hull(points, corner, 1e-3));
  for (int k = 0; k < 16 && s.balance_margin > 0; ++k) {
    const double angle = k * 3.14159265358979 / 8;
    const Vec3<double> n(std::cos(angle), std::sin(angle), 0);
    EXPECT_TRUE(in_hull(points, com + (s.balance_margin - 1e-3) * n)) << k;
  }
}

}  // namespace lissom::test
