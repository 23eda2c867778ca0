#pragma once
// The algorithms of a batch, traced. Some are divided into stages, each a kernel of its own, because the code of the
// whole would be too large to be fetched in time: the arrays that one stage writes are read by the next.
#include <string>
#include <vector>

#include "lissom/codegen/trace.h"

namespace lissom::gpu {

/// The programs of an algorithm, to be run one after another. Throws as codegen::trace does. Together they have the
/// inputs and outputs of the whole, and arrays between the stages, whose names begin with that of the algorithm.
std::vector<codegen::Program> trace_stages(const Model& model, codegen::Algorithm algorithm,
                                           const codegen::TraceOptions& options);

}  // namespace lissom::gpu
