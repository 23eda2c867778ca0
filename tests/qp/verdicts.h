#pragma once
// What an answer is worth, from its definition and without a second solver: an answer that satisfies the conditions of
// optimality is optimal, whoever found it; and a point of which the distance from all rows has no slope is as near to
// them as can be, so that rows which it misses cannot all be met. A million problems can be judged like this.
#include <string>

#include "largest.h"
#include "qp_test_support.h"

namespace lissom::qp::test {

using lissom::test::larger;
using lissom::test::largest;
using lissom::test::smaller;

// How far x is from the rows, each in proportion to its length, and the slope of half its square.
struct Distance {
  double v = 0, most = 0;  // of all rows together; the largest, in proportion to the length where that is more than 1
  double slope = 0;
};

inline Distance distance(const Data& d, const Eigen::VectorXd& x) {
  Distance result;
  Eigen::VectorXd slope = Eigen::VectorXd::Zero(x.size());
  const auto add = [&](double value, double l, double u, double length) {
    const double out = value >= l && value <= u ? 0 : value < l ? value - l : value - u;
    result.v += out * out / (length * length);
    result.most = larger(result.most, std::abs(out) / std::max(1.0, length));
    return out / (length * length);
  };
  const auto length = [](const auto& row) { return row.norm() > 0 ? row.norm() : 1; };
  for (int i = 0; i < d.b.size(); ++i)
    slope += add(d.A.row(i).dot(x), d.b[i], d.b[i], length(d.A.row(i))) * d.A.row(i).transpose();
  for (int i = 0; i < d.l.size(); ++i)
    slope += add(d.C.row(i).dot(x), d.l[i], d.u[i], length(d.C.row(i))) * d.C.row(i).transpose();
  for (int i = 0; i < x.size(); ++i) slope[i] += add(x[i], d.lx[i], d.ux[i], 1);
  result.v = std::sqrt(result.v), result.slope = slope.norm();
  return result;
}

// Below this nothing may be called a contradiction; above it, everything must be that no relaxation of this size mends.
constexpr double tolerance = 1e-8;

// Why x is not the best of the points that meet all rows, or nothing.
inline std::string not_best(const Data& d, const Solution& s) {
  const Eigen::VectorXd x = s.x, Hx = d.H * x;
  const Eigen::VectorXd pull =
      d.A.transpose() * s.equality_multipliers + d.C.transpose() * s.row_multipliers + s.bound_multipliers;
  const double scale = size_of_terms(d, s);
  if (!(largest(Hx + d.g - pull) <= 1e-9 * scale)) return "gradient";
  for (int i = 0; i < d.b.size(); ++i)
    if (!(std::abs(d.A.row(i).dot(x) - d.b[i]) <= 1.01e-8 * std::max(1.0, d.A.row(i).norm()))) return "equality";
  const auto good = [&](double value, double l, double u, double z, double length) {
    const double margin = 1.01e-6 * std::max(1.0, length);
    return value >= l - margin && value <= u + margin && (z * length <= 1e-7 * scale || value <= l + margin) &&
           (z * length >= -1e-7 * scale || value >= u - margin);
  };
  for (int i = 0; i < d.l.size(); ++i)
    if (!good(d.C.row(i).dot(x), d.l[i], d.u[i], s.row_multipliers[i], d.C.row(i).norm()))
      return "row " + std::to_string(i) + ": value " + std::to_string(d.C.row(i).dot(x)) + " of " +
             std::to_string(d.l[i]) + " … " + std::to_string(d.u[i]) + ", multiplier " +
             std::to_string(s.row_multipliers[i]) + " of " + std::to_string(scale);
  for (int i = 0; i < x.size(); ++i)
    if (!good(x[i], d.lx[i], d.ux[i], s.bound_multipliers[i], 1)) return "bound";
  return "";
}

// Why `optimal` is wrong, or nothing.
inline std::string not_optimal(const Data& d, const Solution& s) {
  if (s.status != Status::optimal) return std::string(to_string(s.status)) + " " + s.reason;
  return not_best(d, s);
}

// Bounds relaxed by as much as x misses them.
inline Data relaxed_to(Data d, const Eigen::VectorXd& x) {
  const auto move = [](double value, double& l, double& u) {
    if (l >= u) l = u = value;  // an equality, or bounds that have crossed
    l = smaller(l, value), u = larger(u, value);
  };
  d.b = d.A * x;
  for (int i = 0; i < d.l.size(); ++i) move(d.C.row(i).dot(x), d.l[i], d.u[i]);
  for (int i = 0; i < x.size(); ++i) move(x[i], d.lx[i], d.ux[i]);
  return d;
}

// Why `elastic` is wrong, or nothing. The smallest relaxation is asked for once more without the best point under it:
// as f = ½ v² is convex, v is larger than the smallest by no more than slope / v · distance to where that is, which is
// taken for no more than a hundred times x.
inline std::string not_elastic(const Data& d, const Solution& s) {
  if (s.status != Status::elastic) return std::string(to_string(s.status)) + " " + s.reason;
  Solver solver(d.sizes());
  const auto& least = solver.solve(d.problem(), {.elastic = false});
  const auto ours = distance(d, s.x);
  if (least.status != Status::infeasible && !(ours.most <= 10 * tolerance))
    return std::string("elastic, but then ") + to_string(least.status);
  const auto found = distance(d, least.x);
  // About as large as a tolerance: either is right.
  if (found.most <= 10 * tolerance) return "";
  const double reach = 100 * (1 + least.x.norm());
  // (Of x, 1e-16 is rounding.)
  const double more = larger(0.0, found.slope / found.v - 1e-15 * reach / found.v) * reach;
  if (!(more <= 1e-5 * found.v + 10 * tolerance)) return "not the smallest relaxation: slope " + std::to_string(more);
  if (found.v < 0.1 * tolerance) return "elastic, though nothing is missed";
  if (!(ours.v <= found.v * (1 + 1e-6) + 1e-6)) return "x misses the rows by more than the least";
  const auto why = not_best(relaxed_to(d, s.x), s);
  return why.empty() ? "" : "not the best of the points that miss the rows least: " + why;
}

}  // namespace lissom::qp::test
