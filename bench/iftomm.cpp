// The IFToMM multibody benchmark A01 … A05 (models/iftomm): for each problem the tolerance, the number of steps, the
// processor time, and the error relative to the reference solution.
#include "iftomm.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace {

using namespace lissom;
using namespace lissom::iftomm;

void run(const Problem& problem, double tolerance, double min_step) {
  auto [system, x] = iftomm::start(problem);
  auto method =
      sim::integrator(system.model(), "dopri5",
                      {.relative_tolerance = tolerance, .absolute_tolerance = tolerance, .min_step = min_step});
  const double before = energy(system, x);
  const auto start = std::clock();
  long evaluations = 0;
  for (const auto& mark : problem.marks) {
    method->step(system, x, mark.t - x.t);
    evaluations += method->evaluations();
    const auto found = problem.read(system, x);
    const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf(
        "%-20s tolerance %-7.2g  t = %-5g error %.1e  gap %.0e  energy %+.1e J  %7ld evaluations  %8.3f s   %.10f\n",
        problem.name, tolerance, x.t, error(found, mark),
        system.loops() ? system.loops()->gap(system.model(), system.work(), x.q) : 0, energy(system, x) - before,
        evaluations, seconds, found[0]);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (const auto& problem : problems()) {
    if (argc > 1 && std::string(problem.name).find(argv[1]) == std::string::npos) continue;
    try {
      run(problem, argc > 2 ? std::atof(argv[2]) : problem.tolerance, argc > 3 ? std::atof(argv[3]) : 0);
    } catch (const Error& e) {
      std::printf("%-20s %s\n", problem.name, e.what());
    }
  }
}
