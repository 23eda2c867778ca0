// Every table of contacts of every instruction set. They add and multiply in the same order, without contraction: all
// give the same bits.
#include "contact_problems.h"
#include "every_set.h"
#include "lissom/contact/owned_memory.h"
#include "lissom/contact/tables.h"

namespace lissom::test::every_set {
namespace {

using contact::padded;

Results solve_and_differentiate(const contact::Kernels& k, const ContactData& data, std::uint64_t seed) {
  const int rows = data.rows(), blocks = int(data.blocks.size()), stride = padded<double>(rows + 5);
  contact::ProblemBuffer<double> buffer(rows, blocks);
  data.write(buffer);
  const auto problem = buffer.problem();
  contact::OwnedMemory owned(rows, blocks);
  Buffer<double> p(stride), u(stride), d(rows * stride), dp((rows + 4) * stride);
  const auto report = k.solve(problem, owned.memory, p.at, u.at, {});
  Results r;
  const auto keep = [&](const char* name, const double* from, int count) {
    r.all.emplace_back(name, VectorXd(Eigen::Map<const VectorXd>(from, count)));
  };
  keep("p", p.at, rows), keep("u", u.at, rows);
  r.all.emplace_back("report",
                     Eigen::Vector4d(double(report.status), report.residual, report.sweeps, report.factorizations));
  Random random(seed);
  for (int i = 0; i < rows * stride; ++i) d.at[i] = random.uniform(-1, 1);
  const contact::FrictionChange change{.block = 0, .column = 2};
  const int size = (rows + 4) * padded<double>(rows + 1);
  Buffer<double> I(size), X(size);
  const bool done = k.differentiate(problem, owned.memory, p.at, u.at, {&change, 1}, d.at, stride, dp.at, I.at, X.at);
  r.all.emplace_back("differentiated", VectorXd::Constant(1, done));
  keep("dp", dp.at, rows * stride);
  return r;
}

// A chain that branches, and rows that each move some of its joints.
Results whitened(const contact::Kernels& k, std::uint64_t seed) {
  Random random(seed);
  const int n = random.integer(1, 30), rows = random.integer(1, 40), stride = padded<double>(rows + 4);
  std::vector<int> parent, first, last;
  Buffer<double> L(n * n), scale(n), Y(n * stride), z(n), u(stride), p(stride), G(stride * stride), W(n * stride),
      U(stride * stride), P(stride * stride);
  for (int i = 0; i < n; ++i) {
    parent.push_back(i == 0 ? -1 : random.integer(0, 3) > 0 ? i - 1 : parent[std::size_t(i - 1)]);
    for (int j = parent.back(); j >= 0; j = parent[std::size_t(j)]) L.at[i * n + j] = random.uniform(-1, 1);
    L.at[i * n + i] = 1, scale.at[i] = random.uniform(0.5, 2), z.at[i] = random.uniform(-1, 1);
    first.push_back(0), last.push_back(padded<double>(rows));
    for (int c = 0; c < rows; ++c) Y.at[i * stride + c] = random.uniform(-1, 1), p.at[c] = random.uniform(-1, 1);
    for (int c = 0; c < stride; ++c) W.at[i * stride + c] = random.uniform(-1, 1);
  }
  for (int i = 0; i < stride * stride; ++i) P.at[i] = random.uniform(-1, 1);
  const contact::TreeFactor factor{.size = n, .parent = parent.data(), .L = L.at, .stride = n, .scale = scale.at};
  const contact::RowMatrix y{
      .Y = Y.at, .size = n, .stride = stride, .columns = rows, .first = first.data(), .last = last.data()},
      w{.Y = W.at, .size = n, .stride = stride, .columns = stride, .first = nullptr, .last = nullptr};
  Results r;
  const auto keep = [&](const char* name, const double* from, int count) {
    r.all.emplace_back(name, VectorXd(Eigen::Map<const VectorXd>(from, count)));
  };
  k.whiten(factor, y), keep("whiten", Y.at, n * stride);
  k.gram(y, G.at, stride);
  for (int i = 0; i < rows; ++i) keep("gram", G.at + i * stride, rows);
  k.add_velocities(y, z.at, u.at), keep("add velocities", u.at, rows);
  k.add_impulses(y, p.at, z.at), keep("add impulses", z.at, n);
  k.whiten_columns(factor, w), keep("whiten columns", W.at, n * stride);
  k.add_rows_of(y, w, U.at), keep("add rows of", U.at, rows * stride);
  k.add_rows_times(y, P.at, w), keep("add rows times", W.at, n * stride);
  k.unwhiten_columns(factor, w), keep("unwhiten columns", W.at, n * stride);
  return r;
}

void expect_same_bits(const Results& found, const Results& expected) {
  ASSERT_EQ(found.all.size(), expected.all.size());
  for (std::size_t i = 0; i < expected.all.size(); ++i)
    EXPECT_TRUE(identical(found.all[i].second, expected.all[i].second)) << expected.all[i].first;
}

RUNS_KERNELS(Contacts, "contact_kernels");
TEST_P(EverySet, Contacts) {
  const auto &found = TABLE_IN(set, contact, kernel_table), &expected = TABLE_IN(other, contact, kernel_table);
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    WalkingMachine machine(seed, int(seed % 14) + 1, int(seed % 5));
    const auto data = machine.next(1e-3);
    expect_same_bits(solve_and_differentiate(found, data, seed), solve_and_differentiate(expected, data, seed));
    expect_same_bits(whitened(found, seed), whitened(expected, seed));
  }
}

}  // namespace
}  // namespace lissom::test::every_set
