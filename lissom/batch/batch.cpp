#include "lissom/batch/batch.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "lissom/batch/memory.h"
#include "lissom/kernels/second_order_lanes.h"
#include "lissom/model/arguments.h"

namespace lissom::batch {

template <class S>
GroupScratch<S>::GroupScratch(const Kernels<S>& kernels, const Model& model)
    : scratch(kernels.scratch(ModelView<S>(model))),
      matrix_scratch(kernels.matrix_scratch(ModelView<S>(model))),
      factor(kernels.make_factor(ModelView<S>(model))) {
  const auto lanes = std::size_t(kernels.width), nq = std::size_t(model.nq()), nv = std::size_t(model.nv());
  const auto square = nv * std::size_t(row_stride(model.nv())) + padding;
  q = Array<S>(nq * lanes);
  for (auto* const x : {&v, &a, &tau}) *x = Array<S>(nv * lanes);
  for (auto* const x : {&M, &C, &M_inverse}) *x = Array<S>(square * lanes);
  wrench = Array<S>(6 * lanes);
  external = Array<S>(6 * std::size_t(model.body_count() + 1) * lanes);
  result = Array<S>((std::max<std::size_t>({nq, 6 * nv, 12}) + padding) * lanes);
  pose = Array<S>(12 * lanes);
}

template <class S>
GroupScratch<S>::Derivatives::Derivatives(const Kernels<S>& kernels, const Model& model)
    : scratch(kernels.derivative_scratch(ModelView<S>(model))) {
  const auto lanes = std::size_t(kernels.width);
  for (auto* const x : {&dq, &dv, &last, &weights, &a}) *x = Array<S>((std::size_t(model.nv()) + padding) * lanes);
  for (auto* const x : {&dtau_dq, &dtau_dv, &dtau_da, &da_dq, &da_dv, &M_inverse})
    *x = Array<S>(padded_square(model.nv()) * lanes);
}

template <class S>
GroupScratch<S>::SecondOrder::SecondOrder(const Kernels<S>& kernels, const Model& model)
    : scratch(second_order_lane_kernels<S>().scratch(ModelView<S>(model))) {
  const auto lanes = std::size_t(kernels.width), nv = std::size_t(model.nv());
  H = Array<S>(9 * nv * nv * lanes), buffer = Array<S>(3 * nv * nv * lanes);
  mu = Array<S>((nv + padding) * lanes), gradient = Array<S>(2 * (nv + padding) * lanes);
  Y = Array<S>((10 * std::size_t(model.body_count()) * nv + padding) * lanes);
}

template <class S>
Workspace<S>::Memory::Memory(const Model& model, int threads)
    : kernels(lane_kernels<S>()),
      pool(threads),
      nq(model.nq()),
      nv(model.nv()),
      stride(row_stride(nv)),
      structure_id(model.structure_id()),
      model_name(model.name()),
      zero(std::size_t(nv * kernels.width)),
      axes(std::size_t(9 * kernels.width)) {
  for (int i = 0; i < 9; i += 4) std::fill_n(axes.begin() + i * kernels.width, kernels.width, S(1));
  for (int t = 0; t < pool.threads(); ++t) group_scratch.emplace_back(kernels, model);
}

template <class S>
Workspace<S>::Workspace(const Model& model, int threads) {
  if (threads < 0 || threads > 4096)
    throw Error("threads is " + std::to_string(threads) + ", expected 0 (as many as the machine has) to 4096");
  memory_ = std::make_unique<Memory>(model, threads);
}
template <class S>
Workspace<S>::~Workspace() = default;
template <class S>
Workspace<S>::Workspace(Workspace&&) noexcept = default;
template <class S>
Workspace<S>& Workspace<S>::operator=(Workspace&&) noexcept = default;
template <class S>
int Workspace<S>::threads() const {
  return memory_->pool.threads();
}
template <class S>
int Workspace<S>::lanes() const {
  return memory_->kernels.width;
}
template <class S>
const char* Workspace<S>::instruction_set() const {
  return memory_->kernels.instruction_set;
}

template <class S>
void evaluate(const Model& model, Workspace<S>& work, const std::type_identity_t<Inputs<S>>& inputs,
              std::span<const std::type_identity_t<Output<S>>> outputs) {
  auto& w = MemoryOf<S>::in(work);
  check<S>(model, w, inputs, outputs);
  QuantityInfo all{};
  bool any_second_order = false;
  for (const auto& output : outputs) {
    const auto reads = info(output.quantity);
    all.v |= reads.v, all.a |= reads.a, all.tau |= reads.tau, all.external |= reads.external;
    all.derivative |= reads.derivative;
    any_second_order |= is_second_order(output.quantity);
  }
  if (all.derivative)
    for (auto& s : w.group_scratch)
      if (!s.derivatives) s.derivatives = std::make_unique<typename GroupScratch<S>::Derivatives>(w.kernels, model);
  if (any_second_order)
    for (auto& s : w.group_scratch)
      if (!s.second_order) s.second_order = std::make_unique<typename GroupScratch<S>::SecondOrder>(w.kernels, model);
  w.for_each_group(inputs.q.rows(), [&](GroupScratch<S>& s, long first, int count) {
    w.to_lanes(inputs.q, first, count, s.q);
    if (all.v) w.to_lanes(inputs.v, first, count, s.v);
    if (all.a) w.to_lanes(inputs.a, first, count, s.a);
    if (all.tau) w.to_lanes(inputs.tau, first, count, s.tau);
    const S* const external = all.external ? body_forces<S>(model, w, s, inputs.external, first, count) : nullptr;
    for (const auto& output : outputs)
      if (is_second_order(output.quantity))
        compute_second_order<S>(model, w, s, external, inputs, output, first, count);
      else if (info(output.quantity).derivative)
        compute_derivative<S>(model, w, s, external, inputs, output, first, count);
      else
        compute<S>(model, w, s, external, output, first, count);
  });
}

// Collects the rows that a step could not move, from all threads.
template <class S>
class StepFailures {
 public:
  StepFailures(const Model& model, const typename Workspace<S>::Memory& memory, const Inputs<S>& inputs)
      : model_(model), memory_(memory), inputs_(inputs) {}

