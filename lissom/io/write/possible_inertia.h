#pragma once
// Inertias that MuJoCo accepts. Not installed.
#include "lissom/math/sym3.h"

namespace lissom::io::write {

// MuJoCo refuses moving bodies whose mass is at most 1e-15 or whose principal moments are at most 1e-14.
inline constexpr double min_inertia = 1e-13;

// The inertia with principal moments of at least `least` that satisfy A + B ≥ C, next to this one; the same if it does.
Sym3<double> possible_inertia(const Sym3<double>& I, double least);

}  // namespace lissom::io::write
