// Costs around the algorithms: reading a robot, allocating its workspace, sine and cosine, packing rows of states into
// lanes. (`lissom bench` measures the algorithms themselves.)
#include <cmath>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "lissom/kernels/kernels.h"
#include "lissom/lissom.h"
#include "lissom/math/sincos.h"
#include "lissom/tree/array.h"

namespace {

using benchmark::Counter;
using benchmark::State;

lissom::Model humanoid() {
  return lissom::load(LISSOM_MODELS_DIR "/humanoid.urdf", {.base = lissom::Base::free});
}

// Reports the time per item, for n items in each iteration.
void per(State& state, const char* item, int n) {
  state.counters[item] = Counter(double(n), Counter::Flags(Counter::kIsIterationInvariantRate | Counter::kInvert));
}

void load_humanoid(State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(humanoid());
}
BENCHMARK(load_humanoid)->Unit(benchmark::kMicrosecond);

// A chain of links, each with a hinge, a geom and a motor, as MJCF; what docs/mjcf.md says of its time.
std::string mjcf_chain(int links) {
  std::string bodies, ends, motors;
  for (int i = 0; i < links; ++i) {
    const auto name = std::to_string(i);
    bodies += "<body name=\"b" + name + "\" pos=\"0 0 .1\"><joint name=\"j" + name +
              "\" axis=\"0 1 0\" range=\"-90 90\" damping=\".1\"/><geom type=\"capsule\" size=\".02\" "
              "fromto=\"0 0 0 0 0 .1\"/>\n";
    ends += "</body>";
    motors += "<motor name=\"m" + name + "\" joint=\"j" + name + "\" ctrlrange=\"-1 1\"/>\n";
  }
  return "<mujoco><worldbody>" + bodies + ends + "</worldbody><actuator>" + motors + "</actuator></mujoco>";
}

void load_mjcf_of_40_links(State& state) {
  const auto text = mjcf_chain(40);
  for (auto _ : state) benchmark::DoNotOptimize(lissom::load_text(text, "chain.xml"));
}
BENCHMARK(load_mjcf_of_40_links)->Unit(benchmark::kMicrosecond);

void make_workspace(State& state) {
  const auto model = humanoid();
  for (auto _ : state) benchmark::DoNotOptimize(lissom::Workspace(model));
}
BENCHMARK(make_workspace)->Unit(benchmark::kMicrosecond);

template <class S>
void make_batch_workspace(State& state) {
  const auto model = humanoid();
  for (auto _ : state) benchmark::DoNotOptimize(lissom::batch::Workspace<S>(model, 1));
}
BENCHMARK(make_batch_workspace<double>)->Unit(benchmark::kMicrosecond);
BENCHMARK(make_batch_workspace<float>)->Unit(benchmark::kMicrosecond);

constexpr int angles = 1024;

template <class S>
lissom::Array<S> random_angles() {
  lissom::Array<S> x(angles);
  const Eigen::VectorXd random = Eigen::VectorXd::Random(angles) * 3.14;
  for (int i = 0; i < angles; ++i) x[i] = S(random[i]);
  return x;
}

// N angles per call, for the instruction set that this file is compiled for.
template <class S, int N>
void sincos_in_lanes(State& state) {
  const auto x = random_angles<S>();
  lissom::Array<S> s(angles), c(angles);
  for (auto _ : state) {
    for (int i = 0; i < angles; i += N) {
      const auto a = lissom::sincos(lissom::Lanes<S, N>::load(x.data() + i));
      a.sin.store(s.data() + i);
      a.cos.store(c.data() + i);
    }
    benchmark::ClobberMemory();
  }
  per(state, "per_angle", angles);
}
BENCHMARK(sincos_in_lanes<double, lissom::batch_lanes<double>>)->Name("sincos_in_lanes<double>");
BENCHMARK(sincos_in_lanes<float, lissom::batch_lanes<float>>)->Name("sincos_in_lanes<float>");

template <class S>
void sincos_of_libm(State& state) {
  const auto x = random_angles<S>();
  lissom::Array<S> s(angles), c(angles);
  for (auto _ : state) {
    for (int i = 0; i < angles; ++i) {
      s[i] = std::sin(x[i]);
      c[i] = std::cos(x[i]);
    }
    benchmark::ClobberMemory();
  }
  per(state, "per_angle", angles);
}
BENCHMARK(sincos_of_libm<double>);
BENCHMARK(sincos_of_libm<float>);

constexpr int robots = 1024;

template <class S>
struct Batch {
  lissom::Model model = humanoid();
  const lissom::Kernels<S>& kernels = lissom::lane_kernels<S>();
  int nq = model.nq(), nv = model.nv(), width = kernels.width;
  lissom::batch::Rows<S> q{robots, nq}, v{robots, nv}, a{robots, nv}, tau{robots, nv};
  lissom::Array<S> q_lanes = buffer(nq), v_lanes = buffer(nv), a_lanes = buffer(nv), tau_lanes = buffer(nv);

  Batch() {
    for (int i = 0; i < robots; ++i) q.row(i) = random_configuration(model, std::uint64_t(i)).template cast<S>();
    v.setRandom();
    a.setRandom();
  }
  lissom::Array<S> buffer(int n) const { return lissom::Array<S>(std::size_t(n * width)); }
  void to_lanes(int first) {
    kernels.to_lanes(q.data() + long(first) * nq, nq, width, nq, q_lanes.data());
    kernels.to_lanes(v.data() + long(first) * nv, nv, width, nv, v_lanes.data());
    kernels.to_lanes(a.data() + long(first) * nv, nv, width, nv, a_lanes.data());
  }
  void to_rows(int first) { kernels.to_rows(tau_lanes.data(), width, nv, tau.data() + long(first) * nv, nv); }
};

// Packs q, v, a of inverse dynamics into lanes, and tau back into rows.
template <class S>
void packing(State& state) {
  Batch<S> batch;
  for (auto _ : state) {
    for (int i = 0; i < robots; i += batch.width) {
      batch.to_lanes(i);
      batch.to_rows(i);
    }
    benchmark::ClobberMemory();
  }
  per(state, "per_robot", robots);
}
BENCHMARK(packing<double>);
BENCHMARK(packing<float>);

// Inverse dynamics of robots that are packed already, to compare with the whole call below.
template <class S>
void rnea_in_lanes(State& state) {
  Batch<S> batch;
  const lissom::ModelView<S> view(batch.model);
  const auto scratch = batch.kernels.scratch(view);
  batch.to_lanes(0);
  for (auto _ : state) {
    for (int i = 0; i < robots; i += batch.width)
      batch.kernels.rnea(view, *scratch, batch.q_lanes.data(), batch.v_lanes.data(), batch.a_lanes.data(), nullptr,
                         batch.tau_lanes.data());
    benchmark::ClobberMemory();
  }
  per(state, "per_robot", robots);
}
BENCHMARK(rnea_in_lanes<double>);
BENCHMARK(rnea_in_lanes<float>);

// Inverse dynamics with packing and all checks, on one thread.
template <class S>
void rnea_of_batch(State& state) {
  Batch<S> batch;
  lissom::batch::Workspace<S> work(batch.model, 1);
  for (auto _ : state) {
    lissom::batch::inverse_dynamics<S>(batch.model, work, batch.q, batch.v, batch.a, batch.tau);
    benchmark::ClobberMemory();
  }
  per(state, "per_robot", robots);
}
BENCHMARK(rnea_of_batch<double>);
BENCHMARK(rnea_of_batch<float>);

}  // namespace

BENCHMARK_MAIN();
