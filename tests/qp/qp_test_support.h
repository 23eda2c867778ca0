#pragma once
// Random problems of all kinds that are hard for an active-set method; and the conditions of optimality.
#include <cstdlib>
#include <ctime>
#include <random>

#include <gtest/gtest.h>

#include "largest.h"
#include "lissom/qp/solver.h"

namespace lissom::qp::test {

using lissom::test::larger;
using lissom::test::largest;
using lissom::test::smaller;

struct Data {
  Matrix H, A, C;
  Eigen::VectorXd g, b, l, u, lx, ux, weight;
  Problem problem() const {
    return {.H = H, .g = g, .A = A, .b = b, .C = C, .l = l, .u = u, .lx = lx, .ux = ux, .weight = weight};
  }
  Sizes sizes() const { return {int(g.size()), int(b.size()), int(l.size())}; }
};

// How long f takes, in seconds of the processor: what others do on the machine does not count.
template <class F>
double processor_time(const F& f) {
  const auto begin = std::clock();
  f();
  return double(std::clock() - begin) / CLOCKS_PER_SEC;
}

// n variables, nothing else.
inline Data unconstrained(const Matrix& H, const Eigen::VectorXd& g) {
  const auto n = g.size();
  Data d{H,
         Matrix(0, n),
         Matrix(0, n),
         g,
         {},
         {},
         {},
         Eigen::VectorXd::Constant(n, -unbounded),
         Eigen::VectorXd::Constant(n, unbounded),
         {}};
  return d;
}

struct Random {
  std::mt19937_64 engine;
  explicit Random(std::uint64_t seed) : engine(seed) {}
  double normal() { return std::normal_distribution<double>()(engine); }
  double between(double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine); }
  int integer(int a, int b) { return std::uniform_int_distribution<int>(a, b)(engine); }
  bool chance(double p) { return between(0, 1) < p; }
  Eigen::VectorXd vector(int n) {
    Eigen::VectorXd v(n);
    for (auto& x : v) x = normal();
    return v;
  }
  Matrix matrix(int m, int n) {
    Matrix M(m, n);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) M(i, j) = normal();
    return M;
  }
};

struct Kind {
  bool semidefinite = false, degenerate = false, duplicates = false, scaled = false, blocks = false, soft = false;
};

inline Kind random_kind(Random& r) {
  return {r.chance(0.2), r.chance(0.4), r.chance(0.3), r.chance(0.25), r.chance(0.5), false};
}

inline void bound_at_random(Random& r, const Kind& kind, double value, double& l, double& u) {
  const auto away = [&] { return kind.degenerate && r.chance(0.5) ? 0.0 : std::abs(r.normal()); };
  l = r.chance(0.7) ? value - away() : -unbounded;
  u = r.chance(0.7) ? value + away() : unbounded;
  if (r.chance(0.05)) l = u = value;
}

inline Matrix random_hessian(Random& r, const Kind& kind, int n) {
  Matrix H = Matrix::Zero(n, n);
  for (int at = 0; at < n;) {
    const int size = kind.blocks ? r.integer(1, n - at) : n;
    const Matrix M = r.matrix(size, kind.semidefinite ? r.integer(0, size) : size + 1);
    H.block(at, at, size, size) = M * M.transpose();
    at += size;
  }
  if (!kind.semidefinite) H.diagonal().array() += 1e-3;
  return H;
}

