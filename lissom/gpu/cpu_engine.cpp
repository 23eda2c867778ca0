#include "lissom/gpu/cpu_engine.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace lissom::gpu {
namespace {

using codegen::Op;

// A traced program for `width` robots at once: each node is an array of numbers, and compilers make vector instructions
// of the loops over them.
template <class S>
class ProgramInLanes {
 public:
  static constexpr int width = 16;

  explicit ProgramInLanes(const codegen::Program& program)
      : program_(program),
        order_(codegen::schedule(program).order),
        values_(std::size_t(program.graph.size()) * width) {
    for (codegen::NodeId i = 0; i < program.graph.size(); ++i)
      if (program.graph[i].op == Op::constant) std::fill_n(of(i), width, S(program.graph[i].value));
  }
  S* of(codegen::NodeId n) { return values_.data() + std::size_t(n) * width; }

  void run(const std::vector<Columns<S>>& inputs, const std::vector<Columns<S>>& outputs, long first, int count, S dt) {
    for (codegen::NodeId i = 0; i < program_.graph.size(); ++i)
      if (program_.graph[i].op == Op::input) read(inputs, i, first, count, dt);
    for (const auto n : order_) compute(program_.graph[n], of(n));
    for (std::size_t f = 0; f < program_.outputs.size(); ++f)
      for (int i = 0; i < program_.outputs[f].count; ++i)
        if (const auto n = program_.results[std::size_t(program_.outputs[f].first + i)]; n != codegen::no_node)
          std::copy_n(of(n), count, outputs[f].data + i * outputs[f].pitch + first);
  }

 private:
  void read(const std::vector<Columns<S>>& inputs, codegen::NodeId n, long first, int count, S dt) {
    const int position = int(program_.graph[n].a);
    for (std::size_t f = 0; f < program_.inputs.size(); ++f) {
      const int element = position - program_.inputs[f].first;
      if (element < 0 || element >= program_.inputs[f].count) continue;
      if (!inputs[f].data)
        std::fill_n(of(n), width, dt);
      else
        for (int l = 0; l < width; ++l)
          of(n)[l] = inputs[f].data[element * inputs[f].pitch + first + std::min(l, count - 1)];
    }
  }
  template <class F>
  static void each(S* to, F f) {
    for (int l = 0; l < width; ++l) to[l] = f(l);
  }
  void compute(const codegen::Node& node, S* to) {
    const S *const a = of(node.a), *const b = of(node.b), *const c = of(node.c);
    switch (node.op) {
      case Op::add:
        return each(to, [=](int l) { return a[l] + b[l]; });
      case Op::sub:
        return each(to, [=](int l) { return a[l] - b[l]; });
      case Op::mul:
        return each(to, [=](int l) { return a[l] * b[l]; });
      default:
        each(to, [&](int l) {
          return S(node.op == Op::sin   ? std::sin(a[l])
                   : node.op == Op::cos ? std::cos(a[l])
                                        : codegen::apply(node.op, double(a[l]), double(b[l]), double(c[l])));
        });
    }
  }

  const codegen::Program& program_;
  std::vector<codegen::NodeId> order_;
  Array<S> values_;
};

// Solves for all columns of all right sides, for `width` robots at once.
template <class S>
class SolveInLanes {
 public:
  static constexpr int width = 16;

  explicit SolveInLanes(const ColumnSolve& solve)
      : solve_(solve), L_(solve.L_entries.size() * width), D_inverse_(at(solve.n)), x_(at(solve.n)) {}

  void run(const std::vector<Columns<S>>& inputs, const std::vector<Columns<S>>& outputs, long first, int count) {
    const int n = solve_.n;
    for (std::size_t k = 0; k < solve_.L_entries.size(); ++k)
      read(inputs[0], solve_.L_entries[k].first * n + solve_.L_entries[k].second, first, count, L_.data() + k * width);
    for (int i = 0; i < n; ++i) {
      read(inputs[1], i, first, count, D_inverse_.data() + at(i));
      for (int l = 0; l < width; ++l) D_inverse_[at(i) + l] = 1 / D_inverse_[at(i) + l];
    }
    std::size_t input = 2;
    for (std::size_t s = 0; s < solve_.sides.size(); ++s) {
      const auto& side = solve_.sides[s];
      const auto* const B = side.input.empty() ? nullptr : &inputs[input++];
      for (int c = 0; c < n; ++c) {
        for (int i = 0; i < n; ++i)
          read_right_side(B, side.written[std::size_t(i * n + c)], i * n + c, first, count, i);
        substitute();
        for (int i = 0; i < n; ++i)
          std::copy_n(x_.data() + at(i), count, outputs[s].data + (i * n + c) * outputs[s].pitch + first);
      }
    }
  }

