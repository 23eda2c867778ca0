#include "lissom/io/write/possible_inertia.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lissom::io::write {
namespace {

using Vectors = std::array<std::array<double, 3>, 3>;

// Principal moments, and axes as columns, by Jacobi's rotations.
std::array<double, 3> principal_moments(const Sym3<double>& I, Vectors& axes) {
  Vectors a = {{{I.xx, I.xy, I.xz}, {I.xy, I.yy, I.yz}, {I.xz, I.yz, I.zz}}};
  axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  constexpr int max_sweeps = 30;
  for (int sweep = 0; sweep < max_sweeps; ++sweep)
    for (std::size_t p = 0; p < 2; ++p)
      for (std::size_t q = p + 1; q < 3; ++q) {
        if (a[p][q] == 0) continue;
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::hypot(theta, 1.));
        const double c = 1 / std::hypot(t, 1.), s = t * c;
        for (std::size_t k = 0; k < 3; ++k) {
          const double x = a[k][p], y = a[k][q];
          a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
        }
        for (std::size_t k = 0; k < 3; ++k) {
          const double x = a[p][k], y = a[q][k];
          a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
          const double u = axes[k][p], v = axes[k][q];
          axes[k][p] = c * u - s * v, axes[k][q] = s * u + c * v;
        }
        a[p][q] = a[q][p] = 0;
      }
  return {a[0][0], a[1][1], a[2][2]};
}

}  // namespace

Sym3<double> possible_inertia(const Sym3<double>& I, double least) {
  Vectors axes{};
  const auto moments = principal_moments(I, axes);
  auto changed = moments;
  for (double& m : changed) m = std::max(m, least);
  const std::size_t c = std::size_t(std::ranges::max_element(changed) - changed.begin());
  const std::size_t a = (c + 1) % 3, b = (c + 2) % 3;
  // MuJoCo computes the moments anew, with rounding.
  constexpr double margin = 1e-14;
  const double missing = changed[c] * (1 + margin) - changed[a] - changed[b];
  if (missing > 0 && changed[c] > (changed[a] + changed[b]) * (1 - margin))
    changed[a] += missing / 2 + margin * changed[c], changed[b] += missing / 2 + margin * changed[c];
  if (changed == moments) return I;
  const auto element = [&](std::size_t i, std::size_t j) {
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) sum += axes[i][k] * (changed[k] - moments[k]) * axes[j][k];
    return sum;
  };
  return {I.xx + element(0, 0), I.xy + element(0, 1), I.xz + element(0, 2),
          I.yy + element(1, 1), I.yz + element(1, 2), I.zz + element(2, 2)};
}

}  // namespace lissom::io::write
