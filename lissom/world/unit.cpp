#include "lissom/world/unit.h"

#include <cstring>

#include "lissom/contact/tables.h"

namespace lissom::worlds {

Unit::Unit(std::string name, int nq, int nv) : name_(std::move(name)) {
  q = Eigen::VectorXd::Zero(nq);
  v = tau = a = v_start = v_end = v_mean = Eigen::VectorXd::Zero(nv);
  z.resize(std::size_t(nv));
  first_.resize(std::size_t(nv)), last_.resize(std::size_t(nv));
  matrix_ = {nullptr, nv, 0, 0, first_.data(), last_.data()};
}

void Unit::copy_state(const Unit& from) {
  q = from.q, v = from.v, tau = from.tau, external = from.external, a = from.a;
  v_start = from.v_start, v_end = from.v_end, v_mean = from.v_mean;
  euler = from.euler, audits = from.audits;
}

void Unit::clear_rows() {
  matrix_.columns = 0;
}

int Unit::take_columns(int count) {
  const int column = matrix_.columns;
  matrix_.columns += count;
  return column;
}

void Unit::allocate_rows() {
  matrix_.stride = contact::padded<double>(matrix_.columns);
  const auto size = std::size_t(matrix_.size) * std::size_t(matrix_.stride);
  if (size > capacity_) {
    capacity_ = 2 * size;
    Y_ = AlignedMemory<double>(capacity_);
  }
  matrix_.Y = Y_.data();
  if (size > 0) std::memset(matrix_.Y, 0, size * sizeof(double));
  for (std::size_t i = 0; i < first_.size(); ++i) first_[i] = matrix_.stride, last_[i] = 0;
}

void Unit::write_own_rows(const OwnRows& own, int column) {
  const auto widen_chain = [&](int dof) {
    for (int i = dof; i >= 0; i = factor_.parent[i]) widen(i, column, own.size);
  };
  if (own.rows == nullptr) {
    element(own.dof, column) = own.sign;
    return widen_chain(own.dof);
  }
  for (int r = 0; r < own.size; ++r)
    for (int i = 0; i < nv(); ++i)
      if (const double x = own.rows[r * nv() + i]; x != 0) {
        element(i, column + r) = x;
        widen_chain(i);
      }
}

void Unit::whiten_rows() {
  contact::kernels().whiten(factor_, matrix_);
}

void Unit::whiten(const contact::RowMatrix& W, int first) const {
  contact::kernels().whiten_columns(factor_, W);
  for (int i = 0; i < factor_.size; ++i) {
    const double* const L = factor_.L + i * factor_.stride;
    double* const line = W.Y + i * W.stride + first;
    const double root = 1 / factor_.scale[i];
    for (int j = 0; j < i; ++j) line[j] += root * L[j];
    line[i] += root;
  }
}

void Unit::unwhiten(const contact::RowMatrix& W) const {
  contact::kernels().unwhiten_columns(factor_, W);
}

void Unit::to_whitened(const Eigen::VectorXd& from, std::vector<double>& to) const {
  for (int i = 0; i < factor_.size; ++i) {
    const double* const L = factor_.L + i * factor_.stride;
    double sum = from[i];
    for (int j = factor_.parent[i]; j >= 0; j = factor_.parent[j]) sum += L[j] * from[j];
    to[std::size_t(i)] = sum / factor_.scale[i];
  }
}

void Unit::from_whitened(const std::vector<double>& from, Eigen::VectorXd& to) const {
  for (int i = 0; i < factor_.size; ++i) {
    const double* const L = factor_.L + i * factor_.stride;
    double sum = from[std::size_t(i)] * factor_.scale[i];
    for (int j = factor_.parent[i]; j >= 0; j = factor_.parent[j]) sum -= L[j] * to[j];
    to[i] = sum;
  }
}

void Unit::add_whitened_impulse(double* b, std::vector<double>& to) const {
  for (int i = factor_.size - 1; i >= 0; --i) {
    const double* const L = factor_.L + i * factor_.stride;
    for (int j = factor_.parent[i]; j >= 0; j = factor_.parent[j]) b[j] -= L[j] * b[i];
    to[std::size_t(i)] += b[i] * factor_.scale[i];
  }
}

}  // namespace lissom::worlds
