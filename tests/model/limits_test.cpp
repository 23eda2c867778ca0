// Models at the limits of lissom/model/limits.h, and one beyond.
#include "lissom/model/limits.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "lissom/lissom.h"
#include "lissom/model/diagnostic_list.h"
#include "lissom/model/validate.h"

namespace lissom {
namespace {

LinkDescription weight(const std::string& name) {
  LinkDescription link;
  link.name = name;
  link.mass = 1;
  link.inertia = {1, 0, 0, 1, 0, 1};
  return link;
}

// `count` hinges. All of them are on the first link, or each on the one before.
Description hinges(int count, bool chain) {
  Description d;
  d.name = "hinges";
  d.links.push_back(weight("l0"));
  for (int i = 1; i <= count; ++i) {
    d.links.push_back(weight("l" + std::to_string(i)));
    JointDescription j;
    j.name = "j" + std::to_string(i), j.type = JointType::continuous;
    j.parent = chain ? "l" + std::to_string(i - 1) : "l0", j.child = "l" + std::to_string(i);
    j.axis = {0, 0, 1};
    j.origin.p = {0.1, 0, 0};
    d.joints.push_back(j);
  }
  return d;
}

bool has(const std::vector<Diagnostic>& found, const std::string& code) {
  return std::ranges::any_of(found, [&](const Diagnostic& d) { return d.code == code; });
}

TEST(Limits, DegreesOfFreedom) {
  constexpr int most = int(limits::degrees_of_freedom) - 6;  // one root, which may become free
  EXPECT_FALSE(has(validate(hinges(most, false)), "too-large"));
  EXPECT_EQ(build(hinges(most, false), {.base = Base::free}).nv(), int(limits::degrees_of_freedom));
  const auto found = validate(hinges(most + 1, false));
  EXPECT_TRUE(has(found, "too-large"));
  EXPECT_THROW(build(hinges(most + 1, false)), Error);
  // Far beyond, where packed sizes would no longer be an int.
  EXPECT_THROW(build(hinges(70'000, true)), Error);
}

TEST(Limits, DiagnosticsOfOneKind) {
  const auto findings = [](std::size_t count) {
    DiagnosticList list;
    for (std::size_t i = 0; i < count; ++i)
      list.add({Severity::warning, "many", "f", int(i), "link", "message " + std::to_string(i), "remedy"});
    list.add({Severity::error, "one", "f", 0, "", "message", "remedy"});
    EXPECT_TRUE(list.any_error());
    EXPECT_EQ(list.is_full(Severity::warning, "many"), count >= limits::diagnostics_per_code);
    EXPECT_FALSE(list.is_full(Severity::note, "many"));
    return list.take();
  };
  EXPECT_EQ(findings(limits::diagnostics_per_code).size(), limits::diagnostics_per_code + 1);
  for (const std::size_t more : {1, 999'000}) {
    const auto found = findings(limits::diagnostics_per_code + more);
    ASSERT_EQ(found.size(), limits::diagnostics_per_code + 2);
    EXPECT_EQ(found.back().message, "and " + std::to_string(more) + " more of this kind");
    EXPECT_EQ(found.back().severity, Severity::warning);
    EXPECT_EQ(found.back().code, "many");
  }
}

TEST(Limits, NamesHaveNoControlCharacters) {
  for (const char* name : {"a\x1b[2J", "a\nb", "a\xC2\x9B", "\x7f"}) {
    auto d = hinges(2, true);
    EXPECT_FALSE(has(validate(d), "name-control-character"));
    d.joints[1].name = name;
    EXPECT_TRUE(has(validate(d), "name-control-character"));
    EXPECT_THROW(build(d), Error);
    d.joints[1].name = "j2", d.name = name;
    EXPECT_TRUE(has(validate(d), "name-control-character"));
  }
}

// j1 mimics j2, which mimics j3 …: each follows the last one.
TEST(Limits, LongChainsOfMimicJoints) {
  constexpr int count = 3900;
  auto d = hinges(count, false);
  for (std::size_t i = 0; i + 1 < d.joints.size(); ++i)
    d.joints[i].mimic = Mimic{"j" + std::to_string(i + 2), i % 2 == 0 ? -1. : 1., i + 3 < d.joints.size() ? 0 : .5};
  const auto model = build(d);
  EXPECT_EQ(model.nv(), 1);
  const auto& first = model.joint("j1");
  ASSERT_TRUE(first.follows);
  EXPECT_EQ(model.joints()[std::size_t(first.follows->joint)].name, "j" + std::to_string(count));
  // The last two have an offset of 0.5 each: q[n-1] = ±q[n] + 0.5, q[n-2] = ±q[n-1] + 0.5.
  const auto& last = model.joint("j" + std::to_string(count - 1));
  const auto& before = model.joint("j" + std::to_string(count - 2));
  ASSERT_TRUE(last.follows && before.follows);
  EXPECT_EQ(last.follows->offset, .5);
  const double ratio = d.joints[std::size_t(count - 3)].mimic->ratio;
  EXPECT_EQ(before.follows->offset, .5 + ratio * .5);
  EXPECT_EQ(before.follows->ratio, ratio * last.follows->ratio);
}

// Followers couple branches: the factor has entries that no tree has. M⁻¹ (M a) = a shows that none is missing.
TEST(Limits, ChainsWithFollowersAreFactorized) {
  auto d = hinges(40, true);
  for (const auto& [follower, leader] : {std::pair{3, 30}, {12, 25}, {39, 8}, {20, 10}})
    d.joints[std::size_t(follower)].mimic = Mimic{"j" + std::to_string(leader + 1), .5, .1};
  const auto model = build(d, {.base = Base::free});
  EXPECT_EQ(model.nv(), 6 + 36);
  Workspace work(model);
  const Eigen::VectorXd q = random_configuration(model, 5);
  const Eigen::VectorXd v = Eigen::VectorXd::Zero(model.nv());
  Eigen::VectorXd a(model.nv());
  for (long i = 0; i < a.size(); ++i) a[i] = std::sin(double(3 * i + 1));
  const Eigen::MatrixXd M = mass_matrix(model, work, q);
  const Eigen::VectorXd tau = inverse_dynamics(model, work, q, v, a);
  const Eigen::VectorXd again = forward_dynamics(model, work, q, v, tau);
  EXPECT_LT((again - a).norm(), 1e-6 * a.norm()) << again.transpose();
  EXPECT_LT((M * a + bias_forces(model, work, q, v) - tau).norm(), 1e-9 * tau.norm());
}

}  // namespace
}  // namespace lissom
