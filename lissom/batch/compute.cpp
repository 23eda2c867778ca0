// Computes the quantities of one group of robots, one robot per lane.
#include <algorithm>

#include "lissom/batch/memory.h"
#include "lissom/spatial/force.h"
#include "lissom/spatial/pose.h"

namespace lissom::batch {
namespace {

// One group of robots, with its memory.
template <class S>
struct Group {
  const Model& model;
  typename Workspace<S>::Memory& w;
  GroupScratch<S>& s;
  ModelView<S> view;

  int lanes() const { return w.kernels.width; }
  // Intermediate results that several quantities need are computed once for each group.
  void placements() {
    if (s.has_poses) return;
    w.kernels.placements(view, *s.scratch, s.q.data());
    s.has_poses = true;
  }
  void velocities() {
    if (s.has_velocities) return;
    w.kernels.velocities(view, *s.scratch, s.q.data(), s.v.data());
    s.has_poses = s.has_velocities = true;
  }
  void mass_matrix() {
    if (s.has_M) return;
    w.kernels.crba(view, *s.scratch, s.q.data(), s.M.data(), w.stride);
    s.has_M = true;
  }
  Pose<S> body_pose(int body, int lane) const {
    const S* const from = w.kernels.poses(*s.scratch) + body * 12 * lanes();
    Pose<S> X;
    S* const to = &X.R.xx;
    for (int i = 0; i < 12; ++i) to[i] = from[i * lanes() + lane];
    return X;
  }
  // The pose of a frame in every lane.
  void frame_pose(const Frame& frame) {
    placements();
    const Pose<S> in_body{cast<S>(frame.placement.R), cast<S>(frame.placement.p)};
    for (int l = 0; l < lanes(); ++l) {
      const auto X = body_pose(frame.body, l) * in_body;
      const S* const from = &X.R.xx;
      for (int i = 0; i < 12; ++i) s.pose[i * lanes() + l] = from[i];
    }
  }
  void jacobian(const Frame& frame) {
    frame_pose(frame);
    w.kernels.jacobian(view, *s.scratch, frame.body, s.pose.data() + 9 * lanes(), w.axes.data(), s.result.data());
  }

  // Quantities whose elements have the same order in the lanes as in a row.
  const S* vector(const Output<S>& output, const S* external) {
    const auto& kernels = w.kernels;
    const S *const q = s.q.data(), *const v = s.v.data();
    S* const result = s.result.data();
    switch (output.quantity) {
      case Quantity::inverse_dynamics:
        kernels.rnea(view, *s.scratch, q, v, s.a.data(), external, result);
        break;
      case Quantity::forward_dynamics:
        kernels.aba(view, *s.scratch, q, v, s.tau.data(), external, result);
        break;
      case Quantity::bias_forces:
        kernels.bias(view, *s.scratch, q, v, result);
        break;
      case Quantity::gravity_forces:
        kernels.bias(view, *s.scratch, q, w.zero.data(), result);
        break;
      case Quantity::center_of_mass:
        placements();
        kernels.center_of_mass(view, *s.scratch, result);
        break;
      case Quantity::kinetic_energy:
        velocities();
        kernels.kinetic_energy(view, *s.scratch, v, result);
        break;
      case Quantity::potential_energy:
        placements();
        kernels.potential_energy(view, *s.scratch, result);
        break;
      case Quantity::placement:
        frame_pose(model.frames()[std::size_t(output.frame.index)]);
        return s.pose.data();
      default:
        break;
    }
    return result;
  }
};

}  // namespace

template <class S>
const S* body_forces(const Model& model, typename Workspace<S>::Memory& w, GroupScratch<S>& s,
                     std::span<const ExternalForces<S>> external, long first, int count) {
  if (external.empty()) return nullptr;
  Group<S> group{model, w, s, ModelView<S>(model)};
  group.placements();
  std::fill(s.external.begin(), s.external.end(), S(0));
  const int lanes = w.kernels.width;
  for (const auto& force : external) {
    w.to_lanes(force.wrench, first, count, s.wrench);
    const auto& frame = model.frames()[std::size_t(force.on.index)];
    const auto arm = cast<S>(frame.placement.p);
    S* const sum = s.external.data() + frame.body * 6 * lanes;
    for (int l = 0; l < lanes; ++l) {
      const auto element = [&](int i) { return s.wrench[i * lanes + l]; };
      const auto R = group.body_pose(frame.body, l).R;
      const auto linear = transpose_times(R, Vec3<S>(element(0), element(1), element(2)));
      const auto angular = plus_cross(transpose_times(R, Vec3<S>(element(3), element(4), element(5))), arm, linear);
      const S added[] = {angular.x, angular.y, angular.z, linear.x, linear.y, linear.z};
      for (int i = 0; i < 6; ++i) sum[i * lanes + l] += added[i];
    }
  }
  return s.external.data();
}

template <class S>
void compute(const Model& model, typename Workspace<S>::Memory& w, GroupScratch<S>& s, const S* external,
             const Output<S>& output, long first, int count) {
  Group<S> group{model, w, s, ModelView<S>(model)};
  const int nv = w.nv, stride = w.stride;
  const auto write = [&](const S* values, auto source) {
    write_rows(values, w.kernels.width, output.rows, first, count, source);
  };
  // Both triangles from the upper one.
  const auto mirrored = [nv, stride](int i) { return std::min(i / nv, i % nv) * stride + std::max(i / nv, i % nv); };
  // Six rows from columns of six elements.
  const auto transposed = [nv](int i) { return i % nv * 6 + i / nv; };
  switch (output.quantity) {
    case Quantity::mass_matrix:
      group.mass_matrix();
      return write(s.M.data(), mirrored);
    case Quantity::inverse_mass_matrix:
      group.mass_matrix();
      w.kernels.factorize(group.view, *s.factor, s.M.data(), stride);
      w.kernels.invert(group.view, *s.factor, *s.matrix_scratch, s.M_inverse.data(), stride);
      return write(s.M_inverse.data(), mirrored);
    case Quantity::coriolis_matrix:
      w.kernels.coriolis(group.view, *s.matrix_scratch, s.q.data(), s.v.data(), s.C.data(), stride);
      return write(s.C.data(), [nv, stride](int i) { return i / nv * stride + i % nv; });
    case Quantity::centroidal_map:
      group.placements();
      w.kernels.centroidal_map(group.view, *s.scratch, s.result.data());
      return write(s.result.data(), transposed);
    case Quantity::jacobian:
      group.jacobian(model.frames()[std::size_t(output.frame.index)]);
      return write(s.result.data(), transposed);
    default: {
      const S* const values = group.vector(output, external);
      RowsOut<S> to = output.rows;
      w.kernels.to_rows(values, count, int(to.cols()), to.data() + first * to.outerStride(), to.outerStride());
    }
  }
}

template const double* body_forces<double>(const Model&, Workspace<double>::Memory&, GroupScratch<double>&,
                                           std::span<const ExternalForces<double>>, long, int);
template const float* body_forces<float>(const Model&, Workspace<float>::Memory&, GroupScratch<float>&,
                                         std::span<const ExternalForces<float>>, long, int);
template void compute<double>(const Model&, Workspace<double>::Memory&, GroupScratch<double>&, const double*,
                              const Output<double>&, long, int);
template void compute<float>(const Model&, Workspace<float>::Memory&, GroupScratch<float>&, const float*,
                             const Output<float>&, long, int);

}  // namespace lissom::batch
