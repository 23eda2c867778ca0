#include "lissom/ik/solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lissom/ik/checks.h"

namespace lissom::ik {
namespace {

// The best of all starts is followed to its minimum with this many times the iterations of a start.
constexpr int patience = 10;
// Solutions closer than this (radians and metres, over all joints) are the same.
constexpr double same_solution = 1e-3;

std::vector<TargetRows<double>> checked(const Model& model, const std::vector<Target>& targets) {
  std::vector<TargetRows<double>> rows;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    check(model, targets[i], "targets[" + std::to_string(i) + "]");
    rows.push_back(on_bodies(model, targets[i]));
  }
  return rows;
}

const ExtraRows* checked(const ExtraRows& extra) {
  if (extra.count == 0) return nullptr;
  if (extra.count < 0 || !extra.evaluate || !(extra.tolerance > 0))
    throw Error("extra: expected a count of rows above 0, a function that evaluates them, a tolerance above 0");
  return &extra;
}

}  // namespace

const char* to_string(Status status) {
  return status == Status::solved ? "solved" : status == Status::closest ? "closest" : "stopped";
}

struct Solver::Inside {
  Model model;
  std::vector<Target> targets;
  ExtraRows extra;
  Descent descent;
  Result result;
  Eigen::VectorXd from, start, found, best;

  Inside(const Model& m, std::vector<Target> t, ExtraRows e)
      : model(m),
        targets(std::move(t)),
        extra(std::move(e)),
        descent(m, single_kernels(), checked(m, targets), checked(extra)),
        from(m.nq()),
        start(m.nq()),
        found(m.nq()),
        best(m.nq()) {
    result.q.resize(m.nq());
    result.residuals.resize(targets.size());
    for (std::size_t i = 0; i < targets.size(); ++i) descent.set_place(0, i, targets[i].place);
  }

  const SearchSpace& space() const { return descent.space(); }

  void prepare(const VectorIn& q, const Options& options) {
    expect_configuration(model, q, "from");
    expect_options(model, options);
    from = q;
    space().bring_inside(from.data());
    descent.limits() = {options.tolerance, options.iterations};
    result.iterations = result.starts = 0;
  }
  // Down from q; counts.
  Descending descend(const Eigen::VectorXd& q, bool patient) {
    descent.begin(0, q.data(), patient);
    while (descent.state(0) == Descending::on) descent.advance();
    result.iterations += descent.iterations(0);
    return descent.state(0);
  }
  Descending descend_from_start(int number, const Options& options) {
    start = from;
    if (number > 0) space().draw(Random(options.seed, std::uint64_t(number)), from.data(), start.data());
    ++result.starts;
    return descend(start, false);
  }
  void report(Status status) {
    result.status = status;
    for (std::size_t i = 0; i < targets.size(); ++i) result.residuals[i] = descent.left(0, i);
    result.extra_residual = descent.extra_left(0);
    result.error = std::sqrt(descent.cost(0));
  }
  // Follows the best of all starts to its minimum, since starts are given up early.
  void finish_closest(const Options& options) {
    descent.limits().iterations = patience * options.iterations;
    const auto end = descend(best, true);
    descent.copy_q(0, result.q.data());
    report(end == Descending::met ? Status::solved : end == Descending::minimum ? Status::closest : Status::stopped);
  }
  // Less is better.
  double score(const Options& options, const Eigen::VectorXd& q) const {
    if (options.prefer == Prefer::first) return 0;
    if (options.prefer == Prefer::central) return -space().room(q.data());
    return space().distance_squared(posture(options).data(), q.data(), true);
  }
  const Eigen::VectorXd& posture(const Options& options) const {
    return options.posture.size() > 0 ? options.posture : from;
  }

  // Calls met() with each solution in `found`, until it says that this is enough. Where there is none, `best` is the
  // end of the start that came closest.
  template <class F>
  void for_each_solution(const Options& options, F&& met) {
    double least = std::numeric_limits<double>::infinity();
    bool solved = false;
    for (int s = 0; s < options.starts; ++s) {
      if (descend_from_start(s, options) == Descending::met) {
        solved = true;
        descent.copy_q(0, found.data());
        space().unwind(posture(options).data(), found.data());
        if (met()) return;
      } else if (!solved && (s == 0 || descent.cost(0) < least)) {
        least = descent.cost(0);
        descent.copy_q(0, best.data());
      }
    }
  }
};

Solver::Solver(const Model& model, std::vector<Target> targets, ExtraRows extra)
    : inside_(std::make_unique<Inside>(model, std::move(targets), std::move(extra))) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

const std::vector<Target>& Solver::targets() const {
  return inside_->targets;
}

namespace {
Target& target_at(std::vector<Target>& targets, std::size_t i) {
  if (i >= targets.size())
    throw Error("target " + std::to_string(i) + ": this solver has " + std::to_string(targets.size()));
  return targets[i];
}
}  // namespace

void Solver::set_place(std::size_t i, const Pose<double>& place) {
  auto& w = *inside_;
  auto& target = target_at(w.targets, i);
  const auto before = target.place;
  target.place = place;
  try {
    check(w.model, target, "target");
  } catch (...) {
    target.place = before;
    throw;
  }
  w.descent.set_place(0, i, place);
}

void Solver::set_weights(std::size_t i, const Vec3<double>& linear, const Vec3<double>& angular) {
  auto& w = *inside_;
  Target changed = target_at(w.targets, i);
  changed.linear_weight = linear, changed.angular_weight = angular;
  check(w.model, changed, "target");
  w.targets[i] = changed;
  w.descent.target(i).linear_weight = linear, w.descent.target(i).angular_weight = angular;
}

const Result& Solver::solve(const VectorIn& from, const Options& options) {
  auto& w = *inside_;
  w.prepare(from, options);
  double least = std::numeric_limits<double>::infinity();
  bool solved = false;
  w.for_each_solution(options, [&] {
    const double score = w.score(options, w.found);
    if (!solved || score < least) {
      solved = true, least = score;
      w.result.q = w.found;
      w.report(Status::solved);
    }
    return options.prefer == Prefer::first;
  });
  if (!solved) w.finish_closest(options);
  return w.result;
}

std::vector<Result> Solver::solve_all(const VectorIn& from, const Options& options) {
  auto& w = *inside_;
  w.prepare(from, options);
  std::vector<Result> all;
  w.for_each_solution(options, [&] {
    const auto same = [&](const Result& other) {
      return w.space().distance_squared(other.q.data(), w.found.data(), false) < same_solution * same_solution;
    };
    if (std::ranges::none_of(all, same)) {
      w.result.q = w.found;
      w.report(Status::solved);
      all.push_back(w.result);
    }
    return false;
  });
  if (all.empty()) {
    w.finish_closest(options);
    return {w.result};
  }
  std::ranges::stable_sort(all, {}, [&](const Result& r) { return w.score(options, r.q); });
  for (auto& r : all) r.iterations = w.result.iterations, r.starts = w.result.starts;
  return all;
}

}  // namespace lissom::ik
