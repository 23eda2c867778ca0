#include "lissom/batch/batch.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <vector>

#include "lissom/batch/pool.h"
#include "lissom/kernels/kernels.h"
#include "lissom/spatial/pose.h"
#include "lissom/tree/array.h"

namespace lissom::batch {

// What one thread works in: the kernels' scratch, and states and results in lanes.
template <class S>
struct Station {
  std::unique_ptr<KernelScratch> scratch, matrix_scratch;
  std::unique_ptr<KernelFactor> factor;
  Array<S> in[3], matrix, result;
  long first = 0;  // the robots it works on
  int count = 0;
};

template <class S>
struct Workspace<S>::Inside {
  const Kernels<S>& kernels;
  Pool pool;
  std::vector<Station<S>> stations;
  int nq, nv, stride;
  std::shared_ptr<const void> structure_id;  // of the model it was made for
  std::string model_name;
  std::vector<int> quaternions;  // where they begin in q
  Array<S> zero;                 // nv × lanes

  Inside(const Model& model, int threads)
      : kernels(lane_kernels<S>()),
        pool(threads),
        nq(model.nq()),
        nv(model.nv()),
        stride(row_stride(nv)),
        structure_id(model.structure_id()),
        model_name(model.name()),
        quaternions(model.quaternions()),
        zero(std::size_t(nv * kernels.width)) {
    const ModelView<S> view(model);
    const auto lanes = std::size_t(kernels.width);
    for (int t = 0; t < pool.threads(); ++t) {
      auto& station = stations.emplace_back();
      station.scratch = kernels.scratch(view);
      station.matrix_scratch = kernels.matrix_scratch(view);
      station.factor = kernels.make_factor(view);
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

struct InOrder {};
constexpr InOrder in_order;

template <class S>
bool is_unit(const S* q) {
  const S length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return std::abs(length - 1) < (sizeof(S) == 8 ? S(1e-6) : S(1e-4));
}

template <class S>
struct Input {
  const char* name;
  const RowsIn<S>& rows;
  int columns;
};

template <class S>
[[noreturn]] void wrong_shape(const std::string& name, long rows, long columns, long expected_rows,
                              long expected_columns) {
  throw Error(name + " is " + std::to_string(rows) + " × " + std::to_string(columns) + "; expected " +
              std::to_string(expected_rows) + " × " + std::to_string(expected_columns));
}

// Names the first entry of a row that is no number, or the quaternion that is not of length 1.
template <class S>
[[noreturn]] void bad_row(const Input<S>& input, long r, const std::vector<int>& quaternions) {
  const std::string row = std::string(input.name) + "(" + std::to_string(r) + ", ";
  for (long c = 0; c < input.columns; ++c)
    if (!std::isfinite(input.rows(r, c)))
      throw Error(row + std::to_string(c) + ") is " + (std::isnan(input.rows(r, c)) ? "NaN" : "infinite") +
                  "; expected a finite number");
  for (const int at : quaternions)
    if (!is_unit(input.rows.data() + r * input.rows.outerStride() + at))
      throw Error(row + std::to_string(at) + " … " + std::to_string(at + 3) +
                  "), a quaternion (w x y z), is not of length 1; call normalise(model, q) first");
  throw Error(row + "…) is not a valid row");
}

// The part of n things that is a thread's.
struct Share {
  long first, last;
  Share(long n, int thread, int threads) : first(n * thread / threads), last(n * (thread + 1) / threads) {}
};

// Shapes and numbers of all inputs, before anything is written.
template <class S>
void check(const Model& model, const Workspace<S>& work, std::initializer_list<Input<S>> inputs, const RowsOut<S>& out,
           int columns) {
  auto& w = work.inside();
  if (model.structure_id() != w.structure_id)
    throw Error("workspace: made for model '" + w.model_name + "', used with model '" + model.name() +
                "'; make a batch::Workspace for each model");
  const long robots = inputs.begin()->rows.rows();
  for (const auto& input : inputs)
    if (input.rows.rows() != robots || input.rows.cols() != input.columns)
      wrong_shape<S>(input.name, input.rows.rows(), input.rows.cols(), robots, input.columns);
  if (out.rows() != robots || out.cols() != columns)
    wrong_shape<S>("the result", out.rows(), out.cols(), robots, columns);

  for (const auto& input : inputs) {
    const bool is_q = input.name[0] == 'q';
    const auto good = [&](long r) {
      const S* const row = input.rows.data() + r * input.rows.outerStride();
      return w.kernels.finite(row, input.columns) &&
             (!is_q || std::ranges::all_of(w.quaternions, [&](int at) { return is_unit(row + at); }));
    };
    std::atomic<long> bad = robots;
    w.pool.run([&](int thread) {
      const Share share(robots, thread, w.pool.threads());
      for (long r = share.first; r < share.last; ++r)
        if (!good(r)) {
          for (long seen = bad; r < seen && !bad.compare_exchange_weak(seen, r);) {
          }
          return;
        }
    });
    if (bad < robots) bad_row(input, bad, is_q ? w.quaternions : std::vector<int>{});
  }
}

// Runs call(view, station) for every group of robots, with the inputs in the station's lanes, and takes its result to
// the rows of `out`: entry i of a row is entry place(i) of the lanes.
template <class S, class Call, class Place>
void run(const Model& model, const Workspace<S>& work, std::initializer_list<Input<S>> inputs, RowsOut<S> out,
         int columns, const Call& call, const Place& place) {
  check(model, work, inputs, out, columns);
  auto& w = work.inside();
  const ModelView<S> view(model);
  const long robots = out.rows();
  const int lanes = w.kernels.width;
  const long groups = (robots + lanes - 1) / lanes;
  w.pool.run([&](int thread) {
    auto& station = w.stations[std::size_t(thread)];
    const Share share(groups, thread, w.pool.threads());
    for (long g = share.first; g < share.last; ++g) {
      const long first = g * lanes;
      const int count = int(std::min<long>(lanes, robots - first));
      int k = 0;
      for (const auto& input : inputs)
        w.kernels.to_lanes(input.rows.data() + first * input.rows.outerStride(), input.rows.outerStride(), count,
                           input.columns, station.in[k++].data());
      station.first = first;
      station.count = count;
      call(view, station);
      S* const rows = out.data() + first * out.outerStride();
      if constexpr (std::is_same_v<Place, InOrder>)
        w.kernels.to_rows(station.result.data(), count, columns, rows, out.outerStride());
      else
        for (int i = 0; i < columns; ++i)
          for (int l = 0; l < count; ++l) rows[l * out.outerStride() + i] = station.result[place(i) * lanes + l];
    }
  });
}

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
void step(const Model& m, Workspace<S>& work, RowsOut<S> q, RowsOut<S> v, const RowsIn<S>& tau, S dt) {
  if (!std::isfinite(dt)) throw Error("dt is not finite; expected seconds");
  auto& w = work.inside();
  const RowsIn<S> q0 = q, v0 = v;
  run<S>(
      m, work, {{"q", q0, w.nq}, {"v", v0, w.nv}, {"tau", tau, w.nv}}, v, w.nv,
      [&](const ModelView<S>& view, Station<S>& s) {
        w.kernels.step(view, *s.scratch, s.in[0].data(), s.in[1].data(), s.in[2].data(), nullptr, dt, s.in[0].data(),
                       s.result.data());
        w.kernels.to_rows(s.in[0].data(), s.count, w.nq, q.data() + s.first * q.outerStride(), q.outerStride());
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
        w.kernels.factorize(view, *s.factor, s.matrix.data(), w.stride);
        w.kernels.invert(view, *s.factor, *s.matrix_scratch, s.result.data(), w.stride);
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
        w.kernels.coriolis(view, *s.matrix_scratch, s.in[0].data(), s.in[1].data(), s.result.data(), w.stride);
      },
      [nv = w.nv, stride = w.stride](int i) { return i / nv * stride + i % nv; });
}
template <class S>
void centroidal_map(const Model& m, Workspace<S>& work, const RowsIn<S>& q, RowsOut<S> A) {
  auto& w = work.inside();
  run<S>(
      m, work, {{"q", q, w.nq}}, A, 6 * w.nv,
      [&](const ModelView<S>& view, Station<S>& s) {
        w.kernels.placements(view, *s.scratch, s.in[0].data());
        w.kernels.centroidal_map(view, *s.scratch, s.result.data());
      },
      transposed(w.nv));
}
template <class S>
void center_of_mass(const Model& m, Workspace<S>& work, const RowsIn<S>& q, RowsOut<S> com) {
  auto& w = work.inside();
  run<S>(
      m, work, {{"q", q, w.nq}}, com, 3,
      [&](const ModelView<S>& view, Station<S>& s) {
        w.kernels.placements(view, *s.scratch, s.in[0].data());
        w.kernels.center_of_mass(view, *s.scratch, s.result.data());
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
  template void step<S>(const Model&, Workspace<S>&, RowsOut<S>, RowsOut<S>, const RowsIn<S>&, S);                     \
  template void bias_forces<S>(const Model&, Workspace<S>&, const RowsIn<S>&, const RowsIn<S>&, RowsOut<S>);           \
  template void gravity_forces<S>(const Model&, Workspace<S>&, const RowsIn<S>&, RowsOut<S>);                          \
  template void mass_matrix<S>(const Model&, Workspace<S>&, const RowsIn<S>&, RowsOut<S>);                             \
  template void inverse_mass_matrix<S>(const Model&, Workspace<S>&, const RowsIn<S>&, RowsOut<S>);                     \
  template void coriolis_matrix<S>(const Model&, Workspace<S>&, const RowsIn<S>&, const RowsIn<S>&, RowsOut<S>);       \
  template void centroidal_map<S>(const Model&, Workspace<S>&, const RowsIn<S>&, RowsOut<S>);                          \
  template void center_of_mass<S>(const Model&, Workspace<S>&, const RowsIn<S>&, RowsOut<S>);                          \
  template void kinetic_energy<S>(const Model&, Workspace<S>&, const RowsIn<S>&, const RowsIn<S>&, RowsOut<S>);        \
  template void potential_energy<S>(const Model&, Workspace<S>&, const RowsIn<S>&, RowsOut<S>);                        \
  template void placement<S>(const Model&, Workspace<S>&, const RowsIn<S>&, FrameId, RowsOut<S>);                      \
  template void jacobian<S>(const Model&, Workspace<S>&, const RowsIn<S>&, FrameId, RowsOut<S>);
LISSOM_INSTANTIATE(double)
LISSOM_INSTANTIATE(float)

}  // namespace lissom::batch
