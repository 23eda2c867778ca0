#pragma once
// How the two ends of a loop move against each other, in any scalar: what its rows c, ċ and c̈ are made of.
#include "lissom/constraints/loop.h"
#include "lissom/spatial/motion.h"
#include "lissom/spatial/pose.h"

namespace lissom {

// An end, in world coordinates: where it is, how its particle moves, how it turns.
template <class T>
struct EndMotion {
  Pose<T> X;
  Vec3<T> v, omega, a, alpha;
};

// X_WB, V, A: of its body, whose spatial velocity and acceleration are in the body's frame. X_BE: of the end in it.
template <class T>
EndMotion<T> end_motion(const Pose<T>& X_WB, const Motion<T>& V, const Motion<T>& A, const Pose<T>& X_BE) {
  EndMotion<T> m;
  m.X = X_WB * X_BE;
  const Vec3<T> arm = X_WB.R * X_BE.p;
  m.omega = X_WB.R * V.angular;
  m.alpha = X_WB.R * A.angular;
  m.v = X_WB.R * V.linear + cross(m.omega, arm);
  // A spatial acceleration is not that of a particle: ω × v is (RBDA section 2.11).
  m.a = X_WB.R * A.linear + cross(m.alpha, arm) + cross(m.omega, m.v);
  return m;
}

template <class T>
struct RowMotion {
  T c, rate, acceleration;
};

template <class T>
Vec3<T> axis_of(const Mat3<T>& R, int k) {
  return k == 0 ? column_x(R) : k == 1 ? column_y(R) : column_z(R);
}
template <class T>
T component(const Vec3<T>& a, int k) {
  return k == 0 ? a.x : k == 1 ? a.y : a.z;
}

// b's origin in frame a, which turns: transport, centripetal and Coriolis accelerations.
template <class T>
class Parting {
 public:
  Parting(const EndMotion<T>& a, const EndMotion<T>& b) {
    const auto r = b.X.p - a.X.p, relative = b.v - a.v - cross(a.omega, r);
    apart_ = transpose_times(a.X.R, r);
    velocity_ = transpose_times(a.X.R, relative);
    acceleration_ = transpose_times(
        a.X.R, b.a - a.a - cross(a.alpha, r) - cross(a.omega, cross(a.omega, r)) - T(2) * cross(a.omega, relative));
  }
  RowMotion<T> along(int k) const {
    return {component(apart_, k), component(velocity_, k), component(acceleration_, k)};
  }

 private:
  Vec3<T> apart_, velocity_, acceleration_;
};

// u·w, of axis u of a and axis w of b.
template <class T>
RowMotion<T> turning(const EndMotion<T>& a, const EndMotion<T>& b, int u_axis, int w_axis) {
  const auto u = axis_of(a.X.R, u_axis), w = axis_of(b.X.R, w_axis), n = cross(w, u), turn = b.omega - a.omega;
  return {dot(u, w), dot(turn, n),
          dot(b.alpha - a.alpha, n) + dot(turn, cross(cross(b.omega, w), u) + cross(w, cross(a.omega, u)))};
}

}  // namespace lissom
