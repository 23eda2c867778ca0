// The kernel that solves for whole matrices, on a fake device, for factors of every size. Reference: Eigen.
#include "lissom/gpu/column_solve.h"

#include <algorithm>

#include "fake_device.h"
#include "lissom/gpu/compiler.h"
#include "lissom/gpu/device.h"

namespace lissom::test::gpu_column_solve {
namespace {

using gpu::ColumnSolve;
using Matrix = Eigen::MatrixXd;

// The factor of a star: chains of three coordinates on the first one. The first side lacks the rows of every fourth
// chain in every other column; the second is the identity.
ColumnSolve star(int n) {
  ColumnSolve solve{.n = n, .L = "L", .D = "D", .L_entries = {}, .sides = {}, .limb = {}};
  const auto chain = [](int i) { return (i + 2) / 3; };
  std::vector<bool> written(std::size_t(n * n), true), diagonal(std::size_t(n * n), false);
  for (int i = 0; i < n; ++i) {
    solve.limb.push_back(chain(i));
    diagonal[std::size_t(i * n + i)] = true;
    for (int j = 0; j < i; ++j)
      if (j == 0 || chain(j) == chain(i)) solve.L_entries.emplace_back(i, j);
    for (int c = 0; c < n; c += 2) written[std::size_t(i * n + c)] = chain(i) % 4 != 3;
  }
  solve.sides = {{"B", "X", written}, {"", "Y", diagonal}};
  return solve;
}

// Arrays of a kernel: a row per element, a column per robot.
using Columns = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Problem {
  int n, robots;
  Columns L, D, B;
  Problem(const ColumnSolve& solve, int count)
      : n(solve.n),
        robots(count),
        L(Columns::Constant(n * n, count, NAN)),  // (what is not written must not be read)
        D(Columns::Random(n, count).array() * .4 + 1),
        B(Columns::Constant(n * n, count, NAN)) {
    for (const auto& [i, j] : solve.L_entries) L.row(i * n + j).setRandom();
    for (int k = 0; k < n * n; ++k)
      if (solve.sides[0].written[std::size_t(k)]) B.row(k).setRandom();
  }
  static Matrix square(const Columns& of, int n, int robot) {
    Matrix m(n, n);
    for (int k = 0; k < n * n; ++k) m(k / n, k % n) = std::isnan(of(k, robot)) ? 0 : of(k, robot);
    return m;
  }
  Matrix inverse(int robot) const {
    const Matrix unit = square(L, n, robot) + Matrix::Identity(n, n);
    return (unit.transpose() * D.col(robot).asDiagonal() * unit).inverse();
  }
};

void expect_solves(const ColumnSolve& solve, const gpu::ColumnSolveOptions& options) {
  const auto source = gpu::kernel_source(solve, "solve", options);
  const auto compiler = gpu::Compiler::find();
  ASSERT_TRUE(compiler.has_value());
  const gpu::Device device;
  const auto code = compiler->compile(source.text, source.name, device.info().architecture());
  const auto kernel = device.load(code, source.name, source.shared_bytes);

  const Problem problem(solve, source.robots + 3);  // a block, and one that is not full
  const int n = solve.n, robots = problem.robots;
  Columns X = Columns::Constant(n * n, robots, NAN), inverse = X;
  const std::vector<const Columns*> arrays = {&problem.L, &problem.D, &problem.B, &X, &inverse};
  std::vector<gpu::DeviceMemory> memory;
  std::vector<void*> data, arguments;
  for (const auto* const array : arrays) {
    const auto bytes = std::size_t(array->size()) * sizeof(double);
    memory.push_back(device.allocate(bytes));
    device.copy_to_device(memory.back().data(), array->data(), bytes);
    data.push_back(memory.back().data());
  }
  int pitch = robots * int(sizeof(double)), count = robots;
  for (auto& address : data) arguments.push_back(static_cast<void*>(&address)), arguments.push_back(&pitch);
  arguments.push_back(&count);
  device.launch(kernel, unsigned((robots + source.robots - 1) / source.robots), unsigned(source.threads),
                source.shared_bytes, arguments);
  device.copy_to_host(X.data(), data[3], std::size_t(X.size()) * sizeof(double));
  device.copy_to_host(inverse.data(), data[4], std::size_t(inverse.size()) * sizeof(double));
  for (const int robot : {0, 1, source.robots - 1, source.robots, robots - 1}) {
    const Matrix expected = problem.inverse(robot), x = -expected * Problem::square(problem.B, n, robot);
    EXPECT_LE((Problem::square(inverse, n, robot) - expected).norm(), 1e-9 * expected.norm()) << n << ", " << robot;
    EXPECT_LE((Problem::square(X, n, robot) - x).norm(), 1e-9 * x.norm()) << n << ", " << robot;
    EXPECT_FALSE(X.col(robot).hasNaN() || inverse.col(robot).hasNaN());
  }
}

class GpuColumnSolve : public FakeDevice {};

TEST_F(GpuColumnSolve, OneCoordinateToMoreLimbsThanBits) {
  for (const int n : {1, 2, 103}) {
    const auto solve = star(n);
    const auto options = gpu::fastest_options(solve, false);
    EXPECT_EQ(gpu::kernel_source(solve, "solve", options).shared_bytes > 0, n > 0);
    expect_solves(solve, options);
  }
}
TEST_F(GpuColumnSolve, FactorTooLargeForSharedMemory) {
  const auto solve = star(160);
  const auto options = gpu::fastest_options(solve, false);
  EXPECT_EQ(gpu::kernel_source(solve, "solve", options).shared_bytes, 0u);
  expect_solves(solve, options);
}
TEST_F(GpuColumnSolve, EveryNumberOfColumnsAndTeams) {
  const auto solve = star(11);
  for (const int columns : {1, 4, 8})
    expect_solves(solve, {.single_precision = false, .columns = columns, .robots = 32, .teams = columns == 1 ? 1 : 3});
}

}  // namespace
}  // namespace lissom::test::gpu_column_solve
