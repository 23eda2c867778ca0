#include "lissom/contact/solver.h"

#include "lissom/contact/owned_memory.h"
#include "lissom/contact/tables.h"

namespace lissom::contact {

const Kernels& kernels() {
  static const auto& table = LISSOM_CHOSEN(kernel_table)();
  return table;
}

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool law_is_valid(const Block<double>& block, int rows) {
  switch (block.kind) {
    case Kind::cone:
      return block.size == 3 && block.friction >= 0 && block.friction < infinity;
    case Kind::box:
      return block.size == 1 && block.lower <= block.upper && block.lower < infinity && block.upper > -infinity;
    case Kind::free:
      return block.size >= 1 && block.size <= max_free_rows;
    case Kind::disk:
      return (block.size == 1 || block.size == 2) && block.friction >= 0 && block.friction < infinity &&
             block.normal_row >= 0 && block.normal_row < rows;
  }
  return false;
}

/// The first block that is not valid, or where rows are missing; -1: none.
int invalid_block(const Problem<double>& problem) {
  int row = 0, index = 0;
  for (const auto& block : problem.blocks) {
    if (block.row != row || !law_is_valid(block, problem.rows)) return index;
    row += block.size;
    ++index;
  }
  return row == problem.rows ? -1 : std::max(index - 1, 0);
}

}  // namespace

struct Solver::Impl {
  int max_rows, max_blocks;
  OwnedMemory owned;
  SolverMemory& memory = owned.memory;
  AlignedMemory<double> changes;  // for differentiate
  std::size_t change_capacity = 0;

  Impl(int rows, int blocks) : max_rows(rows), max_blocks(blocks), owned(rows, blocks) {}
};

Solver::Solver(int max_rows, int max_blocks) : impl_(std::make_unique<Impl>(max_rows, max_blocks)) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

Report Solver::solve(const Problem<double>& problem, double* p, double* u, const Settings& settings) {
  Report report;
  report.residual = infinity;
  if (problem.rows > impl_->max_rows || int(problem.blocks.size()) > impl_->max_blocks ||
      problem.stride < padded<double>(problem.rows)) {
    for (int i = 0; i < problem.rows; ++i) p[i] = u[i] = 0;
    return report;
  }
  report.worst_block = invalid_block(problem);
  if (report.worst_block >= 0) {
    for (int i = 0; i < problem.rows; ++i) p[i] = u[i] = 0;
    return report;
  }
  return kernels().solve(problem, impl_->memory, p, u, settings);
}

bool Solver::differentiate(const Problem<double>& problem, const double* p, const double* u,
                           std::span<const FrictionChange> friction, const double* d, int stride, double* dp) {
  auto& m = *impl_;
  if (problem.rows > m.max_rows || int(problem.blocks.size()) > m.max_blocks || invalid_block(problem) >= 0)
    return false;
  const auto width = std::size_t(padded<double>(problem.rows + int(friction.size())));
  const auto size = (std::size_t(problem.rows) + 4) * width;
  if (2 * size > m.change_capacity) m.change_capacity = 4 * size, m.changes = AlignedMemory<double>(m.change_capacity);
  return kernels().differentiate(problem, m.memory, p, u, friction, d, stride, dp, m.changes.data(),
                                 m.changes.data() + size);
}

Mode Solver::mode(int block) const {
  return impl_->memory.newton.blocks[block].mode;
}

double Solver::scale(int block) const {
  return impl_->memory.prepared[block].g;
}

}  // namespace lissom::contact
