// Converts between maximal and generalized coordinates, also with states that violate joints.
#include "lissom/formulations/conversions.h"

#include <gtest/gtest.h>

#include "close.h"
#include "largest.h"
#include "lissom/lissom.h"
#include "random_tree.h"

namespace lissom::test {
namespace {

using namespace formulations;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

TEST(Conversions, GoThereAndBack) {
  for_each_tree(
      {.mimic = 0.3},
      [](Case& c) {
        const Mechanism mechanism(c.model);
        const auto state = to_maximal(mechanism, c.q, c.v);
        // Poses and velocities are those of the fast kinematics.
        forward_kinematics(c.model, c.work, c.q, c.v);
        for (std::size_t k = 0; k < state.X.size(); ++k) {
          const auto frame = c.model.frame(mechanism.links[k].name);
          const auto V = velocity(c.model, c.work, frame);
          EXPECT_TRUE(close(to_eigen(placement(c.model, c.work, frame).p), to_eigen(state.X[k].p), 1e-11));
          EXPECT_TRUE(close(state.V[k].head<3>(), to_eigen(V.linear), 1e-11));
          EXPECT_TRUE(close(state.V[k].tail<3>(), to_eigen(V.angular), 1e-11));
        }
        const auto back = to_generalized(mechanism, state, &c.q);
        EXPECT_TRUE(close(back.q, c.q, 1e-12, larger(1.0, largest(c.q))));
        EXPECT_TRUE(close(back.v, c.v, 1e-12));
        EXPECT_LT(back.position_total, 1e-11);
        EXPECT_LT(back.velocity_total, 1e-11);
        EXPECT_EQ(back.worst(1e-9), "");
        // The general form gives the same.
        const auto general = velocities_by_least_squares(mechanism, c.q, state.V);
        EXPECT_TRUE(close(general.v, c.v, 1e-10));
        EXPECT_LT(general.residual, 1e-10);
      },
      300);
}

TEST(Conversions, NameTheViolatedJoint) {
  const auto model = load(LISSOM_MODELS_DIR "/humanoid.urdf", {.base = Base::free});
  const Mechanism mechanism(model);
  Random random(1);
  const VectorXd q = random_configuration(model, 2), v = random.vector(model.nv(), 1);
  const auto good = to_maximal(mechanism, q, v);
  int leaf = 0;
  for (int k = 0; k < int(mechanism.links.size()); ++k)
    if (mechanism.links[std::size_t(k)].type == JointType::revolute) leaf = k;
  const auto& name = mechanism.links[std::size_t(leaf)].joint;

  auto torn = good;
  torn.V[std::size_t(leaf)].head<3>() += Vector3d(0, 0.3, 0.4);
  auto g = to_generalized(mechanism, torn);
  EXPECT_NEAR(g.velocity[std::size_t(leaf)].linear, 0.5, 1e-12);
  EXPECT_NE(g.worst(1e-9).find("'" + name + "' is violated by 0.5"), std::string::npos) << g.worst(1e-9);
  // The true velocities would leave 0.5; the best leave less, but something.
  EXPECT_LE(velocities_by_least_squares(mechanism, q, torn.V).residual, 0.5 + 1e-9);
  EXPECT_GT(velocities_by_least_squares(mechanism, q, torn.V).residual, 0.1);

  auto apart = good;
  apart.X[std::size_t(leaf)].p += Vec3<double>(0.02, 0, 0);
  g = to_generalized(mechanism, apart);
  EXPECT_NEAR(g.position[std::size_t(leaf)].linear, 0.02, 1e-12);
  EXPECT_NE(g.worst(1e-9), "");  // this joint, or one between the link and a child

  auto missing = good;
  missing.X.pop_back();
  EXPECT_THROW(to_generalized(mechanism, missing), Error);
  auto skewed = good;
  skewed.X[3].R.xx += 0.1;
  try {
    to_generalized(mechanism, skewed);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(mechanism.links[3].name), std::string::npos);
  }
}

TEST(Conversions, ForcesKeepTheirPower) {
  for_each_tree(
      {},
      [](Case& c) {
        const Mechanism mechanism(c.model);
        const auto n = mechanism.links.size();
        Random random(c.seed);
        const auto vector = [&] {
          const auto u = random.vec3(1);
          return Vector3d(u.x, u.y, u.z);
        };
        std::vector<PointForce> forces;
        for (int k = 0; k < 3; ++k) forces.push_back({random.integer(0, int(n) - 1), vector(), vector()});
        std::vector<Vector3d> torques;
        for (std::size_t k = 0; k < n; ++k) torques.push_back(vector());
        const VectorXd Q = generalized_forces(mechanism, c.q, forces, torques);
        const auto on_bodies = body_torques(mechanism, c.q, torques);
        const auto state = to_maximal(mechanism, c.q, c.v);
        double power = 0, in_joints = 0;
        const MatrixXd D = difference_matrix(mechanism), R = parent_rotations(mechanism, c.q);
        VectorXd omega(3 * long(n));
        for (std::size_t k = 0; k < n; ++k) omega.segment<3>(3 * long(k)) = state.V[k].tail<3>();
        const VectorXd omega_hat = R.transpose() * D * omega;  // (65)
        for (std::size_t k = 0; k < n; ++k) {
          power += on_bodies[k].dot(state.V[k].tail<3>());
          in_joints += torques[k].dot(omega_hat.segment<3>(3 * long(k)));
        }
        EXPECT_TRUE(close(power, in_joints, 1e-12, 10.0));
        for (const auto& f : forces) {
          const auto k = std::size_t(f.link);
          const Vector3d v = state.V[k].head<3>(), w = state.V[k].tail<3>();
          power += f.force.dot(v + w.cross(f.point - to_eigen(state.X[k].p)));
        }
        EXPECT_TRUE(close(Q.dot(c.v), power, 1e-12, larger(10.0, largest(Q))));

        // The inverse: the smallest forces on the links that are equivalent to Q.
        const auto F = body_forces(mechanism, c.q, Q);
        double again = 0;
        for (std::size_t k = 0; k < n; ++k) again += F[k].dot(state.V[k]);
        EXPECT_TRUE(close(Q.dot(c.v), again, 1e-10, larger(10.0, largest(Q))));
        // Torques in the joints, except for translational axes.
        const auto joint = joint_torques(mechanism, c.q, Q);
        const VectorXd met = generalized_forces(mechanism, c.q, {}, joint.torques);
        EXPECT_TRUE(close(met + joint.unmet, Q, 1e-10, larger(1.0, largest(Q))));
      },
      200);
}

}  // namespace
}  // namespace lissom::test
