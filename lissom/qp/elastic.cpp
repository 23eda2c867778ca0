#include "lissom/qp/elastic.h"

#include <algorithm>
#include <cmath>

namespace lissom::qp {
namespace {

// σ in proportion to the largest number on the diagonal of H.
constexpr double stiffness = 1e6;
constexpr int rounds = 30;
// x changes by less than this in proportion to its length.
constexpr double settled = 1e-9;

}  // namespace

bool relax(Dual& dual, const Constraints& rows, const Hessian& hessian, const double* gradient, int limit) {
  dual.keep();
  dual.soften(stiffness * hessian.largest());
  dual.aim(gradient);
  dual.start_cold();
  dual.take_last();
  double before = 0;
  for (int round = 0; round < rounds; ++round) {
    dual.settle();
    if (dual.climb(limit + dual.iterations()) != Dual::End::optimal) return false;
    double length = 0, change = 0;
    for (int i = 0; i < rows.variables(); ++i) length += dual.x()[i] * dual.x()[i];
    change = std::abs(length - before);
    before = length;
    if (round > 0 && change <= settled * (1 + length)) return true;
    for (int i = 0; i < rows.size(); ++i)
      if (rows.weight(i) == 0) dual.moved()[i] = dual.give(i) * dual.multipliers()[i];
  }
  return false;
}

}  // namespace lissom::qp
