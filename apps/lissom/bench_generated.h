#pragma once
// lissom bench --generated: code for one robot, generated and compiled at run time.
#include <vector>

#include "stopwatch.h"

namespace verb::bench {

// Adds rows of the modes generated, generated_lanes_f64 and generated_lanes_f32. Where no compiler is found, or the
// algorithm that was asked for is not among those that are generated here, it says so and adds none. Throws an Error if
// the code cannot be compiled, or does not compute what the kernels compute.
void measure_generated(const Model& model, const Effort& effort, std::vector<Row>& rows);

}  // namespace verb::bench
