#pragma once
// Runs an algorithm of the library on Traced scalars, and so makes a Program of it for one robot: every joint type,
// mimic joints and rotor inertia are in it, since the same templates run that compute numbers.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lissom/codegen/program.h"
#include "lissom/model/model.h"

namespace lissom::codegen {

/// The algorithms that can be traced.
enum class Algorithm {
  placements,
  velocities,
  jacobian,
  rnea,
  bias,
  gravity,
  crba,
  factor,
  aba,
  centroidal,
  step,
  d_rnea,
  d_aba,
  rnea_jvp,
  rnea_vjp,
  aba_jvp,
  aba_vjp,
};
/// The names of an algorithm.
struct AlgorithmTraits {
  Algorithm algorithm;
  const char* name;     ///< as on the command line; also the name of the generated function
  const char* alias;    ///< another word for it; empty if there is none
  const char* meaning;  ///< one line
};
/// All of them, in the order in which they are listed to people.
std::span<const AlgorithmTraits> algorithms();
const AlgorithmTraits& traits(Algorithm algorithm);
/// By name or alias. Throws an Error with the nearest name if there is none of this name.
Algorithm algorithm_of(std::string_view name);

/// What is traced of an algorithm.
struct TraceOptions {
  /// Frames whose placements, velocities and Jacobian are computed. Empty: those of the links that the joints move; the
  /// last of them for the Jacobian.
  std::vector<std::string> frames = {};
  /// Placements and velocities as the library holds them internally: one per body, in the frames of tree.h.
  bool body_frames = false;
  /// rnea, aba and step take a force on each link that a joint moves.
  bool external_forces = false;
  /// Matrices: only entries of the upper triangle (of L: lower) that are not zero for every q are written.
  bool sparse = false;
  /// Algorithms of several passes (aba_vjp) compute some values in each of them: whether they do so only once. That
  /// takes fewer operations, but several times as many values wait for the next pass; a GPU would rather compute them
  /// again.
  bool share_between_passes = true;
  /// Signs of constants do not move (Graph): limbs which mirror each other get the same operations.
  bool signed_constants = false;
};

/// Throws Error if the model has no coordinates, or no frame of a given name.
Program trace(const Model& model, Algorithm algorithm, const TraceOptions& options = {});

}  // namespace lissom::codegen
