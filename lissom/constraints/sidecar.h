#pragma once
// What a robot's file cannot say, in a small file beside it (JSON): loops, couplings and springs between points. See
// docs/simulation.md for an example.
#include <optional>
#include <string>

#include "lissom/constraints/loop.h"

namespace lissom {

struct Sidecar {
  LoopDescription closures;
  std::vector<Spring> springs;
  std::optional<Vec3<double>> gravity;  // in place of (0, 0, -9.81)
};

// Error with the file and the place in it, what was found and what was expected.
Sidecar read_sidecar(const std::string& path, const Model& model);

}  // namespace lissom
