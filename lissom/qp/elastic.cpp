#include "lissom/qp/elastic.h"

#include <algorithm>
#include <cmath>

namespace lissom::qp {
namespace {

// σ in proportion to the largest number on the diagonal of H.
constexpr double stiffness = 1e6;
constexpr int rounds = 20;
// |v| has settled when a round makes it smaller by less than this part of it. (Further rounds may still move x far
// along directions in which almost nothing is gained.)
constexpr double settled = 1e-9;
// So small a relaxation is none.
constexpr double none = 1e-10;

// The lengths of the rows' relaxations, in proportion to those of the rows.
double relaxation(Dual& dual, const Constraints& rows) {
  double sum = 0;
  for (int i = 0; i < rows.size(); ++i) {
    if (rows.weight(i) > 0) continue;
    const double v = (dual.give(i) * dual.multipliers()[i] - dual.moved()[i]) / rows.length(i);
    sum += v * v;
  }
  return std::sqrt(sum);
}

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
    const double now = relaxation(dual, rows);
    if (now <= none || (round > 0 && before - now <= settled * now)) return true;
    before = now;
    for (int i = 0; i < rows.size(); ++i)
      if (rows.weight(i) == 0) dual.moved()[i] = dual.give(i) * dual.multipliers()[i];
  }
  return true;
}

}  // namespace lissom::qp
