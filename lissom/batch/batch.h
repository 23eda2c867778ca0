#pragma once
// Many robots of one model at once: arrays have one row per robot, B × n. Each robot uses one lane of the processor's
// SIMD registers, and groups of robots that fill the lanes are distributed to threads. Row i of a result depends only
// on row i of the inputs: it has the same bits for any number of threads and any B, also if B does not fill the lanes.
// S is double or float.
//
// evaluate() computes any number of quantities in one pass over the states. The functions named like those of
// lissom/api/ compute one quantity each.
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <Eigen/Core>

#include "lissom/model/model.h"

namespace lissom::batch {

/// A matrix with one row per robot.
template <class S>
using Rows = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
// (The stride is explicit because g++ and clang mangle the default one differently.)
/// Rows that are read.
template <class S>
using RowsIn = Eigen::Ref<const Rows<S>, 0, Eigen::OuterStride<>>;
/// Rows that are written; they must already have the right size.
template <class S>
using RowsOut = Eigen::Ref<Rows<S>, 0, Eigen::OuterStride<>>;

/// Threads and the memory that they need. It belongs to one caller at a time.
template <class S>
class Workspace {
 public:
  /// threads = 0: as many as the machine has hardware threads.
  explicit Workspace(const Model& model, int threads = 0);
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;
  int threads() const;
  int lanes() const;                    ///< robots per group
  const char* instruction_set() const;  ///< "baseline", "avx2", "avx512"

  struct Memory;  ///< internal
 private:
  template <class>
  friend struct MemoryOf;
  std::unique_ptr<Memory> memory_;
};

/// Rows of one input: a matrix stored by rows, or a block of one. It refers to that matrix, which must outlive the
/// call.
template <class S>
class InputRows {
 public:
  InputRows() = default;  ///< not given
  template <class Derived>
    requires(bool(Derived::IsRowMajor) && bool(Derived::Flags & Eigen::DirectAccessBit) &&
             std::is_same_v<typename Derived::Scalar, S>)
  InputRows(const Eigen::MatrixBase<Derived>& m)  // NOLINT(google-explicit-constructor)
      : data_(m.derived().data()), rows_(m.rows()), columns_(m.cols()), stride_(m.derived().outerStride()) {
    if (m.derived().innerStride() != 1)
      throw Error("the elements of an input row are not contiguous in memory, expected a stride of 1");
  }
  const S* row(long i) const { return data_ + i * stride_; }
  long rows() const { return rows_; }
  long columns() const { return columns_; }
  long stride() const { return stride_; }
  bool given() const { return rows_ >= 0; }

