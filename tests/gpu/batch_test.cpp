// Batches on a device, which is a fake one: its kernels are the real ones, compiled for the processor. Reference: the
// library's kernels in lanes.
#include "lissom/gpu/batch.h"

#include <cmath>

#include "fake_device.h"
#include "largest.h"
#include "lissom/api/load.h"
#include "lissom/api/state.h"
#include "lissom/gpu/compiled_kernel.h"

namespace lissom::test::gpu_batch {
namespace {

using gpu::Batch;
using gpu::BatchOptions;
using gpu::Where;

Model robot(const std::string& file, Base base = Base::file) {
  return load(std::string(LISSOM_MODELS_DIR) + "/" + file, {.base = base});
}

template <class S>
void fill(const Model& model, Batch<S>& batch, long robots) {
  for (const auto& array : batch.arrays()) {
    if (array.written && array.name != "a" && array.name != "tau") continue;
    batch::Rows<S> rows(robots, array.rows);
    std::srand(7);
    for (long k = 0; k < robots; ++k)
      if (array.name == "q")
        rows.row(k) = random_configuration(model, std::uint64_t(k) + 1).template cast<S>();
      else
        rows.row(k) = batch::Rows<S>::Random(1, array.rows);
    batch.upload(array.name, rows);
  }
}

// The largest difference of any element, relative to the largest element of the same robot. NaN counts as infinite.
template <class S>
double difference(const batch::Rows<S>& a, const batch::Rows<S>& b) {
  double worst = 0;
  for (long k = 0; k < a.rows(); ++k) {
    const double scale = larger(1e-300, double(largest(b.row(k))));
    for (long i = 0; i < a.cols(); ++i) {
      const double d = std::abs(double(a(k, i)) - double(b(k, i))) / scale;
      worst = d >= 0 ? std::max(worst, d) : INFINITY;
    }
  }
  return worst;
}

template <class S>
void expect_same(const Model& model, const std::vector<std::string>& algorithms, double tolerance,
                 const std::optional<gpu::KernelOptions>& kernel = {}) {
  constexpr long robots = 150;  // more than a block, and no multiple of one
  BatchOptions options;
  options.kernel = kernel;
  Batch<S> device(model, algorithms, robots, options);
  ASSERT_EQ(device.where(), Where::device) << device.description();
  Batch<S> cpu(model, algorithms, robots, {.place = BatchOptions::Place::cpu, .threads = 2});
  ASSERT_EQ(cpu.where(), Where::cpu);
  for (const auto& algorithm : algorithms) {
    fill(model, device, robots), fill(model, cpu, robots);
    device.run(algorithm, robots, nullptr, S(0.01)), cpu.run(algorithm, robots, nullptr, S(0.01));
    for (const auto& info : device.kernels()) {
      if (info.algorithm != algorithm) continue;
      ASSERT_FALSE(info.writes.empty());
      for (const auto& array : info.writes) {
        const auto& about = *std::ranges::find(device.arrays(), array, &gpu::ArrayInfo::name);
        if (about.between_stages) continue;
        const auto columns = about.rows;
        batch::Rows<S> x(robots, columns), y(robots, columns);
        device.download(array, x), cpu.download(array, y);
        EXPECT_GT(largest(y), 0) << algorithm;
        EXPECT_LE(difference(x, y), tolerance) << model.name() << ": " << algorithm << ", " << array;
      }
    }
  }
}

const std::vector<std::string> dynamics = {"rnea", "bias", "crba", "aba", "step", "placements"};

class GpuBatch : public FakeDevice {};

TEST_F(GpuBatch, ArmInDouble) {
  expect_same<double>(robot("arm7.urdf"), dynamics, 1e-12);
}
TEST_F(GpuBatch, ArmInFloat) {
  expect_same<float>(robot("arm7.urdf"), dynamics, 1e-4);
}
const std::vector<std::string> products = {"rnea_jvp", "rnea_vjp", "aba_jvp", "aba_vjp"};

TEST_F(GpuBatch, Products) {
  expect_same<double>(robot("arm7.urdf"), products, 1e-11);
  expect_same<double>(robot("arm7.urdf"), {"d_rnea", "d_aba"}, 1e-11);
  expect_same<double>(robot("quadruped.urdf", Base::free), products, 1e-11,
                      gpu::KernelOptions{.single_precision = false, .roll_limbs = true});
}
// Against differences, and against each other: the processor's reference for products is traced from the same
// templates.
TEST_F(GpuBatch, ProductsAreDerivatives) {
  const auto model = robot("quadruped.urdf", Base::free);
  const int n = model.nv();
  constexpr double h = 1e-6;
  Batch<double> batch(model, {"aba", "rnea", "rnea_jvp", "rnea_vjp", "aba_jvp", "aba_vjp"}, 3);
  using Rows = batch::Rows<double>;
  Rows q(3, model.nq());
  const Eigen::VectorXd q0 = random_configuration(model, 3);
  const Rows v = Rows::Random(1, n), a = Rows::Random(1, n), tau = Rows::Random(1, n), dq = Rows::Random(1, n),
             dv = Rows::Random(1, n), d3 = Rows::Random(1, n), weights = Rows::Random(1, n);
  // Robots 0 and 1 are moved along the direction, robot 2 stays.
  const auto three = [&](const Rows& x, const Rows& dx) {
    Rows rows(3, n);
    rows << x + h * dx, x - h * dx, x;
    return rows;
  };
  const Eigen::VectorXd step = dq.row(0).transpose();
  q << integrate(model, q0, step, h).transpose(), integrate(model, q0, step, -h).transpose(), q0.transpose();
  batch.upload("q", q), batch.upload("v", three(v, dv)), batch.upload("dq", dq.replicate(3, 1));
  batch.upload("dv", dv.replicate(3, 1)), batch.upload("weights", weights.replicate(3, 1));
  Rows found(3, n), change(3, n), of_q(3, n), of_v(3, n), of_3(3, n);
  for (const bool forward : {false, true}) {
    const std::string in = forward ? "tau" : "a", out = forward ? "a" : "tau", name = forward ? "aba" : "rnea";
    batch.upload(in, three(forward ? tau : a, d3)), batch.upload("d" + in, d3.replicate(3, 1));
    batch.run(name, 3);
    batch.download(out, found);
    batch.run(name + "_jvp", 3);
    batch.download("d" + out, change);
    const Rows difference = (found.row(0) - found.row(1)) / (2 * h);
    EXPECT_LE((change.row(2) - difference).norm(), 1e-6 * difference.norm()) << name;
    batch.run(name + "_vjp", 3);
    batch.download("gradient_q", of_q), batch.download("gradient_v", of_v), batch.download("gradient_" + in, of_3);
    const double along = of_q.row(2).dot(dq.row(0)) + of_v.row(2).dot(dv.row(0)) + of_3.row(2).dot(d3.row(0));
    const double expected = weights.row(0).dot(change.row(2));
    EXPECT_NEAR(along, expected, 1e-10 * (of_q.row(2).norm() * dq.norm())) << name;
  }
}
// A robot whose derivatives are divided into stages: the matrices, times a direction, are the product.
TEST_F(GpuBatch, DerivativesInStages) {
  const auto model = robot("humanoid.urdf", Base::free);
  const int n = model.nv();
  EXPECT_GT(gpu::trace_stages(model, codegen::Algorithm::d_rnea, {}).size(), 3u);
  Batch<double> batch(model, {"d_rnea", "rnea_jvp"}, 2, {.place = BatchOptions::Place::cpu});
  fill(model, batch, 2);
  batch.run("d_rnea", 2), batch.run("rnea_jvp", 2);
  using Rows = batch::Rows<double>;
  Rows Dq(2, n * n), Dv(2, n * n), M(2, n * n), dq(2, n), dv(2, n), da(2, n), dtau(2, n);
  batch.download("dtau_dq", Dq), batch.download("dtau_dv", Dv), batch.download("M", M);
  batch.download("dq", dq), batch.download("dv", dv), batch.download("da", da), batch.download("dtau", dtau);
  for (int k = 0; k < 2; ++k) {
    const auto times = [&](const Rows& matrix, const Rows& x) -> Eigen::VectorXd {
      return Eigen::Map<const Rows>(matrix.row(k).data(), n, n) * x.row(k).transpose();
    };
    const Eigen::VectorXd sum = times(Dq, dq) + times(Dv, dv) + times(M, da);
    EXPECT_LE((sum - dtau.row(k).transpose()).norm(), 1e-11 * sum.norm());
    EXPECT_GT(sum.norm(), 1);
  }
}
// The kernel that solves for columns: limbs at rest, groups that share columns, blocks that are not full.
TEST_F(GpuBatch, ForwardDerivativesOfALeggedRobot) {
  expect_same<double>(robot("quadruped.urdf", Base::free), {"d_aba"}, 1e-11);
}
TEST_F(GpuBatch, DerivativesOfForwardDynamics) {
  const auto model = robot("quadruped.urdf", Base::free);
  const int n = model.nv();
  Batch<double> batch(model, {"d_aba", "aba_jvp"}, 2, {.place = BatchOptions::Place::cpu});
  fill(model, batch, 2);
  batch.run("d_aba", 2), batch.run("aba_jvp", 2);
  using Rows = batch::Rows<double>;
  Rows Dq(2, n * n), Dv(2, n * n), Dtau(2, n * n), dq(2, n), dv(2, n), dtau(2, n), da(2, n);
  batch.download("da_dq", Dq), batch.download("da_dv", Dv), batch.download("da_dtau", Dtau);
  batch.download("dq", dq), batch.download("dv", dv), batch.download("dtau", dtau), batch.download("da", da);
  for (int k = 0; k < 2; ++k) {
    const auto times = [&](const Rows& matrix, const Rows& x) -> Eigen::VectorXd {
      return Eigen::Map<const Rows>(matrix.row(k).data(), n, n) * x.row(k).transpose();
    };
    const Eigen::VectorXd sum = times(Dq, dq) + times(Dv, dv) + times(Dtau, dtau);
    EXPECT_LE((sum - da.row(k).transpose()).norm(), 1e-10 * sum.norm());
    EXPECT_GT(sum.norm(), 1);
  }
}
TEST_F(GpuBatch, QuadrupedInLoops) {
  for (const bool tile : {false, true})
    expect_same<double>(
        robot("quadruped.urdf", Base::free), {"rnea", "aba", "step"}, 1e-12,
        gpu::KernelOptions{.single_precision = false, .roll_limbs = true, .tile = tile, .repeat_sincos = tile});
}
TEST_F(GpuBatch, HumanoidStraightAndInLoops) {
  const auto model = robot("humanoid.urdf", Base::free);
  expect_same<double>(model, {"rnea", "aba"}, 1e-12, gpu::KernelOptions{.single_precision = false});
  expect_same<double>(model, {"rnea", "bias", "aba"}, 1e-12,
                      gpu::KernelOptions{.single_precision = false,
                                         .threads = 64,
                                         .roll_limbs = true,
                                         .tile = true,
                                         .repeat_sincos = true,
                                         .synchronize = true});
}
TEST_F(GpuBatch, EveryJointType) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(LISSOM_MODELS_DIR) + "/mechanisms")) {
    if (entry.path().extension() != ".urdf") continue;
    const auto model = load(entry.path().string());
    if (model.nv() == 0) continue;
    expect_same<double>(model, {"rnea", "aba", "step"}, 1e-11);
    ++count;
  }
  EXPECT_GE(count, 3);
}

