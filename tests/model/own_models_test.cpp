// The robots of models/.
#include <cmath>
#include <filesystem>
#include <fstream>

#include "close.h"
#include "largest.h"
#include "lissom/lissom.h"
#include "random_tree.h"

namespace lissom::test {
namespace {

using Eigen::VectorXd;
const std::filesystem::path models = LISSOM_MODELS_DIR;

TEST(OwnModels, AllLoadWithoutWarningsAndMove) {
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(models)) {
    if (entry.path().extension() != ".urdf") continue;
    SCOPED_TRACE(entry.path().string());
    ++files;
    for (const Base base : {Base::fixed, Base::free, Base::planar}) {
      const auto model = load(entry.path().string(), {.base = base});
      Workspace work(model);
      Random random(1);
      const auto q = random_configuration(model, 1);
      const VectorXd v = random.vector(model.nv(), 1), a = random.vector(model.nv(), 1);
      const VectorXd tau = inverse_dynamics(model, work, q, v, a);
      EXPECT_TRUE(tau.allFinite());
      // (A massless root that floats cannot be accelerated.)
      if (base != Base::fixed && model.links()[0].mass == 0) continue;
      EXPECT_TRUE(close(forward_dynamics(model, work, q, v, tau), a, 1e-9));
    }
  }
  EXPECT_GE(files, 15);
}

TEST(OwnModels, TheHumanoid) {
  const auto model = load((models / "humanoid.urdf").string(), {.base = Base::free});
  EXPECT_EQ(model.nv(), 36);
  EXPECT_EQ(model.nq(), 37);
  EXPECT_NEAR(model.mass(), 58.0, 1e-9);
  int moving = 0;
  for (const auto& joint : model.joints()) moving += joint.nv == 1;
  EXPECT_EQ(moving, 30);
  EXPECT_EQ(model.snapped_axes(), 0);
  // 1.54 m from the soles to the top of its shapes; the pelvis 0.765 m above the ground with straight legs.
  Workspace work(model);
  auto q = neutral(model);
  for (const auto& joint : model.joints())
    if (joint.nv == 1) q[joint.q_index] = 0;
  q[2] = 0.765;
  forward_kinematics(model, work, q);
  double low = 1, high = 0;
  for (const auto& link : model.description().links) {
    const auto X = placement(model, work, model.frame(link.name));
    for (const auto& geometry : link.visuals) {
      const auto X_WG = X * geometry.origin;
      const auto& s = geometry.shape;
      const auto R = X_WG.R;
      double half = 0;  // extent along z
      if (s.kind == Shape::Kind::box)
        half = 0.5 * (std::abs(R.zx) * s.size.x + std::abs(R.zy) * s.size.y + std::abs(R.zz) * s.size.z);
      if (s.kind == Shape::Kind::sphere) half = s.radius;
      if (s.kind == Shape::Kind::cylinder) half = 0.5 * s.length * std::abs(R.zz) + s.radius * std::hypot(R.zx, R.zy);
      low = -larger(-low, half - X_WG.p.z);
      high = larger(high, X_WG.p.z + half);
    }
  }
  EXPECT_NEAR(low, 0, 1e-6);
  EXPECT_NEAR(high, 1.54, 0.01);
}

// The two-link arm of the textbooks, links of length 1, mass 1 and inertia 1 about centers in the middle:
//   H = (7/2 + cos q2, 5/4 + ½ cos q2; ·, 5/4)
TEST(OwnModels, ThePlanarArmIsTheTextbooks) {
  const auto model = load((models / "planar2.urdf").string());
  ASSERT_EQ(model.nv(), 2);
  Workspace work(model);
  Random random(4);
  for (int k = 0; k < 100; ++k) {
    const VectorXd q = random.vector(2, 3), v = random.vector(2, 2);
    const double c2 = std::cos(q[1]), s2 = std::sin(q[1]), g = 9.81;
    Eigen::Matrix2d H;
    H << 3.5 + c2, 1.25 + 0.5 * c2, 1.25 + 0.5 * c2, 1.25;
    const Eigen::Vector2d Cv(-v[0] * v[1] * s2 - 0.5 * v[1] * v[1] * s2, 0.5 * v[0] * v[0] * s2);
    const Eigen::Vector2d G(0.5 * g * std::cos(q[0] + q[1]) + 1.5 * g * std::cos(q[0]),
                            0.5 * g * std::cos(q[0] + q[1]));
    EXPECT_TRUE(close(mass_matrix(model, work, q), H, 1e-13));
    EXPECT_TRUE(close(coriolis_matrix(model, work, q, v) * v, Cv, 1e-13));
    EXPECT_TRUE(close(gravity_forces(model, work, q), G, 1e-13));
    EXPECT_TRUE(close(bias_forces(model, work, q, v), Cv + G, 1e-13));
  }
}

TEST(OwnModels, AMissingFileIsNamed) {
  try {
    load("/no/such/robot.urdf");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("/no/such/robot.urdf"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace lissom::test