 private:
  const S* data_ = nullptr;
  long rows_ = -1, columns_ = 0, stride_ = 0;
};

/// Forces on a frame of every robot: B × 6, force and torque at the frame's origin, along the world's axes.
template <class S>
struct ExternalForces {
  FrameId on;
  InputRows<S> wrench;
};

/// The states of B robots: q is B × nq, the others are B × nv. Only those that an output reads are needed.
template <class S>
struct Inputs {
  InputRows<S> q, v = {}, a = {}, tau = {};
  /// Used by inverse and forward dynamics.
  std::span<const ExternalForces<S>> external = {};
  /// Directions of Jacobian-vector products, and the weights of vector-Jacobian products, each B × nv.
  InputRows<S> dq = {}, dv = {}, da = {}, dtau = {}, weights = {};
};

/// The quantities that can be computed. The comments list the inputs that they read besides q, and their number of
/// columns.
enum class Quantity {
  inverse_dynamics,     ///< v, a, external forces: nv
  forward_dynamics,     ///< v, tau, external forces: nv
  bias_forces,          ///< v: nv
  gravity_forces,       ///< nv
  mass_matrix,          ///< nv * nv, row after row, both triangles
  inverse_mass_matrix,  ///< nv * nv
  coriolis_matrix,      ///< v: nv * nv
  centroidal_map,       ///< 6 * nv, row after row
  center_of_mass,       ///< 3
  kinetic_energy,       ///< v: 1
  potential_energy,     ///< 1
  placement,            ///< of a frame: 12, the rotation matrix row after row, then the position
  jacobian,             ///< of a frame at its origin along the world's axes: 6 * nv, row after row
  // Derivatives, as in lissom/api/derivatives.h.
  inverse_dynamics_dq,    ///< v, a, external forces: nv * nv
  inverse_dynamics_dv,    ///< v, a, external forces: nv * nv
  inverse_dynamics_da,    ///< v, a, external forces: nv * nv, the mass matrix
  forward_dynamics_dq,    ///< v, tau, external forces: nv * nv
  forward_dynamics_dv,    ///< v, tau, external forces: nv * nv
  forward_dynamics_dtau,  ///< v, tau, external forces: nv * nv, the inverse mass matrix
  inverse_dynamics_jvp,   ///< v, a, external forces, dq, dv, da: nv
  inverse_dynamics_vjp,   ///< v, a, external forces, weights: 3 * nv, the gradients with respect to q, v, a
  forward_dynamics_jvp,   ///< v, tau, external forces, dq, dv, dtau: nv
  forward_dynamics_vjp,   ///< v, tau, external forces, weights: 3 * nv, the gradients with respect to q, v, tau
  // With respect to inertial parameters, ten for each of n bodies, row after row (inertial_parameters() has their
  // order).
  inverse_dynamics_dparameters,  ///< v, a: nv * 10 n, the regressor
  forward_dynamics_dparameters,  ///< v, tau, external forces: nv * 10 n
  // As in lissom/api/second_order.h, row after row.
  inverse_dynamics_second_order,    ///< v, a, weights: 3 nv * 3 nv
  forward_dynamics_second_order,    ///< v, tau, weights: 3 nv * 3 nv
  jacobian_derivatives,             ///< of a frame: 6 * nv * nv, element (r, k, j) is the derivative of J(r, k) along j
  centroidal_momentum_derivatives,  ///< v: 6 * nv
};

/// A quantity and the rows that it is written to; these must already have the right size.
template <class S>
struct Output {
  Quantity quantity;
  RowsOut<S> rows;
  FrameId frame = world_frame;  ///< for placement, jacobian and jacobian_derivatives
};

/// Computes all outputs for all robots; intermediate results that several outputs need are computed once. All arguments
/// are checked, and an Error is thrown, before anything is written.
template <class S>
void evaluate(const Model& model, Workspace<S>& work, const std::type_identity_t<Inputs<S>>& inputs,
              std::span<const std::type_identity_t<Output<S>>> outputs);
template <class S>
void evaluate(const Model& model, Workspace<S>& work, const std::type_identity_t<Inputs<S>>& inputs,
              std::initializer_list<std::type_identity_t<Output<S>>> outputs) {
  evaluate(model, work, inputs, std::span<const Output<S>>(outputs.begin(), outputs.size()));
}

/// A robot that step() could not move, and why: "v(7, 2) is NaN".
struct FailedRow {
  long row;
  std::string what;
};
/// A step of the semi-implicit Euler method, in place: v += dt · forward_dynamics, then q = integrate(q, v, dt).
/// Returns the robots that could not be moved, in the order of their rows: those with an element of q, v, tau or a
/// wrench that is not finite, a quaternion that is not normalized, or a step that does not end in finite numbers. Their
/// rows stay as they were; all others are moved. Arguments of wrong size throw an Error, before anything is written.
template <class S>
[[nodiscard]] std::vector<FailedRow> step(const Model& model, Workspace<S>& work, std::type_identity_t<RowsOut<S>> q,
                                          std::type_identity_t<RowsOut<S>> v,
                                          const std::type_identity_t<RowsIn<S>>& tau, std::type_identity_t<S> dt,
                                          std::span<const std::type_identity_t<ExternalForces<S>>> external = {});

// (type_identity: S is deduced from the workspace, and rows may be any expression.)
/// Functions for one quantity each; see Quantity.
template <class S>
void inverse_dynamics(const Model& model, Workspace<S>& work, const std::type_identity_t<RowsIn<S>>& q,
                      const std::type_identity_t<RowsIn<S>>& v, const std::type_identity_t<RowsIn<S>>& a,
                      std::type_identity_t<RowsOut<S>> tau,
                      std::span<const std::type_identity_t<ExternalForces<S>>> external = {}) {
  evaluate(model, work, {.q = q, .v = v, .a = a, .external = external}, {{Quantity::inverse_dynamics, tau}});
}
template <class S>
void forward_dynamics(const Model& model, Workspace<S>& work, const std::type_identity_t<RowsIn<S>>& q,
                      const std::type_identity_t<RowsIn<S>>& v, const std::type_identity_t<RowsIn<S>>& tau,
                      std::type_identity_t<RowsOut<S>> a,
                      std::span<const std::type_identity_t<ExternalForces<S>>> external = {}) {
  evaluate(model, work, {.q = q, .v = v, .tau = tau, .external = external}, {{Quantity::forward_dynamics, a}});
}
template <class S>
void bias_forces(const Model& model, Workspace<S>& work, const std::type_identity_t<RowsIn<S>>& q,
                 const std::type_identity_t<RowsIn<S>>& v, std::type_identity_t<RowsOut<S>> h) {
  evaluate(model, work, {.q = q, .v = v}, {{Quantity::bias_forces, h}});
}
template <class S>
void gravity_forces(const Model& model, Workspace<S>& work, const std::type_identity_t<RowsIn<S>>& q,
                    std::type_identity_t<RowsOut<S>> g) {
  evaluate(model, work, {.q = q}, {{Quantity::gravity_forces, g}});
}
template <class S>
void mass_matrix(const Model& model, Workspace<S>& work, const std::type_identity_t<RowsIn<S>>& q,
                 std::type_identity_t<RowsOut<S>> M) {
  evaluate(model, work, {.q = q}, {{Quantity::mass_matrix, M}});
}
template <class S>
void inverse_mass_matrix(const Model& model, Workspace<S>& work, const std::type_identity_t<RowsIn<S>>& q,
                         std::type_identity_t<RowsOut<S>> M_inverse) {
  evaluate(model, work, {.q = q}, {{Quantity::inverse_mass_matrix, M_inverse}});
}
template <class S>
void coriolis_matrix(const Model& model, Workspace<S>& work, const std::type_identity_t<RowsIn<S>>& q,
                     const std::type_identity_t<RowsIn<S>>& v, std::type_identity_t<RowsOut<S>> C) {
  evaluate(model, work, {.q = q, .v = v}, {{Quantity::coriolis_matrix, C}});
}
template <class S>
void centroidal_map(const Model& model, Workspace<S>& work, const std::type_identity_t<RowsIn<S>>& q,
                    std::type_identity_t<RowsOut<S>> A) {
  evaluate(model, work, {.q = q}, {{Quantity::centroidal_map, A}});
}
template <class S>
void center_of_mass(const Model& model, Workspace<S>& work, const std::type_identity_t<RowsIn<S>>& q,
                    std::type_identity_t<RowsOut<S>> com) {
  evaluate(model, work, {.q = q}, {{Quantity::center_of_mass, com}});
}
template <class S>
void kinetic_energy(const Model& model, Workspace<S>& work, const std::type_identity_t<RowsIn<S>>& q,
                    const std::type_identity_t<RowsIn<S>>& v, std::type_identity_t<RowsOut<S>> energy) {
  evaluate(model, work, {.q = q, .v = v}, {{Quantity::kinetic_energy, energy}});
}
template <class S>
void potential_energy(const Model& model, Workspace<S>& work, const std::type_identity_t<RowsIn<S>>& q,
                      std::type_identity_t<RowsOut<S>> energy) {
  evaluate(model, work, {.q = q}, {{Quantity::potential_energy, energy}});
}
template <class S>
void placement(const Model& model, Workspace<S>& work, const std::type_identity_t<RowsIn<S>>& q, FrameId frame,
               std::type_identity_t<RowsOut<S>> X) {
  evaluate(model, work, {.q = q}, {{Quantity::placement, X, frame}});
}
template <class S>
void jacobian(const Model& model, Workspace<S>& work, const std::type_identity_t<RowsIn<S>>& q, FrameId of,
              std::type_identity_t<RowsOut<S>> J) {
  evaluate(model, work, {.q = q}, {{Quantity::jacobian, J, of}});
}

/// Each matrix is B × nv², row after row; see Quantity and lissom/api/derivatives.h.
template <class S>
void inverse_dynamics_derivatives(const Model& model, Workspace<S>& work, const std::type_identity_t<RowsIn<S>>& q,
                                  const std::type_identity_t<RowsIn<S>>& v, const std::type_identity_t<RowsIn<S>>& a,
                                  std::type_identity_t<RowsOut<S>> dtau_dq, std::type_identity_t<RowsOut<S>> dtau_dv,
                                  std::type_identity_t<RowsOut<S>> M,
                                  std::span<const std::type_identity_t<ExternalForces<S>>> external = {}) {
  evaluate(
      model, work, {.q = q, .v = v, .a = a, .external = external},
      {{Quantity::inverse_dynamics_dq, dtau_dq}, {Quantity::inverse_dynamics_dv, dtau_dv}, {Quantity::mass_matrix, M}});
}
template <class S>
void forward_dynamics_derivatives(const Model& model, Workspace<S>& work, const std::type_identity_t<RowsIn<S>>& q,
                                  const std::type_identity_t<RowsIn<S>>& v, const std::type_identity_t<RowsIn<S>>& tau,
                                  std::type_identity_t<RowsOut<S>> da_dq, std::type_identity_t<RowsOut<S>> da_dv,
                                  std::type_identity_t<RowsOut<S>> M_inverse,
                                  std::span<const std::type_identity_t<ExternalForces<S>>> external = {}) {
  evaluate(model, work, {.q = q, .v = v, .tau = tau, .external = external},
           {{Quantity::forward_dynamics_dq, da_dq},
            {Quantity::forward_dynamics_dv, da_dv},
            {Quantity::forward_dynamics_dtau, M_inverse}});
}

/// With respect to the 10 n inertial parameters; each matrix is B × (nv * 10 n).
template <class S>
void regressor(const Model& model, Workspace<S>& work, const std::type_identity_t<RowsIn<S>>& q,
               const std::type_identity_t<RowsIn<S>>& v, const std::type_identity_t<RowsIn<S>>& a,
               std::type_identity_t<RowsOut<S>> Y) {
  evaluate(model, work, {.q = q, .v = v, .a = a}, {{Quantity::inverse_dynamics_dparameters, Y}});
}
template <class S>
void forward_dynamics_parameter_derivatives(const Model& model, Workspace<S>& work,
                                            const std::type_identity_t<RowsIn<S>>& q,
                                            const std::type_identity_t<RowsIn<S>>& v,
                                            const std::type_identity_t<RowsIn<S>>& tau,
                                            std::type_identity_t<RowsOut<S>> da,
                                            std::span<const std::type_identity_t<ExternalForces<S>>> external = {}) {
  evaluate(model, work, {.q = q, .v = v, .tau = tau, .external = external},
           {{Quantity::forward_dynamics_dparameters, da}});
}
/// As lissom/api/second_order.h; each matrix is B × 9 nv².
template <class S>
void inverse_dynamics_second_order(const Model& model, Workspace<S>& work, const std::type_identity_t<RowsIn<S>>& q,
                                   const std::type_identity_t<RowsIn<S>>& v, const std::type_identity_t<RowsIn<S>>& a,
                                   const std::type_identity_t<RowsIn<S>>& weights, std::type_identity_t<RowsOut<S>> H) {
  evaluate(model, work, {.q = q, .v = v, .a = a, .weights = weights}, {{Quantity::inverse_dynamics_second_order, H}});
}
template <class S>
void forward_dynamics_second_order(const Model& model, Workspace<S>& work, const std::type_identity_t<RowsIn<S>>& q,
                                   const std::type_identity_t<RowsIn<S>>& v, const std::type_identity_t<RowsIn<S>>& tau,
                                   const std::type_identity_t<RowsIn<S>>& weights, std::type_identity_t<RowsOut<S>> H) {
  evaluate(model, work, {.q = q, .v = v, .tau = tau, .weights = weights},
           {{Quantity::forward_dynamics_second_order, H}});
}

extern template class Workspace<double>;
extern template class Workspace<float>;

}  // namespace lissom::batch
