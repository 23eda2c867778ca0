// Problems with a stance. Each stance is checked with kinematics and inverse dynamics only.
#include <random>

#include "largest.h"
#include "lissom/control/whole_body.h"
#include "lissom/model/axes.h"
#include "stance_support.h"

namespace lissom::test {

namespace {

class Humanoid : public ::testing::Test {
 protected:
  Model model = standing_model("humanoid");
  Stance stands(const StanceProblem& problem) {
    const auto s = find_stance(model, problem);
    expect_stance(model, problem, s);
    return s;
  }
};

TEST_F(Humanoid, StandsOnItsFeetFromNeutral) {
  const auto s = stands({.contacts = contacts_on({"left_sole", "right_sole"})});
  expect_over_its_points(s);
  EXPECT_LT(s.posture_distance, .1);  // `from` is almost a stance
  EXPECT_GT(s.balance_margin, .06);
  EXPECT_LT(s.max_torque_use, .05);
}

TEST_F(Humanoid, StandsOnEitherFoot) {
  for (const char* foot : {"left_sole", "right_sole"}) {
    for (const char* from : {"stand", "squat"}) {
      SCOPED_TRACE(std::string(foot) + " from " + from);
      const auto s = stands({.contacts = contacts_on({foot}), .from = own_posture(model, from)});
      expect_over_its_points(s);
      EXPECT_GT(s.balance_margin, .0199);
    }
  }
}

TEST_F(Humanoid, StandsOnItsHands) {
  for (const char* from : {"handstand", "crouched_handstand"}) {
    const auto s = stands({.contacts = contacts_on({"left_palm", "right_palm"}), .from = own_posture(model, from)});
    expect_over_its_points(s);
    EXPECT_GT(s.balance_margin, .0199);
    EXPECT_LT(s.posture_distance, .5);  // as it was asked
  }
  expect_over_its_points(stands({.contacts = contacts_on({"left_palm", "right_palm"})}));  // from neutral
}

TEST_F(Humanoid, GoesFromAHandstandToOneHand) {
  stands({.contacts = contacts_on({"right_palm"}), .from = own_posture(model, "handstand")});
}

TEST_F(Humanoid, FindsAHandstandByTurningItself) {
  // From a stand, with the center of mass high above the hands: only possible upside down.
  const StanceProblem problem{
      .contacts = {{.frame = "left_palm", .placement = Pose<double>{identity3<double>(), {0, .23, 0}}},
                   {.frame = "right_palm", .placement = Pose<double>{identity3<double>(), {0, -.23, 0}}}},
      .from = own_posture(model, "stand"),
      .com = Vec3<double>(-.01, 0, .85)};
  const auto s = stands(problem);
  EXPECT_LT(s.q[3] * s.q[3] + s.q[6] * s.q[6], .1);  // the pelvis is upside down
}

TEST_F(Humanoid, StandsOnFeetAndHands) {
  for (const char* from : {"palms_on_floor", "feet_and_hands", "all_fours", "lean_on_hands", "squat"}) {
    SCOPED_TRACE(from);
    const auto s = stands({.contacts = contacts_on({"left_sole", "right_sole", "left_palm", "right_palm"}),
                           .from = own_posture(model, from)});
    expect_over_its_points(s);
    EXPECT_GT(s.balance_margin, .0199);
  }
  stands({.contacts = contacts_on({"left_palm", "right_sole"}), .from = own_posture(model, "all_fours")});
}

TEST_F(Humanoid, StaysAsItIsWhereThatIsAStance) {
  for (const char* from : {"stand", "squat", "all_fours"}) {
    const auto q = own_posture(model, from);
    const bool four = std::string(from) == "all_fours";
    const auto s = stands(
        {.contacts = contacts_on(four ? std::vector<std::string>{"left_sole", "right_sole", "left_palm", "right_palm"}
                                      : std::vector<std::string>{"left_sole", "right_sole"}),
         .from = q});
    EXPECT_LT(s.posture_distance, .25) << from;
  }
}

TEST_F(Humanoid, BringsItsCenterOfMassWhereItIsAsked) {
  StanceProblem problem{.contacts = contacts_on({"left_sole", "right_sole"}), .from = own_posture(model, "stand")};
  problem.com = Vec3<double>(.06, .03, .7);
  stands(problem);
  problem.com = Vec3<double>(.0, -.05, 0), problem.com_height = false;
  stands(problem);
}

TEST_F(Humanoid, StandsOnASlopeAndOnStairs) {
  const auto tilted = [](double x, double y, double z, double pitch) {
    return Pose<double>{rotation_rpy(0, pitch, 0), {x, y, z}};
  };
  stands({.contacts = {{.frame = "left_sole", .placement = tilted(0, .12, 0, .3)},
                       {.frame = "right_sole", .placement = tilted(0, -.12, 0, .3)}},
          .from = own_posture(model, "stand"),
          .ground = {}});
  stands({.contacts = {{.frame = "left_sole", .placement = tilted(.25, .12, .2, 0)},
                       {.frame = "right_sole", .placement = tilted(0, -.12, 0, 0)}},
          .from = own_posture(model, "stand")});
}

TEST_F(Humanoid, LeansWithAHandOnAWall) {
  const Pose<double> wall{Mat3<double>(0, 0, -1, 0, 1, 0, 1, 0, 0), {.45, .2, .95}};  // z back from the wall, x up
  const auto s =
      stands({.contacts = {{.frame = "left_sole", .placement = Pose<double>{identity3<double>(), {0, .1, 0}}},
                           {.frame = "right_sole", .placement = Pose<double>{identity3<double>(), {0, -.1, 0}}},
                           {.frame = "left_palm", .placement = wall}},
              .from = own_posture(model, "stand")});
  EXPECT_GT(s.balance_margin, .0199);
}

TEST_F(Humanoid, HangsOnAGrip) {
  const Pose<double> bar{Mat3<double>(1, 0, 0, 0, -1, 0, 0, 0, -1), {0, 0, 2}};
  const auto s = stands({.contacts = {{.frame = "left_palm", .placement = bar, .kind = ContactKind::fixed}}});
  EXPECT_TRUE(std::isinf(s.balance_margin));
  EXPECT_NEAR(s.contacts[0].force.z, model.mass() * 9.81, 1e-2);
}

TEST_F(Humanoid, StandsWithItsFeetWhereverTheyAre) {
  // Feet on level ground, placed at random within a comfortable stride: all of it is possible.
  std::mt19937 random(7);
  std::uniform_real_distribution<double> part(-1, 1);
  for (int k = 0; k < 40; ++k) {
    SCOPED_TRACE(k);
    const auto placement = [&](double y) {
      return Pose<double>{rotation_rpy(0, 0, .3 * part(random)), {.15 * part(random), y + .05 * part(random), 0}};
    };
    const auto s = stands({.contacts = {{.frame = "left_sole", .placement = placement(.15)},
                                        {.frame = "right_sole", .placement = placement(-.15)}},
                           .from = own_posture(model, k % 2 ? "stand" : "squat")});
    expect_over_its_points(s);
    EXPECT_GT(s.balance_margin, .0199);
  }
}

TEST_F(Humanoid, StandsOnUnevenGround) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> part(-1, 1);
  for (int k = 0; k < 60; ++k) {
    SCOPED_TRACE(k);
    const auto placement = [&](double y) {
      const double roll = .3 * part(random), pitch = .3 * part(random), yaw = .6 * part(random);
      const double x = .35 * part(random), z = .15 + .15 * part(random);
      return Pose<double>{rotation_rpy(roll, pitch, yaw), {x, y + .15 * part(random), z}};
    };
    const auto left = placement(.15), right = placement(-.15);
    stands({.contacts = {{.frame = "left_sole", .placement = left}, {.frame = "right_sole", .placement = right}},
            .from = own_posture(model, "stand"),
            .ground = {}});
  }
}

TEST_F(Humanoid, StandsOnManySetsOfContactsFromManyPostures) {
  const std::vector<std::vector<std::string>> sets{{"left_sole", "right_sole"},
                                                   {"left_sole"},
                                                   {"left_palm", "right_palm"},
                                                   {"right_palm"},
                                                   {"left_palm", "right_sole"},
                                                   {"left_sole", "right_sole", "left_palm"},
                                                   {"left_palm", "right_palm", "left_sole"},
                                                   {"left_sole", "right_sole", "left_palm", "right_palm"}};
  for (const auto& set : sets)
    for (const char* from : {"straight", "stand", "squat", "palms_on_floor", "feet_and_hands", "all_fours",
                             "lean_on_hands", "crouched_handstand", "handstand"}) {
      SCOPED_TRACE(set[0] + (set.size() > 1 ? " " + set.back() : "") + " from " + from);
      const auto s = stands({.contacts = contacts_on(set), .from = own_posture(model, from)});
      expect_over_its_points(s);
      EXPECT_GT(s.balance_margin, .0199);
    }
}

TEST_F(Humanoid, IsHeldByTheController) {
  // Asked to stay as it is (and that above small forces), the whole-body controller finds forces and torques of its
  // own, and nothing moves.
  for (const auto& set :
       {std::vector<std::string>{"left_sole"}, {"left_palm", "right_palm"}, {"left_palm", "right_sole"}}) {
    const auto s = stands(
        {.contacts = contacts_on(set), .from = own_posture(model, set[0] == "left_sole" ? "stand" : "lean_on_hands")});
    control::WholeBody controller(model);
    for (const auto& c : s.contacts) controller.add(Contact{.frame = c.frame, .friction = .7});
    controller.add(control::PostureTask{.target = s.q, .base = true, .weight = 1e4});
    const auto& tick = controller.solve(s.q, Eigen::VectorXd::Zero(model.nv()));
    EXPECT_EQ(tick.status, control::TickStatus::optimal) << controller.explain();
    EXPECT_LT(largest(tick.accelerations), 1e-3) << set[0];
  }
}

TEST_F(Humanoid, TheSameProblemHasTheSameAnswer) {
  const StanceProblem problem{.contacts = contacts_on({"left_palm", "right_palm"}),
                              .from = own_posture(model, "stand"),
                              .com = Vec3<double>(0, 0, .85),
                              .com_height = true};
  const auto a = find_stance(model, problem), b = find_stance(model, problem);
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.torques, b.torques);
}

