// Tests the blocks of a floating base, and another link as the base.
#include <cmath>

#include <gtest/gtest.h>

#include "close.h"
#include "largest.h"
#include "lissom/formulations/blocks.h"
#include "lissom/formulations/reroot.h"
#include "lissom/lissom.h"
#include "random_tree.h"

namespace lissom::test {
namespace {

using namespace formulations;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

struct Walker {
  Model model = load(LISSOM_MODELS_DIR "/quadruped.urdf", {.base = Base::free});
  Workspace work{model};
  Random random;
  VectorXd q, v, a;
  explicit Walker(std::uint64_t seed)
      : random(seed),
        q(random_configuration(model, seed)),
        v(random.vector(model.nv(), 1)),
        a(random.vector(model.nv(), 1)) {
    q.head<3>() = random.vector(3, 2);
  }
};

TEST(FloatingBase, BlocksAreTheEquationsOfMotion) {
  for (std::uint64_t seed = 1; seed < 40; ++seed) {
    Walker w(seed);
    const auto s = to_floating_base(w.model, w.q, w.v);
    const auto b = floating_base_blocks(w.model, w.work, w.q, w.v);
    // The kinetic energy in these coordinates.
    Vector6 x1;
    x1 << s.v1, s.omega1;
    const double energy = 0.5 * (x1.dot(b.H1 * x1) + 2 * x1.dot(b.Hc * s.q_rate) + s.q_rate.dot(b.H * s.q_rate));
    EXPECT_TRUE(close(energy, kinetic_energy(w.model, w.work, w.q, w.v), 1e-12));
    // Along the world's axes, the upper left block of H₁ is the total mass times the identity.
    EXPECT_TRUE(close(b.H1.topLeftCorner<3, 3>(), w.model.mass() * Eigen::Matrix3d::Identity(), 1e-12));
    EXPECT_TRUE(close(b.G1.head<3>(), Vector3d(0, 0, 9.81 * w.model.mass()), 1e-11));

    // Forward dynamics: the same acceleration as ours, at the base's center of mass.
    const VectorXd tau = w.random.vector(w.model.nv() - 6, 1);
    const auto motion = formulations::forward_dynamics(b, {Vector6::Zero(), tau});
    VectorXd all(w.model.nv());
    all << VectorXd::Zero(6), tau;
    const VectorXd ours = lissom::forward_dynamics(w.model, w.work, w.q, w.v, all);
    EXPECT_TRUE(close(motion.joints, ours.tail(ours.size() - 6), 1e-9));
    forward_kinematics(w.model, w.work, w.q, w.v, ours);
    const auto& base = w.model.joints()[0].child;
    const auto frame = w.model.frame(base);
    Vec3<double> com{0, 0, 0};
    for (const auto& link : w.model.description().links)
      if (link.name == base) com = link.com;
    const auto acceleration_of_com = acceleration(w.model, w.work, frame, {frame, com});
    EXPECT_TRUE(close(motion.base.head<3>(), to_eigen(acceleration_of_com.linear), 1e-9));
    EXPECT_TRUE(close(motion.base.tail<3>(), to_eigen(acceleration_of_com.angular), 1e-9));
    // Inverse dynamics.
    const auto forces = formulations::inverse_dynamics(b, motion);
    EXPECT_TRUE(close(forces.W1, Vector6::Zero(), 1e-9, 100));
    EXPECT_TRUE(close(forces.tau, tau, 1e-9));
  }
}

TEST(FloatingBase, EquivalentForcesDoTheSameWork) {
  Walker w(7);
  const auto hand = w.model.frame(w.model.links().back().name);
  const ExternalForce push{hand, {1, 2, 3}, {0.3, 0.2, 0.1}, {hand, {0.1, 0, 0.2}}, world_frame};
  const auto equivalent = equivalent_forces(w.model, w.work, w.q, std::span(&push, 1));
  const auto s = to_floating_base(w.model, w.q, w.v);
  forward_kinematics(w.model, w.work, w.q, w.v);
  const auto V = velocity(w.model, w.work, hand, push.at);
  const double power = dot(push.force, V.linear) + dot(push.torque, V.angular);
  EXPECT_TRUE(
      close(equivalent.W1.head<3>().dot(s.v1) + equivalent.W1.tail<3>().dot(s.omega1) + equivalent.tau.dot(s.q_rate),
            power, 1e-11));
}

TEST(FloatingBase, StatesGoThereAndBack) {
  for (std::uint64_t seed = 1; seed < 40; ++seed) {
    Walker w(seed);
    auto s = to_floating_base(w.model, w.q, w.v);
    for (const auto attitude : {Attitude::rotation, Attitude::quaternion}) {
      VectorXd q, v;
      from_floating_base(w.model, s, q, v, attitude);
      if (q[3] * w.q[3] < 0) q.segment<4>(3) *= -1;
      EXPECT_TRUE(close(q, w.q, 1e-12));
      EXPECT_TRUE(close(v, w.v, 1e-12));
    }
    VectorXd q = w.q, v = w.v;
    s.Q1 *= 1.1;
    EXPECT_THROW(from_floating_base(w.model, s, q, v, Attitude::quaternion), Error);
    s.R1(0, 0) += 0.1;
    EXPECT_THROW(from_floating_base(w.model, s, q, v), Error);
    EXPECT_TRUE(identical(q, w.q));  // nothing changed
  }
  const auto arm = load(LISSOM_MODELS_DIR "/arm7.urdf");
  Workspace work(arm);
  EXPECT_THROW(floating_base_blocks(arm, work, neutral(arm), VectorXd::Zero(7)), Error);
  // A floating joint with its own frame is not a base along the world's axes.
  const auto box = load(LISSOM_MODELS_DIR "/mechanisms/floating_box.urdf");
  EXPECT_THROW(to_floating_base(box, neutral(box), VectorXd::Zero(box.nv())), Error);
}

TEST(FloatingBase, MayBeThatOfTheFile) {
  Walker w(5);
  auto d = w.model.description();
  d.links.emplace_back().name = "world";
  JointDescription flight;
  flight.name = "flight", flight.type = JointType::free, flight.parent = "world",
  flight.child = w.model.joints()[0].child;
  d.joints.insert(d.joints.begin(), flight);
  const auto model = build(d, {.base = Base::free});
  ASSERT_EQ(model.nv(), w.model.nv());
  Workspace work(model);
  const auto ours = floating_base_blocks(model, work, w.q, w.v),
             theirs = floating_base_blocks(w.model, w.work, w.q, w.v);
  EXPECT_TRUE(close(ours.H1, theirs.H1, 1e-14));
  EXPECT_TRUE(close(ours.H, theirs.H, 1e-14));
  EXPECT_TRUE(close(ours.C1, theirs.C1, 1e-12));
}

TEST(Rerooting, AnglesKeepTheirValues) {
  const auto model = load(LISSOM_MODELS_DIR "/humanoid.urdf", {.base = Base::free});
  const Rerooted other(model, "left_hand");
  VectorXd q = random_configuration(model, 4);
  q[model.joint("left_elbow").q_index] = 7;  // more than a full revolution
  q[model.joint("right_knee").q_index] = -9;
  const auto there = other.convert(q, VectorXd::Zero(model.nv()));
  for (const auto& joint : model.joints())
    if (joint.nv == 1) {
      EXPECT_NEAR(there.q[other.model().joint(joint.name).q_index], q[joint.q_index], 1e-10) << joint.name;
    }
}

TEST(Rerooting, ChangesCoordinatesNotTheMotion) {
  int compared = 0;
  for_each_tree(
      {.several_roots = false},
      [&](Case& c) {
        if (c.options.base != Base::free || c.model.joints().empty()) return;
        Random random(c.seed);
        const auto& links = c.model.links();
        const auto& base = links[std::size_t(random.integer(0, int(links.size()) - 1))].name;
        const Rerooted other(c.model, base);
        EXPECT_EQ(other.model().joints()[0].child, base);
        const auto there = other.convert(c.q, c.v);
        Workspace work(other.model());
        EXPECT_EQ(other.model().nv(), c.model.nv());
        EXPECT_TRUE(close(kinetic_energy(other.model(), work, there.q, there.v),
                          kinetic_energy(c.model, c.work, c.q, c.v), 1e-10));
        EXPECT_TRUE(
            close(potential_energy(other.model(), work, there.q), potential_energy(c.model, c.work, c.q), 1e-10));
        // With a force on a link, and torques, all links have the same accelerations.
        const auto A = other.velocity_map(c.q);
        EXPECT_TRUE(close(A * c.v, there.v, 1e-9));
        const VectorXd tau_there = random.vector(c.model.nv(), 1), tau = A.transpose() * tau_there;
        const auto& pushed = links[std::size_t(random.integer(0, int(links.size()) - 1))].name;
        const ExternalForce here{
            c.model.frame(pushed), {3, 1, 2}, {0.1, 0.2, 0.3}, {c.model.frame(pushed), {0.1, 0.2, 0.3}}, world_frame};
        const ExternalForce push_there{other.model().frame(pushed),
                                       {3, 1, 2},
                                       {0.1, 0.2, 0.3},
                                       {other.model().frame(pushed), {0.1, 0.2, 0.3}},
                                       world_frame};
        const VectorXd a = lissom::forward_dynamics(c.model, c.work, c.q, c.v, tau, std::span(&here, 1));
        const VectorXd a_there =
            lissom::forward_dynamics(other.model(), work, there.q, there.v, tau_there, std::span(&push_there, 1));
        forward_kinematics(c.model, c.work, c.q, c.v, a);
        forward_kinematics(other.model(), work, there.q, there.v, a_there);
        const double scale = 1 + largest(a);
        for (const auto& link : links) {
          const auto x = acceleration(c.model, c.work, c.model.frame(link.name));
          const auto y = acceleration(other.model(), work, other.model().frame(link.name));
          EXPECT_TRUE(close(to_eigen(x.linear), to_eigen(y.linear), 1e-7, scale));
          EXPECT_TRUE(close(to_eigen(x.angular), to_eigen(y.angular), 1e-7, scale));
        }
        ++compared;
      },
      200);
  EXPECT_GT(compared, 20);
  const auto arm = load(LISSOM_MODELS_DIR "/arm7.urdf");
  EXPECT_THROW(Rerooted(arm, arm.links()[2].name), Error);
  const auto dog = load(LISSOM_MODELS_DIR "/quadruped.urdf", {.base = Base::free});
  EXPECT_THROW(Rerooted(dog, "tail"), Error);
}

}  // namespace
}  // namespace lissom::test
