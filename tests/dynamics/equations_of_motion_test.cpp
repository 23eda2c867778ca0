// The laws that M, h, C, g, tau and a obey together, on random robots. Tolerances are relative to the largest entry.
#include <Eigen/Cholesky>

#include "close.h"
#include "largest.h"
#include "lissom/lissom.h"
#include "random_tree.h"
#include "slopes.h"

namespace lissom::test::equations_of_motion {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Tolerances for products of well-conditioned quantities, and for results of M⁻¹, whose condition is up to 10⁵ here.
constexpr double tight = 1e-10, inverted = 1e-8;
const TreeOptions plain{}, geared{.armature = 0.5}, coupled{.armature = 0.3, .mimic = 0.5};

class EquationsOfMotion : public ::testing::TestWithParam<const TreeOptions*> {};
INSTANTIATE_TEST_SUITE_P(On, EquationsOfMotion, ::testing::Values(&plain, &geared, &coupled),
                         [](const auto& p) -> std::string {
                           return p.param == &plain ? "PlainTrees" : p.param == &geared ? "GearedTrees" : "MimicTrees";
                         });

TEST_P(EquationsOfMotion, ForwardDynamicsUndoesInverseDynamics) {
  for_each_tree(*GetParam(), [](Case& c) {
    const VectorXd tau = inverse_dynamics(c.model, c.work, c.q, c.v, c.a);
    EXPECT_TRUE(close(forward_dynamics(c.model, c.work, c.q, c.v, tau), c.a, inverted));
    const VectorXd a = forward_dynamics(c.model, c.work, c.q, c.v, c.tau);
    EXPECT_TRUE(close(inverse_dynamics(c.model, c.work, c.q, c.v, a), c.tau, inverted, largest(a)));
  });
}

TEST_P(EquationsOfMotion, ColumnsOfTheMassMatrixAreInverseDynamicsOfUnitAccelerations) {
  for_each_tree(*GetParam(), [](Case& c) {
    const MatrixXd M = mass_matrix(c.model, c.work, c.q);
    const auto weightless = c.model.with_gravity({0, 0, 0});
    const VectorXd zero = VectorXd::Zero(c.model.nv()), g = gravity_forces(c.model, c.work, c.q);
    MatrixXd without(M.rows(), M.cols()), with = without;
    for (int j = 0; j < c.model.nv(); ++j) {
      const VectorXd e = VectorXd::Unit(c.model.nv(), j);
      without.col(j) = inverse_dynamics(weightless, c.work, c.q, zero, e);
      with.col(j) = inverse_dynamics(c.model, c.work, c.q, zero, e) - g;
    }
    EXPECT_TRUE(close(M, without, tight));
    EXPECT_TRUE(close(M, with, tight, largest(g)));
  });
}

TEST_P(EquationsOfMotion, TheMassMatrixIsSymmetricAndPositive) {
  for_each_tree(*GetParam(), [](Case& c) {
    const MatrixXd M = mass_matrix(c.model, c.work, c.q);
    EXPECT_TRUE(identical(M, M.transpose()));
    EXPECT_EQ(Eigen::LLT<MatrixXd>(M).info(), Eigen::Success);
  });
}

TEST_P(EquationsOfMotion, ForcesAreMassTimesAccelerationPlusBias) {
  for_each_tree(*GetParam(), [](Case& c) {
    const VectorXd h = bias_forces(c.model, c.work, c.q, c.v), g = gravity_forces(c.model, c.work, c.q);
    const MatrixXd C = coriolis_matrix(c.model, c.work, c.q, c.v), M = mass_matrix(c.model, c.work, c.q);
    EXPECT_TRUE(close(C * c.v + g, h, tight));
    EXPECT_TRUE(close(M * c.a + h, inverse_dynamics(c.model, c.work, c.q, c.v, c.a), tight));
  });
}

TEST_P(EquationsOfMotion, TheRateOfTheMassMatrixLessTwiceTheCoriolisMatrixIsSkew) {
  for_each_tree(*GetParam(), [](Case& c) {
    Slopes slopes(c.model);
    const auto M = slopes.mass_matrix(c.q, rate_of_q(c.model, c.q, c.v));
    EXPECT_TRUE(close(M.value, mass_matrix(c.model, c.work, c.q), tight));
    const MatrixXd N = M.slope - 2 * MatrixXd(coriolis_matrix(c.model, c.work, c.q, c.v));
    EXPECT_TRUE(close(N + N.transpose(), MatrixXd::Zero(N.rows(), N.cols()), tight, 1 + largest(M.slope)));
  });
}

TEST_P(EquationsOfMotion, EnergyGrowsByThePowerOfTheForces) {
  for_each_tree(*GetParam(), [](Case& c) {
    Slopes slopes(c.model);
    const VectorXd q_dot = rate_of_q(c.model, c.q, c.v), a = forward_dynamics(c.model, c.work, c.q, c.v, c.tau);
    const auto T = slopes.kinetic_energy(c.q, q_dot, c.v, a), V = slopes.potential_energy(c.q, q_dot);
    EXPECT_TRUE(close(T.value(0, 0), kinetic_energy(c.model, c.work, c.q, c.v), tight));
    EXPECT_TRUE(close(V.value(0, 0), potential_energy(c.model, c.work, c.q), tight));
    const double scale = std::abs(V.slope(0, 0)) + largest(a);
    EXPECT_TRUE(close(T.slope(0, 0) + V.slope(0, 0), c.tau.dot(c.v), inverted, scale));
  });
}

TEST_P(EquationsOfMotion, KineticEnergyIsHalfVelocityTimesMomentum) {
  for_each_tree(*GetParam(), [](Case& c) {
    const MatrixXd M = mass_matrix(c.model, c.work, c.q);
    const double T = kinetic_energy(c.model, c.work, c.q, c.v);
    EXPECT_TRUE(close(T, 0.5 * c.v.dot(M * c.v), tight));
    // ∂T/∂v = M v: T is quadratic, so a difference quotient of any step is exact.
    VectorXd slope(c.model.nv());
    for (int j = 0; j < c.model.nv(); ++j) {
      const VectorXd e = VectorXd::Unit(c.model.nv(), j);
      slope[j] = 0.5 * (kinetic_energy(c.model, c.work, c.q, c.v + e) - kinetic_energy(c.model, c.work, c.q, c.v - e));
    }
    EXPECT_TRUE(close(slope, M * c.v, tight, T));
  });
}

TEST_P(EquationsOfMotion, GravityIsTheSlopeOfPotentialEnergy) {
  for_each_tree(*GetParam(), [](Case& c) {
    Slopes slopes(c.model);
    VectorXd slope(c.model.nv());
    for (int j = 0; j < c.model.nv(); ++j)
      slope[j] = slopes.potential_energy(c.q, rate_of_q(c.model, c.q, VectorXd::Unit(c.model.nv(), j))).slope(0, 0);
    EXPECT_TRUE(close(slope, gravity_forces(c.model, c.work, c.q), tight));
  });
}

TEST_P(EquationsOfMotion, TheFactorGivesTheMassMatrixSolvesAndInverts) {
  for_each_tree(*GetParam(), [](Case& c) {
    const MatrixXd M = mass_matrix(c.model, c.work, c.q);
    auto factor = factorize_mass_matrix(c.model, c.work, c.q);
    const MatrixXd L = factor.L();
    const VectorXd D = factor.D();
    EXPECT_TRUE((L.diagonal().array() == 1).all());
    EXPECT_TRUE(MatrixXd(L.triangularView<Eigen::StrictlyUpper>()).isZero(0));
    EXPECT_TRUE((D.array() > 0).all());
    EXPECT_TRUE(close(L.transpose() * D.asDiagonal() * L, M, tight));
    const VectorXd x = factor.solve(c.tau);
    EXPECT_TRUE(close(M * x, c.tau, inverted, largest(x)));
    const MatrixXd inverse = inverse_mass_matrix(c.model, c.work, c.q);
    EXPECT_TRUE(identical(inverse, inverse.transpose()));
    EXPECT_TRUE(identical(MatrixXd(factor.inverse(c.work)), inverse));
    EXPECT_TRUE(close(inverse * M, MatrixXd::Identity(M.rows(), M.cols()), inverted));
    EXPECT_TRUE(close(x, inverse * c.tau, inverted));
  });
}

TEST_P(EquationsOfMotion, TheRegressorTimesTheParametersIsInverseDynamics) {
  for_each_tree(*GetParam(), [](Case& c) {
    auto d = c.description;
    for (auto& joint : d.joints) joint.armature = 0;  // rotors are no part of it
    const auto model = build(d, c.options);
    Workspace work(model);
    const VectorXd pi = inertial_parameters(model), tau = regressor(model, work, c.q, c.v, c.a) * pi;
    EXPECT_TRUE(close(tau, inverse_dynamics(model, work, c.q, c.v, c.a), tight));
  });
}

TEST_P(EquationsOfMotion, ExternalForcesActThroughTheJacobianOfTheirPoint) {
  for_each_tree(*GetParam(), [](Case& c) {
    Random random(c.seed);
    std::vector<ExternalForce> external;
    VectorXd share = VectorXd::Zero(c.model.nv());
    for (int k = random.integer(1, 4); k > 0; --k) {
      const ExternalForce e{c.some_frame(random), random.vec3(3), random.vec3(3),
                            Point{c.some_frame(random), random.vec3(1)}, c.some_frame(random)};
      Vector6 f;
      f << to_eigen(e.force), to_eigen(e.torque);
      share += jacobian(c.model, c.work, c.q, e.on, e.at, e.in).transpose() * f;
      external.push_back(e);
    }
    const VectorXd alone = inverse_dynamics(c.model, c.work, c.q, c.v, c.a);
    const VectorXd tau = inverse_dynamics(c.model, c.work, c.q, c.v, c.a, external);
    EXPECT_TRUE(close(tau, alone - share, tight, largest(alone)));
    EXPECT_TRUE(close(forward_dynamics(c.model, c.work, c.q, c.v, tau, external), c.a, inverted));
    const VectorXd a = forward_dynamics(c.model, c.work, c.q, c.v, c.tau, external);
    EXPECT_TRUE(close(a, forward_dynamics(c.model, c.work, c.q, c.v, c.tau + share), inverted));
  });
}

// The sums are written down from the description, link by link, without recursions and without lumping of links.
TEST_P(EquationsOfMotion, MassMatrixAndEnergiesAreSumsOverTheLinks) {
  for_each_tree(*GetParam(), [](Case& c) {
    const int nv = c.model.nv();
    MatrixXd M = MatrixXd::Zero(nv, nv);
    double V = 0, mass = 0;
    Eigen::Vector3d h = Eigen::Vector3d::Zero();
    forward_kinematics(c.model, c.work, c.q);
    for (const auto& link : c.description.links) {
      const auto frame = c.model.frame(link.name);
      const Columns6 J = jacobian(c.model, c.work, c.q, frame, Point{frame, link.com}, frame);
      const auto I = full(link.inertia);
      const Eigen::Matrix3d inertia = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(&I.xx);
      M += link.mass * J.topRows<3>().transpose() * J.topRows<3>() +
           J.bottomRows<3>().transpose() * inertia * J.bottomRows<3>();
      const auto com = to_eigen(placement(c.model, c.work, frame) * link.com);
      V -= link.mass * com.dot(to_eigen(c.description.gravity));
      h += link.mass * com;
      mass += link.mass;
    }
    // Every degree of freedom of a joint has its own rotor; a follower's rate is the ratio times its leader's.
    for (const auto& joint : c.model.joints()) {
      if (joint.follows) {
        const int v = c.model.joints()[std::size_t(joint.follows->joint)].v_index;
        M(v, v) += joint.follows->ratio * joint.follows->ratio * joint.armature;
      }
      for (int k = 0; k < joint.nv; ++k) M(joint.v_index + k, joint.v_index + k) += joint.armature;
    }
    EXPECT_TRUE(close(mass_matrix(c.model, c.work, c.q), M, tight));
    EXPECT_TRUE(close(potential_energy(c.model, c.work, c.q), V, tight, 10 * mass));
    EXPECT_TRUE(close(c.model.mass(), mass, tight));
    EXPECT_TRUE(close(to_eigen(center_of_mass(c.model, c.work, c.q)), h / mass, tight));
  });
}

// The same calls again give the same bits, whatever the workspace has been used for in between.
TEST_P(EquationsOfMotion, RepeatedCallsGiveTheSameBits) {
  for_each_tree(
      *GetParam(),
      [](Case& c) {
        const auto q2 = random_configuration(c.model, c.seed + 7);
        Workspace fresh(c.model);
        for (Workspace* w : {&c.work, &fresh, &c.work}) {
          EXPECT_TRUE(identical(VectorXd(inverse_dynamics(c.model, *w, c.q, c.v, c.a)),
                                VectorXd(inverse_dynamics(c.model, fresh, c.q, c.v, c.a))));
          EXPECT_TRUE(identical(VectorXd(forward_dynamics(c.model, *w, c.q, c.v, c.tau)),
                                VectorXd(forward_dynamics(c.model, fresh, c.q, c.v, c.tau))));
          EXPECT_TRUE(identical(MatrixXd(coriolis_matrix(c.model, *w, c.q, c.v)),
                                MatrixXd(coriolis_matrix(c.model, fresh, c.q, c.v))));
          EXPECT_TRUE(identical(MatrixXd(inverse_mass_matrix(c.model, *w, c.q)),
                                MatrixXd(inverse_mass_matrix(c.model, fresh, c.q))));
          EXPECT_TRUE(identical(MatrixXd(regressor(c.model, *w, c.q, c.v, c.a)),
                                MatrixXd(regressor(c.model, fresh, c.q, c.v, c.a))));
          inverse_mass_matrix(c.model, c.work, q2);
          coriolis_matrix(c.model, c.work, q2, c.a);
          forward_dynamics(c.model, c.work, q2, c.a, c.v);
        }
      },
      200);
}

}  // namespace
}  // namespace lissom::test::equations_of_motion
