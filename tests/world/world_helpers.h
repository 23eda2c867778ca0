#pragma once
// What tests of worlds share: shapes, energy, messages of errors.
#include <functional>
#include <string>

#include "lissom/benchmarks/timed_world.h"

namespace lissom::test {

using benchmarks::ball;
using benchmarks::box;

inline double energy(const World& world) {
  return world.kinetic_energy() + world.potential_energy();
}

/// What f throws; empty if it does not.
inline std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace lissom::test
