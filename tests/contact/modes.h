#pragma once
// One or two contacts solved by enumeration: each is open, sticks, or slips in some direction; the directions of slip
// are searched on a grid and refined. Every solution is found, if there are several.
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
  // Golden descent over the directions, one after another, from each point of the grid that is not hopeless.
  const auto refine = [&](std::vector<double> modes, double r) {
    for (double step = turn / 96; step > 1e-12; step *= 0.5)
      for (int sweep = 0; sweep < 2; ++sweep)
        for (double& mode : modes) {
          if (mode < 0) continue;
          for (const double side : {-step, step}) {
            mode += side;
            const double other = mode >= 0 ? try_modes(modes) : infinity;
            if (other < r) {
              r = other;
              break;
            }
            mode -= side;
          }
        }
  };
  std::vector<double> choices{-1, -2};
  for (int i = 0; i < 48; ++i)
    choices.push_back(10 * turn + turn * i / 48);  // away from 0, so that refining stays positive
  for (const double first : choices)
    for (const double second : contacts > 1 ? choices : std::vector<double>{-1}) {
      std::vector<double> modes{first};
      if (contacts > 1) modes.push_back(second);
      const double r = try_modes(modes);
      if ((first >= 0 || (contacts > 1 && second >= 0)) && r <= 4 * best + 1e-9) refine(modes, r);
    }
  return best;
}

}  // namespace lissom::contact::test
