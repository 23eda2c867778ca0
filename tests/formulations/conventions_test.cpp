// States, accelerations, forces and matrices in the order and the coordinates of other programs.
#include "lissom/formulations/conventions.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "close.h"
#include "largest.h"
#include "lissom/lissom.h"
#include "random_tree.h"
#include "refusal.h"

namespace lissom::test {
namespace {

using namespace formulations;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Names = std::vector<std::string>;

constexpr Convention all_conventions[] = {Convention::lissom, Convention::pinocchio, Convention::ros,
                                          Convention::mujoco, Convention::world};

// A robot whose joints are numbered differently by each program: the file has the branch of z before that of a, and a
// joint of a's branch, "b", before both. "m" mimics "z2".
Description branches() {
  Description robot;
  robot.name = "branches";
  Random random(1);
  for (const char* name : {"trunk", "Z", "Z2", "A", "A2", "A3", "M"}) robot.links.push_back(random_link(name, random));
  const auto add = [&](const char* name, JointType type, const char* parent, const char* child) {
    JointDescription joint;
    joint.name = name, joint.type = type, joint.parent = parent, joint.child = child;
    joint.axis = {0, 0, 1};
    joint.origin.p = {0.1, 0.2, 0.3};
    if (joint_traits(type).limits == PositionLimits::required) joint.lower = {-3}, joint.upper = {3};
    robot.joints.push_back(joint);
  };
  add("b", JointType::prismatic, "A2", "A3");
  add("z", JointType::continuous, "trunk", "Z");
  add("c_fixed", JointType::fixed, "trunk", "A");
  add("a2", JointType::revolute, "A", "A2");
  add("z2", JointType::revolute, "Z", "Z2");
  add("m", JointType::revolute, "trunk", "M");
  robot.joints.back().mimic = Mimic{"z2", -2, 0.25};
  return robot;
}
const Model& branching() {
  static const Model model = build(branches(), {.base = Base::free});
  return model;
}
// Sets one joint's elements of q.
VectorXd with(const Model& model, VectorXd q, const char* joint, double value) {
  q[model.joint(joint).q_index] = value;
  return q;
}

TEST(Conventions, NumberJointsAsTheProgramsDo) {
  const Model& model = branching();
  EXPECT_EQ(joint_order(model, Convention::lissom), (Names{"base", "z", "z2", "a2", "b"}));
  EXPECT_EQ(joint_order(model, Convention::world), (Names{"base", "z", "z2", "a2", "b"}));
  EXPECT_EQ(joint_order(model, Convention::pinocchio), (Names{"base", "a2", "b", "m", "z", "z2"}));
  EXPECT_EQ(joint_order(model, Convention::mujoco), (Names{"base", "z", "z2", "a2", "b", "m"}));
  EXPECT_EQ(joint_order(model, Convention::ros), (Names{"base", "b", "z", "a2", "z2", "m"}));

  VectorXd q = neutral(model);
  q.head<7>() << 1, 2, 3, 0.5, 0.5, -0.5, 0.5;
  q = with(model, with(model, with(model, with(model, q, "z", 0.7), "z2", 0.2), "a2", 0.3), "b", 0.4);
  const VectorXd v = VectorXd::LinSpaced(10, 1, 10);  // base 1 … 6, z 7, z2 8, a2 9, b 10
  const auto pinocchio = convert(model, {q, v}, Convention::lissom, Convention::pinocchio);
  VectorXd expected(13), rates(11);
  expected << 1, 2, 3, 0.5, -0.5, 0.5, 0.5, 0.3, 0.4, -2 * 0.2 + 0.25, std::cos(0.7), std::sin(0.7), 0.2;
  rates << 1, 2, 3, 4, 5, 6, 9, 10, -16, 7, 8;
  EXPECT_TRUE(close(pinocchio.q, expected, 1e-15));
  EXPECT_TRUE(close(pinocchio.v, rates, 1e-15));
  const auto ros = convert(model, {q, v}, Convention::lissom, convention("ros"));
  expected.resize(12);
  expected << 1, 2, 3, 0.5, -0.5, 0.5, 0.5, 0.4, 0.7, 0.3, 0.2, -2 * 0.2 + 0.25;
  EXPECT_TRUE(close(ros.q, expected, 1e-15));
  for (const auto c : all_conventions) {
    const auto back = convert(model, convert(model, {q, v}, Convention::lissom, c), c, Convention::lissom);
    EXPECT_TRUE(close(back.q, q, 1e-14)) << to_string(c);
    EXPECT_TRUE(close(back.v, v, 1e-14)) << to_string(c);
  }
}

TEST(Conventions, TakeTheOtherProgramsListOfJoints) {
  const Model& model = branching();
  const VectorXd q = random_configuration(model, 5), v = VectorXd::LinSpaced(10, 1, 10);
  // A base by another name, Pinocchio's universe, and no follower.
  const Names names{"universe", "z2", "root_joint", "b", "a2", "z"};
  const Conversion given(model, Convention::pinocchio, names);
  EXPECT_EQ(given.nv(), 10);
  const auto there = given.to_state(q, v);
  EXPECT_EQ(there.q[0], q[model.joint("z2").q_index]);
  EXPECT_EQ(there.q[1], q[0]);
  EXPECT_EQ(there.q[8], q[model.joint("b").q_index]);
  EXPECT_TRUE(close(given.from_state(there.q, there.v).q, q, 1e-14));
  EXPECT_TRUE(close(given.from_state(there.q, there.v).v, v, 1e-14));
  // MuJoCo's three joints of a planar one.
  const auto puck = load(LISSOM_MODELS_DIR "/mechanisms/planar_puck.urdf");
  EXPECT_EQ(Conversion(puck, Convention::mujoco, Names{"glide_TX", "glide_TY", "glide_RZ"}).nv(), 3);

  const auto refused = [&](const Names& list) { return refusal([&] { Conversion(model, Convention::ros, list); }); };
  EXPECT_EQ(refused({"base", "z", "z2", "b"}), "the list of joints lacks 'a2'; expected all joints that move");
  EXPECT_EQ(refused({"base", "z", "z2", "b", "a2", "z"}), "joint 'z' is in the list of joints twice");
  EXPECT_EQ(refused({"base", "z", "z2", "b", "a2", "c_fixed"}),
            "joint 'c_fixed' is fixed and has no coordinates; leave it out of the list");
  EXPECT_NE(refused({"base", "z", "z2", "b", "a3"}).find("a3"), std::string::npos);
  EXPECT_NE(refused({"z", "z2", "b", "a3"}).find("lacks 'a2'"), std::string::npos);
}

TEST(Conventions, FollowersAreWhereTheyFollow) {
  const Model& model = branching();
  const Conversion there(model, Convention::mujoco);
  EXPECT_TRUE(there.has_followers());
  const VectorXd q = random_configuration(model, 2), v = VectorXd::Ones(10);
  auto state = there.to_state(q, v);
  // Power of forces on a follower acts on its leader.
  VectorXd tau = VectorXd::LinSpaced(11, 1, 2);
  EXPECT_NEAR(there.from_forces(q, tau).dot(v), tau.dot(state.v), 1e-12);
  Workspace work(model);
  EXPECT_NE(refusal([&] { (void)there.to_mass_matrix(q, mass_matrix(model, work, q)); }).find("followers such as 'm'"),
            std::string::npos);
  state.q[state.q.size() - 1] += 0.01;
  EXPECT_NE(refusal([&] { (void)there.from_state(state.q, state.v); }).find("joint 'm' mimics 'z2' but is 0.01"),
            std::string::npos);
}

// MuJoCo has no free joint whose parent moves.
bool exists(const Model& model, Convention c) {
  if (c == Convention::mujoco)
    for (const auto& joint : model.joints())
      if (joint.type == JointType::free && joint.parent != "world" && model.link(joint.parent).body != 0) return false;
  return true;
}

TEST(Conventions, GoThereAndBack) {
  int refused = 0;
  for_each_tree(
      {.mimic = 0.2},
      [&](Case& c) {
        VectorXd q = c.q;
        for (const auto& joint : c.model.joints())
          // (cos, sin) lose full revolutions.
          if (joint.nv > 0 && (joint.type == JointType::planar || joint.type == JointType::continuous)) {
            auto& angle = q[joint.q_index + joint.nq - 1];
            angle = std::remainder(angle, 2 * std::numbers::pi);
          }
        const formulations::State ours{q, c.v};
        for (const auto other : all_conventions) {
          if (!exists(c.model, other)) {
            EXPECT_THROW(convert(c.model, ours, Convention::lissom, other), Error);
            ++refused;
            continue;
          }
          for (const auto third : all_conventions) {
            if (!exists(c.model, third)) continue;
            const auto there = convert(c.model, convert(c.model, ours, Convention::lissom, other), other, third);
            const auto back = convert(c.model, there, third, Convention::lissom);
            for (const auto& joint : c.model.joints())
              if (joint_traits(joint.type).has_quaternion() && joint.nq > 0) {  // Q and -Q are the same orientation
                const int at = joint.q_index + joint.nq - 4;
                if (q.segment<4>(at).dot(back.q.segment<4>(at)) < 0) q.segment<4>(at) *= -1;
              }
            EXPECT_TRUE(close(back.q, q, 1e-12));
            EXPECT_TRUE(close(back.v, c.v, 1e-12));
          }
        }
      },
      100);
  EXPECT_GT(refused, 0);
}

TEST(Conventions, KeepEnergyPowerAndTheEquationOfMotion) {
  for_each_tree(
      {},
      [](Case& c) {
        const MatrixXd M = mass_matrix(c.model, c.work, c.q);
        const VectorXd h = bias_forces(c.model, c.work, c.q, c.v), tau = M * c.a + h;
        const double scale = 1 + largest(tau);
        const FrameId last{int(c.model.frames().size()) - 1};
        const MatrixXd J = jacobian(c.model, c.work, c.q, last);
        for (const auto other : all_conventions) {
          if (!exists(c.model, other)) continue;
          const Conversion there(c.model, other);
          const VectorXd v = there.to_state(c.q, c.v).v, a = there.to_acceleration(c.q, c.v, c.a);
          const MatrixXd M_there = there.to_mass_matrix(c.q, M);
          EXPECT_TRUE(close(v.dot(M_there * v), c.v.dot(M * c.v), 1e-11, scale));
          EXPECT_TRUE(
              close(M_there * a + there.to_bias_forces(c.q, c.v, M, h), there.to_forces(c.q, tau), 1e-10, scale));
          EXPECT_TRUE(close(v.dot(there.to_forces(c.q, tau)), c.v.dot(tau), 1e-11, scale));
          EXPECT_TRUE(close(there.to_jacobian(c.q, J) * v, J * c.v, 1e-11));
          EXPECT_TRUE(close(there.from_acceleration(c.q, c.v, a), c.a, 1e-11));
          EXPECT_TRUE(close(there.from_forces(c.q, there.to_forces(c.q, tau)), tau, 1e-11, scale));
          EXPECT_TRUE(close(there.from_mass_matrix(c.q, M_there), M, 1e-11, scale));
          EXPECT_TRUE(close(there.from_jacobian(c.q, there.to_jacobian(c.q, J)), J, 1e-11));
          // a is the derivative of v.
          const double dt = 1e-5;
          const auto v_at = [&](double t) {
            return there.to_state(integrate(c.model, c.q, c.v + 0.5 * t * c.a, t), c.v + t * c.a).v;
          };
          EXPECT_TRUE(close((v_at(dt) - v_at(-dt)) / (2 * dt), a, 1e-6, 1 + largest(a)));
        }
      },
      100);
}

TEST(Conventions, AreWhatTheirProgramsSay) {
  const auto model = load(LISSOM_MODELS_DIR "/quadruped.urdf", {.base = Base::free});
  VectorXd q = random_configuration(model, 3);
  const VectorXd v = VectorXd::LinSpaced(model.nv(), -1, 1);
  const Eigen::Matrix3d R = Eigen::Quaterniond(q[3], q[4], q[5], q[6]).toRotationMatrix();
  const auto world = convert(model, {q, v}, Convention::lissom, Convention::world);
  EXPECT_TRUE(close(world.v.segment<3>(3), R * v.segment<3>(3), 1e-13));
  const auto mujoco = convert(model, {q, v}, Convention::lissom, Convention::mujoco);
  EXPECT_TRUE(close(mujoco.v.head<3>(), R * v.head<3>(), 1e-13));
  EXPECT_TRUE(close(mujoco.v.segment<3>(3), v.segment<3>(3), 1e-13));
  const auto pinocchio = convert(model, {q, v}, Convention::lissom, Convention::pinocchio);
  EXPECT_TRUE(close(pinocchio.q.segment<4>(3), Eigen::Vector4d(q[4], q[5], q[6], q[3]), 1e-15));
  EXPECT_THROW(convention("drake"), Error);
  q[3] += 1;
  EXPECT_THROW(convert(model, {q, v}, Convention::lissom, Convention::mujoco), Error);

  // A floating joint with a frame of its own: MuJoCo's pose is that of the child in the world.
  const auto box = load(LISSOM_MODELS_DIR "/mechanisms/floating_box.urdf");
  Workspace work(box);
  const VectorXd q_box = random_configuration(box, 4), v_box = VectorXd::LinSpaced(6, 1, 2);
  const auto there = convert(box, {q_box, v_box}, Convention::lissom, Convention::mujoco);
  const auto link = box.frame(box.joints().back().child);
  forward_kinematics(box, work, q_box, v_box);
  EXPECT_TRUE(close(there.q.head<3>(), to_eigen(placement(box, work, link).p), 1e-13));
  EXPECT_TRUE(close(there.v.head<3>(), to_eigen(velocity(box, work, link).linear), 1e-13));
}

}  // namespace
}  // namespace lissom::test
