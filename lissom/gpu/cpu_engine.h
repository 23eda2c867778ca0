#pragma once
// The algorithms of a batch on the processor: the library's own kernels in lanes, or a traced program in lanes where
// there is no kernel. Not for users.
#include <memory>
#include <string>
#include <vector>

#include "lissom/batch/pool.h"
#include "lissom/codegen/schedule.h"
#include "lissom/codegen/trace.h"
#include "lissom/gpu/column_solve.h"
#include "lissom/kernels/kernels.h"
#include "lissom/tree/array.h"

namespace lissom::gpu {

// An array as the batch has it: element i of robot k is data[i * pitch + k].
template <class S>
struct Columns {
  S* data = nullptr;
  long pitch = 0;
};

template <class S>
class CpuEngine {
 public:
  CpuEngine(const Model& model, int threads);
  const char* instruction_set() const { return kernels_.instruction_set; }
  int lanes() const { return kernels_.width; }
  int threads() const { return pool_.threads(); }

  // The program of an algorithm. Inputs and outputs in the order of its fields; dt is no array.
  void run(const codegen::Program& program, const std::vector<Columns<S>>& inputs,
           const std::vector<Columns<S>>& outputs, long robots, S dt);
  // Solutions with a factor: inputs L, D and the right sides that are no identity, outputs as the solve has them.
  void run(const ColumnSolve& solve, const std::vector<Columns<S>>& inputs, const std::vector<Columns<S>>& outputs,
           long robots);

 private:
  // The arrays of one group of robots, in lanes.
  struct Group;
  void run_kernel(const std::string& algorithm, Group& group, const std::vector<Array<S>>& in,
                  std::vector<Array<S>>& out, S dt) const;

  const Model model_;
  const Kernels<S>& kernels_;
  batch::Pool pool_;
};

}  // namespace lissom::gpu
