#include "lissom/qp/hessian.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace lissom::qp {
namespace {

// If a pivot is below this, relative to the diagonal element, H counts as semidefinite.
constexpr double definite_pivot = 1e-10;
// The shift in that case, relative to the diagonal elements.
constexpr double usual_shift = 1e-4;
// A shift that makes every semidefinite H definite, whose eigenvalues are zero only up to rounding. An H that it does
// not make definite is indefinite.
constexpr double rounding_shift = 1e-10;
// Diagonal elements below this, relative to the largest one, are no curvature at all.
constexpr double no_curvature = 1e-24;
// A variable without curvature of its own has rounding errors of those that it is coupled to: the shift that tells
// indefinite from rounding is this part of theirs.
constexpr double rounding_of_others = 1e-3;
// Diagonal elements that differ by this are due to units.
constexpr double mixed = 1e-8;
// The largest difference of two elements across the diagonal, relative to the geometric mean of their two diagonal
// elements, which bounds both elements of a semidefinite H.
constexpr double symmetry_tolerance = 1e-10;
// The difference that rounding may cause, relative to the diagonal elements of coupled variables: H may be a sum whose
// large terms cancel.
constexpr double symmetry_rounding = 1e-15;

// Whether no element is NaN, infinite or too large to be squared. Compilers vectorize the comparison of bits.
bool all_moderate(const double* x, int size) {
  constexpr auto most = std::bit_cast<std::int64_t>(1e150), without_sign = std::numeric_limits<std::int64_t>::max();
  bool good = true;
  for (int i = 0; i < size; ++i) good &= (std::bit_cast<std::int64_t>(x[i]) & without_sign) < most;
  return good;
}

// 1/√x to 4 %, without a division or a root: half of the bits of x, from exponent to mantissa, is about its logarithm.
double rough_inverse_root(double x) {
  return std::bit_cast<double>(std::int64_t{0x5fe6eb50c7b537a9} - (std::bit_cast<std::int64_t>(x) >> 1));
}

}  // namespace

Hessian::Hessian(int variables)
    : k_(kernels()),
      H_(padded(variables) * variables),
      U_(padded(variables) * variables),
      W_(padded(variables) * variables),
      diagonal_(padded(variables)),
      scale_(padded(variables)),
      measure_(padded(variables)),
      units_(padded(variables)),
      min_pivot_(padded(variables)),
      blocks_(std::size_t(variables)),
      list_(std::size_t(variables)),
      block_of_(std::size_t(variables)),
      listed_(padded(variables)),
      probe_(padded(variables)),
      scaled_probe_(padded(variables)),
      inverse_roots_(padded(variables)) {
  for (int i = 0; i < variables; ++i) probe_[i] = 0.5 + std::fmod(0.6180339887498949 * (i + 1), 1);
}

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
    measure_[i] = d;
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

// Compares S H S y and (S H S)ᵀ y for one vector y without any regularity, where S scales H to a unit diagonal: if
// these agree, so do all elements across the diagonal, each measured by its own variables. (Comparing the elements
// themselves takes several times as long.)
bool Hessian::symmetric(int begin, int end) {
  const int first = block_start(begin), last = padded(end), size = end - begin;
  double* const rows = listed_;
  double* const columns = min_pivot_;
  k_.times(H_ + begin * stride_, stride_, size, scaled_probe_, rows + begin, first, last);
  std::fill(columns + first, columns + last, 0.0);
  k_.add_rows(H_ + begin * stride_, stride_, size, 1, scaled_probe_ + begin, columns, first, last);
  double most = 0, total = 1;
  for (int i = begin; i < end; ++i) {
    most = std::max(most, std::abs(rows[i] - columns[i]) * inverse_roots_[i]);
    total = std::max(total, std::abs(rows[i]) * inverse_roots_[i]);
  }
  return most <= symmetry_tolerance * total || differs_by_rounding(begin, end);
}

// The largest diagonal element of the variables in a block that variable i is coupled to, at least 0; -1 if there are
// none.
double Hessian::coupled_diagonal(int i, int begin, int end) const {
  double most = -1;
  for (int j = begin; j < end; ++j)
    if (j != i && (H_[i * stride_ + j] != 0 || H_[j * stride_ + i] != 0))
      most = std::max({most, 0.0, H_[j * stride_ + j]});
  return most;
}

// Whether elements across the diagonal differ by no more than rounding: the same, element by element.
bool Hessian::differs_by_rounding(int begin, int end) {
  double* const roots = listed_;
  double* const coupled = min_pivot_;
  for (int i = begin; i < end; ++i) {
    roots[i] = std::sqrt(std::max(H_[i * stride_ + i], 0.0));
    coupled[i] = coupled_diagonal(i, begin, end);
  }
  for (int i = begin; i < end; ++i)
    for (int j = begin; j < i; ++j) {
      const double difference = std::abs(H_[i * stride_ + j] - H_[j * stride_ + i]);
      const double most = symmetry_rounding * std::max(coupled[i], coupled[j]);
      if (difference > std::max(symmetry_tolerance * roots[i] * roots[j], most)) return false;
    }
  return true;
}

