#pragma once
// A model whose numbers are polynomials: its coordinates and velocities are symbols, and so are the parameters that the
// user chose (masses, lengths, inertias, gravity). The algorithms read it as they read the model of any scalar.
#include <optional>
#include <vector>

#include "lissom/kernels/model_view.h"
#include "lissom/symbolic/notation.h"
#include "lissom/symbolic/polynomial.h"
#include "lissom/symbolic/symbol_groups.h"

namespace lissom {

namespace symbolic {

/// How joint angles add up: the axis of an angle is parallel to that of the angle before it in the chain, so that the
/// body's orientation depends on their sum (or difference).
struct ParallelAxes {
  std::vector<int> before;  ///< for each angle of the arena; -1: none
  std::vector<int> sign;    ///< +1: they add up, -1: they are subtracted
};

struct SymbolicModel {
  std::vector<Symbol> symbols;  ///< nq coordinates, nv velocities, parameters
  Tree<Polynomial> tree;
  Coupling<Polynomial> coupling;
  std::vector<Polynomial> q, v;  ///< padded
  Mat3<Polynomial> frame_R;      ///< of the frame in its body; the identity where there is none
  Vec3<Polynomial> frame_p;
  int frame_body = 0;
};

/// Call it within an ArenaScope.
SymbolicModel symbolic_model(Arena& arena, const Model& model, const SymbolGroups& groups,
                             std::optional<FrameId> frame);
ParallelAxes parallel_axes(Arena& arena, const SymbolicModel& model);

}  // namespace symbolic
}  // namespace lissom
