#pragma once

namespace lissom {

/// Which parameters are printed as symbols; the others are printed as numbers.
struct SymbolGroups {
  bool masses = false;    ///< m1, m2, …: one for each moving body
  bool lengths = false;   ///< a1, a2, …: from joint to joint; c1, c2, …: from a joint to the center of mass
  bool inertias = false;  ///< I1, I2, …: about the centers of mass; Ir1, …: of rotors
  bool gravity = true;    ///< g
};

}  // namespace lissom
