// Compares every formulation with every other on random robots of all joint types, with random charts, and with the
// closed forms of a two-link arm.
#include "lissom/formulations/verify.h"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "close.h"
#include "largest.h"
#include "lissom/coordinates/charts.h"
#include "lissom/formulations/gauss.h"
#include "lissom/formulations/lagrange.h"
#include "lissom/formulations/link_frames.h"
#include "lissom/formulations/maximal.h"
#include "lissom/formulations/mirtich.h"
#include "lissom/lissom.h"
#include "newton_euler.h"
#include "random_tree.h"

namespace lissom::test {
namespace {

using namespace formulations;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

TEST(Formulations, AgreeOnRandomRobotsInRandomCharts) {
  const auto names = chart_names();
  double worst = 0;
  int states = 0, compared = 0;
  for_each_tree(
      {.max_joints = 12, .armature = 0.2, .mimic = 0.2},
      [&](Case& c) {
        Random random(c.seed);
        VerifyOptions options;
        options.states = 2;
        options.seed = c.seed;
        options.min_inverse_condition = 1e-2;
        for (const auto& joint : c.model.joints())
          if (joint.nv > 0 && (joint.type == JointType::free || joint.type == JointType::spherical))
            options.charts[joint.name] = names[std::size_t(random.integer(0, int(names.size()) - 1))];
        const auto report = verify(c.model, options);
        states += report.states, compared += report.compared;
        if (report.compared > 0) {
          EXPECT_EQ(report.comparisons.size(), 3u);
        }
        for (const auto& comparison : report.comparisons) {
          EXPECT_GE(comparison.formulations.size(), 3u) << comparison.quantity;
          EXPECT_LE(comparison.max_disagreement, 1e-9) << comparison.quantity << " between " << comparison.first
                                                       << " and " << comparison.second << " at " << comparison.joint;
        }
        worst = larger(worst, report.max_disagreement());
      },
      100);
  RecordProperty("worst", std::to_string(worst));
  RecordProperty("compared", compared);
  EXPECT_GE(states, 190);            // of robots with degrees of freedom
  EXPECT_GE(compared, .9 * states);  // the others are too near a singularity of a chart
}

TEST(Formulations, SayWhereAChartIsNearItsSingularity) {
  Description d;
  d.name = "box";
  Random random(1);
  d.links.push_back(random_link("box", random));
  const auto model = build(d, {.base = Base::free});
  VerifyOptions options;
  options.charts["base"] = "euler-zyx";
  options.min_inverse_condition = 0.999;  // hardly any state is so well conditioned
  options.states = 50;
  const auto report = verify(model, options);
  EXPECT_LT(report.compared, 50);
  ASSERT_FALSE(report.remarks.empty());
  EXPECT_NE(report.remarks[0].find("'base'"), std::string::npos);
  options.charts["base"] = "eulr";
  EXPECT_THROW(verify(model, options), Error);
  options.charts = {{"bse", "quaternion"}};
  EXPECT_THROW(verify(model, options), Error);
}

TEST(Formulations, OneBodyIsNewtonAndEuler) {
  Random random(2);
  for (int k = 0; k < 50; ++k) {
    Description d;
    d.name = "stone";
    d.links.push_back(random_link("stone", random));
    d.gravity = {0, 0, 0};
    const auto model = build(d, {.base = Base::free});
    Workspace work(model);
    const VectorXd q = random_configuration(model, std::uint64_t(k)), v = random.vector(6, 1),
                   tau = random.vector(6, 1);
    const VectorXd a = forward_dynamics(model, work, q, v, tau);
    forward_kinematics(model, work, q, v, a);
    const auto frame = model.frame("stone");
    const Point com{frame, d.links[0].com};
    const auto X = placement(model, work, frame);
    const Matrix3d R = to_eigen(X.R);
    const auto& I = d.links[0].inertia;
    RigidBody body{d.links[0].mass, Matrix3d()};
    body.inertia << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
    const auto motion = acceleration(model, work, frame, com);
    const auto V = velocity(model, work, frame, com);
    const auto wrench =
        newton_euler(body, R, to_eigen(V.angular), BodyAcceleration{to_eigen(motion.linear), to_eigen(motion.angular)});
    // tau is force and torque at the origin, along the body's axes.
    const Vector3d force = R * tau.head<3>(), torque = R * tau.tail<3>() - (R * to_eigen(d.links[0].com)).cross(force);
    EXPECT_TRUE(close(wrench.force, force, 1e-11));
    EXPECT_TRUE(close(wrench.torque, torque, 1e-11));
    const auto back = newton_euler(body, R, to_eigen(V.angular), wrench);
    EXPECT_TRUE(close(back.linear, to_eigen(motion.linear), 1e-11));
    EXPECT_TRUE(close(back.angular, to_eigen(motion.angular), 1e-11));
  }
}

// Maximal coordinates and the recursion in link frames give the same transmitted wrenches, with and without rotors.
TEST(Formulations, AgreeOnTheWrenchInEveryJoint) {
  for_each_tree(
      {.max_joints = 12},
      [](Case& c) {
        const Mechanism mechanism(c.model);
        const auto maximal = maximal_dynamics(mechanism, c.q, c.v, c.tau);
        std::vector<Vector6> wrenches;
        const VectorXd tau = inverse_dynamics_in_link_frames(mechanism, c.q, c.v, maximal.a, {}, &wrenches);
        EXPECT_TRUE(close(tau, c.tau, 1e-7));
        forward_kinematics(c.model, c.work, c.q);
        for (std::size_t k = 0; k < wrenches.size(); ++k) {
          const auto& link = mechanism.links[k];
          const Matrix3d R = to_eigen(placement(c.model, c.work, c.model.frame(link.name)).R);
          const Vector3d f = R * wrenches[k].head<3>();
          const Vector3d n = R * wrenches[k].tail<3>() - (R * link.com).cross(f);  // about the center of mass
          EXPECT_TRUE(close(maximal.joint_wrenches[k].head<3>(), f, 1e-7));
          EXPECT_TRUE(close(maximal.joint_wrenches[k].tail<3>(), n, 1e-7));
        }
      },
      100);
}

TEST(Formulations, RefuseWhatTheyCannotDo) {
  const auto model = load(LISSOM_MODELS_DIR "/mechanisms/gripper_mimic.urdf");
  const Mechanism mechanism(model);
  const VectorXd zero = VectorXd::Zero(model.nv());
  EXPECT_THROW(forward_dynamics_mirtich(mechanism, neutral(model), zero, zero), Error);
  EXPECT_THROW(mechanism.link("nobody"), Error);
}

// Robots that once failed: a joint called like the base joint, a link called like the world, a mimic joint with ratio
// 0, links without mass.
TEST(Formulations, AgreeOnOddRobots) {
  Random random(5);
  Description d;
  d.name = "odd";
  for (const char* name : {"world", "arm", "hand", "finger", "other"}) d.links.push_back(random_link(name, random));
  const auto joint = [&](const char* name, const char* parent, const char* child) {
    JointDescription j;
    j.name = name, j.type = JointType::revolute, j.parent = parent, j.child = child;
    j.origin = random.pose(), j.axis = random.axis();
    d.joints.push_back(j);
  };
  joint("base", "world", "arm");
  joint("wrist", "arm", "hand");
  joint("knuckle", "hand", "finger");
  d.joints.back().mimic = Mimic{"wrist", 0.0, 0.3};
  for (const auto base : {Base::fixed, Base::free, Base::planar}) {
    const auto model = build(d, {.base = base});
    VerifyOptions options;
    options.states = 5;
    const auto report = verify(model, options);
    EXPECT_EQ(report.compared, 5);
    EXPECT_LT(report.max_disagreement(), 1e-9);
  }
  const auto model = build(d, {.base = Base::free});
  EXPECT_EQ(model.joint("base").nv, 1);
  EXPECT_EQ(model.joint("base:world").nv, 6);
  EXPECT_EQ(model.joint("base:other").nv, 6);
}

// Wrong sizes and NaN give an Error that names the argument.
TEST(Formulations, NameTheArgumentThatIsWrong) {
  const auto model = load(LISSOM_MODELS_DIR "/mechanisms/ball_pendulum.urdf", {.base = Base::free});
  const Charted c(model);
  const auto& m = c.mechanism();
  const VectorXd q = neutral(model), v = VectorXd::Zero(model.nv()), x = c.from_model(q),
                 rates = VectorXd::Zero(c.size());
  const VectorXd few = VectorXd::Zero(2);
  VectorXd nan = v, nan_q = q;
  nan[1] = nan_q[1] = std::nan("");
  const auto refused = [](const std::string& naming, const std::function<void()>& call) {
    try {
      call();
      ADD_FAILURE() << "nothing thrown; expected an Error that names " << naming;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(naming), std::string::npos) << error.what();
    }
  };
  refused("q has 2", [&] { maximal_dynamics(m, few, v, v); });
  refused("q[1] is NaN", [&] { maximal_dynamics(m, nan_q, v, v); });
  refused("v has 2", [&] { forward_dynamics_mirtich(m, q, few, v); });
  refused("tau has 2", [&] { forward_dynamics_mirtich(m, q, v, few); });
  refused("tau[1] is NaN", [&] { maximal_dynamics(m, q, v, nan); });
  refused("external", [&] { maximal_dynamics(m, q, v, v, {Vector6::Zero()}); });
  refused("a has 2", [&] { inverse_dynamics_in_link_frames(m, q, v, few); });
  refused("external.link is 7",
          [&] { inverse_dynamics_in_link_frames(m, q, v, v, {{7, Vector3d::Zero(), Vector3d::Zero()}}); });
  refused("charted coordinates has 2", [&] { lagrange(c, few, rates); });
  refused("rates has 2", [&] { lagrange_by_energy(c, x, few); });
  refused("rates has 2", [&] { gauss(c, x, few); });
  refused("q has 2", [&] { c.from_model(few); });
  refused("charted coordinates has 2", [&] { c.velocity_map(few); });
  refused("constraint", [&] { c.to_model(VectorXd::Constant(c.size(), 1)); });  // quaternions of length 2
  refused("M is 2 × 2", [&] { solve_projected(c, x, rates, MatrixXd::Zero(2, 2), rates, rates); });
}

// The textbooks' planar arm: lengths, masses and inertias are 1, centers of mass in the middle.
TEST(PlanarArm, HasItsClosedForms) {
  const auto model = load(LISSOM_MODELS_DIR "/planar2.urdf");
  Workspace work(model);
  ASSERT_EQ(model.nv(), 2);
  const Charted charted(model);
  const auto& mechanism = charted.mechanism();
  const double g = 9.81;
  for (int k = 0; k < 1000; ++k) {
    Random random(std::uint64_t(k) + 1);
    const VectorXd q = random.vector(2, 3), v = random.vector(2, 2), a = random.vector(2, 2);
    const double c2 = std::cos(q[1]), s2 = std::sin(q[1]), c1 = std::cos(q[0]), c12 = std::cos(q[0] + q[1]);
    MatrixXd H(2, 2);
    H << 3.5 + c2, 1.25 + 0.5 * c2, 1.25 + 0.5 * c2, 1.25;
    const Eigen::Vector2d C(-v[0] * v[1] * s2 - 0.5 * v[1] * v[1] * s2, 0.5 * v[0] * v[0] * s2);
    const Eigen::Vector2d G(0.5 * g * c12 + 1.5 * g * c1, 0.5 * g * c12);
    const VectorXd tau = H * a + C + G;
    EXPECT_TRUE(close(mass_matrix(model, work, q), H, 1e-13));
    for (const auto& e : {lagrange(charted, q, v), lagrange_by_energy(charted, q, v)}) {
      EXPECT_TRUE(close(e.M, H, 1e-13));
      EXPECT_TRUE(close(e.C, C, 1e-13));
      EXPECT_TRUE(close(-e.gravity, G, 1e-13));
    }
    const auto e = gauss(charted, q, v);
    EXPECT_TRUE(close(e.M, H, 1e-13));
    EXPECT_TRUE(close(e.N * v, C, 1e-13));
    EXPECT_TRUE(close(inverse_dynamics(model, work, q, v, a), tau, 1e-13));
    EXPECT_TRUE(close(inverse_dynamics_in_link_frames(mechanism, q, v, a), tau, 1e-13));
    EXPECT_TRUE(close(forward_dynamics_mirtich(mechanism, q, v, tau), a, 1e-12));
    EXPECT_TRUE(close(maximal_dynamics(mechanism, q, v, tau).a, a, 1e-12));
  }
}

}  // namespace
}  // namespace lissom::test