 private:
  static std::size_t at(int i) { return std::size_t(i) * width; }
  static void read(const Columns<S>& from, int element, long first, int count, S* to) {
    for (int l = 0; l < width; ++l) to[l] = from.data[element * from.pitch + first + std::min(l, count - 1)];
  }
  void read_right_side(const Columns<S>* B, bool written, int element, long first, int count, int i) {
    S* const x = x_.data() + at(i);
    std::fill_n(x, width, S(written && !B ? 1 : 0));
    if (!written || !B) return;
    read(*B, element, first, count, x);
    for (int l = 0; l < width; ++l) x[l] = -x[l];
  }
  void subtract(std::size_t k, int from, int to) {
    for (int l = 0; l < width; ++l) x_[at(to) + l] -= L_[k * width + l] * x_[at(from) + l];
  }
  // As the kernel does it (column_solve.cpp).
  void substitute() {
    const auto& entries = solve_.L_entries;
    for (std::size_t k = entries.size(); k-- > 0;) subtract(k, entries[k].first, entries[k].second);
    std::size_t k = 0;
    for (int i = 0; i < solve_.n; ++i) {
      for (int l = 0; l < width; ++l) x_[at(i) + l] *= D_inverse_[at(i) + l];
      for (; k < entries.size() && entries[k].first == i; ++k) subtract(k, entries[k].second, i);
    }
  }

  const ColumnSolve& solve_;
  Array<S> L_, D_inverse_, x_;
};

}  // namespace

template <class S>
struct CpuEngine<S>::Group {
  std::unique_ptr<KernelScratch> scratch;
  Array<S> M;
  int stride;
};

template <class S>
CpuEngine<S>::CpuEngine(const Model& model, int threads) : model_(model), kernels_(lane_kernels<S>()), pool_(threads) {}

template <class S>
void CpuEngine<S>::run_kernel(const std::string& algorithm, Group& group, const std::vector<Array<S>>& in,
                              std::vector<Array<S>>& out, S dt) const {
  const ModelView<S> view(model_);
  auto& w = *group.scratch;
  const auto x = [&](int i) { return in[std::size_t(i)].data(); };
  S* const result = out[0].data();
  if (algorithm == "rnea") return kernels_.rnea(view, w, x(0), x(1), x(2), nullptr, result);
  if (algorithm == "bias") return kernels_.bias(view, w, x(0), x(1), result);
  if (algorithm == "aba") return kernels_.aba(view, w, x(0), x(1), x(2), nullptr, result);
  if (algorithm == "step") return kernels_.step(view, w, x(0), x(1), x(2), nullptr, dt, result, out[1].data());
  kernels_.crba(view, w, x(0), group.M.data(), group.stride);
  const int nv = model_.nv(), lanes = kernels_.width;
  for (int i = 0; i < nv; ++i)
    for (int j = 0; j < nv; ++j)
      std::copy_n(group.M.data() + (std::min(i, j) * group.stride + std::max(i, j)) * lanes, lanes,
                  result + (i * nv + j) * lanes);
}

template <class S>
void CpuEngine<S>::run(const codegen::Program& program, const std::vector<Columns<S>>& inputs,
                       const std::vector<Columns<S>>& outputs, long robots, S dt) {
  static const std::set<std::string> with_kernel = {"rnea", "bias", "aba", "crba", "step"};
  const bool by_kernel = with_kernel.contains(program.algorithm);
  const int width = by_kernel ? kernels_.width : ProgramInLanes<S>::width;
  const long groups = (robots + width - 1) / width;
  const auto work = [&](long begin, long end) {
    if (!by_kernel) {
      ProgramInLanes<S> lanes(program);
      for (long g = begin; g < end; ++g)
        lanes.run(inputs, outputs, g * width, int(std::min<long>(width, robots - g * width)), dt);
      return;
    }
    const int stride = row_stride(model_.nv());
    Group group{kernels_.scratch(ModelView<S>(model_)),
                Array<S>(std::size_t(program.algorithm == "crba" ? (model_.nv() * stride + padding) * width : 0)),
                stride};
    std::vector<Array<S>> in, out;
    for (const auto& field : program.inputs) in.emplace_back(std::size_t((field.count + padding) * width));
    for (const auto& field : program.outputs) out.emplace_back(std::size_t((field.count + padding) * width));
    for (long g = begin; g < end; ++g) {
      const long first = g * width;
      const int count = int(std::min<long>(width, robots - first));
      for (std::size_t f = 0; f < in.size(); ++f)
        for (int i = 0; inputs[f].data && i < program.inputs[f].count; ++i)
          for (int l = 0; l < width; ++l)  // lanes without a robot repeat the last one
            in[f][i * width + l] = inputs[f].data[i * inputs[f].pitch + first + std::min(l, count - 1)];
      run_kernel(program.algorithm, group, in, out, dt);
      for (std::size_t f = 0; f < out.size(); ++f)
        for (int i = 0; i < program.outputs[f].count; ++i)
          std::copy_n(out[f].data() + i * width, count, outputs[f].data + i * outputs[f].pitch + first);
    }
  };
  pool_.run([&](int thread) { work(groups * thread / pool_.threads(), groups * (thread + 1) / pool_.threads()); });
}

template <class S>
void CpuEngine<S>::run(const ColumnSolve& solve, const std::vector<Columns<S>>& inputs,
                       const std::vector<Columns<S>>& outputs, long robots) {
  constexpr int width = SolveInLanes<S>::width;
  const long groups = (robots + width - 1) / width;
  pool_.run([&](int thread) {
    SolveInLanes<S> lanes(solve);
    for (long g = groups * thread / pool_.threads(); g < groups * (thread + 1) / pool_.threads(); ++g)
      lanes.run(inputs, outputs, g * width, int(std::min<long>(width, robots - g * width)));
  });
}

template class CpuEngine<float>;
template class CpuEngine<double>;

}  // namespace lissom::gpu
