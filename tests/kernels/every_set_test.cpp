// Every table of every instruction set that the processor has, against the same table of another set. A set that it
// lacks is skipped, with words: nothing is compared with itself.
#include "every_set.h"

#include <cstdlib>
#include <sstream>

#include "lissom/ik/evaluator.h"
#include "lissom/ik/tables.h"
#include "lissom/qp/tables.h"

namespace lissom::test::every_set {
namespace {

template <class Kind>
Kernels<typename Kind::Number> kernels_of(InstructionSet set) {
  return {TABLE_OF(set, core_table<Kind>), TABLE_OF(set, matrix_table<Kind>), TABLE_OF(set, derivative_table<Kind>)};
}

INSTANTIATE_TEST_SUITE_P(All, EverySet,
                         testing::Values(InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512),
                         [](const auto& tested) { return name_of(tested.param); });

const TreeOptions trees{.max_joints = 20, .armature = 0.2, .mimic = 0.2};
const TreeOptions short_trees{.max_joints = 8, .armature = 0.2, .mimic = 0.2};  // for float, as in EveryScalar

RUNS_KERNELS(OneRobot, "kernels_core_OneRobot kernels_matrices_OneRobot kernels_derivatives_OneRobot");
TEST_P(EverySet, OneRobot) {
  const auto table = kernels_of<OneRobot>(set);
  EXPECT_STREQ(table.instruction_set, name_of(set));
  compare(table, 1, 1, kernels_of<OneRobot>(other), trees, 1e-11, 1e-8);
}
RUNS_KERNELS(LanesOfDoubles, "kernels_core_DoubleLanes kernels_matrices_DoubleLanes kernels_derivatives_DoubleLanes");
TEST_P(EverySet, LanesOfDoubles) {
  const auto table = kernels_of<DoubleLanes>(set);
  EXPECT_STREQ(table.instruction_set, name_of(set));
  compare(table, table.width, table.width, kernels_of<OneRobot>(other), trees, 1e-11, 1e-8);
}
RUNS_KERNELS(LanesOfFloats, "kernels_core_FloatLanes kernels_matrices_FloatLanes kernels_derivatives_FloatLanes");
TEST_P(EverySet, LanesOfFloats) {
  const auto table = kernels_of<FloatLanes>(set);
  EXPECT_STREQ(table.instruction_set, name_of(set));
  compare(table, table.width, table.width, kernels_of<OneRobot>(other), short_trees, 1e-4, 2e-2);
}

template <class S>
void expect_rows_come_back(const Kernels<S>& table) {
  Random random(1);
  for (const int n : {1, 3, 7, 8, 17, 40})
    for (int robots = 1; robots <= table.width; ++robots) {
      const int stride = n + 5;
      std::vector<S> rows(std::size_t(robots * stride)), back(rows.size(), S(7));
      for (auto& x : rows) x = S(random.uniform(-1, 1));
      Buffer<S> lanes(n * table.width);
      table.to_lanes(rows.data(), stride, robots, n, lanes.at);
      for (int i = 0; i < n; ++i)
        for (int l = 0; l < table.width; ++l)
          ASSERT_EQ(lanes.at[i * table.width + l], rows[std::size_t(std::min(l, robots - 1) * stride + i)]);
      table.to_rows(lanes.at, robots, n, back.data(), stride);
      for (int r = 0; r < robots; ++r)
        for (int i = 0; i < stride; ++i) {
          const auto at = std::size_t(r * stride + i);
          ASSERT_EQ(back[at], i < n ? rows[at] : S(7)) << "robot " << r << ", element " << i << " of " << n;
        }
    }
  std::vector<S> numbers(100, S(1));
  for (int n = 1; n <= 100; ++n)
    for (const S bad : {std::numeric_limits<S>::quiet_NaN(), std::numeric_limits<S>::infinity()}) {
      const auto at = std::size_t(random.integer(0, n - 1));
      EXPECT_TRUE(table.finite(numbers.data(), n));
      numbers[at] = bad;
      EXPECT_FALSE(table.finite(numbers.data(), n)) << at << " of " << n;
      numbers[at] = 1;
    }
}
TEST_P(EverySet, RowsAndLanes) {
  expect_rows_come_back(kernels_of<OneRobot>(set));
  expect_rows_come_back(kernels_of<DoubleLanes>(set));
  expect_rows_come_back(kernels_of<FloatLanes>(set));
}

std::pair<VectorXd, VectorXd> integrator_results(const IntegratorKernels& k, Case& c) {
  const ModelView<double> view(c.model);
  const auto scratch = k.scratch(view);
  const int nv = c.model.nv();
  Buffer<double> q0(c.model.nq() + padding), q1(c.model.nq() + padding), v1(nv + padding), begin(nv + padding),
      end(nv + padding);
  const VectorXd next = integrate(c.model, c.q, c.a, 1e-2);
  std::copy_n(c.q.data(), c.q.size(), q0.at), std::copy_n(next.data(), next.size(), q1.at);
  std::copy_n(c.a.data(), nv, v1.at);
  k.discrete_momenta(view, *scratch, q0.at, q1.at, v1.at, 1e-2, begin.at, end.at);
  return {Eigen::Map<VectorXd>(begin.at, nv), Eigen::Map<VectorXd>(end.at, nv)};
}
RUNS_KERNELS(Integrators, "kernels_integrators");
TEST_P(EverySet, Integrators) {
  for_each_tree(
      trees,
      [&](Case& c) {
        const auto [begin, end] = integrator_results(TABLE_OF(set, integrator_table), c);
        const auto [begin_other, end_other] = integrator_results(TABLE_OF(other, integrator_table), c);
        EXPECT_TRUE(close(begin, begin_other, 1e-11));
        EXPECT_TRUE(close(end, end_other, 1e-11));
      },
      100);
}

// Derivatives of kinematics, and the derivatives of gradients.
std::vector<VectorXd> second_order_results(const SecondOrderKernels& k, Case& c) {
  const ModelView<double> view(c.model);
  const auto scratch = k.scratch(view);
  const int nv = c.model.nv();
  const double point[] = {0.1, -0.2, 0.3};
  std::vector<VectorXd> all{VectorXd(6 * nv * nv), VectorXd(6 * (nv + padding)), VectorXd(9 * nv * nv)};
  Buffer<double> q(c.model.nq() + padding), v(nv + padding), a(nv + padding), weights(nv + padding);
  std::copy_n(c.q.data(), c.q.size(), q.at), std::copy_n(c.v.data(), nv, v.at), std::copy_n(c.a.data(), nv, a.at);
  std::copy_n(c.tau.data(), nv, weights.at);
  k.jacobian_derivatives(view, *scratch, q.at, c.model.body_count(), point, all[0].data());
  k.centroidal_derivatives(view, *scratch, q.at, v.at, all[1].data());
  all[1].conservativeResize(6 * nv);
  k.rnea_second_order(view, *scratch, q.at, v.at, a.at, weights.at, all[2].data());
  return all;
}
RUNS_KERNELS(SecondOrder, "kernels_second_order");
TEST_P(EverySet, SecondOrder) {
  for_each_tree(
      trees,
      [&](Case& c) {
        const auto found = second_order_results(TABLE_OF(set, second_order_table), c),
                   expected = second_order_results(TABLE_OF(other, second_order_table), c);
        for (std::size_t i = 0; i < found.size(); ++i) EXPECT_TRUE(close(found[i], expected[i], 1e-10));
      },
      30);
}

// Residuals, their Jacobian and a damped step, of the robot in each lane.
std::vector<Results> ik_results(const ik::IkKernels<double>& k, const Model& model, ik::TargetKind kind,
                                const std::vector<VectorXd>& q, const std::vector<Pose<double>>& poses) {
  const ik::TargetRows<double> target{.kind = kind, .of = model.body_count(), .of_placement = {.p = {0.1, 0.2, 0.3}}};
  ik::Evaluator evaluator(model, k, {&target, 1}, nullptr);
  const int width = k.width, rows = evaluator.height(), columns = evaluator.columns();
  auto x = evaluator.make_iterate();
  for (int l = 0; l < width; ++l) {
    evaluator.set_target_pose(l, 0, poses[std::size_t(l)]);
    for (int i = 0; i < model.nq(); ++i) x.q[std::size_t(i * width + l)] = q[std::size_t(l)][i];
  }
  evaluator.evaluate(x);
  Buffer<double> lower(columns * width), upper(columns * width), damping(width), d(columns * width),
      buffer(ik::damped_step_buffer_size(rows, columns) * width);
  std::fill_n(lower.at, columns * width, -0.3), std::fill_n(upper.at, columns * width, 0.2);
  std::fill_n(damping.at, width, 1e-2);
  k.damped_step({rows, columns, x.J.data(), x.e.data(), lower.at, upper.at, damping.at, buffer.at, d.at});
  std::vector<Results> all;
  for (int l = 0; l < width; ++l) {
    const auto lane = [&](const double* from, int n) {
      VectorXd one(n);
      for (int i = 0; i < n; ++i) one[i] = from[i * width + l];
      return one;
    };
    all.push_back(
        {{{"e", lane(x.e.data(), rows)}, {"J", lane(x.J.data(), rows * columns)}, {"d", lane(d.at, columns)}}});
  }
  return all;
}
RUNS_KERNELS(InverseKinematics, "ik_kernels");
TEST_P(EverySet, InverseKinematics) {
  for_each_tree(
      {.max_joints = 12},
      [&](Case& c) {
        Random random(c.seed);
        const auto kind = ik::TargetKind(c.seed % 5);
        std::vector<VectorXd> q;
        std::vector<Pose<double>> poses;
        for (std::uint64_t l = 0; l < 16; ++l) {
          q.push_back(random_configuration(c.model, c.seed * 100 + l));
          poses.push_back(random.pose());
        }
        for (const auto& table : {TABLE_IN(set, ik, single_ik_table), TABLE_IN(set, ik, lane_ik_table)}) {
          const auto found = ik_results(table, c.model, kind, q, poses);
          for (std::size_t l = 0; l < found.size(); ++l) {
            const auto expected =
                ik_results(TABLE_IN(other, ik, single_ik_table), c.model, kind, {q[l]}, {poses[l]})[0];
            for (const auto& [name, numbers] : expected.all)
              EXPECT_TRUE(close(found[l][name], numbers, name == "d" ? 1e-8 : 1e-11))
                  << name << " in lane " << l << " of " << table.width << ", target " << int(kind);
          }
        }
      },
      200);
}

// Calls every function of a table of quadratic programs.
Results qp_results(const qp::Kernels& k, int n, std::uint64_t seed) {
  Random random(seed);
  const int size = qp::padded(n), rows = random.integer(1, 12), first = qp::block_start(random.integer(0, n - 1));
  Buffer<double> M(size * size), H(size * size), W(size * size), x(size), y(size), out(size), more(size), c(size);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) M.at[i * size + j] = random.uniform(-1, 1);
    x.at[i] = random.uniform(-1, 1), y.at[i] = random.uniform(-1, 1), c.at[i] = random.uniform(-1, 1);
  }
  Results r;
  const auto keep = [&](const char* name, const double* from, int count) {
    r.all.emplace_back(name, VectorXd(Eigen::Map<const VectorXd>(from, count)));
  };
  const auto keep_one = [&](const char* name, double number) {
    r.all.emplace_back(name, VectorXd::Constant(1, number));
  };
  const int count = std::min(rows, n);
  std::vector<double> part(x.at, x.at + n);
  std::fill(part.begin(), part.begin() + first, 0.0);
  qp::Columns columns;
  keep_one("take", k.take(part.data(), n, out.at, &columns)), keep("taken", out.at, size);
  keep_one("first", columns.first), keep_one("last", columns.last);
  keep_one("reach", k.reach(part.data(), 0, n)), keep_one("reach of zeros", k.reach(part.data(), 0, first));
  k.scale(x.at, y.at, out.at, size), keep("scale", out.at, size);
  keep_one("dot", k.dot(x.at, y.at, size));
  k.multiply(0.7, x.at, out.at, size), keep("multiply", out.at, size);
  k.add(-0.3, y.at, out.at, size), keep("add", out.at, size);
  k.times(M.at, size, count, x.at, out.at, first, size), keep("times", out.at, count);
  k.times_two(M.at, size, count, {x.at, y.at}, {out.at, more.at}, first, size);
  keep("times two: first", out.at, count), keep("times two: second", more.at, count);
  std::copy_n(x.at, size, out.at), std::copy_n(y.at, size, more.at);
  k.add_rows(M.at, size, count, -1, c.at, out.at, first, size), keep("add rows", out.at, size);
  k.subtract_rows_two(M.at, size, count, {c.at, x.at}, {out.at, more.at}, first, size);
  keep("subtract rows: first", out.at, size), keep("subtract rows: second", more.at, size);
  std::vector<int> list;
  for (int i = 0; i < count; ++i) list.push_back(random.integer(0, n - 1));
  k.add_listed(M.at, size, count, list.data(), c.at, out.at, first, size), keep("add listed", out.at, size);
  k.rotate(out.at, more.at, 0.6, 0.8, size), keep("rotate: a", out.at, size), keep("rotate: b", more.at, size);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) H.at[i * size + j] = k.dot(M.at + i * size, M.at + j * size, size) + (i == j);
  const std::vector<double> min_pivot(std::size_t(n), 1e-12);
  keep_one("factor", k.factor(H.at, W.at, size, 0, n, min_pivot.data()));
  for (int i = 0; i < n; ++i) keep("U", H.at + i * size + i, n - i), keep("W", W.at + i * size + i, n - i);
  return r;
}
RUNS_KERNELS(QuadraticPrograms, "qp_kernels");
TEST_P(EverySet, QuadraticPrograms) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const int n = int(seed % 60) + 1;
    const auto found = qp_results(TABLE_IN(set, qp, kernel_table), n, seed);
    const auto expected = qp_results(TABLE_IN(other, qp, kernel_table), n, seed);
    for (std::size_t i = 0; i < expected.all.size(); ++i)
      EXPECT_TRUE(close(found.all[i].second, expected.all[i].second, 1e-11)) << expected.all[i].first;
  }
}

// A group of kernels that CMake compiles for each set, but no test runs, is forgotten.
TEST(EverySetComplete, EveryGroupOfKernelsIsRun) {
  std::set<std::string> compiled, run;
  std::istringstream groups(LISSOM_KERNEL_GROUPS);
  for (std::string group; groups >> group;) compiled.insert(group);
  for (const auto& [group, test] : runs()) {
    run.insert(group);
    const auto& all = *testing::UnitTest::GetInstance();
    bool found = false;
    for (int i = 0; i < all.total_test_suite_count(); ++i)
      for (int j = 0; j < all.GetTestSuite(i)->total_test_count(); ++j)
        found |= all.GetTestSuite(i)->GetTestInfo(j)->name() == test + "/baseline";
    EXPECT_TRUE(found) << "no test " << test;
  }
  EXPECT_FALSE(compiled.empty());
  EXPECT_EQ(run, compiled) << "groups that are run, and those that lissom_kernels() makes";
}

}  // namespace
}  // namespace lissom::test::every_set
