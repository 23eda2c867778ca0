#include "lissom/walking/step_adaptation.h"

#include <algorithm>
#include <limits>

namespace lissom::walking {

namespace {

StepSolution with_duration(const StepProblem& p, double seconds) {
  StepSolution s;
  s.seconds = seconds;
  const double growth = std::exp(p.omega * seconds), late = seconds - p.seconds;
  s.cost = p.time_weight * late * late;
  for (int i = 0; i < 2; ++i) {
    const double wanted = p.foothold[i] + p.offset[i];
    double excess = p.pressure[i] + (p.dcm[i] - p.pressure[i]) * growth - wanted;
    const double free = std::clamp(excess, p.offset_min[i] - p.offset[i], p.offset_max[i] - p.offset[i]);
    excess -= free;
    const double shift = growth > 1 + 1e-9 ? std::clamp(excess / (growth - 1), p.pressure_min[i] - p.pressure[i],
                                                        p.pressure_max[i] - p.pressure[i])
                                           : 0;
    s.pressure[i] = p.pressure[i] + shift;
    excess -= (growth - 1) * shift;
    s.dcm[i] = wanted + free + excess;
    s.foothold[i] = std::clamp(p.foothold[i] + excess, p.foothold_min[i], p.foothold_max[i]);
    const double moved = s.foothold[i] - p.foothold[i];
    s.offset_error[i] = excess - moved;
    s.cost += p.foothold_weight * moved * moved + p.offset_weight * s.offset_error[i] * s.offset_error[i];
  }
  return s;
}

}  // namespace

StepSolution adapt_step(const StepProblem& p, int candidates) {
  StepSolution best = with_duration(p, std::clamp(p.seconds, p.seconds_min, std::max(p.seconds_min, p.seconds_max)));
  for (int i = 0; i < candidates; ++i) {
    const double part = candidates > 1 ? double(i) / (candidates - 1) : 0;
    const auto s = with_duration(p, p.seconds_min + part * std::max(0.0, p.seconds_max - p.seconds_min));
    if (s.cost < best.cost) best = s;
  }
  return best;
}

}  // namespace lissom::walking
