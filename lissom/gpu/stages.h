#pragma once
// The algorithms of a batch, traced. Some are divided into stages, each a kernel of its own, because the code of the
// whole would be too large to be fetched in time: the arrays that one stage writes are read by the next.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lissom/codegen/trace.h"

namespace lissom::gpu {

struct BatchAlgorithm {
  const char* name;
  const char* alias;    ///< another word for it; empty if there is none
  const char* meaning;  ///< one line
};
/// All algorithms of batches: those that can be traced as a whole, and products with derivatives.
std::span<const BatchAlgorithm> batch_algorithms();
/// The name for a name or alias. Throws an Error with the nearest one if there is none.
std::string batch_algorithm(std::string_view name);

/// The programs of an algorithm, to be run one after another. Throws as codegen::trace does.
std::vector<codegen::Program> trace_stages(const Model& model, const std::string& algorithm,
                                           const codegen::TraceOptions& options);

}  // namespace lissom::gpu
