#include "lissom/ik/polish.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lissom::ik {
namespace {

// At a minimum, the residual changes along no free joint by more than this fraction per radian or meter.
constexpr double flat = 1e-9;
constexpr double difference_step = 1e-6;  // step of the finite differences for second derivatives
constexpr double first_damping = 1e-6, min_damping = 1e-12, max_damping = 1e8, change = 10;
constexpr SearchSpace::Lane alone{0, 1};

// H + damping = L Lᵀ; false if it is not positive definite.
bool factorize(const Eigen::MatrixXd& H, long n, double damping, Eigen::MatrixXd& L) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j <= i; ++j) {
      double sum = H(i, j) + (i == j ? damping : 0);
      for (long k = 0; k < j; ++k) sum -= L(i, k) * L(j, k);
      if (i == j && !(sum > 1e-14 * std::abs(H(i, i)))) return false;
      L(i, j) = i == j ? std::sqrt(sum) : sum / L(j, j);
    }
  return true;
}

}  // namespace

Polish::Polish(Evaluator& evaluator)
    : evaluator_(&evaluator), here_(evaluator.make_iterate()), trial_(evaluator.make_iterate()) {
  const int n = evaluator.columns();
  for (auto* x : {&lower_, &upper_, &step_, &gradient_, &other_}) x->setZero(n);
  H_.resize(n, n), L_.resize(n, n);
  free_.reserve(std::size_t(n));
}

// Jᵀ e, half the gradient of the cost.
void Polish::find_gradient(const Iterate& iterate, Eigen::VectorXd& g) const {
  const int m = evaluator_->height();
  for (int c = 0; c < evaluator_->columns(); ++c) {
    g[c] = 0;
    for (int r = 0; r < m; ++r) g[c] += iterate.J[c * m + r] * iterate.e[r];
  }
}

// Finds the free joints; false if the cost is stationary along all of them.
bool Polish::find_free() {
  evaluator_->space().bounds(here_.q.data(), lower_.data(), upper_.data(), alone);
  find_gradient(here_, gradient_);
  free_.clear();
  double steepest = 0;
  for (int c = 0; c < evaluator_->columns(); ++c) {
    if ((gradient_[c] < 0 ? upper_[c] : -lower_[c]) <= 0) continue;
    free_.push_back(c);
    steepest = std::max(steepest, std::abs(gradient_[c]));
  }
  return steepest > flat * std::sqrt(cost_);
}

void Polish::find_hessian() {
  const auto n = long(free_.size());
  std::copy_n(here_.q.data(), evaluator_->nq(), trial_.q.data());
  for (long j = 0; j < n; ++j) {
    const int c = free_[std::size_t(j)];
    const double h = upper_[c] >= difference_step ? difference_step : -difference_step;  // away from a near limit
    step_.setZero();
    step_[c] = h;
    evaluator_->space().move(here_.q.data(), step_.data(), trial_.q.data(), alone);
    evaluator_->evaluate(trial_);
    find_gradient(trial_, other_);
    for (long i = 0; i < n; ++i) H_(i, j) = (other_[free_[std::size_t(i)]] - gradient_[free_[std::size_t(i)]]) / h;
  }
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < i; ++j) H_(i, j) = H_(j, i) = (H_(i, j) + H_(j, i)) / 2;
}

bool Polish::choose_step(double damping) {
  const auto n = long(free_.size());
  if (!factorize(H_, n, damping, L_)) return false;
  auto x = other_.head(n);
  for (long i = 0; i < n; ++i) {
    x[i] = -gradient_[free_[std::size_t(i)]];
    for (long k = 0; k < i; ++k) x[i] -= L_(i, k) * x[k];
    x[i] /= L_(i, i);
  }
  for (long i = n; i-- > 0;) {
    for (long k = i + 1; k < n; ++k) x[i] -= L_(k, i) * x[k];
    x[i] /= L_(i, i);
  }
  step_.setZero();
  for (long i = 0; i < n; ++i) {
    const int c = free_[std::size_t(i)];
    step_[c] = std::clamp(x[i], lower_[c], upper_[c]);
  }
  return true;
}

// One step that lowers the cost, with as much damping as that takes; false if there is none.
bool Polish::go(double& damping) {
  for (; damping < max_damping; damping *= change) {
    if (!choose_step(damping)) continue;
    evaluator_->space().move(here_.q.data(), step_.data(), trial_.q.data(), alone);
    evaluator_->evaluate(trial_);
    const double cost = evaluator_->cost(trial_, 0);
    if (!(cost < cost_)) continue;
    cost_ = cost;
    std::swap(here_, trial_);
    damping = std::max(damping / (change * change), min_damping);
    return true;
  }
  return false;
}

bool Polish::run(const double* q, int max_iterations) {
  std::copy_n(q, evaluator_->nq(), here_.q.data());
  evaluator_->evaluate(here_);
  cost_ = evaluator_->cost(here_, 0);
  double damping = first_damping;
  for (iterations_ = 0; iterations_ < max_iterations; ++iterations_) {
    if (evaluator_->meets(here_, 0) || !find_free()) return true;
    find_hessian();
    if (!go(damping)) return true;  // no decrease in floating point
  }
  return false;
}

}  // namespace lissom::ik