TEST_F(GpuBatch, LoopsAreFound) {
  const auto model = robot("humanoid.urdf", Base::free);
  const auto source = gpu::kernel_source(gpu::tracer(model, codegen::Algorithm::aba), {.roll_limbs = true});
  ASSERT_EQ(source.loops.size(), 2u);
  for (const auto& limbs : source.loops) EXPECT_EQ(limbs.size(), 2u);
  const auto straight = gpu::kernel_source(gpu::tracer(model, codegen::Algorithm::aba), gpu::KernelOptions{});
  EXPECT_LT(double(source.text.size()), 0.75 * double(straight.text.size()));
}

TEST_F(GpuBatch, CallersArraysAndChains) {
  const auto model = robot("arm7.urdf");
  constexpr long robots = 10;
  Batch<double> batch(model, {"rnea", "aba"}, robots);
  fill(model, batch, robots);
  // rnea writes tau, from which aba finds the acceleration again; into an array of the caller's.
  batch::Rows<double> a(robots, model.nv());
  batch.download("a", a);
  const long pitch = 16;
  std::vector<double> memory(std::size_t(pitch * model.nv()) + 2, 7.);
  double* const data = memory.data() + (reinterpret_cast<std::uintptr_t>(memory.data()) % 16 == 0 ? 0 : 1);
  batch.run("rnea", robots);
  const gpu::CallerArray<double> given[] = {{"a", data, pitch}};
  batch.run("aba", robots, nullptr, 0, given);
  batch.wait();
  for (long k = 0; k < robots; ++k)
    for (int i = 0; i < model.nv(); ++i) EXPECT_NEAR(data[i * pitch + k], a(k, i), 1e-9);
  for (int i = 0; i < model.nv(); ++i) EXPECT_EQ(data[i * pitch + robots], 7.);  // nothing beyond the robots
}

