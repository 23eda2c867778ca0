#pragma once
// What forces do to the energy of a system.
#include <cmath>

namespace lissom::sim {

/// Work in J, or power in W, of everything that changes the energy of a system. Gravity and springs are not among it:
/// their potential is part of the energy.
struct Work {
  double motors = 0;
  double damping = 0;  ///< of dampers and dry friction, of joints and of springs between points
  double pushes = 0;
  double forces = 0;  ///< of force laws

  double sum() const { return motors + damping + pushes + forces; }
  Work& add(double factor, const Work& other) {
    motors += factor * other.motors;
    damping += factor * other.damping;
    pushes += factor * other.pushes;
    forces += factor * other.forces;
    return *this;
  }
};
/// |motors| + |damping| + …: how much energy changes hands.
inline double turnover(const Work& w) {
  return std::abs(w.motors) + std::abs(w.damping) + std::abs(w.pushes) + std::abs(w.forces);
}

}  // namespace lissom::sim
