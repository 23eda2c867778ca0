// Time of the contact solver on problems of a walking machine (tests/support/contact_problems.h) with 4 to 12 contacts:
// cold, from impulses 0; and warm, from those of the step before. Prints a table as in bench/RESULTS.md.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "contact_problems.h"
#include "lissom/contact/fixed_sweeps.h"
#include "lissom/contact/solver.h"
#include "lissom/math/aligned_memory.h"

namespace {

using namespace lissom;

struct Tally {
  std::vector<double> times;  // µs
  long sweeps = 0, factorizations = 0, unsolved = 0;
  double worst = 0;

  void print(const char* name) {
    std::sort(times.begin(), times.end());
    const auto n = double(times.size());
    double sum = 0;
    for (const double t : times) sum += t;
    std::printf("| %s | %.1f | %.2f | %.2f | %.2f | %.2f | %.1f | %ld of %.0f | %.0e |\n", name, double(sweeps) / n,
                double(factorizations) / n, times[times.size() / 2], sum / n, times[times.size() * 99 / 100],
                times.back(), unsolved, n, worst);
  }
};

// The best of three repetitions, as other processes disturb.
contact::Report timed(contact::Solver& solver, const contact::Problem<double>& problem, const Eigen::VectorXd& start,
                      Eigen::VectorXd& p, Eigen::VectorXd& u, const contact::Settings& settings, Tally& tally) {
  using Clock = std::chrono::steady_clock;
  double best = 1e9;
  contact::Report report;
  for (int i = 0; i < 3; ++i) {
    p = start;
    const auto begin = Clock::now();
    report = solver.solve(problem, p.data(), u.data(), settings);
    best = std::min(best, std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
  }
  tally.times.push_back(best);
  tally.sweeps += report.sweeps;
  tally.factorizations += report.factorizations;
  tally.unsolved += !report.converged();
  tally.worst = std::max(tally.worst, report.residual);
  return report;
}

void run(int first, int last, const contact::Settings& settings, const char* method) {
  contact::ProblemBuffer<double> buffer(64, 32);
  contact::Solver solver(64, 32);
  Tally cold, warm;
  for (int seed = 0; seed < 60; ++seed)
    for (int contacts = first; contacts <= last; ++contacts) {
      test::WalkingMachine machine(std::uint64_t(seed * 100 + contacts), contacts, seed % 3);
      Eigen::VectorXd p, u;
      for (int step = 0; step < 12; ++step) {
        const auto data = machine.next(0.002, step ? &p : nullptr);
        data.write(buffer);
        const Eigen::VectorXd zero = Eigen::VectorXd::Zero(data.rows()), start = step ? p : zero;
        u = zero;
        if (step == 0 || step == 11) timed(solver, buffer.problem(), zero, p, u, settings, cold);
        Tally ignored;
        timed(solver, buffer.problem(), start, p, u, settings, step > 1 ? warm : ignored);
      }
    }
  char name[100];
  std::snprintf(name, sizeof name, "%d–%d, cold, %s", first, last, method);
  cold.print(name);
  std::snprintf(name, sizeof name, "%d–%d, warm, %s", first, last, method);
  warm.print(name);
}

// Eight sweeps over 12 contacts, as many worlds at once as a register has lanes; µs per world.
template <class T>
double in_lanes(int worlds) {
  constexpr int contacts = 12, rows = 3 * contacts;
  contact::ProblemBuffer<T> buffer(rows, contacts);
  contact::FixedSweeps<T> solver(rows, contacts);
  for (int i = 0; i < contacts; ++i) buffer.add(contact::cone(0, T(Number<T>(0.8))));
  const auto set = [](T& x, int lane, double value) {
    if constexpr (lanes_of<T> == 1)
      x = T(value);
    else
      x.set(lane, Number<T>(value));
  };
  for (int w = 0; w < worlds; ++w) {
    const auto data = test::WalkingMachine(std::uint64_t(w), contacts, 0).next(0.002);
    for (int i = 0; i < rows; ++i) {
      set(buffer.b(i), w, data.b[i]);
      for (int j = 0; j < rows; ++j) set(buffer.G(i, j), w, data.G(i, j));
    }
  }
  double best = 1e9;
  const AlignedMemory<T> p{std::size_t(rows)}, u{std::size_t(rows)};
  for (int repetition = 0; repetition < 200; ++repetition) {
    for (int i = 0; i < rows; ++i) p.data()[i] = T(Number<T>(0));
    const auto begin = std::chrono::steady_clock::now();
    solver.solve(buffer.problem(), 8, p.data(), u.data(), T(Number<T>(1e6)));
    best = std::min(best, std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
  }
  return best / worlds;
}

}  // namespace

int main() {
  std::puts("| contacts | sweeps | factorizations | median µs | mean | p99 | max | unsolved | worst residual |");
  std::puts("|---|---|---|---|---|---|---|---|---|");
  for (const auto& [first, last] : {std::pair(1, 3), std::pair(4, 6), std::pair(7, 9), std::pair(10, 12)})
    run(first, last, {}, "sweeps and Newton");
  contact::Settings sweeps_alone;
  sweeps_alone.max_factorizations = 0, sweeps_alone.max_sweeps = 2000;
  run(4, 12, sweeps_alone, "sweeps alone, at most 2000");
  contact::Settings fixed;
  fixed.fixed_sweeps = 8;
  run(4, 12, fixed, "8 sweeps");
  std::printf(
      "\n8 sweeps, 12 contacts, cold, µs per world: double %.2f, float %.2f, lanes of double %.2f, of float %.2f\n",
      in_lanes<double>(1), in_lanes<float>(1), in_lanes<contact::DoubleLanes>(lanes_of<contact::DoubleLanes>),
      in_lanes<contact::FloatLanes>(lanes_of<contact::FloatLanes>));
}