  // Whether the inputs of a row are good, and the result in a lane is finite; otherwise takes note of why not.
  bool moved(const GroupScratch<S>& s, long row, int lane) {
    const auto finite = [&](const Array<S>& x, int n) {
      for (int i = 0; i < n; ++i)
        if (!std::isfinite(x[i * memory_.kernels.width + lane])) return false;
      return true;
    };
    const std::string what = wrong_input(row);
    if (what.empty() && finite(s.q, memory_.nq) && finite(s.v, memory_.nv)) return true;
    const std::lock_guard lock(mutex_);
    rows_.push_back({row, !what.empty() ? what
                                        : "row " + std::to_string(row) +
                                              " is not finite at the end of the step; the motion has diverged (take a "
                                              "smaller step), or the mass matrix is singular"});
    return false;
  }
  bool good_inputs(long first, int count) const {
    for (long row = first; row < first + count; ++row) {
      if (!is_good<S>(model_, memory_, inputs_.q, row, true) || !is_good<S>(model_, memory_, inputs_.v, row, false) ||
          !is_good<S>(model_, memory_, inputs_.tau, row, false))
        return false;
      for (const auto& force : inputs_.external)
        if (!is_good<S>(model_, memory_, force.wrench, row, false)) return false;
    }
    return true;
  }
  std::vector<FailedRow> take() {
    std::ranges::sort(rows_, {}, &FailedRow::row);
    return std::move(rows_);
  }

 private:
  std::string wrong_input(long row) const {
    try {
      expect_good<S>(model_, "q", inputs_.q, row, true);
      expect_good<S>(model_, "v", inputs_.v, row, false);
      expect_good<S>(model_, "tau", inputs_.tau, row, false);
      for (std::size_t i = 0; i < inputs_.external.size(); ++i)
        expect_good<S>(model_, {"external", long(i), ".wrench"}, inputs_.external[i].wrench, row, false);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  }

  const Model& model_;
  const typename Workspace<S>::Memory& memory_;
  const Inputs<S>& inputs_;
  std::mutex mutex_;
  std::vector<FailedRow> rows_;
};

template <class S>
std::vector<FailedRow> step(const Model& model, Workspace<S>& work, std::type_identity_t<RowsOut<S>> q,
                            std::type_identity_t<RowsOut<S>> v, const std::type_identity_t<RowsIn<S>>& tau,
                            std::type_identity_t<S> dt,
                            std::span<const std::type_identity_t<ExternalForces<S>>> external) {
  expect_finite("dt", double(dt));
  auto& w = MemoryOf<S>::in(work);
  const Inputs<S> inputs{.q = q, .v = v, .tau = tau, .external = external};
  // The checks are those of forward dynamics with v as output.
  const Output<S> output{Quantity::forward_dynamics, v};
  check_shapes<S>(model, w, inputs, std::span(&output, 1));
  StepFailures<S> failures(model, w, inputs);
  const int width = w.kernels.width;
  w.for_each_group(q.rows(), [&](GroupScratch<S>& s, long first, int count) {
    const bool good = failures.good_inputs(first, count);
    w.to_lanes(inputs.q, first, count, s.q);
    w.to_lanes(inputs.v, first, count, s.v);
    w.to_lanes(inputs.tau, first, count, s.tau);
    const S* const forces = body_forces<S>(model, w, s, external, first, count);
    w.kernels.step(ModelView<S>(model), *s.scratch, s.q.data(), s.v.data(), s.tau.data(), forces, dt, s.q.data(),
                   s.v.data());
    if (good && w.kernels.finite(s.q.data(), w.nq * width) && w.kernels.finite(s.v.data(), w.nv * width)) {
      w.kernels.to_rows(s.q.data(), count, w.nq, q.data() + first * q.outerStride(), q.outerStride());
      w.kernels.to_rows(s.v.data(), count, w.nv, v.data() + first * v.outerStride(), v.outerStride());
      return;
    }
    for (int l = 0; l < count; ++l) {
      if (!failures.moved(s, first + l, l)) continue;
      for (int i = 0; i < w.nq; ++i) q(first + l, i) = s.q[i * width + l];
      for (int i = 0; i < w.nv; ++i) v(first + l, i) = s.v[i * width + l];
    }
  });
  return failures.take();
}

// NOLINTBEGIN(bugprone-macro-parentheses): S is a type
#define LISSOM_INSTANTIATE(S)                                                                                       \
  template class Workspace<S>;                                                                                      \
  template void evaluate<S>(const Model&, Workspace<S>&, const Inputs<S>&, std::span<const Output<S>>);             \
  template std::vector<FailedRow> step<S>(const Model&, Workspace<S>&, RowsOut<S>, RowsOut<S>, const RowsIn<S>&, S, \
                                          std::span<const ExternalForces<S>>);
// NOLINTEND(bugprone-macro-parentheses)
LISSOM_INSTANTIATE(double)
LISSOM_INSTANTIATE(float)

}  // namespace lissom::batch
