// Integrators on mechanisms with closed loops: the loops stay closed, and energy is conserved as the order allows.
#include "sim_test_support.h"

namespace lissom::sim::test {
namespace {

struct Mechanism {
  std::unique_ptr<System> system;
  State begin;
};
Mechanism bricard() {
  const auto model = load(model_file("iftomm/a04_bricard.urdf"), {.loops_file = model_file("iftomm/a04_bricard.json")});
  return {std::make_unique<System>(model), at_rest(model)};
}

TEST(ClosedLoopsInTime, EveryIntegratorKeepsThemClosed) {
  for (const auto& info : integrators()) {
    auto m = bricard();
    auto& system = *m.system;
    State x = run(system, m.begin, info.name, 1e-3, 1);
    EXPECT_LT(system.loops()->gap(system.model(), system.work(), x.q), 1e-12) << info.name;
    // The reference is the position of the third joint at t = 1.
    forward_kinematics(system.model(), system.work(), x.q);
    const auto p = placement(system.model(), system.work(), system.model().frame("rod_3")).p;
    const double off = std::hypot(p.x - 0.2744813193, p.y + 0.8867079387, p.z + 0.4623300027);
    EXPECT_LT(off, info.order == 1 ? 2e-2 : info.order == 2 ? 1e-4 : 1e-8) << info.name;
  }
}

TEST(ClosedLoopsInTime, TheVariationalIntegratorKeepsEnergyInThem) {
  auto m = bricard();
  auto& system = *m.system;
  State x = m.begin;
  const double before = energy(system, x);
  auto method = integrator(system.model(), "variational");
  double worst = 0;
  for (int i = 0; i < 10000; ++i) {
    method->step(system, x, 2e-3);
    worst = larger(worst, std::abs(energy(system, x) - before));
  }
  EXPECT_LT(worst, 5e-3);
}

}  // namespace
}  // namespace lissom::sim::test
