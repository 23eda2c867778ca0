#pragma once
// The table of ik/kernels.h for a scalar T: it only wraps target_rows.h and damped_step.h in casts.
#include "lissom/ik/damped_step.h"
#include "lissom/ik/kernels.h"
#include "lissom/ik/target_rows.h"
#include "lissom/kernels/in_model_coordinates.h"
#include "lissom/kernels/lanes_cast.h"

namespace lissom::ik {

inline namespace LISSOM_ISA_NAMESPACE {

template <class T>
struct IkScratch final : KernelScratch {
  in_model_coordinates::KinematicsInModel<T> kinematics;
  CentroidalScratch<T> centroidal;
  Array<T> J, J_in;
  explicit IkScratch(const ModelView<Number<T>>& m)
      : kinematics(m), centroidal(m.tree), J(std::size_t(6 * m.coupling.nv)), J_in(J.size()) {}
};

template <class T>
struct IkCalls : LanesCast<T> {
  using S = Number<T>;
  using View = const ModelView<S>&;
  using Scratch = KernelScratch&;
  using LanesCast<T>::lanes;

  static IkScratch<T>& in(Scratch w) { return static_cast<IkScratch<T>&>(w); }
  static std::unique_ptr<KernelScratch> scratch(View m) { return std::make_unique<IkScratch<T>>(m); }

  static void placements(View m, Scratch w, const S* q) {
    in_model_coordinates::placements(m, in(w).kinematics, lanes(q));
  }
  static void target_rows(View m, Scratch k, const TargetRows<S>& target, const S* desired,
                          const ChosenColumns& columns, S* e, S* rows, S* error) {
    auto& w = in(k);
    const auto& X = w.kinematics.kinematics.X;
    const auto axes = identity3<T>();
    Pose<T> X_WF;
    if (target.kind == TargetKind::center_of_mass) {
      in_model_coordinates::centroidal_map(m, w.kinematics, w.centroidal, w.J.data());
      X_WF.p = w.centroidal.com;
      const S over = w.centroidal.mass != 0 ? 1 / w.centroidal.mass : S(0);
      for (auto& element : w.J) element = over * element;
    } else {
      X_WF = X[target.of] * target.of_placement;
      in_model_coordinates::jacobian(m, w.kinematics, target.of, X_WF.p, axes, w.J.data());
    }
    if (target.in != world) {
      in_model_coordinates::jacobian(m, w.kinematics, target.in, X_WF.p, axes, w.J_in.data());
      for (std::size_t i = 0; i < w.J.size(); ++i) w.J[i] -= w.J_in[i];
    }
    const auto& X_IP = *reinterpret_cast<const Pose<T>*>(desired);
    ik::target_rows(target, X_WF, X[target.in] * target.in_placement, X_IP, columns, w.J.data(), lanes(e), lanes(rows),
                    lanes(error));
  }
  static void damped_step(const DampedStep<S>& s) {
    ik::damped_step(s.rows, s.columns, lanes(s.J), lanes(s.e), lanes(s.lower), lanes(s.upper), *lanes(s.damping),
                    lanes(s.buffer), lanes(s.d));
  }

  static IkKernels<S> table() {
    return {.width = lanes_of<T>,
            .scratch = scratch,
            .placements = placements,
            .target_rows = target_rows,
            .damped_step = damped_step};
  }
};

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom::ik
