// Problems without a stance, with the reason that is reported; and invalid problems.
#include "lissom/model/axes.h"
#include "stance_support.h"

namespace lissom::test {

namespace {

Pose<double> at(double x, double y, double z) {
  return {identity3<double>(), {x, y, z}};
}

class Refused : public ::testing::Test {
 protected:
  Model model = standing_model("humanoid");
  void expect_none(const StanceProblem& problem, StanceStatus status, const std::vector<std::string>& words) {
    const auto s = find_stance(model, problem);
    EXPECT_EQ(to_string(s.status), std::string(to_string(status))) << s.what;
    for (const auto& word : words) EXPECT_NE(s.what.find(word), std::string::npos) << s.what;
    EXPECT_EQ(s.q.size(), model.nq());
    EXPECT_TRUE(s.q.allFinite());
  }
  void expect_error(const StanceProblem& problem, const std::string& word) {
    try {
      find_stance(model, problem);
      ADD_FAILURE() << "expected an Error with '" << word << "'";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  }
};

TEST_F(Refused, AFootTooFarAway) {
  expect_none({.contacts = {{.frame = "left_sole", .placement = at(0, .1, 0)},
                            {.frame = "right_sole", .placement = at(3, -.1, 0)}}},
              StanceStatus::no_posture, {"'right_sole'", "(3, -0.1, 0)", "cm", "away"});
}

TEST_F(Refused, ACenterOfMassOutsideOfTheSupport) {
  const std::vector<StanceContact> line{{.frame = "left_sole", .placement = at(0, 0, 0)},
                                        {.frame = "right_sole", .placement = at(.3, 0, 0)}};
  expect_none({.contacts = line, .com = Vec3<double>(.1, .2, .6)}, StanceStatus::not_balanced,
              {"13.5 cm outside of the support region"});
  // A center of mass above the support region, but too high to reach.
  expect_none({.contacts = line, .com = Vec3<double>(.1, 0, 1.5)}, StanceStatus::no_posture,
              {"center of mass", "away"});
}

TEST_F(Refused, NoFrictionOnASlope) {
  const Pose<double> slope{rotation_rpy(0, .3, 0), {0, 0, 0}};
  expect_none({.contacts = {{.frame = "left_sole", .placement = slope, .friction = .1}}, .ground = {}},
              StanceStatus::not_balanced, {"friction cones"});
}

TEST_F(Refused, TorquesTooSmall) {
  // A deep squat: the knees are bent, and have to carry.
  StanceProblem problem{.contacts = contacts_on({"left_sole", "right_sole"}), .from = own_posture(model, "squat")};
  Workspace work(model);
  problem.com = center_of_mass(model, work, problem.from);
  problem.torque_fraction = .03;
  problem.starts = 4;
  expect_none(problem, StanceStatus::torque_limits, {"joint '", "N m more than 0.03 of its limit"});
  problem.torque_fraction = .9;
  expect_stance(model, problem, find_stance(model, problem));
}

TEST_F(Refused, BelowTheGround) {
  StanceProblem problem{.contacts = {{.frame = "left_palm", .placement = at(0, .2, 0)},
                                     {.frame = "right_palm", .placement = at(0, -.2, 0)}},
                        .com = Vec3<double>(0, 0, -.1),
                        .starts = 5};
  expect_none(problem, StanceStatus::no_posture, {"below the ground"});
  problem.ground = {};
  EXPECT_EQ(find_stance(model, problem).status, StanceStatus::found);
}

TEST_F(Refused, ARobotThatIsFixedToTheWorld) {
  model = standing_model("humanoid", Base::fixed);
  expect_none({.contacts = contacts_on({"left_sole"}), .starts = 3}, StanceStatus::no_posture,
              {"'left_sole'", "Base::free"});
}

TEST_F(Refused, ASearchThatIsStopped) {
  StanceProblem far{.contacts = {{.frame = "left_sole", .placement = at(0, .1, 0)},
                                 {.frame = "right_sole", .placement = at(3, -.1, 0)}},
                    .starts = 100'000'000};
  int asked = 0;
  far.stop = [&] { return ++asked >= 3; };
  const auto s = find_stance(model, far);
  EXPECT_EQ(s.status, StanceStatus::no_posture);
  EXPECT_EQ(asked, 3);
  EXPECT_LE(s.starts, 3);
  // In the middle of a descent, too.
  StanceProblem near{.contacts = contacts_on({"left_sole", "right_sole"}), .from = own_posture(model, "squat")};
  const int needed = find_stance(model, near).iterations;
  asked = 0;
  near.stop = [&] { return ++asked > 1; };
  EXPECT_LT(find_stance(model, near).iterations, needed);
  near.stop = []() -> bool { throw Error("enough"); };
  expect_error(near, "enough");
}

TEST_F(Refused, InvalidProblems) {
  expect_error({.contacts = {}}, "no contacts");
  expect_error({.contacts = contacts_on({"left_sol"})}, "left_sole");
  expect_error({.contacts = contacts_on({"left_sole", "left_sole"})}, "twice");
  expect_error({.contacts = {{.frame = "left_sole", .kind = ContactKind::sliding}}}, "sliding");
  expect_error({.contacts = {{.frame = "left_sole", .friction = -1}}}, "friction");
  expect_error({.contacts = contacts_on({"left_sole"}), .from = Eigen::VectorXd::Zero(3)},
               "from has 3 elements, expected 37");
  expect_error({.contacts = contacts_on({"left_sole"}), .from = Eigen::VectorXd::Zero(37)},
               "quaternion from[3..6] has norm 0");
  expect_error({.contacts = contacts_on({"left_sole"}), .com = Vec3<double>(NAN, 0, 0)}, "com");
  expect_error({.contacts = contacts_on({"left_sole"}), .com_margin = -1}, "com_margin");
  expect_error({.contacts = contacts_on({"left_sole"}), .torque_fraction = 0}, "torque_fraction");
  expect_error({.contacts = contacts_on({"left_sole"}), .starts = 0}, "starts");
  expect_error({.contacts = {{.frame = "left_sole", .placement = at(NAN, 0, 0)}}}, "contact 'left_sole': placement.p");
  expect_error(
      {.contacts = {{.frame = "left_sole", .placement = Pose<double>{Mat3<double>(2, 0, 0, 0, 1, 0, 0, 0, 1), {}}}}},
      "contact 'left_sole': placement.R is not a rotation matrix");
}

}  // namespace

}  // namespace lissom::test
