// No tick of a plant allocates: not while it rests, tips, falls, lands, slides.
#include <gtest/gtest.h>

#include "allocation_counter.h"
#include "box.h"

namespace lissom::test {
namespace {

using control::Contact;
using control::ContactKind;

long counted(plant::Plant& p, const control::Tick& tick, int ticks) {
  Eigen::VectorXd q = p.q(), v = p.v();
  const long before = allocations;
  for (int i = 0; i < ticks; ++i) {
    p.sense(q, v);
    EXPECT_TRUE(p.step(tick));
  }
  return allocations - before;
}

TEST(PlantAllocations, None) {
  if (!counting_allocations) GTEST_SKIP() << "allocations cannot be counted in this build";
  const Model model = box();
  auto tick = still(model);
  Eigen::VectorXd v = Eigen::VectorXd::Zero(6);
  v[3] = .3, v[4] = .2;
  const plant::Options options{
      .imperfections = {.mass_error = .1,
                        .delay = 2,
                        .position_noise = 1e-4,
                        .velocity_noise = 1e-4,
                        .pushes = {{.frame = "top", .force = {5, 0, 0}, .from = .1, .until = .4}}}};
  const auto lands = plant::held(model, {Contact{.frame = "sole", .friction = 2}}, box_at(model, .01), v, options);
  EXPECT_EQ(counted(*lands, tick, 1000), 0);
  EXPECT_EQ(lands->touches()[0].points, 4);
  const auto slides =
      plant::held(model, {Contact{.frame = "sole", .kind = ContactKind::sliding}}, box_at(model, 0), v, options);
  EXPECT_EQ(counted(*slides, tick, 500), 0);
  tick.contacts.resize(1);
  tick.contacts[0].held = true;
  tick.contacts[0].force = {0, 0, box_weight};
  v.setZero();
  const auto follows = plant::integrated(model, {Contact{.frame = "sole"}}, box_at(model, 0), v, options);
  EXPECT_EQ(counted(*follows, tick, 500), 0);
}

}  // namespace
}  // namespace lissom::test
