#include "lissom/ik/solver.h"

#include <algorithm>

#include "lissom/ik/checks.h"
#include "lissom/ik/search.h"
#include "lissom/model/text.h"

namespace lissom::ik {
namespace {

std::vector<TargetRows<double>> checked(const Model& model, const std::vector<Target>& targets) {
  std::vector<TargetRows<double>> rows;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    check(model, targets[i], {"targets", long(i)});
    rows.push_back(on_bodies(model, targets[i]));
  }
  return rows;
}

const ExtraRows* checked(const ExtraRows& extra) {
  if (extra.count == 0) return nullptr;
  if (extra.count < 0) throw Error("extra.count is " + std::to_string(extra.count) + ", expected 0 or more");
  if (!extra.evaluate) throw Error("extra.evaluate is empty, expected a function that writes residuals and Jacobian");
  if (!(extra.tolerance > 0))
    throw Error("extra.tolerance is " + to_text(extra.tolerance) + ", expected a positive number");
  return &extra;
}

// Which joints of the model are locked; one that a locked joint follows is locked, too.
std::vector<bool> checked(const Model& model, const std::vector<std::string>& locked) {
  std::vector<bool> joints(model.joints().size(), false);
  for (const auto& name : locked) {
    const auto& joint = model.joint(name);
    joints[std::size_t(joint.follows ? joint.follows->joint : int(&joint - model.joints().data()))] = true;
  }
  return joints;
}

}  // namespace

struct Solver::Impl {
  Model model;
  std::vector<Target> targets;
  ExtraRows extra;
  Evaluator evaluator;
  Descent descent;
  Polish polish;
  Search search;

  Impl(const Model& m, std::vector<Target> t, ExtraRows e, const std::vector<std::string>& locked)
      : model(m),
        targets(std::move(t)),
        extra(std::move(e)),
        evaluator(m, single_ik_kernels(), checked(m, targets), checked(extra), checked(m, locked)),
        descent(evaluator),
        polish(evaluator),
        search(m, targets.size()) {
    for (std::size_t i = 0; i < targets.size(); ++i) evaluator.set_target_pose(0, i, targets[i].pose);
  }

  const Result& run(const VectorIn& from, const Options& options, std::vector<Result>* all) {
    expect_configuration(model, from, {"from"});
    expect_options(model, options);
    evaluator.set_tolerance(options.tolerance);
    search.collect_into(all);
    search.begin(descent, 0, from.data(), options);
    do {
      while (descent.state(0) == DescentState::running) descent.advance();
    } while (search.proceed(descent));
    if (search.needs_polish()) search.finish(polish, evaluator);
    return search.result();
  }
};

Solver::Solver(const Model& model, std::vector<Target> targets, ExtraRows extra, const std::vector<std::string>& locked)
    : impl_(std::make_unique<Impl>(model, std::move(targets), std::move(extra), locked)) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

const std::vector<Target>& Solver::targets() const {
  return impl_->targets;
}

namespace {
Target& target_at(std::vector<Target>& targets, std::size_t i) {
  if (i >= targets.size())
    throw Error("target is " + std::to_string(i) + ", expected an index below " + std::to_string(targets.size()) +
                ", the number of targets of this solver");
  return targets[i];
}
}  // namespace

void Solver::set_target_pose(std::size_t i, const Pose<double>& pose) {
  auto& w = *impl_;
  auto& target = target_at(w.targets, i);
  const auto before = target.pose;
  target.pose = pose;
  try {
    check(w.model, target, {"targets", long(i)});
  } catch (...) {
    target.pose = before;
    throw;
  }
  w.evaluator.set_target_pose(0, i, pose);
}

void Solver::set_weights(std::size_t i, const Vec3<double>& linear, const Vec3<double>& angular) {
  auto& w = *impl_;
  Target changed = target_at(w.targets, i);
  changed.linear_weight = linear, changed.angular_weight = angular;
  check(w.model, changed, {"targets", long(i)});
  w.targets[i] = changed;
  w.evaluator.set_weights(i, linear, angular);
}

const Result& Solver::solve(const VectorIn& from, const Options& options) {
  return impl_->run(from, options, nullptr);
}

std::vector<Result> Solver::solve_all(const VectorIn& from, const Options& options) {
  std::vector<Result> all;
  const auto& best = impl_->run(from, options, &all);
  if (all.empty()) return {best};
  std::ranges::stable_sort(all, {},
                           [&](const Result& r) { return impl_->search.score(impl_->evaluator.space(), r.q); });
  for (auto& r : all) r.iterations = best.iterations, r.starts = best.starts;
  return all;
}

}  // namespace lissom::ik
