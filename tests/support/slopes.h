#pragma once
// Derivatives along a motion, exact to rounding: the algorithms run on dual numbers.
#include <memory>

#include <Eigen/Core>

#include "lissom/kernels/kernels.h"
#include "scalar_tables.h"

namespace lissom::test {

class Slopes {
 public:
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;
  struct Both {
    Matrix value, slope;
  };

  explicit Slopes(const Model& model) : view_(model), table_(table_dual()), scratch_(table_.scratch(view_)) {
    nv_ = model.nv(), bodies_ = model.body_count(), stride_ = row_stride(nv_);
  }
  // The pose [R | p] of body i, and its derivative.
  Both pose(int i) const {
    const double* const x = table_.poses(*scratch_) + 24 * i;
    Both X{Matrix(3, 4), Matrix(3, 4)};
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 4; ++c) {
        const int at = 2 * (c < 3 ? 3 * r + c : 9 + r);
        X.value(r, c) = x[at], X.slope(r, c) = x[at + 1];
      }
    return X;
  }
  void placements(const Vector& q, const Vector& q_dot) {
    keep(q_, q, q_dot);
    table_.placements(view_, *scratch_, q_.data());
  }
  Both potential_energy(const Vector& q, const Vector& q_dot) {
    placements(q, q_dot);
    double e[2];
    table_.potential_energy(view_, *scratch_, e);
    return matrix(e, 1, 1, 1, 1);
  }
  Both kinetic_energy(const Vector& q, const Vector& q_dot, const Vector& v, const Vector& v_dot) {
    velocities(q, q_dot, v, v_dot);
    double e[2];
    table_.kinetic_energy(view_, *scratch_, v_.data(), e);
    return matrix(e, 1, 1, 1, 1);
  }
  Both momentum(const Vector& q, const Vector& q_dot, const Vector& v, const Vector& v_dot) {
    velocities(q, q_dot, v, v_dot);
    double h[12];
    table_.momentum(view_, *scratch_, h);
    return matrix(h, 6, 1, 1, 6);
  }
  Both mass_matrix(const Vector& q, const Vector& q_dot) {
    keep(q_, q, q_dot);
    Vector M = Vector::Zero(2 * (nv_ * stride_ + padding));
    table_.crba(view_, *scratch_, q_.data(), M.data(), stride_);
    auto both = matrix(M.data(), nv_, nv_, stride_, 1);
    both.value = Matrix(both.value.selfadjointView<Eigen::Upper>());
    both.slope = Matrix(both.slope.selfadjointView<Eigen::Upper>());
    return both;
  }
  Both centroidal_map(const Vector& q, const Vector& q_dot) {
    keep(q_, q, q_dot);
    Vector A = Vector::Zero(12 * nv_ + 2);
    table_.placements(view_, *scratch_, q_.data());
    table_.centroidal_map(view_, *scratch_, A.data());
    return matrix(A.data(), 6, nv_, 1, 6);
  }
  Both joint_jacobians(const Vector& q, const Vector& q_dot) {
    keep(q_, q, q_dot);
    Vector J = Vector::Zero(12 * nv_ + 2);
    table_.jacobians(view_, *scratch_, q_.data(), J.data());
    return matrix(J.data(), 6, nv_, 1, 6);
  }
  Both center_of_mass(const Vector& q, const Vector& q_dot) {
    placements(q, q_dot);
    double c[6];
    table_.center_of_mass(view_, *scratch_, c);
    return matrix(c, 3, 1, 1, 3);
  }

 private:
  void velocities(const Vector& q, const Vector& q_dot, const Vector& v, const Vector& v_dot) {
    keep(q_, q, q_dot), keep(v_, v, v_dot);
    table_.velocities(view_, *scratch_, q_.data(), v_.data());
  }
  static void keep(Vector& to, const Vector& value, const Vector& slope) {
    to.resize(2 * value.size() + 2 * padding);
    for (Eigen::Index i = 0; i < value.size(); ++i) to[2 * i] = value[i], to[2 * i + 1] = slope[i];
  }
  static Both matrix(const double* x, int rows, int columns, int row_step, int column_step) {
    Both both{Matrix(rows, columns), Matrix(rows, columns)};
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c) {
        const int at = 2 * (r * row_step + c * column_step);
        both.value(r, c) = x[at], both.slope(r, c) = x[at + 1];
      }
    return both;
  }

  ModelView<double> view_;
  const Kernels<double>& table_;
  std::unique_ptr<KernelScratch> scratch_;
  Vector q_, v_;
  int nv_, bodies_, stride_;
};

}  // namespace lissom::test
