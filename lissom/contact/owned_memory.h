#pragma once
// The memory of a solver, for problems of up to some size.
#include <memory>
#include <utility>

#include "lissom/contact/solver_memory.h"
#include "lissom/math/aligned_memory.h"

namespace lissom::contact {

struct OwnedMemory {
  SolverMemory memory;  // refers to the others

  OwnedMemory(int rows, int blocks)
      : indices_(new int[2 * std::size_t(rows) + 1]()),
        prepared_(new PreparedBlock<double>[std::size_t(blocks)]()),
        linearized_(new Linearized[std::size_t(blocks)]()) {
    const auto size = std::size_t(padded<double>(rows + 1));  // with the right-hand side
    numbers_ = AlignedMemory<double>(size * (2 * std::size_t(rows) + 13));
    double* next = numbers_.data();
    const auto take = [&](std::size_t count) { return std::exchange(next, next + count); };
    NewtonMemory& newton = memory.newton;
    for (double** vector :
         {&memory.p, &memory.u, &memory.best_p, &memory.best_u, &memory.fallback_p, &memory.fallback_u,
          &newton.shorter_p, &newton.shorter_u, &newton.x, &newton.p, &newton.u, &newton.q, &newton.w})
      *vector = take(size);
    newton.stride = int(size);
    newton.A = take(size * std::size_t(rows));
    newton.L = take(size * std::size_t(rows));
    newton.rows = indices_.get();
    newton.at = indices_.get() + rows;
    newton.blocks = linearized_.get();
    memory.prepared = prepared_.get();
  }
  OwnedMemory(const OwnedMemory&) = delete;
  OwnedMemory& operator=(const OwnedMemory&) = delete;

 private:
  AlignedMemory<double> numbers_;
  std::unique_ptr<int[]> indices_;
  std::unique_ptr<PreparedBlock<double>[]> prepared_;
  std::unique_ptr<Linearized[]> linearized_;
};

}  // namespace lissom::contact
