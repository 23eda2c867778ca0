// The same controllers drive a robot in contact and a system without contact.
#include <gtest/gtest.h>

#include "box.h"
#include "largest.h"
#include "lissom/sim/simulation.h"

namespace lissom::test {
namespace {

// A force on the box along its first three coordinates, while it is switched on.
struct Lift {
  Eigen::VectorXd force;
  void operator()(const sim::Instant& at, Eigen::VectorXd& tau) const {
    if (at.t < .1) tau += force;
  }
};

TEST(Controllers, AFunctionDrivesARobotInContact) {
  const Model model = box();
  Eigen::VectorXd force = Eigen::VectorXd::Zero(6);
  force[2] = .5 * box_weight;
  const auto law = sim::controller(Lift{force});
  const auto robot = sim::contact_robot(model, {Contact{.frame = "sole"}}, box_at(model, 0), Eigen::VectorXd::Zero(6));
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(robot->step(*law)) << robot->failure();
  EXPECT_NEAR(robot->contacts()[0].normal, .5 * box_weight, 1e-6);
  EXPECT_EQ(robot->command().torques, force);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(robot->step(*law)) << robot->failure();
  EXPECT_NEAR(robot->contacts()[0].normal, box_weight, 1e-6);
}

// A controller gets the model that the robot was created with, and the measured state.
TEST(Controllers, SeeTheModelThatTheyKnow) {
  const Model model = box();
  const auto robot = sim::contact_robot(model, {Contact{.frame = "sole"}}, box_at(model, 0), Eigen::VectorXd::Zero(6),
                                        {.imperfections = {.mass_error = .2, .seed = 5}});
  EXPECT_GT(std::abs(robot->model().mass() - box_mass), .01);
  double seen = 0;
  const auto law = sim::controller([&](const sim::Instant& at, Eigen::VectorXd&) { seen = at.model.mass(); });
  ASSERT_TRUE(robot->step(*law));
  EXPECT_EQ(seen, model.mass());
}

// In free fall the robot in contact and the system agree; then only the robot hits the ground.
TEST(Controllers, RunBothSimulators) {
  const Model model = box();
  Eigen::VectorXd force = Eigen::VectorXd::Zero(6);
  force[0] = 3;
  const Eigen::VectorXd v = Eigen::VectorXd::Zero(6);
  const auto law = sim::controller(Lift{force});
  const auto robot = sim::contact_robot(model, {Contact{.frame = "sole", .friction = 2}}, box_at(model, .2), v);
  sim::System system(model);
  system.control(sim::controller(Lift{force}));
  const auto exact = sim::integrator(model, "rk4");
  sim::State x{0, box_at(model, .2), v};
  sim::Report with, without;
  long readings = 0;
  sim::RunOptions options{.seconds = .15, .every = 5};
  options.observer = [&](const sim::Reading& r) {
    ++readings;
    EXPECT_EQ(r.tau.size(), 6);
  };
  sim::run(*robot, *law, options, with);
  EXPECT_EQ(readings, 31);
  options.observer = {};
  sim::run(system, *exact, x, options, without);
  EXPECT_EQ(with.steps, 150);
  EXPECT_NEAR(with.seconds, .15, 1e-12);
  // (The last stage of a step of rk4 already sees the force switched off.)
  EXPECT_LT(largest(robot->q() - x.q), 5e-6);
  EXPECT_NEAR(with.energy_before, without.energy_before, 1e-9);
  EXPECT_NEAR(with.energy_after, without.energy_after, 1e-3);
  EXPECT_NEAR(with.momentum_after[0], 3 * .1, 1e-6);
  // Both account for their energy in the same way.
  EXPECT_NEAR(with.work.motors, without.work.motors, 3e-5);
  EXPECT_GT(with.work.motors, .005);
  EXPECT_LT(std::abs(with.unexplained_energy), 1e-6);

  options.seconds = 1;
  sim::run(*robot, *law, options, with);
  EXPECT_NEAR(robot->q()[2], .3, 1e-4);
  EXPECT_LT(with.energy_after, with.energy_before);
  EXPECT_LT(with.work.impacts, -1);
  EXPECT_LT(std::abs(with.unexplained_energy), .05 * std::abs(with.work.impacts));
  EXPECT_EQ(with.warnings, std::vector<std::string>{});
}

// Pushes on a robot in contact are part of its account.
TEST(Controllers, PushesOnARobotInContactAreAccountedFor) {
  const Model model = box();
  sim::RobotOptions options;
  options.imperfections.pushes = {sim::push_at(model.frame("sole"), {0, 0, 2 * box_weight}, .02, .1)};
  const auto robot =
      sim::contact_robot(model, {Contact{.frame = "sole"}}, box_at(model, 0), Eigen::VectorXd::Zero(6), options);
  const auto law = sim::controller([](const sim::Instant&, Eigen::VectorXd&) {});
  sim::Report report;
  sim::run(*robot, *law, {.seconds = .15}, report);
  EXPECT_GT(report.work.pushes, .1);
  EXPECT_NEAR(report.unexplained_energy, 0, 1e-3 * report.work.pushes);
  EXPECT_EQ(report.warnings, std::vector<std::string>{});
}

TEST(Controllers, AFailureEndsTheRun) {
  const Model model = box();
  const auto robot = sim::contact_robot(model, {}, box_at(model, .1), Eigen::VectorXd::Zero(6));
  const auto law = sim::controller([](const sim::Instant&, Eigen::VectorXd&) {});
  sim::Report report;
  EXPECT_THROW(sim::run(*robot, *law, {.seconds = 1}, report), Error);
  EXPECT_GT(report.steps, 100);
  EXPECT_LT(report.steps, 200);
}

// A command with torques only has no accelerations.
TEST(Controllers, PrescribedAccelerationsNeedMoreThanTorques) {
  const Model model = box();
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(6);
  const auto robot = sim::prescribed_acceleration_robot(model, {}, box_at(model, 0), zero);
  EXPECT_THROW(robot->step(zero), Error);
}

// The wrench of a command is about the frame's origin, also if the contact's point lies elsewhere.
TEST(Controllers, APointContactCarriesWhatTheCommandSays) {
  const Model model = box();
  const auto robot = sim::prescribed_acceleration_robot(
      model, {Contact{.frame = "sole", .kind = ContactKind::point, .points = {{.1, 0, 0}}}}, box_at(model, 0),
      Eigen::VectorXd::Zero(6));
  auto command = still(model);
  command.contacts = {{.active = true, .force = {0, 0, 10}, .torque = {0, -1, 0}}};  // 10 N at the point
  ASSERT_TRUE(robot->step(command)) << robot->failure();
  EXPECT_NEAR(robot->contacts()[0].torque.y, -1, 1e-12);
  EXPECT_LT(robot->contacts()[0].friction_use, 1e-6);
}

TEST(Trajectories, ReachAConfigurationAtRest) {
  const Model model = box();
  const auto from = random_configuration(model, 1), to = random_configuration(model, 2);
  const auto motion = sim::reach(model, from, to, 1, 2);
  sim::Reference at{from, Eigen::VectorXd::Zero(6), Eigen::VectorXd::Zero(6)};
  motion(.5, at);
  EXPECT_LT(largest(difference(model, from, at.q)), 1e-12);
  EXPECT_EQ(largest(at.v), 0);
  motion(2, at);  // halfway, and fastest
  EXPECT_LT(largest(difference(model, interpolate(model, from, to, .5), at.q)), 1e-9);
  EXPECT_LT(largest(Eigen::VectorXd(at.v - 1.875 / 2 * difference(model, from, to))), 1e-9);
  motion(9, at);
  EXPECT_LT(largest(difference(model, to, at.q)), 1e-6);
  EXPECT_EQ(largest(at.v), 0);
  EXPECT_THROW(sim::reach(model, from, to, 0, -1), Error);
  EXPECT_THROW(sim::reach(model, from, to, std::nan(""), 1), Error);
  EXPECT_THROW(sim::reach(model, from, Eigen::VectorXd::Zero(3), 0, 1), Error);
}

// The puck leaves the limits of two of its coordinates, one after the other, and comes back.
TEST(Reports, NameAJointBeyondItsLimitsOnce) {
  Description d = box().description();
  LinkDescription table;
  table.name = "table";
  d.links.push_back(table);
  JointDescription joint;
  joint.name = "puck", joint.type = JointType::planar, joint.parent = "table", joint.child = "box";
  joint.lower = {-.1, -.1, -10}, joint.upper = {.1, .1, 10};
  d.joints = {joint};
  sim::System system(build(d, {.base = Base::fixed}));
  sim::State x{0, Eigen::VectorXd::Zero(3), Eigen::VectorXd::Zero(3)};
  x.v << 1, .5, 0;
  sim::Report report;
  sim::run(system, *sim::integrator(system.model(), "rk4"), x, {.seconds = .5, .step = .01}, report);
  EXPECT_EQ(report.beyond_limits, std::vector<std::string>{"puck"});
}

}  // namespace
}  // namespace lissom::test
