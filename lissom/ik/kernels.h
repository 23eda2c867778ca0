#pragma once
// The kernels of inverse kinematics: a table of functions for one robot and one for lanes of doubles. They are chosen
// for the processor like those of lissom/kernels/kernels.h, and have the same layout of arrays.
#include <memory>

#include "lissom/ik/kernel_types.h"
#include "lissom/kernels/kernels.h"

namespace lissom::ik {

template <class S>
struct IkKernels {
  using View = const ModelView<S>&;
  using Scratch = KernelScratch&;

  int width;
  std::unique_ptr<KernelScratch> (*scratch)(View);
  // Computes the placements of the bodies, which target_rows reads.
  void (*placements)(View, Scratch, const S* q);
  // After placements: the rows of a target for the desired pose X_IP (12 elements: rotation by rows, origin); see
  // target_rows.h.
  void (*target_rows)(View, Scratch, const TargetRows<S>& target, const S* X_IP, const ChosenColumns& columns, S* e,
                      S* rows, S* error);
  void (*damped_step)(const DampedStep<S>&);  // see damped_step.h
};

const IkKernels<double>& single_ik_kernels();
const IkKernels<double>& lane_ik_kernels();

}  // namespace lissom::ik
