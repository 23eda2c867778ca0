#include "lissom/qp/elastic.h"

#include <cmath>

namespace lissom::qp {
namespace {

// σ in proportion to the largest number on the diagonal of H.
constexpr double stiffness = 1e6;
// |v| has settled when a round makes it smaller by less than this part of it. (Further rounds may still move x far
// along directions in which almost nothing is gained.)
constexpr double small_change = 1e-9;
constexpr double negligible = 1e-9;

}  // namespace

void Relaxation::begin(const Hessian& hessian) {
  before_ = -1;
  dual_.keep();
  dual_.soften(stiffness * hessian.largest());
  dual_.start(true);
}

bool Relaxation::settled() {
  double sum = 0;
  for (int i = 0; i < rows_.size(); ++i) {
    if (rows_.weight(i) > 0) continue;
    const double v = (dual_.give(i) * dual_.multipliers()[i] - dual_.moved()[i]) / rows_.length(i);
    sum += v * v;
  }
  const bool first = before_ < 0;
  before_ = first ? 0 : now_;
  now_ = std::sqrt(sum);
  return !first && std::abs(before_ - now_) <= small_change * now_;
}

bool Relaxation::none() const {
  return now_ <= negligible;
}

void Relaxation::next() {
  for (int i = 0; i < rows_.size(); ++i)
    if (rows_.weight(i) == 0) dual_.moved()[i] = dual_.give(i) * dual_.multipliers()[i];
}

}  // namespace lissom::qp
