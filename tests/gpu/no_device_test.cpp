// Where there is no device: the same calls on the processor.
#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

#include "lissom/api/dynamics.h"
#include "lissom/api/load.h"
#include "lissom/api/state.h"
#include "lissom/gpu/batch.h"

namespace lissom::test::gpu_no_device {
namespace {

class NoDevice : public ::testing::Test {
 protected:
  NoDevice() { ::setenv("LISSOM_CUDA_DRIVER", "/nonexistent/libcuda.so", 1); }
};

TEST_F(NoDevice, SaysSo) {
  EXPECT_TRUE(gpu::devices().empty());
  EXPECT_NE(gpu::why_no_device().find("no CUDA driver was found"), std::string::npos) << gpu::why_no_device();
  EXPECT_THROW(gpu::Device(0), Error);
}

TEST_F(NoDevice, ComputesOnTheProcessor) {
  const auto model = load(std::string(LISSOM_MODELS_DIR) + "/humanoid.urdf", {.base = Base::free});
  constexpr long robots = 37;
  gpu::Batch<double> batch(model, {"aba", "crba", "placements"}, robots, {.threads = 3});
  EXPECT_EQ(batch.where(), gpu::Where::cpu);
  EXPECT_NE(batch.description().find("no CUDA driver"), std::string::npos);
  EXPECT_TRUE(batch.kernels().empty());
  batch::Rows<double> q(robots, model.nq()), v(robots, model.nv()), tau(robots, model.nv()), a(robots, model.nv()),
      M(robots, model.nv() * model.nv());
  for (long k = 0; k < robots; ++k) q.row(k) = random_configuration(model, std::uint64_t(k));
  v.setRandom(), tau.setRandom();
  batch.upload("q", q), batch.upload("v", v), batch.upload("tau", tau);
  batch.run("aba", robots);
  batch.run("crba", robots);
  batch.download("a", a);
  batch.download("M", M);
  Workspace work(model);
  for (long k = 0; k < robots; ++k) {
    const Eigen::VectorXd qk = q.row(k).transpose(), vk = v.row(k).transpose(), tk = tau.row(k).transpose();
    const Eigen::VectorXd expected = forward_dynamics(model, work, qk, vk, tk);
    EXPECT_LE((a.row(k).transpose() - expected).norm(), 1e-10 * expected.norm());
    const Eigen::MatrixXd mass = mass_matrix(model, work, qk);
    const Eigen::Map<const batch::Rows<double>> found(M.row(k).data(), model.nv(), model.nv());
    EXPECT_LE((found - mass).norm(), 1e-12 * mass.norm());
  }
}

TEST_F(NoDevice, OrRefuses) {
  const auto model = load(std::string(LISSOM_MODELS_DIR) + "/arm7.urdf");
  EXPECT_THROW(gpu::Batch<float>(model, {"aba"}, 5, {.place = gpu::BatchOptions::Place::device}), Error);
}

}  // namespace
}  // namespace lissom::test::gpu_no_device
