#pragma once
// The same algorithms computed by the library's own kernels: what generated programs are compared with.
#include <cstdint>
#include <span>
#include <vector>

#include "lissom/codegen/trace.h"

namespace lissom::codegen {

/// The outputs of program(model, algorithm, options) for given inputs, all fields one after another; elements that the
/// program does not write are NaN.
std::vector<double> interpreted(const Model& model, Algorithm algorithm, const TraceOptions& options,
                                const Program& program, std::span<const double> inputs);

/// Random inputs of a program of this model: unit quaternions, everything else between -1 and 1 (dt: 0.001 to 0.01).
/// The same seed gives the same numbers everywhere.
std::vector<double> random_inputs(const Model& model, const Program& program, std::uint64_t seed);

}  // namespace lissom::codegen
