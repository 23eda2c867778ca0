// The rows with which the method starts: equalities, and those that were active in the last answer.
#include <algorithm>
#include <cmath>

#include "lissom/qp/dual_active_set.h"

namespace lissom::qp {

// Equalities that depend on others are left out; whether they agree with them is seen in the end. Rows that are alike
// in where they have numbers come one after the other, wide ones last: those that enter behind them become wide
// themselves.
void DualActiveSet::start(bool warm) {
  basis_.clear(rows_->variables(), slacks_);
  fresh_ = true;
  std::fill_n(state_.data(), rows_->size(), idle);
  any_passed_ = false;
  int count = 0;
  for (int i = 0; i < rows_->size(); ++i)
    if (pinned(i))
      wanted_[std::size_t(count++)] = {i, pinned_[std::size_t(i)]};
    else if (rows_->fixed(i) && give_[i] != ignored)
      wanted_[std::size_t(count++)] = {i, equal};
  for (int i = 0; warm && i < last_size_; ++i) {
    const auto& [index, state] = last_[std::size_t(i)];
    const double bound = state == lower ? rows_->lower(index) : rows_->upper(index);
    if (!rows_->fixed(index) && !pinned(index) && std::abs(bound) < unbounded && give_[index] != ignored)
      wanted_[std::size_t(count++)] = {index, state};
  }
  sort_by_columns(count);
  const auto wanted = [&](int i) -> const Entry& { return wanted_[std::size_t(order_[std::size_t(i)])]; };
  for (int i = 0; i < count; ++i) {
    const auto& row = wanted(i);
    if (i + 1 < count && enter_two(row, wanted(i + 1)))
      ++i;
    else
      take_in(row, project(row.index, row.state != upper));
  }
}

bool DualActiveSet::enter_two(const Entry& row, const Entry& next) {
  if (give_[row.index] > 0 || give_[next.index] > 0) return false;
  if (!basis_.can_project_two(rows_->columns(row.index), rows_->columns(next.index))) return false;
  const auto columns = turned(row.index, row.state != upper, basis_.row());
  const auto columns_of_next = turned(next.index, next.state != upper, basis_.next_row());
  take_in(row, basis_.project_two(columns, columns_of_next));
  take_in(next, basis_.project_next());
  return true;
}

// order_: of the first `count` of wanted_, by their first column, wide ones last. (Counted, not compared.)
void DualActiveSet::sort_by_columns(int count) {
  const int width = padded(rows_->variables()), keys = width / block + 1;
  std::fill_n(starts_.data(), keys + 1, 0);
  for (int i = 0; i < count; ++i) {
    const auto columns = rows_->columns(wanted_[std::size_t(i)].index);
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

void DualActiveSet::save() {
  std::copy_n(last_.data(), last_size_, saved_.data());
  saved_size_ = last_size_;
}

void DualActiveSet::restore() {
  std::copy_n(saved_.data(), saved_size_, last_.data());
  last_size_ = saved_size_;
}

}  // namespace lissom::qp
