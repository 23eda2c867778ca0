#pragma once
// The motion of single bodies and its derivatives, for one robot in double: the table that constraints/moving_body.h
// uses. It is compiled for each instruction set as the other tables are.
#include "lissom/kernels/tables.h"
#include "lissom/kinematics/motion_derivatives.h"

namespace lissom {

struct MotionSlopesKernels {
  using View = const ModelView<double>&;

  std::unique_ptr<KernelScratch> (*scratch)(View);
  // Computes the motion of all bodies.
  void (*accelerations)(View, KernelScratch&, const double* q, const double* v, const double* a);
  // Then, of one of them: its pose, velocity and acceleration (12, 6 and 6 elements, the latter two in its frame), and
  // for each degree of freedom of the model a MotionSlopes (kinematics/motion_derivatives.h), 24 elements.
  void (*motion_derivatives)(View, KernelScratch&, int body, double* motion, double* slopes);
};

const MotionSlopesKernels& motion_slopes_kernels();

LISSOM_DECLARE_FOR_SETS(const MotionSlopesKernels& motion_slopes_table();)

}  // namespace lissom
