#include "lissom/ik/velocity.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lissom/ik/checks.h"
#include "lissom/ik/damped_step.h"
#include "lissom/model/text.h"

namespace lissom::ik {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// A row is linearly dependent on the basis if less than this fraction of it remains after the projection.
constexpr double dependent = 1e-8;

}  // namespace

struct VelocitySolver::Impl {
  Model model;
  Workspace work;
  VelocityResult result;
  int rows = 0, rank = 0;
  Matrix J;      // weighted rows of all tasks
  Matrix A;      // rows of one priority, in the null space of the priorities before
  Matrix basis;  // orthonormal, of the rows of all priorities before; `rank` rows are used
  Eigen::VectorXd desired, x, w, lower, upper, rhs, packed;
  std::vector<int> owner;      // the task of each row
  std::vector<char> at_bound;  // whether an element of v is fixed at a bound

  Impl(const Model& m, int tasks) : model(m), work(m) {
    const int nv = m.nv();
    for (auto* vector : {&x, &w, &lower, &upper, &result.v}) vector->resize(nv);
    at_bound.resize(std::size_t(nv));
    basis.resize(nv, nv);
    resize_buffers(tasks);
  }
  void resize_buffers(int tasks) {
    const int max_rows = 6 * tasks;
    if (J.rows() >= max_rows) return;
    J.resize(max_rows, model.nv()), A.resize(max_rows, model.nv());
    desired.resize(max_rows), rhs.resize(max_rows), packed.resize(max_rows * (max_rows + 1) / 2);
    owner.reserve(std::size_t(max_rows));
    result.residuals.reserve(std::size_t(tasks));
  }

  void check(std::span<const VelocityTask> tasks, const VelocityOptions& options) const;
  void gather(const VectorIn& q, std::span<const VelocityTask> tasks);
  void find_bounds(const VectorIn& q, const VelocityOptions& options);
  void solve_priorities(std::span<const VelocityTask> tasks, const VelocityOptions& options);
  void solve_priority(std::span<const VelocityTask> tasks, int priority, double damping);
  void project_out_basis(Eigen::Ref<Eigen::RowVectorXd> row) const;
  void follow_desired(const VelocityOptions& options);
  bool fix_worst_at_bound();
};

void VelocitySolver::Impl::check(std::span<const VelocityTask> tasks, const VelocityOptions& options) const {
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const Argument task{"tasks", long(i)};
    expect_finite(task.with(".velocity.linear"), tasks[i].velocity.linear);
    expect_finite(task.with(".velocity.angular"), tasks[i].velocity.angular);
    expect_weights(task.with(".linear_weight"), tasks[i].linear_weight);
    expect_weights(task.with(".angular_weight"), tasks[i].angular_weight);
  }
  if (!(options.damping >= 0 && std::isfinite(options.damping)))
    throw Error("options.damping is " + to_text(options.damping) + ", expected 0 or more");
  if (!(options.hold >= 0 && std::isfinite(options.hold)))
    throw Error("options.hold is " + to_text(options.hold) + " s, expected 0 or more");
  if (options.desired.size() > 0) expect_velocity(model, options.desired, {"options.desired"});
  if (options.joint_weights.size() == 0) return;
  expect_velocity(model, options.joint_weights, {"options.joint_weights"});
  for (long i = 0; i < options.joint_weights.size(); ++i)
    if (!(options.joint_weights[i] > 0))
      throw Error("options.joint_weights[" + std::to_string(i) + "] is " + to_text(options.joint_weights[i]) +
                  ", expected a positive number");
}

// Collects the weighted rows of all tasks; axes with weight 0 have none.
void VelocitySolver::Impl::gather(const VectorIn& q, std::span<const VelocityTask> tasks) {
  rows = 0;
  owner.clear();
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const auto& task = tasks[i];
    const auto add = [&](const auto& columns, const Vec3<double>& weight, const Vec3<double>& velocity, int first) {
      for (int k = 0; k < 3; ++k) {
        const double s = (&weight.x)[k];
        if (s == 0) continue;
        if (columns.cols() > 0)
          J.row(rows) = s * columns.row(first + k);  // a robot without degrees of freedom has none
        desired[rows++] = s * (&velocity.x)[k];
        owner.push_back(int(i));
      }
    };
    if (task.center_of_mass) {
      add(center_of_mass_jacobian(model, work, q), task.linear_weight, task.velocity.linear, 0);
    } else {
      const auto& columns = jacobian(model, work, q, task.of, task.at, task.in);
      add(columns, task.linear_weight, task.velocity.linear, 0);
      add(columns, task.angular_weight, task.velocity.angular, 3);
    }
  }
}

void VelocitySolver::Impl::find_bounds(const VectorIn& q, const VelocityOptions& options) {
  for (int i = 0; i < model.nv(); ++i) {
    const double limit = options.velocity_limits ? model.velocity_limit()[std::size_t(i)] : infinity;
    lower[i] = -limit, upper[i] = limit;
  }
  if (options.hold == 0) return;
  for (const auto& joint : model.joints()) {
    const auto& traits = joint_traits(joint.type);
    if (traits.has_quaternion()) continue;
    for (int k = traits.manifold == ManifoldKind::se2 ? 2 : 0; k < joint.nv; ++k) {
      const auto at = std::size_t(joint.q_index + k);
      double &low = lower[joint.v_index + k], &high = upper[joint.v_index + k];
      const double limit = high;
      // A joint outside its position limits moves back as fast as its velocity limit allows.
      low = std::clamp((model.lower()[at] - q[joint.q_index + k]) / options.hold, -limit, limit);
      high = std::clamp((model.upper()[at] - q[joint.q_index + k]) / options.hold, -limit, limit);
    }
  }
}