TEST_F(GpuBatch, OtherRobotsStayAsTheyAre) {
  const auto model = robot("arm7.urdf");
  Batch<float> batch(model, {"rnea"}, 100);
  fill(model, batch, 100);
  batch.run("rnea", 100);
  batch::Rows<float> before(100, 7), after(100, 7);
  batch.download("tau", before);
  batch.upload("q", batch::Rows<float>::Zero(30, 7));
  batch.run("rnea", 50);
  batch.download("tau", after);
  EXPECT_NE(before.topRows(30), after.topRows(30));
  EXPECT_EQ(before.bottomRows(70), after.bottomRows(70));
}

TEST_F(GpuBatch, AnglesOutOfRangeAndNaNDisturbNoOther) {
  const auto model = robot("arm7.urdf");
  Batch<double> batch(model, {"rnea"}, 4);
  fill(model, batch, 4);
  batch::Rows<double> q(4, 7), good(4, 7), tau(4, 7);
  batch.download("q", q);
  batch.run("rnea", 4);
  batch.download("tau", good);
  q(1, 3) = NAN, q(2, 1) = 1e12;
  batch.upload("q", q);
  batch.run("rnea", 4);
  batch.download("tau", tau);
  EXPECT_EQ(tau.row(0), good.row(0));
  EXPECT_EQ(tau.row(3), good.row(3));
  EXPECT_TRUE(std::isnan(tau(1, 3)));
  EXPECT_TRUE(std::isnan(tau(2, 1)));
  // Large angles within the range are reduced exactly.
  q.row(1) = q.row(0), q.row(2) = q.row(0);
  q(2, 4) += 2 * M_PI * 1e4;
  batch.upload("q", q);
  batch.run("rnea", 4);
  batch.download("tau", tau);
  EXPECT_TRUE(tau.allFinite());
}

TEST_F(GpuBatch, StepsInTurns) {
  const auto model = robot("quadruped.urdf", Base::free);
  Batch<double> device(model, {"step"}, 5), cpu(model, {"step"}, 5, {.place = BatchOptions::Place::cpu});
  fill(model, device, 5), fill(model, cpu, 5);
  for (int i = 0; i < 20; ++i)
    for (auto* const batch : {&device, &cpu}) {
      batch->run("step", 5, nullptr, 1e-3);
      batch->swap("q", "q1"), batch->swap("v", "v1");
    }
  batch::Rows<double> x(5, model.nq()), y(5, model.nq());
  device.download("q", x), cpu.download("q", y);
  EXPECT_LE(difference(x, y), 1e-11);
}

}  // namespace
}  // namespace lissom::test::gpu_batch