TEST(Quadruped, StandsOnFourThreeAndTwoFeet) {
  const auto model = standing_model("quadruped");
  Eigen::VectorXd from = neutral(model);
  for (const char* leg : {"front_left", "front_right", "rear_left", "rear_right"}) {
    from[model.joint(std::string(leg) + "_flexion").q_index] = .7;
    from[model.joint(std::string(leg) + "_knee").q_index] = -1.4;
  }
  from[2] = .45;
  const std::vector<std::string> all{"front_left_foot", "front_right_foot", "rear_left_foot", "rear_right_foot"};
  for (const auto& feet : {all, {all[0], all[1], all[2]}, {all[0], all[3]}}) {
    const StanceProblem problem{.contacts = contacts_on(feet), .from = from};
    const auto s = find_stance(model, problem);
    expect_stance(model, problem, s);
    for (const auto& c : s.contacts) {
      EXPECT_EQ(c.kind, ContactKind::point);
      EXPECT_NEAR(c.placement.p.z, .025, 1e-8);  // spheres of that radius
    }
    if (feet.size() > 2) {
      expect_over_its_points(s);
      EXPECT_GT(s.balance_margin, .0199);
    } else {
      EXPECT_NEAR(s.balance_margin, 0, 1e-4);  // on the line between them
    }
  }
}

TEST(FixedArm, MayLeanOnSomething) {
  const auto model = standing_model("arm7", Base::fixed);
  const StanceProblem problem{.contacts = {{.frame = "tool",
                                            .placement = Pose<double>{identity3<double>(), {.4, .1, .3}},
                                            .kind = ContactKind::point}},
                              .ground = {}};
  const auto s = find_stance(model, problem);
  expect_stance(model, problem, s);
  EXPECT_TRUE(std::isinf(s.balance_margin));
}

}  // namespace

}  // namespace lissom::test
