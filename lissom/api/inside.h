#pragma once
// The inside of a Workspace, and the checks that every public call makes first. Not installed for users.
#include <span>
#include <vector>

#include "lissom/api/dynamics.h"
#include "lissom/kernels/kernels.h"
#include "lissom/tree/array.h"

namespace lissom {

struct Workspace::Inside {
  const Kernels<double>& kernels;
  std::unique_ptr<KernelScratch> scratch, matrix_scratch;
  std::unique_ptr<KernelFactor> factor;
  int nq, nv, bodies, stride;
  std::shared_ptr<const void> structure_id;  // of the model it was made for
  std::string model_name;
  std::vector<int> quaternions;  // where they begin in q

  Eigen::VectorXd tau, a, x, D, zero;
  Columns6 J, J_dot, A;
  Eigen::Matrix3Xd J_com;
  Eigen::MatrixXd Y;
  Array<double> M, M_inverse, C, L, external;
  Vector6 h;
  bool factorized = false;  // solve() has something to solve with

  explicit Inside(const Model& model);
  // Error where the workspace was made for another model.
  void check(const Model& model) const;
  // Error where a vector has not the right size or holds what is no number; q also where a quaternion is not of
  // length 1.
  void check_q(const VectorIn& q) const;
  void check_v(const char* name, const VectorIn& v) const;

  MatrixView view(const Array<double>& matrix) const { return {matrix.data(), nv, nv, Eigen::OuterStride<>(stride)}; }
  // Mirrors the upper triangle.
  void make_symmetric(Array<double>& matrix) const;
};

// Forces on links, summed up per body, in its frame about its origin; nullptr where there are none. Error where one is
// not finite or on no frame.
const double* body_forces(const Model& model, Workspace& work, const VectorIn& q,
                          std::span<const ExternalForce> external);

}  // namespace lissom
