#include "lissom/recording/compare.h"

#include <cmath>

#include "recording_test_support.h"

namespace lissom::recording::test {
namespace {

// A rotating base, a knee, and the energy.
Recording motion(std::size_t frames, double step = 0.01) {
  Recording r;
  r.signals = {{"q", {{"base.qw", "1"}, {"base.qx", "1"}, {"base.qy", "1"}, {"base.qz", "1"}, {"knee", "rad"}}},
               {"energy", {{"total", "J"}}}};
  r.values.resize(2);
  for (std::size_t k = 0; k < frames; ++k) {
    const double t = double(k) * step;
    r.times.push_back(t);
    for (const double x : {std::cos(t), std::sin(t), 0.0, 0.0, std::sin(3 * t)}) r.values[0].push_back(x);
    r.values[1].push_back(42);
  }
  return r;
}

TEST(RecordingCompare, TheSame) {
  const auto a = motion(100);
  const auto c = compare(a, a, {.tolerance = 0});
  EXPECT_TRUE(c.alike);
  EXPECT_EQ(c.frames, 100u);
  ASSERT_EQ(c.signals.size(), 2u);
  EXPECT_EQ(c.signals[0].columns, 5u);
  EXPECT_EQ(c.signals[0].max_deviation.difference, 0);
  EXPECT_FALSE(c.signals[0].first_deviation);
  EXPECT_TRUE(c.settings.empty());
}

TEST(RecordingCompare, FirstAndLargestDifference) {
  const auto a = motion(100);
  auto b = a;
  b.values[0][5 * 30 + 4] += 1e-8;
  b.values[0][5 * 70 + 4] += 1e-3;
  const auto c = compare(a, b);
  EXPECT_FALSE(c.alike);
  EXPECT_NEAR(c.signals[0].max_deviation.difference, 1e-3, 1e-12);
  EXPECT_EQ(c.signals[0].max_deviation.time, a.times[70]);
  EXPECT_EQ(c.signals[0].max_deviation.column, "knee");
  EXPECT_EQ(c.signals[0].max_deviation.unit, "rad");
  ASSERT_TRUE(c.signals[0].first_deviation);
  EXPECT_EQ(c.signals[0].first_deviation->time, a.times[30]);
  EXPECT_NEAR(c.signals[0].rms, std::sqrt((1e-6 + 1e-16) / 500), 1e-12);
  EXPECT_FALSE(c.signals[1].first_deviation);
  EXPECT_TRUE(compare(a, b, {.tolerance = 2e-3}).alike);
  EXPECT_TRUE(compare(a, b, {.signals = {"energy"}}).alike);
}

TEST(RecordingCompare, QuaternionsUpToSign) {
  const auto a = motion(100);
  auto b = a;
  for (std::size_t k = 50; k < 100; ++k)
    for (std::size_t i = 0; i < 4; ++i) b.values[0][5 * k + i] *= -1;
  EXPECT_TRUE(compare(a, b, {.tolerance = 0}).alike);
  b.values[0][5 * 60 + 4] *= -1;
  EXPECT_FALSE(compare(a, b).alike) << "the knee is not part of a quaternion";
}

TEST(RecordingCompare, NanAndInfinity) {
  const double nan = std::nan("");
  auto a = motion(10), b = a;
  a.values[1][3] = b.values[1][3] = nan;
  a.values[1][4] = b.values[1][4] = INFINITY;
  EXPECT_TRUE(compare(a, b).alike);
  b.values[1][5] = nan;
  const auto c = compare(a, b, {.tolerance = 1e300});
  EXPECT_FALSE(c.alike);
  EXPECT_TRUE(std::isinf(c.signals[1].max_deviation.difference));
  EXPECT_EQ(c.signals[1].first_deviation->time, a.times[5]);
}

TEST(RecordingCompare, OtherTimes) {
  const auto a = motion(100), coarse = motion(50, 0.02);
  const auto c = compare(a, coarse);
  EXPECT_FALSE(c.alike);
  EXPECT_EQ(c.frames, 50u);
  EXPECT_EQ(c.only_first, 50u);
  EXPECT_EQ(c.only_second, 0u);
  EXPECT_EQ(c.complaints.size(), 1u);
  EXPECT_LT(c.signals[0].max_deviation.difference, 1e-12) << "compared at the same times";
  EXPECT_FALSE(compare(a, Recording{}).alike);
  EXPECT_TRUE(compare(Recording{}, Recording{}).alike);
}

TEST(RecordingCompare, OtherSignalsAndColumns) {
  const auto a = motion(10);
  auto b = a;
  b.signals[1].name = "power";
  b.signals[0].columns[4] = {"ankle", "rad"};
  auto c = compare(a, b);
  EXPECT_FALSE(c.alike);
  ASSERT_EQ(c.complaints.size(), 2u);
  EXPECT_CONTAINS(c.complaints[0], "'energy' is only in the first");
  EXPECT_CONTAINS(c.complaints[1], "'power' is only in the second");
  ASSERT_EQ(c.signals[0].complaints.size(), 2u);
  EXPECT_EQ(c.signals[0].columns, 4u);
  b = a;
  b.signals[0].columns[4].unit = "deg";
  c = compare(a, b);
  EXPECT_FALSE(c.alike);
  EXPECT_CONTAINS(c.signals[0].complaints[0], "deg");
  EXPECT_CONTAINS(error_of([&] { compare(a, b, {.signals = {"enrgy"}}); }), "did you mean 'energy'");
}

TEST(RecordingCompare, SettingsAreListed) {
  auto a = motion(10), b = a;
  a.header.settings = R"({"step": 0.001, "solver": {"iterations": 10, "list": [1, 2]}, "seed": 1})";
  b.header.settings = R"({"step": 0.002, "solver": {"list": [1, 3], "iterations": 10}, "note": "x"})";
  b.header.gravity = {0, 0, -1.62};
  const auto c = compare(a, b);
  EXPECT_TRUE(c.alike);
  ASSERT_EQ(c.settings.size(), 5u);
  EXPECT_CONTAINS(c.settings[0], "gravity.z: -9.81 in the first, -1.62 in the second");
  EXPECT_EQ(c.settings[1], "setting step: 0.001 in the first, 0.002 in the second");
  EXPECT_EQ(c.settings[2], "setting solver/list: [1,2] in the first, [1,3] in the second");
  EXPECT_EQ(c.settings[3], "setting seed: 1 in the first, nothing in the second");
  EXPECT_EQ(c.settings[4], "setting note: nothing in the first, \"x\" in the second");
}

}  // namespace
}  // namespace lissom::recording::test