// Feasible by construction: all rows hold at a point that was chosen first.
inline Data random_problem(Random& r, const Kind& kind, int most = 12) {
  const int n = r.integer(1, most), me = r.integer(0, n / 2), mi = r.integer(0, 2 * n);
  Data d = unconstrained(random_hessian(r, kind, n), r.vector(n));
  const Eigen::VectorXd inside = r.vector(n);
  d.A = r.matrix(me, n), d.C = r.matrix(mi, n);
  if (kind.duplicates) {
    for (int i = 1; i < me; ++i)
      if (r.chance(0.3)) d.A.row(i) = r.normal() * d.A.row(r.integer(0, i - 1));
    for (int i = 1; i < mi; ++i)
      if (r.chance(0.3)) d.C.row(i) = (r.chance(0.5) ? 1 : r.normal()) * d.C.row(r.integer(0, i - 1));
    if (me > 0 && mi > 0) d.C.row(0) = d.A.row(0);
  }
  if (kind.scaled) {
    for (int i = 0; i < me; ++i) d.A.row(i) *= std::pow(10, r.between(-3, 3));
    for (int i = 0; i < mi; ++i) d.C.row(i) *= std::pow(10, r.between(-3, 3));
  }
  d.b = d.A * inside;
  const Eigen::VectorXd rows = d.C * inside;
  d.l.resize(mi), d.u.resize(mi), d.weight = Eigen::VectorXd(0);
  for (int i = 0; i < mi; ++i) {
    // In proportion to the row, so that it binds.
    bound_at_random(r, kind, 0, d.l[i], d.u[i]);
    const double length = d.C.row(i).norm();
    if (d.l[i] > -unbounded) d.l[i] = rows[i] + length * d.l[i];
    if (d.u[i] < unbounded) d.u[i] = rows[i] + length * d.u[i];
  }
  for (int i = 0; i < n; ++i) bound_at_random(r, kind, inside[i], d.lx[i], d.ux[i]);
  // Without curvature everywhere, bounds on all sides keep the optimum from running away.
  if (kind.semidefinite)
    for (int i = 0; i < n; ++i) {
      if (d.lx[i] <= -unbounded) d.lx[i] = inside[i] - 3;
      if (d.ux[i] >= unbounded) d.ux[i] = inside[i] + 3;
    }
  return d;
}

// The largest term of the gradient. Multipliers that cancel each other count up to a thousand times the others: huge
// ones would excuse every error.
inline double size_of_terms(const Data& d, const Solution& s) {
  // (H x has rounding errors in proportion to x.)
  const double terms =
      larger(larger(1e-12, largest(d.g)), larger(largest(d.H * s.x), 1e-6 * largest(d.H) * largest(s.x)));
  double multipliers = largest(s.bound_multipliers);
  for (int i = 0; i < d.l.size(); ++i)
    multipliers = larger(multipliers, std::abs(s.row_multipliers[i]) * d.C.row(i).norm());
  for (int i = 0; i < d.b.size(); ++i)
    multipliers = larger(multipliers, std::abs(s.equality_multipliers[i]) * d.A.row(i).norm());
  return larger(terms, smaller(multipliers, 1e3 * terms));
}

// The conditions of optimality, from the definition and the answer alone.
inline void expect_optimal(const Data& d, const Solution& s, const std::string& what) {
  ASSERT_EQ(s.status, Status::optimal) << what << ": " << s.reason;
  const Eigen::VectorXd x = s.x, Cx = d.C * x;
  const Eigen::VectorXd pull =
      d.A.transpose() * s.equality_multipliers + d.C.transpose() * s.row_multipliers + s.bound_multipliers;
  const double scale = size_of_terms(d, s);
  EXPECT_LE(largest(d.H * x + d.g - pull), 1e-9 * scale) << what;
  for (int i = 0; i < d.b.size(); ++i)
    EXPECT_LE(std::abs(d.A.row(i).dot(x) - d.b[i]), 1e-8 * std::max(1.0, d.A.row(i).norm()))
        << what << ", equality " << i;
  const auto row = [&](double value, double l, double u, double z, double w, double length, const std::string& name) {
    const double margin = 1e-6 * std::max(1.0, length), s_i = w > 0 ? z / w : 0;
    EXPECT_GE(value + s_i, l - margin) << what << name;
    EXPECT_LE(value + s_i, u + margin) << what << name;
    // A multiplier has its bound's sign, and is there only at the bound.
    EXPECT_TRUE(z * length <= 1e-7 * scale || value + s_i <= l + margin) << what << name;
    EXPECT_TRUE(z * length >= -1e-7 * scale || value + s_i >= u - margin) << what << name;
  };
  for (int i = 0; i < d.l.size(); ++i)
    row(Cx[i], d.l[i], d.u[i], s.row_multipliers[i], d.weight.size() ? d.weight[i] : 0, d.C.row(i).norm(),
        ", row " + std::to_string(i));
  for (int i = 0; i < d.lx.size(); ++i)
    row(x[i], d.lx[i], d.ux[i], s.bound_multipliers[i], 0, 1, ", bound " + std::to_string(i));
}

// LISSOM_LONG=1 in the environment tries many more.
inline int trials(int quick, int many) {
  return std::getenv("LISSOM_LONG") ? many : quick;
}

}  // namespace lissom::qp::test
