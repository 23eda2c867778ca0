// Answers to the questions of a page.
#include "lissom/view/answers.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "largest.h"
#include "lissom/constraints/closed_loops.h"
#include "lissom/lissom.h"

namespace lissom::view {
namespace {

using lissom::test::larger;
using lissom::test::smaller;

using nlohmann::json;

struct Asked {
  Model model;
  Answers answers;
  explicit Asked(const std::string& file, LoadOptions options = {})
      : model(load(std::string(LISSOM_MODELS_DIR) + "/" + file, options)), answers({model}) {}
  json operator()(json question) {
    question["id"] = 7;
    const auto answer = json::parse(answers.answer(question.dump()));
    EXPECT_EQ(answer["id"], 7);
    return answer;
  }
};
std::vector<double> list(const Eigen::VectorXd& x) {
  return {x.begin(), x.end()};
}
Eigen::VectorXd vector(const json& x) {
  const auto numbers = x.get<std::vector<double>>();
  return Eigen::Map<const Eigen::VectorXd>(numbers.data(), long(numbers.size()));
}

TEST(Answers, QuantitiesAreThoseOfTheLibrary) {
  Asked ask("humanoid.urdf", {.base = Base::free});
  const auto& model = ask.model;
  const auto q = random_configuration(model, 3);
  const Eigen::VectorXd v = Eigen::VectorXd::LinSpaced(model.nv(), -1, 1);
  const auto answer = ask({{"ask", "quantities"}, {"q", list(q)}, {"v", list(v)}});
  Workspace work(model);
  const Eigen::MatrixXd M = mass_matrix(model, work, q), C = coriolis_matrix(model, work, q, v);
  for (int i = 0; i < model.nv(); ++i)
    for (int j = 0; j < model.nv(); ++j) {
      ASSERT_NEAR(answer["M"][i][j].get<double>(), M(i, j), 1e-9);
      ASSERT_NEAR(answer["C"][i][j].get<double>(), C(i, j), 1e-9);
    }
  EXPECT_NEAR(answer["kinetic"].get<double>(), .5 * v.dot(M * v), 1e-9);
  EXPECT_NEAR(answer["potential"].get<double>(), potential_energy(model, work, q), 1e-9);
  const auto h = vector(answer["h"]), g = vector(answer["g"]);
  EXPECT_LT((h - C * v - g).norm(), 1e-9 * h.norm());
  const Eigen::Vector3d p = vector(answer["com_velocity"]) * model.mass();
  EXPECT_LT((p - vector(answer["momentum"]).head(3)).norm(), 1e-9 * p.norm());
}

TEST(Answers, ASupportPolygonLiesUnderTheFeet) {
  Asked ask("humanoid.urdf", {.base = Base::free});
  auto q = neutral(ask.model);
  const std::vector<double> v(std::size_t(ask.model.nv()), 0);
  EXPECT_TRUE(ask({{"ask", "quantities"}, {"q", list(q)}, {"v", v}})["support"].empty());
  Workspace work(ask.model);
  forward_kinematics(ask.model, work, q);
  q[ask.model.joint("base").q_index + 2] -= placement(ask.model, work, ask.model.frame("left_sole")).p.z;
  const auto support = ask({{"ask", "quantities"}, {"q", list(q)}, {"v", v}})["support"];
  ASSERT_GE(support.size(), 4u);
  double left = -1, right = 1;
  for (const auto& corner : support)
    left = larger(left, corner[1].get<double>()), right = smaller(right, corner[1].get<double>());
  EXPECT_GT(left, .05);
  EXPECT_LT(right, -.05);
  // The ground may be anywhere, as it is drawn under a robot whose origin is in its waist.
  q[ask.model.joint("base").q_index + 2] -= .7;
  EXPECT_TRUE(ask({{"ask", "quantities"}, {"q", list(q)}, {"v", v}})["support"].empty());
  const auto below = ask({{"ask", "quantities"}, {"q", list(q)}, {"v", v}, {"ground", -.7}})["support"];
  ASSERT_EQ(below.size(), support.size());
  for (std::size_t i = 0; i < below.size(); ++i) {
    EXPECT_EQ(below[i][2], -.7);
    EXPECT_NEAR(below[i][0].get<double>(), support[i][0].get<double>(), 1e-9);
    EXPECT_NEAR(below[i][1].get<double>(), support[i][1].get<double>(), 1e-9);
  }
  EXPECT_TRUE(ask({{"ask", "quantities"}, {"q", list(q)}, {"v", v}, {"ground", "low"}}).contains("error"));
}

TEST(Answers, ContactsOfARobotWithFeet) {
  const auto found = Asked("humanoid.urdf")({{"ask", "contacts"}});
  ASSERT_GE(found["contacts"].size(), 4u);
  EXPECT_EQ(found["contacts"][0]["role"], "foot");
  EXPECT_EQ(found["source"], "");
  EXPECT_TRUE(Asked("arm7.urdf")({{"ask", "contacts"}}).contains("error"));
}

TEST(Answers, PullAndReachMoveTheLink) {
  Asked ask("arm7.urdf");
  const auto& model = ask.model;
  Workspace work(model);
  const auto q = random_configuration(model, 1);
  forward_kinematics(model, work, q);
  const auto& name = model.links().back().name;
  const auto X = placement(model, work, model.frame(name));
  const std::vector<double> to{X.p.x + .05, X.p.y, X.p.z - .03};
  const auto pulled = ask({{"ask", "pull"}, {"q", list(q)}, {"link", name}, {"point", {0, 0, 0}}, {"to", to}});
  ASSERT_LT(pulled["distance"].get<double>(), 1e-3);
  forward_kinematics(model, work, vector(pulled["q"]));
  EXPECT_NEAR(placement(model, work, model.frame(name)).p.x, to[0], 1e-3);
  EXPECT_NEAR(placement(model, work, model.frame(name)).p.z, to[2], 1e-3);
  const auto reached =
      ask({{"ask", "reach"}, {"q", list(q)}, {"frame", name}, {"pose", {to[0], to[1], to[2], 1, 0, 0, 0}}});
  EXPECT_TRUE(reached.contains("solved"));
}

// Question after question, as while a target is dragged away.
TEST(Answers, PinnedFramesStayWhileATargetIsOutOfReach) {
  Asked ask("humanoid.urdf", {.base = Base::free});
  Workspace work(ask.model);
  auto q = neutral(ask.model);
  const auto sole = ask.model.frame("left_sole");
  forward_kinematics(ask.model, work, q);
  const auto before = placement(ask.model, work, sole).p;
  for (int i = 1; i <= 30; ++i)
    q = vector(ask({{"ask", "reach"},
                    {"q", list(q)},
                    {"frame", "left_palm"},
                    {"pose", {.1 * i, 0, 0, 1, 0, 0, 0}},
                    {"pinned", {"left_sole", "right_sole"}}})["q"]);
  forward_kinematics(ask.model, work, q);
  const auto moved = placement(ask.model, work, sole).p - before;
  EXPECT_LT(std::sqrt(dot(moved, moved)), 5e-3);
}

TEST(Answers, LoopsAreClosedAgainAroundAJointThatWasMoved) {
  const std::string loops = std::string(LISSOM_MODELS_DIR) + "/iftomm/a03_squeezer.json";
  Asked ask("iftomm/a03_squeezer.urdf", {.loops_file = loops});
  Workspace work(ask.model);
  ClosedLoops closed(ask.model);
  for (int i = 0; i < 5; ++i) {
    auto q = vector(ask({{"ask", "random"}})["q"]);
    EXPECT_LT(closed.gap(ask.model, work, q), 1e-6);
    const auto& joint = ask.model.joints()[std::size_t(i) % ask.model.joints().size()];
    if (joint.nq != 1) continue;
    q[joint.q_index] += .02;
    const auto answer = ask({{"ask", "close"}, {"q", list(q)}, {"joint", joint.name}});
    if (answer.contains("error")) continue;  // not every position can be reached
    EXPECT_LT(closed.gap(ask.model, work, vector(answer["q"])), 1e-6);
    EXPECT_EQ(answer["q"][std::size_t(joint.q_index)].get<double>(), q[joint.q_index]);
  }
}

TEST(Answers, NonsenseIsAnErrorAndNothingElse) {
  Asked ask("arm7.urdf");
  const auto q = list(neutral(ask.model));
  const json wrong[] = {
      {{"ask", "nothing"}},
      {{"ask", 3}},
      json::object(),
      {{"ask", "quantities"}},
      {{"ask", "quantities"}, {"q", {1, 2}}, {"v", q}},
      {{"ask", "quantities"}, {"q", q}, {"v", "fast"}},
      {{"ask", "quantities"}, {"q", std::vector<json>(7, nullptr)}, {"v", q}},
      {{"ask", "random"}, {"robot", 1}},
      {{"ask", "random"}, {"robot", -1}},
      {{"ask", "random"}, {"robot", "arm"}},
      {{"ask", "pull"}, {"q", q}, {"link", "no such link"}, {"point", {0, 0, 0}}, {"to", {0, 0, 0}}},
      {{"ask", "pull"}, {"q", q}, {"link", 1}, {"point", {0, 0, 0}}, {"to", {0, 0, 0}}},
      {{"ask", "pull"}, {"q", q}, {"link", "link1"}, {"point", {0, 0}}, {"to", {0, 0, 0}}},
      {{"ask", "reach"}, {"q", q}, {"frame", "link1"}, {"pose", {0, 0, 0, 0, 0, 0, 0}}},
      {{"ask", "reach"}, {"q", q}, {"frame", "link1"}, {"pose", {0, 0, 0, 1, 0, 0, 0}}, {"pinned", 1}}};
  for (const auto& question : wrong) {
    const auto answer = ask(question);
    ASSERT_TRUE(answer.contains("error")) << question;
    EXPECT_FALSE(answer["error"].get<std::string>().empty());
  }
  Answers answers({ask.model});
  for (const char* text : {"", "{", "[]", "7", "\"ask\"", "[[[[[[[[[[[[]]]]]]]]]]]]"})
    EXPECT_TRUE(json::parse(answers.answer(text)).contains("error")) << text;
  EXPECT_EQ(ask({{"ask", "random"}})["q"].size(), q.size());
}

}  // namespace
}  // namespace lissom::view
