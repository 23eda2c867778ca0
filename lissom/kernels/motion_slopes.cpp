// The kernels of the derivatives of motions, for the instruction set this file is compiled for.
#include "lissom/kernels/motion_slopes.h"

#include "lissom/kernels/in_model_coordinates.h"

namespace lissom {
inline namespace LISSOM_ISA_NAMESPACE {
namespace {

using View = const ModelView<double>&;

struct MotionSlopesScratch final : KernelScratch {
  in_model_coordinates::KinematicsInModel<double> kinematics;
  in_model_coordinates::ModelColumns<double> columns;
  explicit MotionSlopesScratch(View m) : kinematics(m), columns(m) {}
};
MotionSlopesScratch& in(KernelScratch& w) {
  return static_cast<MotionSlopesScratch&>(w);
}
std::unique_ptr<KernelScratch> scratch(View m) {
  return std::make_unique<MotionSlopesScratch>(m);
}

void accelerations(View m, KernelScratch& k, const double* q, const double* v, const double* a) {
  in_model_coordinates::accelerations<double>(m, in(k).kinematics, q, v, a);
}

void put(const Motion<double>& from, double factor, double* to) {
  const double x[] = {from.angular.x, from.angular.y, from.angular.z, from.linear.x, from.linear.y, from.linear.z};
  for (int i = 0; i < 6; ++i) to[i] += factor * x[i];
}

void motion_derivatives(View m, KernelScratch& k, int body, double* motion, double* slopes) {
  auto& w = in(k);
  const auto& all = w.kinematics.kinematics;
  for (int i = 0; i < 24 * m.coupling.nv; ++i) slopes[i] = 0;
  for (int i = 0; i < 24; ++i) motion[i] = 0;
  const double* const X = &all.X[body].R.xx;
  for (int i = 0; i < 12; ++i) motion[i] = X[i];
  if (body == world) return;
  put(all.v[body], 1, motion + 12);
  put(all.a[body], 1, motion + 18);
  lissom::motion_derivatives(m.tree, all, body, [&](int j, const MotionSlopes<double>& s) {
    double* const to = slopes + 24 * w.columns.index[j];
    const double factor = w.columns.factor[j];
    put(s.S, factor, to);
    put(s.V_q, factor, to + 6);
    put(s.A_q, factor, to + 12);
    put(s.A_v, factor, to + 18);
  });
}

}  // namespace

const MotionSlopesKernels& motion_slopes_table() {
  static const MotionSlopesKernels all{
      .scratch = scratch, .accelerations = accelerations, .motion_derivatives = motion_derivatives};
  return all;
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
