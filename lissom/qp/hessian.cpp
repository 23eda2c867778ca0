#include "lissom/qp/hessian.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace lissom::qp {
namespace {

// If a pivot is below this, relative to the largest diagonal element, H counts as semidefinite.
constexpr double min_pivot = 1e-13;
// ρ in that case, relative to the largest diagonal element.
constexpr double min_shift = 1e-5;

// Whether no element is NaN, infinite or too large to be squared. Compilers vectorize the comparison of bits.
bool all_moderate(const double* x, int size) {
  constexpr auto most = std::bit_cast<std::uint64_t>(1e150) << 1;
  bool good = true;
  for (int i = 0; i < size; ++i) good &= std::bit_cast<std::uint64_t>(x[i]) << 1 < most;
  return good;
}

}  // namespace

Hessian::Hessian(int variables)
    : k_(kernels()),
      H_(padded(variables) * variables),
      U_(padded(variables) * variables),
      W_(padded(variables) * variables),
      diagonal_(padded(variables)),
      scale_(padded(variables)),
      blocks_(std::size_t(variables)),
      list_(std::size_t(variables)),
      block_of_(std::size_t(variables)),
      listed_(padded(variables)) {}

// A block ends where none of its rows has nonzero elements further right.
void Hessian::find_blocks(const Problem& problem) {
  block_count_ = 0;
  const auto add = [&](int begin, int end) {
    for (int i = begin; i < end; ++i) block_of_[std::size_t(i)] = end - begin > 1 ? block_count_ : -1;
    if (end - begin > 1) blocks_[std::size_t(block_count_++)] = {begin, end};
  };
  int begin = 0;
  if (!problem.blocks.empty()) {
    for (const int size : problem.blocks) add(begin, begin + size), begin += size;
    return;
  }
  int end = 0;
  for (int i = 0; i < n_; ++i) {
    const double* const row = problem.H.data() + i * problem.H.outerStride();
    end = k_.reach(row, std::max(end, i + 1), n_);
    if (end == i + 1) add(begin, end), begin = end;
  }
}

bool Hessian::copy(const Problem& problem) {
  const auto stride = problem.H.outerStride();
  max_diagonal_ = 0;
  bool finite = true;
  std::fill_n(diagonal_.data(), stride_, 0.0);
  for (int i = 0; i < n_; ++i) {
    const double d = problem.H.data()[i * stride + i];
    finite &= std::abs(d) < 1e200;
    max_diagonal_ = std::max(max_diagonal_, d);
    if (block_of_[std::size_t(i)] < 0) diagonal_[i] = d;
  }
  for (int b = 0; b < block_count_; ++b) {
    const auto [begin, end] = blocks_[std::size_t(b)];
    for (int i = begin; i < end; ++i) {
      // Copies the columns of the diagonal block, and pads them with zeros to whole blocks of memory.
      double* const to = H_ + i * stride_ + block_start(begin);
      const double* const from = problem.H.data() + i * stride + begin;
      const int size = padded(end) - block_start(begin);
      std::fill(to, to + (begin - block_start(begin)), 0.0);
      std::copy_n(from, end - begin, to + (begin - block_start(begin)));
      std::fill(to + (end - block_start(begin)), to + size, 0.0);
      finite &= all_moderate(to, size);
    }
  }
  return finite;
}

bool Hessian::factor() {
  const double least = shift_ > 0 ? 0.5 * shift_ : min_pivot * max_diagonal_;
  for (int i = 0; i < n_; ++i) {
    scale_[i] = 0;
    if (block_of_[std::size_t(i)] >= 0) continue;
    if (!(diagonal_[i] + shift_ > least)) return false;
    scale_[i] = 1 / std::sqrt(diagonal_[i] + shift_);
  }
  for (int b = 0; b < block_count_; ++b) {
    const auto [begin, end] = blocks_[std::size_t(b)];
    for (int i = begin; i < end; ++i) {
      std::copy(H_ + i * stride_ + block_start(i), H_ + i * stride_ + padded(end), U_ + i * stride_ + block_start(i));
      U_[i * stride_ + i] += shift_;
    }
    if (k_.factor(U_, W_, stride_, begin, end, least) < end) return false;
  }
  return true;
}

Hessian::Kind Hessian::set(const Problem& problem, double shift) {
  n_ = int(problem.H.rows());
  stride_ = padded(n_);
  find_blocks(problem);
  if (!copy(problem)) return Kind::not_finite;
  // Without any curvature, the scale is taken from the linear term.
  if (max_diagonal_ <= 0) max_diagonal_ = problem.g.size() > 0 ? problem.g.lpNorm<Eigen::Infinity>() : 0;
  if (max_diagonal_ <= 0) max_diagonal_ = 1;
  std::fill(scale_ + n_, scale_ + stride_, 0.0);
  shift_ = shift * max_diagonal_;
  if (shift == 0 && factor()) return Kind::definite;
  shift_ = (shift > 0 ? shift : min_shift) * max_diagonal_;
  if (factor()) return Kind::semidefinite;
  return Kind::indefinite;
}

void Hessian::flatten(double curvature) {
  shift_ = block_count_ = 0;
  std::fill_n(block_of_.data(), n_, -1);
  std::fill_n(diagonal_.data(), n_, curvature);
  std::fill_n(scale_.data(), n_, 1 / std::sqrt(curvature));
}

Columns Hessian::to_w(const double* row, Columns columns, double* v) {
  k_.scale(row, scale_, v, stride_);
  Columns all = columns;
  for (int b = 0; b < block_count_; ++b) {
    const auto [begin, end] = blocks_[std::size_t(b)];
    if (columns.first >= end || columns.last <= begin) continue;
    int count = 0;
    for (int i = std::max(begin, columns.first); i < std::min(end, columns.last); ++i) {
      list_[std::size_t(count)] = i;
      listed_[count] = row[i];
      count += row[i] != 0;
    }
    if (count == 0) continue;
    const Columns own{block_start(list_[0]), padded(end)};
    k_.add_listed(W_, stride_, count, list_.data(), listed_, v, own.first, own.last);
    all = both(all, own);
  }
  return all;
}

Columns Hessian::unit_to_w(int variable, double* v) const {
  std::fill_n(v, stride_, 0.0);
  const int b = block_of_[std::size_t(variable)], first = block_start(variable);
  if (b < 0) {
    v[variable] = scale_[variable];
    return {first, first + block};
  }
  const int last = padded(blocks_[std::size_t(b)].end);
  std::copy(W_ + variable * stride_ + first, W_ + variable * stride_ + last, v + first);
  return {first, last};
}

void Hessian::to_x(const double* w, double* x) const {
  k_.scale(w, scale_, x, stride_);
  for (int b = 0; b < block_count_; ++b) {
    const auto [begin, end] = blocks_[std::size_t(b)];
    k_.times(W_ + begin * stride_, stride_, end - begin, w, x + begin, block_start(begin), padded(end));
  }
}

void Hessian::times(const double* x, double* out) const {
  k_.scale(x, diagonal_, out, stride_);
  for (int b = 0; b < block_count_; ++b) {
    const auto [begin, end] = blocks_[std::size_t(b)];
    k_.times(H_ + begin * stride_, stride_, end - begin, x, out + begin, block_start(begin), padded(end));
  }
}

}  // namespace lissom::qp
