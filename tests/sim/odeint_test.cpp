// The right-hand side as a plain function: Boost.Odeint integrates it to the same motion.
#include <boost/numeric/odeint.hpp>

#include "sim_test_support.h"

namespace lissom::sim::test {
namespace {

TEST(RightHandSide, DrivenByOdeint) {
  for (const char* name : {"humanoid.urdf", "quadruped.urdf"}) {
    System system(free_robot(name));
    const auto& model = system.model();
    State begin = moving(model);
    const State end =
        run(system, begin, "dopri5", 0.2, 0.2, {.relative_tolerance = 1e-12, .absolute_tolerance = 1e-12});

    using Numbers = std::vector<double>;
    Numbers x(std::size_t(system.state_size()));
    std::copy(begin.q.begin(), begin.q.end(), x.begin());
    std::copy(begin.v.begin(), begin.v.end(), x.begin() + model.nq());
    namespace odeint = boost::numeric::odeint;
    const auto stepper = odeint::make_controlled<odeint::runge_kutta_dopri5<Numbers>>(1e-12, 1e-12);
    odeint::integrate_adaptive(
        stepper, [&](const Numbers& at, Numbers& rate, double t) { system.derivative(t, at.data(), rate.data()); }, x,
        0.0, 0.2, 1e-3);
    State other{0.2, Eigen::Map<Eigen::VectorXd>(x.data(), model.nq()),
                Eigen::Map<Eigen::VectorXd>(x.data() + model.nq(), model.nv()), 0};
    other.q = normalize(model, other.q);
    EXPECT_LT(distance(model, end, other), 1e-8) << name;
  }
}

}  // namespace
}  // namespace lissom::sim::test
