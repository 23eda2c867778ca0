#pragma once
// Random closures of random robots, and helpers that the tests of closed loops share.
#include <functional>
#include <string>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "close.h"
#include "lissom/constraints/closed_loops.h"
#include "lissom/lissom.h"
#include "random_tree.h"
#include "refusal.h"

namespace lissom::test {

// One of the 63 sets of constrained axes: bits 0 … 2 along, 3 … 5 about x, y, z.
inline LoopAxes axes_of(int pattern) {
  LoopAxes axes;
  for (int k = 0; k < 3; ++k) {
    axes.along[std::size_t(k)] = (pattern >> k) & 1;
    axes.about[std::size_t(k)] = (pattern >> (3 + k)) & 1;
  }
  return axes;
}

inline Loop random_loop(const Case& c, Random& random, int pattern) {
  return {"loop" + std::to_string(pattern),
          {c.some_frame(random), random.pose()},
          {c.some_frame(random), {random.rotation(), random.vec3(0.5)}},
          axes_of(pattern)};
}

// The same loop with end b moved to end a at q, so that it is closed there.
inline Loop closed_at(const Case& c, Loop loop, const Eigen::VectorXd& q) {
  Workspace work(c.model);
  forward_kinematics(c.model, work, q);
  loop.b.placement =
      inverse(placement(c.model, work, loop.b.frame)) * placement(c.model, work, loop.a.frame) * loop.a.placement;
  return loop;
}

// Joints with one degree of freedom.
inline std::vector<std::string> single_joints(const Model& model) {
  std::vector<std::string> names;
  for (const auto& joint : model.joints())
    if (joint.nv == 1) names.push_back(joint.name);
  return names;
}

// Adds a joint that follows another by a polynomial, or is constant; nothing if the robot has no suitable joint.
inline void add_random_coupling(const Model& model, Random& random, Closures& description) {
  const auto joints = single_joints(model);
  if (joints.empty()) return;
  const auto some = [&] { return joints[std::size_t(random.integer(0, int(joints.size()) - 1))]; };
  JointCoupling c{"coupling" + std::to_string(description.couplings.size()), some(), some(), {}};
  if (c.of == c.joint) c.of.clear();
  for (int k = random.integer(1, 5); k > 0; --k) c.coefficients.push_back(random.uniform(-1, 1));
  description.couplings.push_back(c);
}

// Loops that are closed at the robot's q, and a velocity that keeps them closed.
inline Closures close_at_state(Case& c, Random& random) {
  Closures description;
  for (int k = random.integer(1, 3); k > 0; --k)
    description.loops.push_back(closed_at(c, random_loop(c, random, random.integer(1, 63)), c.q));
  for (int k = random.integer(0, 2); k > 0; --k) add_random_coupling(c.model, random, description);
  for (auto& coupling : description.couplings) {  // these are closed at q, too
    const Closures alone{{}, {coupling}};
    ClosedLoops one(c.model, alone);
    one.gap(c.model, c.work, c.q);
    coupling.coefficients[0] += one.rows().residual()[0];
  }
  ClosedLoops loops(c.model, description);
  loops.project_velocity(c.model, c.work, c.q, c.v);
  return description;
}

// df/dt at t = 0 by a finite difference of fourth order.
inline Eigen::VectorXd rate_of(const std::function<Eigen::VectorXd(double)>& f) {
  const double h = 2e-4;
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

// J v is the derivative of c, and Jdot_v() that of J v, along a motion with constant v. The rows of a snapshot are the
// same.
inline void expect_derivatives(Case& c, LoopRows& rows) {
  const auto at = [&](double t) {
    rows.evaluate(c.model, c.work, integrate(c.model, c.q, c.v, t));
    return &rows;
  };
  const Eigen::VectorXd moved = rate_of([&](double t) -> Eigen::VectorXd { return at(t)->residual(); });
  const Eigen::VectorXd bent = rate_of([&](double t) -> Eigen::VectorXd { return at(t)->J() * c.v; });
  rows.evaluate(c.model, c.work, c.q);
  rows.evaluate_Jdot_v(c.model, c.work, c.q, c.v);
  EXPECT_TRUE(close(rows.J() * c.v, moved, 1e-9));
  EXPECT_TRUE(close(rows.Jdot_v(), bent, 1e-8));
  RobotSnapshot robot(c.model);
  ASSERT_TRUE(robot.update(c.q, c.v));
  LoopRows again = rows;
  const Eigen::VectorXd elsewhere = integrate(c.model, c.q, c.v, .1);
  again.evaluate(c.model, c.work, elsewhere), again.evaluate_Jdot_v(c.model, c.work, elsewhere, 2 * c.v);
  again.evaluate(robot);
  EXPECT_TRUE(close(again.residual(), rows.residual(), 1e-12));
  EXPECT_TRUE(close(Eigen::MatrixXd(again.J()), Eigen::MatrixXd(rows.J()), 1e-12));
  EXPECT_TRUE(close(again.Jdot_v(), rows.Jdot_v(), 1e-11));
}

// A mechanism of models/iftomm.
struct Mechanism {
  Model model;
  Closures closures;
};
inline Mechanism iftomm(const std::string& name) {
  const std::string stem = LISSOM_MODELS_DIR "/iftomm/" + name;
  const auto model = load(stem + ".urdf", {.loops_file = stem + ".json"});
  return {model, closures(model)};
}

// The four-bars of A02 at an angle and a rate: the cranks are parallel, the couplers level.
inline void lean_four_bars(const Model& model, double angle, double rate, Eigen::VectorXd& q, Eigen::VectorXd& v) {
  const auto set = [&](const std::string& joint, double position, double velocity) {
    q[model.joint(joint).q_index] = position;
    v[model.joint(joint).v_index] = velocity;
  };
  q = neutral(model), v = Eigen::VectorXd::Zero(model.nv());
  set("crank_0", angle, rate);
  for (int k = 1; k <= model.nv() / 2; ++k) {
    const std::string n = std::to_string(k);
    set("coupler_" + n, -angle, -rate);
    set("crank_" + n, angle, rate);
  }
}

// w x y z
inline Eigen::Vector4d quaternion_of(const Mat3<double>& R) {
  Eigen::Matrix3d m;
  m << R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz;
  const Eigen::Quaterniond q(m);
  return {q.w(), q.x(), q.y(), q.z()};
}

// Expects all of these words in the message.
inline void expect_words(const std::string& message, const std::vector<std::string>& words) {
  for (const auto& word : words)
    EXPECT_NE(message.find(word), std::string::npos) << "expected '" << word << "' in '" << message << "'";
}

}  // namespace lissom::test
