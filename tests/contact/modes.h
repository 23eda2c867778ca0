#pragma once
// One or two contacts solved by enumeration: each is open, sticks, or slips in some direction; the directions of slip
// start from a grid and are refined.
#include <optional>

#include "contact_test_support.h"

namespace lissom::contact::test {

/// Impulses for given modes: -1 open, -2 sticks, ≥ 0: slips with that direction of p_t. Empty where the system is
/// singular.
inline std::optional<VectorXd> impulses_in_mode(const ContactData& data, const std::vector<double>& modes) {
  const long n = data.rows();
  MatrixXd A = MatrixXd::Identity(n, n);
  VectorXd rhs = VectorXd::Zero(n);
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const long row = 3 * long(i);
    if (modes[i] == -1) continue;
    A.row(row) = data.G.row(row), rhs[row] = -data.b[row];
    for (long k = 1; k < 3; ++k) {
      if (modes[i] == -2) {
        A.row(row + k) = data.G.row(row + k), rhs[row + k] = -data.b[row + k];
      } else {
        A(row + k, row) = -data.blocks[i].friction * (k == 1 ? std::cos(modes[i]) : std::sin(modes[i]));
      }
    }
  }
  const Eigen::FullPivLU<MatrixXd> lu(A);
  if (!lu.isInvertible()) return std::nullopt;
  return VectorXd(lu.solve(rhs));
}

/// The smallest residual of all modes that are admissible.
inline double best_by_enumeration(const ContactData& data, VectorXd& best_p) {
  constexpr double turn = 6.283185307179586;
  const std::size_t contacts = data.blocks.size();
  double best = infinity;
  const auto try_modes = [&](const std::vector<double>& modes) {
    const auto p = impulses_in_mode(data, modes);
    const double r = p ? independent_residual(data, *p) : infinity;
    if (r < best) best = r, best_p = *p;
    return r;
  };
  // The direction of p_t - u_t / g, as at a solution p_t points against u_t. With little friction, this contracts.
  const auto refine = [&](std::vector<double> modes) {
    for (int step = 0; step < 400; ++step) {
      const auto p = impulses_in_mode(data, modes);
      if (!p) return;
      const VectorXd u = data.G * *p + data.b;
      for (std::size_t i = 0; i < modes.size(); ++i) {
        if (modes[i] < 0) continue;
        const long t = 3 * long(i) + 1;
        const Eigen::Vector2d y = p->segment<2>(t) - u.segment<2>(t) / data.G(t, t);
        modes[i] = 10 * turn + std::atan2(y[1], y[0]);
      }
    }
    try_modes(modes);
  };
  std::vector<double> choices{-1, -2};
  for (int i = 0; i < 6; ++i) choices.push_back(10 * turn + turn * i / 6);  // away from 0: negative ones are modes
  for (const double first : choices)
    for (const double second : contacts > 1 ? choices : std::vector<double>{-1}) {
      std::vector<double> modes{first};
      if (contacts > 1) modes.push_back(second);
      try_modes(modes);
      if (first >= 0 || (contacts > 1 && second >= 0)) refine(modes);
    }
  return best;
}

}  // namespace lissom::contact::test
