#pragma once
// Programs compared with the library's own kernels.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "largest.h"
#include "lissom/codegen/reference.h"
#include "lissom/codegen/trace.h"

namespace lissom::test {

// |x - y| <= tolerance * max(1, |y|), where |y| is the largest element of the output; elements that are not written are
// left out.
inline ::testing::AssertionResult same(const codegen::Program& program, const std::vector<double>& x,
                                       const std::vector<double>& y, double tolerance) {
  if (x.size() != y.size() || x.size() != program.results.size())
    return ::testing::AssertionFailure() << "sizes differ";
  int compared = 0;
  for (const auto& field : program.outputs) {
    double largest = 1;
    const auto written = [&](int i) { return program.results[std::size_t(field.first + i)] != codegen::no_node; };
    for (int i = 0; i < field.count; ++i)
      if (written(i)) largest = larger(largest, std::abs(y[std::size_t(field.first + i)]));
    for (int i = 0; i < field.count; ++i) {
      if (!written(i)) continue;
      const auto k = std::size_t(field.first + i);
      ++compared;
      if (!(std::abs(x[k] - y[k]) <= tolerance * largest))
        return ::testing::AssertionFailure()
               << program.algorithm << ": " << field.name << "[" << i << "] is " << x[k] << ", interpreted " << y[k];
    }
  }
  if (compared == 0) return ::testing::AssertionFailure() << program.algorithm << " writes nothing";
  return ::testing::AssertionSuccess();
}

inline void compare(const Model& model, const codegen::TraceOptions& options, std::uint64_t seed, double tolerance) {
  for (const auto& row : codegen::algorithms()) {
    const auto program = codegen::trace(model, row.algorithm, options);
    const auto inputs = random_inputs(model, program, seed);
    const auto x = evaluate(program, inputs), y = interpreted(model, row.algorithm, options, program, inputs);
    // Derivatives of forward dynamics are divided by M twice, and amplify rounding as M is conditioned.
    const double allowed = row.algorithm == codegen::Algorithm::d_aba ? 100 * tolerance : tolerance;
    EXPECT_TRUE(same(program, x, y, allowed)) << model.name();
  }
}

}  // namespace lissom::test
