#include "lissom/qp/elastic.h"

#include <algorithm>
#include <cmath>

namespace lissom::qp {
namespace {

// σ in proportion to the largest number on the diagonal of H.
constexpr double stiffness = 1e6;
// |v| has settled when a round makes it smaller by less than this part of it. (Further rounds may still move x far
// along directions in which almost nothing is gained.)
constexpr double small_change = 1e-9;
// No row pulls that is met, but for this part of |v|.
constexpr double small_part = 1e-5;
constexpr double negligible = 1e-9;

}  // namespace

void Relaxation::begin(const Hessian& hessian, double gradient) {
  before_ = -1;
  dual_.keep();
  // Where H may be as good as nothing, the gradient tells how hard rows have to push.
  dual_.soften(stiffness * (hessian.shift() > 0 ? std::max(hessian.largest(), gradient) : hessian.largest()));
  dual_.start(true);
}

bool Relaxation::settled() {
  // (v / length)², and the largest of a row that is met, but still pulls: its multiplier will vanish in a later round.
  double sum = 0, leaving = 0;
  for (int i = 0; i < rows_.size(); ++i) {
    if (rows_.weight(i) > 0) continue;
    const double zeta = dual_.multipliers()[i], v = (dual_.give(i) * zeta - dual_.moved()[i]) / rows_.length(i);
    sum += v * v;
    if (!rows_.fixed(i) && v * zeta < 0) leaving = std::max(leaving, std::abs(v));
  }
  const bool first = before_ < 0;
  before_ = first ? 0 : now_;
  now_ = std::sqrt(sum);
  return !first && std::abs(before_ - now_) <= small_change * now_ && leaving <= small_part * now_;
}

bool Relaxation::none() const {
  return now_ <= negligible;
}

void Relaxation::next() {
  for (int i = 0; i < rows_.size(); ++i)
    if (rows_.weight(i) == 0) dual_.moved()[i] = dual_.give(i) * dual_.multipliers()[i];
}

}  // namespace lissom::qp
