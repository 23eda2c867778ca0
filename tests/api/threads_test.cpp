// One model and many threads, each with a workspace of its own: every call of the interface gives the bits that it
// gives alone. (batch/, ik/ and world/ have their own tests of threads.)
#include <array>
#include <latch>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "lissom/lissom.h"
#include "random_tree.h"

namespace lissom::test {
namespace {

// The elements of all results, one after the other.
class Results {
 public:
  template <class M>
  void add(const Eigen::MatrixBase<M>& x) {
    for (long c = 0; c < x.cols(); ++c)
      for (long r = 0; r < x.rows(); ++r) elements_.push_back(x(r, c));
  }
  void add(double x) { elements_.push_back(x); }
  void add(const Vec3<double>& x) {
    for (const double e : {x.x, x.y, x.z}) add(e);
  }
  void add(const Pose<double>& X) {
    add(X.p);
    add(X.R * Vec3<double>{1, 2, 3});
  }
  bool operator==(const Results&) const = default;
  std::size_t size() const { return elements_.size(); }

 private:
  std::vector<double> elements_;
};

void add_dynamics(const Case& c, Workspace& w, Results& all) {
  const auto& m = c.model;
  const auto &q = c.q, &v = c.v, &a = c.a, &tau = c.tau;
  const FrameId frame{int(m.frames().size()) - 1};
  const std::vector<ExternalForce> forces{{frame, {1, 2, 3}, {4, 5, 6}, {}, frame}};
  all.add(inverse_dynamics(m, w, q, v, a, forces));
  all.add(forward_dynamics(m, w, q, v, tau, forces));
  all.add(mass_matrix(m, w, q));
  all.add(inverse_mass_matrix(m, w, q));
  all.add(bias_forces(m, w, q, v));
  all.add(gravity_forces(m, w, q));
  all.add(coriolis_matrix(m, w, q, v));
  all.add(centroidal_map(m, w, q));
  all.add(centroidal_momentum(m, w, q, v));
  all.add(centroidal_momentum_rate(m, w, q, v, a));
  all.add(kinetic_energy(m, w, q, v));
  all.add(potential_energy(m, w, q));
  all.add(regressor(m, w, q, v, a));
  MassMatrixFactor factor(m);
  factor.factorize(m, w, q);
  all.add(factor.solve(tau));
  all.add(factor.inverse(w));
  Eigen::VectorXd x(m.nv());
  generalized_forces(m, w, q, forces, x);
  all.add(x);
}

void add_kinematics(const Case& c, Workspace& w, Results& all) {
  const auto& m = c.model;
  for (int k = 0; k < int(m.frames().size()); ++k) {
    const FrameId frame{k};
    all.add(jacobian(m, w, c.q, frame));
    all.add(jacobian_rate(m, w, c.q, c.v, frame));
  }
  forward_kinematics(m, w, c.q, c.v, c.a);
  for (int k = 0; k < int(m.frames().size()); ++k) all.add(placement(m, w, {k}));
  all.add(center_of_mass(m, w));
  all.add(joint_jacobians(m, w, c.q));
  all.add(center_of_mass_jacobian(m, w, c.q));
  all.add(integrate(m, c.q, c.v, 0.1));
  all.add(difference(m, c.q, neutral(m)));
  all.add(random_configuration(m, 5));
}

void add_derivatives(const Case& c, Workspace& w, Results& all) {
  const auto& m = c.model;
  const DynamicsDirection direction{c.v, c.a, c.tau};
  const auto inverse = inverse_dynamics_derivatives(m, w, c.q, c.v, c.a, {});
  all.add(inverse.dtau_dq), all.add(inverse.dtau_dv);
  const auto forward = forward_dynamics_derivatives(m, w, c.q, c.v, c.tau, {});
  all.add(forward.da_dq), all.add(forward.da_dv);
  all.add(inverse_dynamics_jvp(m, w, c.q, c.v, c.a, direction, {}));
  all.add(forward_dynamics_jvp(m, w, c.q, c.v, c.tau, direction, {}));
}

Results everything(const Case& c, Workspace& w) {
  Results all;
  add_dynamics(c, w, all);
  add_kinematics(c, w, all);
  add_derivatives(c, w, all);
  return all;
}

constexpr int threads = 8, rounds = 10;

TEST(Threads, OneModelManyWorkspaces) {
  for (const bool mimic : {false, true}) {
    for_each_tree(
        {.mimic = mimic ? 0.4 : 0},
        [](Case& c) {
          const auto expected = everything(c, c.work);
          EXPECT_GT(expected.size(), 20u);
          std::latch begin(threads);
          std::array<int, threads> alike{};
          {
            std::vector<std::jthread> running;
            for (int k = 0; k < threads; ++k)
              running.emplace_back([&, k] {
                Workspace work(c.model);
                begin.arrive_and_wait();
                for (int round = 0; round < rounds; ++round) alike[std::size_t(k)] += everything(c, work) == expected;
              });
          }
          for (const int count : alike) EXPECT_EQ(count, rounds);
        },
        5);
  }
}

}  // namespace
}  // namespace lissom::test
