#include "lissom/batch/batch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "lissom/batch/pool.h"
#include "lissom/kernels/kernels.h"
#include "lissom/model/array.h"
#include "lissom/spatial/pose.h"

namespace lissom::batch {

// What one thread works in: the kernels' scratch, and states and results in lanes.
template <class S>
struct Station {
  std::unique_ptr<KernelScratch> scratch;
  Array<S> in[3], matrix, result;
};

template <class S>
struct Workspace<S>::Inside {
  const Kernels<S>& kernels;
  Pool pool;
  std::vector<Station<S>> stations;
  int nq, nv, bodies, tree_nv, stride;
  std::string model_name;
  Array<S> zero;  // nv × lanes

  Inside(const Model& model, int threads)
      : kernels(lane_kernels<S>()),
        pool(threads),
        nq(model.nq()),
        nv(model.nv()),
        bodies(model.bodies()),
        tree_nv(model.tree<double>().nv),
        stride(row_stride(nv)),
        model_name(model.name()),
        zero(std::size_t(nv * kernels.width)) {
    const ModelView<S> view(model);
    const auto lanes = std::size_t(kernels.width);
    for (int t = 0; t < pool.threads(); ++t) {
      auto& station = stations.emplace_back();
      station.scratch = kernels.scratch(view);
      for (auto& in : station.in) in = Array<S>(std::size_t(std::max(nq, nv)) * lanes);
      station.matrix = Array<S>(std::size_t(nv * stride + padding) * lanes);
      station.result = Array<S>(std::size_t(std::max({nv * stride + padding, 6 * nv, 12})) * lanes);
    }
  }
};

template <class S>
Workspace<S>::Workspace(const Model& model, int threads) {
  if (threads < 0 || threads > 4096)
    throw Error("threads is " + std::to_string(threads) + "; expected 0 (as many as the machine has) to 4096");
  inside_ = std::make_unique<Inside>(model, threads);
}
template <class S>
Workspace<S>::~Workspace() = default;
template <class S>
Workspace<S>::Workspace(Workspace&&) noexcept = default;
template <class S>
Workspace<S>& Workspace<S>::operator=(Workspace&&) noexcept = default;
template <class S>
int Workspace<S>::threads() const {
  return inside_->pool.threads();
}
template <class S>
int Workspace<S>::lanes() const {
  return inside_->kernels.width;
}
template <class S>
const char* Workspace<S>::instruction_set() const {
  return inside_->kernels.instruction_set;
}

namespace {

template <class S>
struct Input {
  const char* name;
  const RowsIn<S>& rows;
  int columns;
};

// Robots first … first + count - 1 side by side; lanes without a robot repeat the last one, so that nothing odd is
// computed.
template <class S>
void to_lanes(const Input<S>& input, long first, int count, int lanes, S* out) {
  for (int l = 0; l < lanes; ++l) {
    const S* const row = input.rows.data() + (first + std::min(l, count - 1)) * input.rows.outerStride();
    for (int i = 0; i < input.columns; ++i) out[i * lanes + l] = row[i];
  }
}

template <class S>
void check(const Model& model, const Workspace<S>& work, std::initializer_list<Input<S>> inputs, const RowsOut<S>& out,
           int columns) {
  const auto& w = work.inside();
  if (model.nq() != w.nq || model.nv() != w.nv || model.bodies() != w.bodies || model.tree<double>().nv != w.tree_nv)
    throw Error("workspace: made for model '" + w.model_name + "', used with model '" + model.name() +
                "'; make a batch::Workspace for each model");
  const long robots = inputs.begin()->rows.rows();
  for (const auto& input : inputs) {
    if (input.rows.rows() != robots || input.rows.cols() != input.columns)
      throw Error(std::string(input.name) + " is " + std::to_string(input.rows.rows()) + " × " +
                  std::to_string(input.rows.cols()) + "; expected " + std::to_string(robots) + " × " +
                  std::to_string(input.columns));
    for (long r = 0; r < robots; ++r)
      for (long c = 0; c < input.columns; ++c)
        if (!std::isfinite(input.rows(r, c)))
          throw Error(std::string(input.name) + "(" + std::to_string(r) + ", " + std::to_string(c) +
                      ") is not finite; expected a finite number");
  }
  if (out.rows() != robots || out.cols() != columns)
    throw Error("the result is " + std::to_string(out.rows()) + " × " + std::to_string(out.cols()) + "; expected " +
                std::to_string(robots) + " × " + std::to_string(columns));
}

// How results lie in the lanes: entry (i) of a row of the result is entry place(i) of the lanes.
template <class S, class Call, class Place>
void run(const Model& model, const Workspace<S>& work, std::initializer_list<Input<S>> inputs, RowsOut<S> out,
         int columns, const Call& call, const Place& place) {
  check(model, work, inputs, out, columns);
  auto& w = work.inside();
  const ModelView<S> view(model);
  const long robots = out.rows();
  const int lanes = w.kernels.width;
  const long groups = (robots + lanes - 1) / lanes, threads = w.pool.threads();
  w.pool.run([&](int thread) {
    auto& station = w.stations[std::size_t(thread)];
    for (long g = groups * thread / threads; g < groups * (thread + 1) / threads; ++g) {
      const long first = g * lanes;
      const int count = int(std::min<long>(lanes, robots - first));
      int k = 0;
      for (const auto& input : inputs) to_lanes(input, first, count, lanes, station.in[k++].data());
      call(view, station);
      for (int l = 0; l < count; ++l) {
        S* const row = out.data() + (first + l) * out.outerStride();
        for (int i = 0; i < columns; ++i) row[i] = station.result[place(i) * lanes + l];
      }
    }
  });
}

constexpr auto in_order = [](int i) { return i; };
// Columns of six, one after another, to six rows.
auto transposed(int nv) {
  return [nv](int i) { return i % nv * 6 + i / nv; };
}

}  // namespace

template <class S>
void inverse_dynamics(const Model& m, Workspace<S>& work, const RowsIn<S>& q, const RowsIn<S>& v, const RowsIn<S>& a,
                      RowsOut<S> tau) {
  auto& w = work.inside();
  run<S>(
      m, work, {{"q", q, w.nq}, {"v", v, w.nv}, {"a", a, w.nv}}, tau, w.nv,
      [&](const ModelView<S>& view, Station<S>& s) {
        w.kernels.rnea(view, *s.scratch, s.in[0].data(), s.in[1].data(), s.in[2].data(), nullptr, s.result.data());
      },
      in_order);
}
template <class S>
void forward_dynamics(const Model& m, Workspace<S>& work, const RowsIn<S>& q, const RowsIn<S>& v, const RowsIn<S>& tau,
                      RowsOut<S> a) {
  auto& w = work.inside();
  run<S>(
      m, work, {{"q", q, w.nq}, {"v", v, w.nv}, {"tau", tau, w.nv}}, a, w.nv,
      [&](const ModelView<S>& view, Station<S>& s) {
        w.kernels.aba(view, *s.scratch, s.in[0].data(), s.in[1].data(), s.in[2].data(), nullptr, s.result.data());
      },
      in_order);
}
template <class S>
void bias_forces(const Model& m, Workspace<S>& work, const RowsIn<S>& q, const RowsIn<S>& v, RowsOut<S> h) {
  auto& w = work.inside();
  run<S>(
      m, work, {{"q", q, w.nq}, {"v", v, w.nv}}, h, w.nv,
      [&](const ModelView<S>& view, Station<S>& s) {
        w.kernels.bias(view, *s.scratch, s.in[0].data(), s.in[1].data(), s.result.data());
      },
      in_order);
}
template <class S>
void gravity_forces(const Model& m, Workspace<S>& work, const RowsIn<S>& q, RowsOut<S> g) {
  auto& w = work.inside();
  run<S>(
      m, work, {{"q", q, w.nq}}, g, w.nv,
      [&](const ModelView<S>& view, Station<S>& s) {
        w.kernels.bias(view, *s.scratch, s.in[0].data(), w.zero.data(), s.result.data());
      },
      in_order);
}

namespace {
// From the upper triangle.
auto mirrored(int nv, int stride) {
  return [nv, stride](int i) { return std::min(i / nv, i % nv) * stride + std::max(i / nv, i % nv); };
}
}  // namespace

template <class S>
void mass_matrix(const Model& m, Workspace<S>& work, const RowsIn<S>& q, RowsOut<S> M) {
  auto& w = work.inside();
  run<S>(
      m, work, {{"q", q, w.nq}}, M, w.nv * w.nv,
      [&](const ModelView<S>& view, Station<S>& s) {
        // In its own room: what crba leaves alone must stay zero.
        w.kernels.crba(view, *s.scratch, s.in[0].data(), s.matrix.data(), w.stride);
        std::copy(s.matrix.begin(), s.matrix.end(), s.result.begin());
      },
      mirrored(w.nv, w.stride));
}
template <class S>
void inverse_mass_matrix(const Model& m, Workspace<S>& work, const RowsIn<S>& q, RowsOut<S> M_inverse) {
  auto& w = work.inside();
  run<S>(
      m, work, {{"q", q, w.nq}}, M_inverse, w.nv * w.nv,
      [&](const ModelView<S>& view, Station<S>& s) {
        w.kernels.crba(view, *s.scratch, s.in[0].data(), s.matrix.data(), w.stride);
        w.kernels.factorize(view, *s.scratch, s.matrix.data(), w.stride);
        w.kernels.invert(view, *s.scratch, s.result.data(), w.stride);
      },
      mirrored(w.nv, w.stride));
}
template <class S>
void coriolis_matrix(const Model& m, Workspace<S>& work, const RowsIn<S>& q, const RowsIn<S>& v, RowsOut<S> C) {
  auto& w = work.inside();
  run<S>(
      m, work, {{"q", q, w.nq}, {"v", v, w.nv}}, C, w.nv * w.nv,
      [&](const ModelView<S>& view, Station<S>& s) {
        std::fill(s.result.begin(), s.result.end(), S(0));
        w.kernels.coriolis(view, *s.scratch, s.in[0].data(), s.in[1].data(), s.result.data(), w.stride);
      },
      [nv = w.nv, stride = w.stride](int i) { return i / nv * stride + i % nv; });
}
template <class S>
void centroidal_map(const Model& m, Workspace<S>& work, const RowsIn<S>& q, RowsOut<S> A) {
  auto& w = work.inside();
  run<S>(
      m, work, {{"q", q, w.nq}}, A, 6 * w.nv,
      [&](const ModelView<S>& view, Station<S>& s) {
        w.kernels.centroidal(view, *s.scratch, s.in[0].data(), s.result.data());
      },
      transposed(w.nv));
}
template <class S>
void centre_of_mass(const Model& m, Workspace<S>& work, const RowsIn<S>& q, RowsOut<S> com) {
  auto& w = work.inside();
  run<S>(
      m, work, {{"q", q, w.nq}}, com, 3,
      [&](const ModelView<S>& view, Station<S>& s) {
        w.kernels.placements(view, *s.scratch, s.in[0].data());
        w.kernels.centre_of_mass(view, *s.scratch, s.result.data());
      },
      in_order);
}
template <class S>
void kinetic_energy(const Model& m, Workspace<S>& work, const RowsIn<S>& q, const RowsIn<S>& v, RowsOut<S> energy) {
  auto& w = work.inside();
  run<S>(
      m, work, {{"q", q, w.nq}, {"v", v, w.nv}}, energy, 1,
      [&](const ModelView<S>& view, Station<S>& s) {
        w.kernels.velocities(view, *s.scratch, s.in[0].data(), s.in[1].data());
        w.kernels.kinetic_energy(view, *s.scratch, s.in[1].data(), s.result.data());
      },
      in_order);
}
template <class S>
void potential_energy(const Model& m, Workspace<S>& work, const RowsIn<S>& q, RowsOut<S> energy) {
  auto& w = work.inside();
  run<S>(
      m, work, {{"q", q, w.nq}}, energy, 1,
      [&](const ModelView<S>& view, Station<S>& s) {
        w.kernels.placements(view, *s.scratch, s.in[0].data());
        w.kernels.potential_energy(view, *s.scratch, s.result.data());
      },
      in_order);
}

namespace {

const Frame& frame_at(const Model& model, FrameId id) {
  if (id.index < 0 || id.index >= int(model.frames().size()))
    throw Error("frame: model '" + model.name() + "' has no frame number " + std::to_string(id.index) +
                "; get frames from model.frame(\"name\")");
  return model.frames()[std::size_t(id.index)];
}

// The pose of a frame in every lane: 12 × lanes numbers.
template <class S>
void frame_pose(const Kernels<S>& kernels, KernelScratch& scratch, const Frame& frame, S* out) {
  const int lanes = kernels.width;
  const S* const body = kernels.poses(scratch) + frame.body * 12 * lanes;
  for (int l = 0; l < lanes; ++l) {
    Pose<S> X_WB;
    S* const to = &X_WB.R.xx;
    for (int i = 0; i < 12; ++i) to[i] = body[i * lanes + l];
    const Pose<S> X_WF = X_WB * Pose<S>{cast<S>(frame.placement.R), cast<S>(frame.placement.p)};
    const S* const from = &X_WF.R.xx;
    for (int i = 0; i < 12; ++i) out[i * lanes + l] = from[i];
  }
}

}  // namespace

template <class S>
void placement(const Model& m, Workspace<S>& work, const RowsIn<S>& q, FrameId id, RowsOut<S> X) {
  auto& w = work.inside();
  const auto& frame = frame_at(m, id);
  run<S>(
      m, work, {{"q", q, w.nq}}, X, 12,
      [&](const ModelView<S>& view, Station<S>& s) {
        w.kernels.placements(view, *s.scratch, s.in[0].data());
        frame_pose(w.kernels, *s.scratch, frame, s.result.data());
      },
      in_order);
}
template <class S>
void jacobian(const Model& m, Workspace<S>& work, const RowsIn<S>& q, FrameId of, RowsOut<S> J) {
  auto& w = work.inside();
  const auto& frame = frame_at(m, of);
  run<S>(
      m, work, {{"q", q, w.nq}}, J, 6 * w.nv,
      [&](const ModelView<S>& view, Station<S>& s) {
        const int lanes = w.kernels.width;
        alignas(64) std::array<S, 12 * 16> pose, identity{};
        w.kernels.placements(view, *s.scratch, s.in[0].data());
        frame_pose(w.kernels, *s.scratch, frame, pose.data());
        for (int i = 0; i < 9; i += 4) std::fill_n(identity.begin() + i * lanes, lanes, S(1));
        w.kernels.jacobian(view, *s.scratch, frame.body, pose.data() + 9 * lanes, identity.data(), s.result.data());
      },
      transposed(w.nv));
}

#define LISSOM_INSTANTIATE(S)                                                                                          \
  template class Workspace<S>;                                                                                         \
  template void inverse_dynamics<S>(const Model&, Workspace<S>&, const RowsIn<S>&, const RowsIn<S>&, const RowsIn<S>&, \
                                    RowsOut<S>);                                                                       \
  template void forward_dynamics<S>(const Model&, Workspace<S>&, const RowsIn<S>&, const RowsIn<S>&, const RowsIn<S>&, \
                                    RowsOut<S>);                                                                       \
  template void bias_forces<S>(const Model&, Workspace<S>&, const RowsIn<S>&, const RowsIn<S>&, RowsOut<S>);           \
  template void gravity_forces<S>(const Model&, Workspace<S>&, const RowsIn<S>&, RowsOut<S>);                          \
  template void mass_matrix<S>(const Model&, Workspace<S>&, const RowsIn<S>&, RowsOut<S>);                             \
  template void inverse_mass_matrix<S>(const Model&, Workspace<S>&, const RowsIn<S>&, RowsOut<S>);                     \
  template void coriolis_matrix<S>(const Model&, Workspace<S>&, const RowsIn<S>&, const RowsIn<S>&, RowsOut<S>);       \
  template void centroidal_map<S>(const Model&, Workspace<S>&, const RowsIn<S>&, RowsOut<S>);                          \
  template void centre_of_mass<S>(const Model&, Workspace<S>&, const RowsIn<S>&, RowsOut<S>);                          \
  template void kinetic_energy<S>(const Model&, Workspace<S>&, const RowsIn<S>&, const RowsIn<S>&, RowsOut<S>);        \
  template void potential_energy<S>(const Model&, Workspace<S>&, const RowsIn<S>&, RowsOut<S>);                        \
  template void placement<S>(const Model&, Workspace<S>&, const RowsIn<S>&, FrameId, RowsOut<S>);                      \
  template void jacobian<S>(const Model&, Workspace<S>&, const RowsIn<S>&, FrameId, RowsOut<S>);
LISSOM_INSTANTIATE(double)
LISSOM_INSTANTIATE(float)

}  // namespace lissom::batch