// Variables are measured by their own curvature, so that a large element elsewhere makes no difference.
void Hessian::scale_probe() {
  const double least = max_diagonal_ > 0 ? no_curvature * max_diagonal_ : 1;
  for (int i = 0; i < n_; ++i) {
    inverse_roots_[i] = rough_inverse_root(measure_[i] > 0 ? measure_[i] : least);
    scaled_probe_[i] = inverse_roots_[i] * probe_[i];
  }
}

// Whether the blocks are symmetric and, if they were detected, nothing is left of them. (Nothing is right of them.)
bool Hessian::symmetric(const Problem& problem) {
  for (int b = 0; b < block_count_; ++b)
    if (!symmetric(blocks_[std::size_t(b)].begin, blocks_[std::size_t(b)].end)) return false;
  if (!problem.blocks.empty()) return true;
  for (int i = 0; i < n_; ++i) {
    const int b = block_of_[std::size_t(i)], begin = b < 0 ? i : blocks_[std::size_t(b)].begin;
    const double* const row = problem.H.data() + i * problem.H.outerStride();
    if (!all_zero(row, row + begin)) return false;
  }
  return true;
}

void Hessian::find_units(const Problem& problem) {
  // Without any curvature, the scale is taken from the linear term.
  if (max_diagonal_ <= 0) max_diagonal_ = problem.g.size() > 0 ? problem.g.lpNorm<Eigen::Infinity>() : 0;
  if (max_diagonal_ <= 0) max_diagonal_ = 1;
  const double least = no_curvature * max_diagonal_;
  for (int i = 0; i < n_; ++i) measure_[i] = measure_[i] > least ? measure_[i] : max_diagonal_;
  mixed_units_ = *std::min_element(measure_.data(), measure_ + n_) < mixed * max_diagonal_;
  std::fill_n(units_.data(), n_, 1.0);
  for (int i = 0; mixed_units_ && i < n_; ++i) units_[i] = 1 / std::sqrt(measure_[i]);
  std::fill(units_ + n_, units_ + stride_, 0.0);
}

// Whether H is semidefinite up to rounding. A variable without curvature is measured by those that it is coupled to,
// not by the largest element of all: beside that, a negative element may look like rounding.
bool Hessian::semidefinite() {
  double* const own = scaled_probe_;
  const double least = no_curvature * max_diagonal_;
  for (int i = 0; i < n_; ++i) {
    const int b = block_of_[std::size_t(i)];
    const double h = b < 0 ? diagonal_[i] : H_[i * stride_ + i];
    own[i] = measure_[i];
    if (h > least) continue;
    const double others = b < 0 ? -1 : coupled_diagonal(i, blocks_[std::size_t(b)].begin, blocks_[std::size_t(b)].end);
    if (others >= 0 || h != 0) own[i] = std::max({h, rounding_of_others * others, 0.0});
  }
  return factor(rounding_shift, 0, own);
}

// Factors H plus `shift` times its diagonal, as `measure` has it.
bool Hessian::factor(double shift, double min_pivot, const double* measure) {
  for (int i = 0; i < n_; ++i) min_pivot_[i] = min_pivot * measure[i];
  for (int i = 0; i < n_; ++i) {
    scale_[i] = 0;
    if (block_of_[std::size_t(i)] >= 0) continue;
    const double shifted = diagonal_[i] + shift * measure[i];
    if (!(shifted > min_pivot_[i])) return false;
    scale_[i] = 1 / std::sqrt(shifted);
  }
  for (int b = 0; b < block_count_; ++b) {
    const auto [begin, end] = blocks_[std::size_t(b)];
    for (int i = begin; i < end; ++i) {
      std::copy(H_ + i * stride_ + block_start(i), H_ + i * stride_ + padded(end), U_ + i * stride_ + block_start(i));
      U_[i * stride_ + i] += shift * measure[i];
    }
    if (k_.factor(U_, W_, stride_, begin, end, min_pivot_) < end) return false;
  }
  return true;
}

Hessian::Kind Hessian::set(const Problem& problem, double shift) {
  n_ = int(problem.H.rows());
  stride_ = padded(n_);
  find_blocks(problem);
  if (!copy(problem)) return Kind::not_finite;
  scale_probe();
  if (!symmetric(problem)) return Kind::asymmetric;
  find_units(problem);
  std::fill(scale_ + n_, scale_ + stride_, 0.0);
  shift_ = shift;
  if (shift > 0) return factor(shift, 0.5 * shift, measure_) ? Kind::semidefinite : Kind::indefinite;
  if (factor(0, definite_pivot, measure_)) return Kind::definite;
  if (!semidefinite()) return Kind::indefinite;
  shift_ = usual_shift;
  return factor(usual_shift, 0.5 * usual_shift, measure_) ? Kind::semidefinite : Kind::indefinite;
}

void Hessian::flatten(double curvature) {
  shift_ = 0;
  block_count_ = 0;
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
