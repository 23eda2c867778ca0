#include "lissom/stance/stance.h"

#include "lissom/stance/stance_search.h"

namespace lissom {

namespace {

// If the first start fails, this many stances from other starts are compared, and the one nearest to `from` is taken.
constexpr int enough = 3;

// Compares by status, then by how near the stance is to `from`, or how little it violates.
bool better(const Stance& a, const Stance& b) {
  if ((a.status == StanceStatus::found) != (b.status == StanceStatus::found)) return a.status == StanceStatus::found;
  if (a.status == StanceStatus::found) return a.posture_distance < b.posture_distance;
  if (a.status != b.status) return int(a.status) > int(b.status);
  if (a.status == StanceStatus::torque_limits) return a.max_torque_use < b.max_torque_use;
  return a.status == StanceStatus::not_balanced && a.balance_margin > b.balance_margin;
}

}  // namespace

const char* to_string(StanceStatus status) {
  constexpr const char* words[] = {"found", "no_posture", "not_balanced", "torque_limits"};
  return words[int(status)];
}

Stance find_stance(const Model& model, const StanceProblem& problem) {
  stance::StanceSetup setup(model, problem);
  stance::StanceSearch search(setup);
  Stance best;
  const auto with_remarks = [&] {
    best.remarks = setup.remarks;
    return best;
  };
  if (search.certainly_unbalanced(best)) return with_remarks();
  int found = 0, iterations = 0;
  double missed = 0;
  for (int k = 0; k < problem.starts && found < enough; ++k) {
    auto stance = search.attempt(search.start(k));
    iterations += stance.iterations;
    stance.iterations = iterations;
    stance.starts = k + 1;
    found += stance.status == StanceStatus::found ? k == 0 ? enough : 1 : 0;
    const bool nearer =
        stance.status == StanceStatus::no_posture && best.status == stance.status && search.missed() < missed;
    if (k == 0 || better(stance, best) || nearer) best = std::move(stance), missed = search.missed();
    best.iterations = iterations, best.starts = k + 1;
    if (problem.stop && problem.stop()) break;
  }
  return with_remarks();
}

}  // namespace lissom
