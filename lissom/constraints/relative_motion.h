#pragma once
// The motion of one frame relative to another: velocities, accelerations and Jacobians. All constraints and forces
// between two bodies (loops, contacts, springs) are written in these terms.
//
// Two bodies a and b are compared at a point where both have a particle. The relative motion is that for an observer
// who rotates with a:
//   velocity               v_b - v_a                          ω_b - ω_a
//   acceleration           a_b - a_a - 2 ω_a × (v_b - v_a)    α_b - α_a - ω_a × (ω_b - ω_a)
// Vectors are along the world's axes unless stated otherwise. The functions are templates of the scalar type.
#include "lissom/api/workspace.h"
#include "lissom/spatial/motion.h"
#include "lissom/spatial/pose.h"

namespace lissom {

/// The motion of a particle and of the body that it is part of.
template <class T>
struct PointMotion {
  Vec3<T> v, omega, a, alpha;
};

/// A frame, and the motion of the particle at its origin.
template <class T>
struct FrameMotion : PointMotion<T> {
  Pose<T> X;
};

/// The motion of a frame F of a body B. X_WB, V, A: pose of the body in the world, its spatial velocity and
/// acceleration in the body's frame. X_BF: pose of the frame in the body.
template <class T>
FrameMotion<T> frame_motion(const Pose<T>& X_WB, const Motion<T>& V, const Motion<T>& A, const Pose<T>& X_BF) {
  FrameMotion<T> m;
  m.X = X_WB * X_BF;
  const Vec3<T> arm = X_WB.R * X_BF.p;
  m.omega = X_WB.R * V.angular;
  m.alpha = X_WB.R * A.angular;
  m.v = X_WB.R * V.linear + cross(m.omega, arm);
  // A spatial acceleration is not that of a particle: ω × v is added (RBDA section 2.11).
  m.a = X_WB.R * A.linear + cross(m.alpha, arm) + cross(m.omega, m.v);
  return m;
}

/// The particle of the same body that lies at `arm` from the given one.
template <class T>
PointMotion<T> shifted(const PointMotion<T>& m, const Vec3<T>& arm) {
  return {m.v + cross(m.omega, arm), m.omega, m.a + cross(m.alpha, arm) + cross(m.omega, cross(m.omega, arm)), m.alpha};
}

/// The motion of b relative to a, whose particles are at the same point.
template <class T>
PointMotion<T> relative_motion(const PointMotion<T>& a, const PointMotion<T>& b) {
  const auto v = b.v - a.v, omega = b.omega - a.omega;
  return {v, omega, b.a - a.a - T(2) * cross(a.omega, v), b.alpha - a.alpha - cross(a.omega, omega)};
}

/// The value of a constraint c(q), and its first and second time derivatives.
template <class T>
struct RowMotion {
  T c, rate, acceleration;
};

/// Column k of R.
template <class T>
Vec3<T> axis_of(const Mat3<T>& R, int k) {
  return k == 0 ? column_x(R) : k == 1 ? column_y(R) : column_z(R);
}
template <class T>
T component(const Vec3<T>& a, int k) {
  return k == 0 ? a.x : k == 1 ? a.y : a.z;
}

/// The coordinates of b's origin in frame a.
template <class T>
class RelativePosition {
 public:
  RelativePosition(const FrameMotion<T>& a, const FrameMotion<T>& b) {
    const auto r = b.X.p - a.X.p;
    const auto relative = relative_motion<T>(shifted<T>(a, r), b);
    position_ = transpose_times(a.X.R, r);
    velocity_ = transpose_times(a.X.R, relative.v);
    acceleration_ = transpose_times(a.X.R, relative.a);
  }
  RowMotion<T> along(int k) const {
    return {component(position_, k), component(velocity_, k), component(acceleration_, k)};
  }
  /// The distance of the origins, which must not be zero, less a length.
  RowMotion<T> distance(const T& length) const {
    using std::sqrt;
    const T distance = sqrt(dot(position_, position_)), rate = dot(position_, velocity_) / distance;
    return {distance - length, rate,
            (dot(position_, acceleration_) + dot(velocity_, velocity_) - rate * rate) / distance};
  }

 private:
  Vec3<T> position_, velocity_, acceleration_;
};

/// u · w for the axis u of a and the axis w of b.
template <class T>
RowMotion<T> product_of_axes(const FrameMotion<T>& a, const FrameMotion<T>& b, int u_axis, int w_axis) {
  const auto u = axis_of(a.X.R, u_axis), w = axis_of(b.X.R, w_axis), n = cross(w, u), omega = b.omega - a.omega;
  return {dot(u, w), dot(omega, n),
          dot(b.alpha - a.alpha, n) + dot(omega, cross(cross(b.omega, w), u) + cross(w, cross(a.omega, u)))};
}

/// Jacobian of the particle of a body (by its index) at a point in the world, along the columns of `axes`. The
/// workspace must hold the placements of the configuration (forward_kinematics). Allocates nothing.
void body_jacobian(const Model& model, Workspace& work, int body, const Vec3<double>& at, const Mat3<double>& axes,
                   Columns6& J);

/// The same for `body` relative to `from`. J_from is a buffer of the same size.
void relative_jacobian(const Model& model, Workspace& work, int body, int from, const Vec3<double>& at,
                       const Mat3<double>& axes, Columns6& J, Columns6& J_from);

}  // namespace lissom
