// Rows that are added in pairs give the same basis as rows that are added one by one.
#include "lissom/qp/row_basis.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace lissom::qp {
namespace {

constexpr int n = 29, max_rows = 40;

struct TestRow {
  std::vector<double> elements = std::vector<double>(padded(n), 0.0);
  Columns columns;
};

TestRow row_with(std::mt19937& random, int first, int last) {
  TestRow row;
  std::normal_distribution<double> number;
  for (int i = first; i < last; ++i) row.elements[std::size_t(i)] = number(random);
  row.columns = {block_start(first), padded(last)};
  return row;
}

// Rows one by one, or in pairs where they can be; a row that depends on others stays outside.
struct Case {
  RowBasis basis{n, max_rows};
  std::vector<double> left, lengths;
  int pairs = 0;

  Case() { basis.clear(n, 0); }
  void enter(double square) {
    left.push_back(std::sqrt(square));
    lengths.push_back(basis.length());
    if (square > 0) basis.add();
  }
  void one(const TestRow& row) {
    std::ranges::copy(row.elements, basis.row());
    enter(basis.project(row.columns, 0));
  }
  void two(const TestRow& row, const TestRow& next) {
    if (!basis.can_project_two(row.columns, next.columns)) return one(row), one(next);
    ++pairs;
    std::ranges::copy(row.elements, basis.row());
    std::ranges::copy(next.elements, basis.next_row());
    enter(basis.project_two(row.columns, next.columns));
    enter(basis.project_next());
  }
};

void expect_same(const std::vector<TestRow>& rows, int pairs) {
  Case singly, in_pairs;
  for (const auto& row : rows) singly.one(row);
  for (std::size_t i = 0; i < rows.size(); i += 2)
    i + 1 < rows.size() ? in_pairs.two(rows[i], rows[i + 1]) : in_pairs.one(rows[i]);
  EXPECT_EQ(in_pairs.pairs, pairs);
  ASSERT_EQ(in_pairs.basis.size(), singly.basis.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_NEAR(in_pairs.left[i], singly.left[i], 1e-12 * (1 + singly.lengths[i])) << "row " << i;
    EXPECT_NEAR(in_pairs.lengths[i], singly.lengths[i], 1e-13 * (1 + singly.lengths[i])) << "row " << i;
  }
  // Compares T and Q by their products: both bases span the same spaces in the same order.
  const int size = singly.basis.size();
  alignas(64) double from[padded(max_rows) + block] = {}, one[padded(max_rows) + block] = {},
                                             other[padded(max_rows) + block] = {}, w[padded(n)] = {}, u[padded(n)] = {};
  for (int i = 0; i < size; ++i) from[i] = std::sin(1.0 + i);
  singly.basis.forward(from, one);
  in_pairs.basis.forward(from, other);
  for (int i = 0; i < size; ++i) EXPECT_NEAR(other[i], one[i], 1e-9 * (1 + std::abs(one[i]))) << i;
  singly.basis.add_to(one, w);
  in_pairs.basis.add_to(one, u);
  for (int i = 0; i < n; ++i) EXPECT_NEAR(u[i], w[i], 1e-9 * (1 + std::abs(w[i]))) << i;
}

TEST(QpRowBasis, RowsInPairsAreAsGoodAsOneByOne) {
  std::mt19937 random(1);
  for (const int count : {2, 3, 8, 13, 20}) {
    std::vector<TestRow> rows;
    for (int i = 0; i < count; ++i) rows.push_back(row_with(random, 0, n));
    expect_same(rows, count / 2);
  }
}

TEST(QpRowBasis, SparseRowsAndRowsThatAreNotAlike) {
  std::mt19937 random(2);
  std::vector<TestRow> rows;
  for (int i = 0; i < 4; ++i) rows.push_back(row_with(random, 8, 13));  // alike
  rows.push_back(row_with(random, 0, 3));                               // far apart
  rows.push_back(row_with(random, 24, 29));
  for (int i = 0; i < 5; ++i) rows.push_back(row_with(random, 3, 20 + i));
  expect_same(rows, 2 + 2);
}

TEST(QpRowBasis, RowsThatDependOnEachOther) {
  std::mt19937 random(3);
  std::vector<TestRow> rows;
  for (int i = 0; i < 4; ++i) rows.push_back(row_with(random, 0, n));
  const auto sum = [&](std::size_t a, std::size_t b) {
    TestRow row = rows[a];
    for (int i = 0; i < n; ++i) row.elements[std::size_t(i)] += rows[b].elements[std::size_t(i)];
    return row;
  };
  rows.push_back(sum(0, 3));  // the first of two depends on those before
  rows.push_back(row_with(random, 0, n));
  rows.push_back(row_with(random, 0, n));  // the second on the first
  rows.push_back(rows.back());
  rows.push_back(sum(1, 2));  // both on those before
  rows.push_back(sum(0, 2));
  rows.push_back(TestRow{});  // none at all
  rows.back().columns = {0, padded(n)};
  rows.push_back(row_with(random, 0, n));
  expect_same(rows, 6);
}

}  // namespace
}  // namespace lissom::qp
