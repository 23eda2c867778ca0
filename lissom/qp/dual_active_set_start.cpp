// The active rows at the start: equalities, and those that were active in the last solution.
#include <algorithm>
#include <cmath>
#include <utility>

#include "lissom/qp/dual_active_set.h"

namespace lissom::qp {
namespace {

// A row of which less than this fraction remains after the projection is added after the others.
constexpr double waits = 1e-3;

}  // namespace

// Equalities that depend on others are left out; climb() adds them if they are violated. Rows with similar sparsity are
// added one after the other, wide ones last, because rows that are added after a wide one become wide themselves.
void DualActiveSet::start(bool warm) {
  basis_.clear(rows_->variables(), slacks_);
  fresh_ = true;
  std::fill_n(state_.data(), rows_->size(), idle);
  any_passed_ = false;
  int count = 0;
  for (int i = 0; i < rows_->size(); ++i)
    if (pinned(i))
      candidates_[std::size_t(count++)] = {i, pinned_[std::size_t(i)]};
    else if (rows_->fixed(i) && compliance_[i] != ignored)
      candidates_[std::size_t(count++)] = {i, equal};
  for (int i = 0; warm && i < last_size_; ++i) {
    const auto& [index, state] = last_[std::size_t(i)];
    const double bound = state == lower ? rows_->lower(index) : rows_->upper(index);
    if (!rows_->fixed(index) && !pinned(index) && std::abs(bound) < unbounded && compliance_[index] != ignored)
      candidates_[std::size_t(count++)] = {index, state};
  }
  sort_by_columns(count);
  const auto candidate = [&](int i) -> const Entry& { return candidates_[std::size_t(order_[std::size_t(i)])]; };
  waiting_count_ = 0;
  for (int i = 0; i < count; ++i) {
    const auto& row = candidate(i);
    if (i + 1 < count && add_two(row, candidate(i + 1)))
      ++i;
    else
      add_projected(row, project(row.index, row.state != upper), waits);
  }
  add_waiting();
}

// Rows that add little to those before them are added after all others: their rounding errors, which are divided by
// what they add, would otherwise be passed on to rows that add much. (Coarse pivoting.)
void DualActiveSet::add_waiting() {
  for (const double enough : {0.01 * waits, 0.0}) {
    if (cushioned() && enough > 0) continue;  // (Their slacks keep them apart.)
    const int count = std::exchange(waiting_count_, 0);
    for (int i = 0; i < count; ++i) {
      const auto row = waiting_[std::size_t(i)];
      add_projected(row, project(row.index, row.state != upper), enough);
    }
  }
}

bool DualActiveSet::add_two(const Entry& row, const Entry& next) {
  if (cushioned() || compliance_[row.index] > 0 || compliance_[next.index] > 0) return false;
  if (!basis_.can_project_two(rows_->columns(row.index), rows_->columns(next.index))) return false;
  const auto columns = oriented(row.index, row.state != upper, basis_.row());
  const auto columns_of_next = oriented(next.index, next.state != upper, basis_.next_row());
  add_projected(row, basis_.project_two(columns, columns_of_next), waits);
  add_projected(next, basis_.project_next(), waits);
  return true;
}

// Writes order_, the order of the first `count` candidates by their first column, wide ones last. (A counting sort.)
void DualActiveSet::sort_by_columns(int count) {
  const int width = padded(rows_->variables()), keys = width / block + 1;
  std::fill_n(starts_.data(), keys + 1, 0);
  for (int i = 0; i < count; ++i) {
    const auto columns = rows_->columns(candidates_[std::size_t(i)].index);
    key_[std::size_t(i)] = 4 * columns.size() > 3 * width ? keys - 1 : columns.first / block;
    ++starts_[std::size_t(key_[std::size_t(i)] + 1)];
  }
  for (int k = 0; k < keys; ++k) starts_[std::size_t(k + 1)] += starts_[std::size_t(k)];
  for (int i = 0; i < count; ++i) order_[std::size_t(starts_[std::size_t(key_[std::size_t(i)])]++)] = i;
}

void DualActiveSet::keep() {
  last_size_ = 0;
  for (int i = 0; i < basis_.size(); ++i) {
    const auto& row = active_[std::size_t(i)];
    if (!row.free) last_[std::size_t(last_size_++)] = {row.index, row.sign > 0 ? lower : upper};
  }
}

void DualActiveSet::keep_violated(const double* values) {
  last_size_ = 0;
  for (int i = 0; i < rows_->size(); ++i) {
    if (rows_->fixed(i) || (values[i] >= rows_->lower(i) && values[i] <= rows_->upper(i))) continue;
    last_[std::size_t(last_size_++)] = {i, values[i] < rows_->lower(i) ? lower : upper};
  }
}

void DualActiveSet::start_like(const DualActiveSet& other, int shift) {
  last_size_ = other.last_size_;
  for (int i = 0; i < last_size_; ++i) {
    const auto& [index, state] = other.last_[std::size_t(i)];
    last_[std::size_t(i)] = {index + shift, state};
  }
}

void DualActiveSet::save() {
  std::copy_n(last_.data(), last_size_, saved_.data());
  saved_size_ = last_size_;
}

void DualActiveSet::restore() {
  std::copy_n(saved_.data(), saved_size_, last_.data());
  last_size_ = saved_size_;
}

}  // namespace lissom::qp
