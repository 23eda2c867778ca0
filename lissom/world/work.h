#pragma once
// What forces do to the energy of a system.
#include <cmath>

namespace lissom {

/// Work in J, or power in W, of everything that changes the energy of a system. Gravity and springs are not among it:
/// their potential is part of the energy.
struct Work {
  double motors = 0;
  double damping = 0;  ///< of dampers and dry friction, of joints and of springs between points
  double pushes = 0;
  double forces = 0;    ///< of force laws
  double loops = 0;     ///< of closed loops: constraint forces, and the projection onto closed states; ideally 0
  double limits = 0;    ///< of joint limits, which only take energy
  double friction = 0;  ///< of contacts along their tangents, and of torsional and rolling friction: only takes energy
  double impacts = 0;   ///< of contacts along their normals, and of what strikes: only take energy
  double overlaps = 0;  ///< of displacements that remove deep overlaps

  double sum() const {
    double all = 0;
    for (const auto member : members) all += this->*member;
    return all;
  }
  Work& add(double factor, const Work& other) {
    for (const auto member : members) this->*member += factor * (other.*member);
    return *this;
  }
  /// The work of what may only take energy.
  double dissipated() const { return damping + limits + friction + impacts; }

  static constexpr double Work::* members[] = {&Work::motors,   &Work::damping, &Work::pushes,
                                               &Work::forces,   &Work::loops,   &Work::limits,
                                               &Work::friction, &Work::impacts, &Work::overlaps};
  /// The names of the members, for reports and recordings.
  static constexpr const char* names[] = {"motors", "damping",  "pushes",  "forces",  "loops",
                                          "limits", "friction", "impacts", "overlaps"};
};
/// |motors| + |damping| + …: how much energy changes hands.
inline double turnover(const Work& w) {
  double all = 0;
  for (const auto member : Work::members) all += std::abs(w.*member);
  return all;
}

}  // namespace lissom
