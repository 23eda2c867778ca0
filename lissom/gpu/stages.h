#pragma once
// The algorithms of a batch, traced. Some are divided into stages, each a kernel of its own, because the code of the
// whole would be too large to be fetched in time: the arrays that one stage writes are read by the next.
#include <optional>
#include <string>
#include <vector>

#include "lissom/codegen/trace.h"
#include "lissom/gpu/column_solve.h"

namespace lissom::gpu {

struct TracedStage {
  codegen::Program program;
  /// What computes the stage instead of the program, which then has only the names of its arrays.
  std::optional<ColumnSolve> solve;
};

/// The stages of an algorithm, to be run one after another. Throws as codegen::trace does. Together they have the
/// inputs and outputs of the whole, and arrays between the stages, whose names begin with that of the algorithm.
std::vector<TracedStage> trace_stages(const Model& model, codegen::Algorithm algorithm,
                                      const codegen::TraceOptions& options);

}  // namespace lissom::gpu