// Removes the component of a row in the space of the basis. (Two passes are enough: Kahan and Parlett.)
void VelocitySolver::Impl::project_out_basis(Eigen::Ref<Eigen::RowVectorXd> row) const {
  for (int pass = 0; pass < 2; ++pass)
    for (int b = 0; b < rank; ++b) row -= row.dot(basis.row(b)) * basis.row(b);
}

// Solves for x = w v. The rows of one priority are projected into the null space of the priorities before,
// x += Aᵀ (A Aᵀ + λ²)⁻¹ (ẋ - J x), and are then added to the basis.
void VelocitySolver::Impl::solve_priority(std::span<const VelocityTask> tasks, int priority, double damping) {
  int n = 0;
  const int nv = model.nv();
  for (int r = 0; r < rows; ++r) {
    if (tasks[std::size_t(owner[std::size_t(r)])].priority != priority) continue;
    rhs[n] = desired[r];
    for (int i = 0; i < nv; ++i) {
      rhs[n] -= J(r, i) * x[i] / w[i];
      A(n, i) = at_bound[std::size_t(i)] ? 0 : J(r, i) / w[i];
    }
    project_out_basis(A.row(n));
    ++n;
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      packed[i * (i + 1) / 2 + j] = A.row(i).dot(A.row(j)) + (i == j ? damping * damping : 0);
  factor_small<double>(n, packed.data());
  solve_small<double>(n, packed.data(), rhs.data());
  for (int i = 0; i < n; ++i) x += rhs[i] * A.row(i).transpose();
  for (int i = 0; i < n && rank < nv; ++i) {
    const double before = A.row(i).norm();
    project_out_basis(A.row(i));
    const double left = A.row(i).norm();
    if (left > dependent * std::max(before, dependent)) basis.row(rank++) = A.row(i) / left;
  }
}

void VelocitySolver::Impl::follow_desired(const VelocityOptions& options) {
  if (options.desired.size() == 0 || model.nv() == 0 || rank >= model.nv()) return;
  auto left = basis.row(rank);  // an unused row serves as buffer
  for (int i = 0; i < model.nv(); ++i) left[i] = at_bound[std::size_t(i)] ? 0 : w[i] * options.desired[i] - x[i];
  project_out_basis(left);
  x += left.transpose();
}

void VelocitySolver::Impl::solve_priorities(std::span<const VelocityTask> tasks, const VelocityOptions& options) {
  rank = 0;
  for (int i = 0; i < model.nv(); ++i) x[i] = at_bound[std::size_t(i)] ? w[i] * result.v[i] : 0;
  const auto next_after = [&](long priority) {
    long next = std::numeric_limits<long>::max();
    for (const auto& task : tasks)
      if (task.priority > priority) next = std::min(next, long(task.priority));
    return next;
  };
  for (long priority = next_after(std::numeric_limits<long>::min()); priority != std::numeric_limits<long>::max();
       priority = next_after(priority))
    solve_priority(tasks, int(priority), options.damping);
  follow_desired(options);
  result.v = x.cwiseQuotient(w);
}

// Returns false if all of v is within its bounds.
bool VelocitySolver::Impl::fix_worst_at_bound() {
  int worst = -1;
  double most = 0;
  for (int i = 0; i < model.nv(); ++i) {
    if (at_bound[std::size_t(i)]) continue;
    const double v = result.v[i], over = std::max(v - upper[i], lower[i] - v);
    if (over <= 0) continue;
    const double relative = over / std::max({std::abs(upper[i]), std::abs(lower[i]), 1e-6});
    if (relative > most) most = relative, worst = i;
  }
  if (worst < 0) return false;
  at_bound[std::size_t(worst)] = 1;
  result.v[worst] = std::clamp(result.v[worst], lower[worst], upper[worst]);
  ++result.limited;
  return true;
}

VelocitySolver::VelocitySolver(const Model& model, int tasks) {
  if (tasks < 0) throw Error("tasks is " + std::to_string(tasks) + ", expected 0 or more");
  impl_ = std::make_unique<Impl>(model, tasks);
}
VelocitySolver::~VelocitySolver() = default;
VelocitySolver::VelocitySolver(VelocitySolver&&) noexcept = default;
VelocitySolver& VelocitySolver::operator=(VelocitySolver&&) noexcept = default;

const VelocityResult& VelocitySolver::solve(const VectorIn& q, std::span<const VelocityTask> tasks,
                                            const VelocityOptions& options) {
  auto& s = *impl_;
  s.check(tasks, options);
  expect_configuration(s.model, q, {"q"});
  s.resize_buffers(int(tasks.size()));
  s.gather(q, tasks);
  s.find_bounds(q, options);
  if (options.joint_weights.size() > 0)
    s.w = options.joint_weights;
  else
    s.w.setOnes();
  std::fill(s.at_bound.begin(), s.at_bound.end(), char(0));
  s.result.limited = 0;
  do s.solve_priorities(tasks, options);
  while (s.fix_worst_at_bound());
  s.result.v = s.result.v.cwiseMax(s.lower).cwiseMin(s.upper);  // removes rounding errors of joints at a bound
  s.result.residuals.assign(tasks.size(), 0);
  for (int r = 0; r < s.rows; ++r) {
    const double left = s.J.row(r).dot(s.result.v) - s.desired[r];
    s.result.residuals[std::size_t(s.owner[std::size_t(r)])] += left * left;
  }
  for (double& residual : s.result.residuals) residual = std::sqrt(residual);
  return s.result;
}

}  // namespace lissom::ik
