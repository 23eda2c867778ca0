// The smallest friction that a face needs, against results by hand and against many random distributions of a load.
#include "lissom/sim/friction_use.h"

#include <cmath>

#include <gtest/gtest.h>

#include "largest.h"
#include "random_tree.h"

namespace lissom::test {
namespace {

using sim::FrictionUse;
using sim::PlaneLoad;

using Points = std::vector<Vec3<double>>;
const Points rectangle{{.1, .05, 0}, {-.1, .05, 0}, {-.1, -.05, 0}, {.1, -.05, 0}};

struct PointForce {
  double x, y, n;
};
PlaneLoad sum(const Points& points, const std::vector<PointForce>& forces) {
  PlaneLoad load;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& [x, y, n] = forces[i];
    load.normal += n, load.x += n * points[i].x, load.y += n * points[i].y;
    load.tangent_x += x, load.tangent_y += y, load.spin += points[i].x * y - points[i].y * x;
  }
  return load;
}

TEST(FrictionUse, AlongAndAbout) {
  FrictionUse use(4);
  EXPECT_EQ(use.min_use(rectangle, {.normal = 100}, .5), 0);
  EXPECT_NEAR(use.min_use(rectangle, {.normal = 100, .tangent_x = 30, .tangent_y = -40}, .5), 1, 1e-3);
  // A spin about the center: the force of every point is perpendicular to its radius.
  const double radius = std::hypot(.1, .05);
  EXPECT_NEAR(use.min_use(rectangle, {.normal = 100, .spin = 40 * radius}, .5), .8, 1e-3);
  // One point carries no spin, and cannot pull.
  EXPECT_NEAR(use.min_use(Points{{.1, 0, 0}}, {.normal = 10, .x = 1, .tangent_y = 3}, .5), .6, 1e-12);
  EXPECT_EQ(use.min_use(rectangle, {.normal = -10, .tangent_x = 1}, .5), FrictionUse::max_use);
  EXPECT_EQ(use.min_use(rectangle, {.normal = 10, .x = 2, .tangent_x = 1, .spin = 1}, .5), FrictionUse::max_use);
}

// Two points: a spin about their midpoint is a force across the line at each, in addition to their shares along it.
TEST(FrictionUse, OnAnEdge) {
  FrictionUse use(4);
  const Points edge{{.1, .05, 0}, {.1, -.05, 0}};
  EXPECT_NEAR(use.min_use(edge, {.normal = 100, .x = 10, .tangent_x = 20, .spin = 1}, .5),
              // The forces along x are 10 ± spin / 0.1; the larger is 20 of at most 25.
              .8, 1e-3);
}

TEST(FrictionUse, NoOtherWayIsBetter) {
  Random random(5);
  FrictionUse use(4);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<PointForce> forces(4);
    double worst = 0;
    for (auto& f : forces) {
      f = {random.uniform(-30, 30), random.uniform(-30, 30), random.uniform(5, 100)};
      worst = larger(worst, std::hypot(f.x, f.y) / (.7 * f.n));
    }
    const auto load = sum(rectangle, forces);
    const double least = std::hypot(load.tangent_x, load.tangent_y) / (.7 * load.normal);
    const double found = use.min_use(rectangle, load, .7);
    const double accuracy = found < .5 ? 1.02 : 1.002;
    ASSERT_LE(found, worst * accuracy);
    ASSERT_GE(found, least * (1 - 1e-3));
    // No other distribution of the same load needs less friction.
    double best = 1e9;
    for (int k = 0; k < 400; ++k) {
      // n changes along (1, -1, 1, -1), which keeps N and c; t_i / n_i varies linearly, with the same T and τ.
      auto other = forces;
      const double dn = random.uniform(-50, 50);
      for (int i = 0; i < 4; ++i) other[std::size_t(i)].n += i % 2 ? -dn : dn;
      const double N = load.normal, cx = load.x / N, cy = load.y / N;
      double inertia = 0, largest = 0;
      bool pushes = true;
      for (std::size_t i = 0; i < 4; ++i) {
        pushes = pushes && other[i].n > 0;
        inertia += other[i].n * (std::pow(rectangle[i].x - cx, 2) + std::pow(rectangle[i].y - cy, 2));
      }
      if (!pushes) continue;
      const double spin = (load.spin - (cx * load.tangent_y - cy * load.tangent_x)) / inertia;
      for (std::size_t i = 0; i < 4; ++i)
        largest = larger(largest, std::hypot(load.tangent_x / N - spin * (rectangle[i].y - cy),
                                             load.tangent_y / N + spin * (rectangle[i].x - cx)) /
                                      .7);
      best = smaller(best, largest);
    }
    ASSERT_LE(found, best * accuracy) << trial;
  }
}

}  // namespace
}  // namespace lissom::test
