#pragma once
// The joint catalog: the classes of joints, and visit_joint, which selects that of a body. A class knows its transform
// X(q) and its motion subspace S (RBDA table 4.1), both as types that carry the axis, and where its coordinates lie in
// q, v, tau:
//   rate(v), force(tau)    the joint's elements of a vector of velocities or accelerations, or of forces; Nothing for
//                          Nothing
//   each(x, f)             calls f(index, element) for each of these elements; set(v, x) writes them back
//   each_axis(f)           calls f(index, axis, sign) for every degree of freedom
//   columns(I)             I S, one force per degree of freedom
//   gain(per_dof)          where the articulated-body algorithm stores U D⁻¹
//   with_rotor(D)          D plus the inertia of the motor's rotor
//   with_rotor(f, rate)    f plus the force that accelerates the rotor, for an acceleration as of rate(a)
#include <array>

#include "lissom/spatial/all_motions.h"
#include "lissom/spatial/all_turns.h"
#include "lissom/spatial/columns.h"
#include "lissom/spatial/transform.h"
#include "lissom/tree/configuration.h"

namespace lissom {

/// One degree of freedom along ± an axis: the sign is applied here and nowhere else.
template <class T, class Real>
struct OneDof {
  const Body<Real>& body;
  const Configuration<T>& at;

  LISSOM_INLINE T rate(const T* v) const { return body.sign * v[body.v]; }
  LISSOM_INLINE Nothing rate(Nothing) const { return {}; }
  LISSOM_INLINE T force(const T* tau) const { return body.sign * tau[body.v]; }
  template <class X, class F>
  LISSOM_INLINE void each(X x, F&& f) const {
    f(body.v, body.sign * x);
  }
  LISSOM_INLINE void set(T* v, T x) const { v[body.v] = body.sign * x; }
  LISSOM_INLINE Force<T>& gain(Force<T>* per_dof) const { return per_dof[body.v]; }
  LISSOM_INLINE T with_rotor(T D) const { return D + body.armature; }
  LISSOM_INLINE T with_rotor(T f, T rate) const { return f + body.armature * rate; }
};

template <Axis A, class T, class Real>
struct Revolute : OneDof<T, Real> {
  static constexpr AxisTurn<A> S{};
  LISSOM_INLINE AxisRotation<A, T> rotation() const { return {this->at.sin[this->body.q], this->at.cos[this->body.q]}; }
  LISSOM_INLINE auto X() const { return Transform{rotation(), this->body.origin}; }
  template <class F>
  LISSOM_INLINE void each_axis(F&& f) const {
    f(this->body.v, S, this->body.sign);
  }
  template <class Inertia>
  LISSOM_INLINE std::array<Force<T>, 1> columns(const Inertia& I) const {
    return {(I * S) * T(this->body.sign)};
  }
};

template <Axis A, class T, class Real>
struct Prismatic : OneDof<T, Real> {
  static constexpr AxisSlide<A> S{};
  LISSOM_INLINE NoRotation rotation() const { return {}; }
  LISSOM_INLINE T travel() const { return this->body.sign * this->at.q[this->body.q]; }
  LISSOM_INLINE auto X() const {
    const auto p = as_z<A>(this->body.origin);
    return Transform{rotation(), from_z<A>(Vec3<T>(T(p.x), T(p.y), p.z + travel()))};
  }
  template <class F>
  LISSOM_INLINE void each_axis(F&& f) const {
    f(this->body.v, S, this->body.sign);
  }
  template <class Inertia>
  LISSOM_INLINE std::array<Force<T>, 1> columns(const Inertia& I) const {
    return {(I * S) * T(this->body.sign)};
  }
};

/// A general axis: the z joint behind one fixed rotation, `tilt`, that takes z to the axis.
template <class T, class Real>
struct TiltedRevolute : Revolute<Axis::z, T, Real> {
  LISSOM_INLINE auto X() const {
    return Transform{Composed{MatrixRotation<Real>{this->body.tilt}, this->rotation()}, this->body.origin};
  }
};
template <class T, class Real>
struct TiltedPrismatic : Prismatic<Axis::z, T, Real> {
  LISSOM_INLINE auto X() const {
    const auto& E = this->body.tilt;
    return Transform{MatrixRotation<Real>{E}, this->body.origin + this->travel() * column_z(E)};
  }
};

/// q = (qw qx qy qz), v = angular velocity in the child's frame.
template <class T, class Real>
struct Spherical {
  static constexpr AllTurns S{};
  const Body<Real>& body;
  const Configuration<T>& at;

  LISSOM_INLINE auto X() const {
    const T* q = at.q + body.q;
    return Transform{Composed{MatrixRotation<Real>{body.tilt}, MatrixRotation<T>{matrix(q[0], q[1], q[2], q[3])}},
                     body.origin};
  }
  LISSOM_INLINE Vec3<T> rate(const T* v) const {
    v += body.v;
    return {v[0], v[1], v[2]};
  }
  LISSOM_INLINE Nothing rate(Nothing) const { return {}; }
  LISSOM_INLINE Vec3<T> force(const T* tau) const { return rate(tau); }
  template <class E, class F>
  LISSOM_INLINE void each(const Vec3<E>& x, F&& f) const {
    f(body.v, x.x);
    f(body.v + 1, x.y);
    f(body.v + 2, x.z);
  }
  template <class F>
  LISSOM_INLINE void each_axis(F&& f) const {
    f(body.v, AxisTurn<Axis::x>{}, Real(1));
    f(body.v + 1, AxisTurn<Axis::y>{}, Real(1));
    f(body.v + 2, AxisTurn<Axis::z>{}, Real(1));
  }
  LISSOM_INLINE void set(T* v, const Vec3<T>& x) const {
    each(x, [&](int i, T e) { v[i] = e; });
  }
  LISSOM_INLINE TurnsGain<T> gain(Force<T>* per_dof) const { return {per_dof + body.v}; }
  template <class Inertia>
  LISSOM_INLINE std::array<Force<T>, 3> columns(const Inertia& I) const {
    return {I * AxisTurn<Axis::x>{}, I * AxisTurn<Axis::y>{}, I * AxisTurn<Axis::z>{}};
  }
  // A spherical joint with a rotor is of another kind, geared_spherical.
  LISSOM_INLINE const Sym3<T>& with_rotor(const Sym3<T>& D) const { return D; }
  LISSOM_INLINE const Vec3<T>& with_rotor(const Vec3<T>& f, const Vec3<T>&) const { return f; }
};

/// q = (x y z, qw qx qy qz), v = (linear, angular) in the child's frame. `tilted_free`: the joint's frame is rotated or
/// displaced relative to the parent's.
template <class T, class Real>
struct Free {
  static constexpr AllMotions S{};
  const Body<Real>& body;
  const Configuration<T>& at;

  LISSOM_INLINE auto X() const {
    const T* q = at.q + body.q;
    auto R = matrix(q[3], q[4], q[5], q[6]);
    Vec3<T> p{q[0], q[1], q[2]};
    if (body.kind == JointKind::tilted_free) {
      R = body.tilt * R;
      p = body.tilt * p + body.origin;
    }
    return Transform{MatrixRotation<T>{R}, p};
  }
  LISSOM_INLINE Motion<T> rate(const T* v) const {
    v += body.v;
    return {{v[3], v[4], v[5]}, {v[0], v[1], v[2]}};
  }
  LISSOM_INLINE Nothing rate(Nothing) const { return {}; }
  LISSOM_INLINE Force<T> force(const T* tau) const {
    const auto f = rate(tau);
    return {f.angular, f.linear};
  }
  template <class E, class F>
  LISSOM_INLINE void each(const Force<E>& x, F&& f) const {
    const int i = body.v;
    f(i, x.linear.x);
    f(i + 1, x.linear.y);
    f(i + 2, x.linear.z);
    f(i + 3, x.angular.x);
    f(i + 4, x.angular.y);
    f(i + 5, x.angular.z);
  }
  template <class F>
  LISSOM_INLINE void each_axis(F&& f) const {
    const int i = body.v;
    f(i, AxisSlide<Axis::x>{}, Real(1));
    f(i + 1, AxisSlide<Axis::y>{}, Real(1));
    f(i + 2, AxisSlide<Axis::z>{}, Real(1));
    f(i + 3, AxisTurn<Axis::x>{}, Real(1));
    f(i + 4, AxisTurn<Axis::y>{}, Real(1));
    f(i + 5, AxisTurn<Axis::z>{}, Real(1));
  }
  LISSOM_INLINE void set(T* tau, const Force<T>& x) const {
    each(x, [&](int i, T e) { tau[i] = e; });
  }
  LISSOM_INLINE void set(T* v, const Motion<T>& x) const { set(v, Force<T>{x.angular, x.linear}); }
  LISSOM_INLINE WholeGain gain(Force<T>*) const { return {}; }
  template <class Inertia>
  LISSOM_INLINE std::array<Force<T>, 6> columns(const Inertia& I) const {
    return {I * AxisSlide<Axis::x>{}, I * AxisSlide<Axis::y>{}, I * AxisSlide<Axis::z>{},
            I * AxisTurn<Axis::x>{},  I * AxisTurn<Axis::y>{},  I * AxisTurn<Axis::z>{}};
  }
  // A free joint has no rotor: the builder makes sure of that.
  LISSOM_INLINE const ArticulatedInertia<T>& with_rotor(const ArticulatedInertia<T>& D) const { return D; }
  LISSOM_INLINE const Force<T>& with_rotor(const Force<T>& f, const Motion<T>&) const { return f; }
};

/// K degrees of freedom with a motion subspace of plain columns.
template <int K, class T, class Real>
struct Dense {
  const Body<Real>& body;
  const Configuration<T>& at;
  MotionColumns<K, Real> S;

  LISSOM_INLINE Coordinates<K, T> rate(const T* v) const {
    Coordinates<K, T> r;
    for (int k = 0; k < K; ++k) r.e[k] = v[body.v + k];
    return r;
  }
  LISSOM_INLINE Nothing rate(Nothing) const { return {}; }
  LISSOM_INLINE Coordinates<K, T> force(const T* tau) const { return rate(tau); }
  template <class E, class F>
  LISSOM_INLINE void each(const Coordinates<K, E>& x, F&& f) const {
    for (int k = 0; k < K; ++k) f(body.v + k, x.e[k]);
  }
  template <class F>
  LISSOM_INLINE void each_axis(F&& f) const {
    for (int k = 0; k < K; ++k) f(body.v + k, S.column[k], Real(1));
  }
  LISSOM_INLINE void set(T* v, const Coordinates<K, T>& x) const {
    for (int k = 0; k < K; ++k) v[body.v + k] = x.e[k];
  }
  LISSOM_INLINE ColumnsGain<K, T> gain(Force<T>* per_dof) const { return {per_dof + body.v}; }
  template <class Inertia>
  LISSOM_INLINE std::array<Force<T>, K> columns(const Inertia& I) const {
    std::array<Force<T>, K> f;
    for (int k = 0; k < K; ++k) f[k] = I * Motion<T>{cast<T>(S.column[k].angular), cast<T>(S.column[k].linear)};
    return f;
  }
  LISSOM_INLINE Square<K, T> with_rotor(const Square<K, T>& D) const { return plus_diagonal(D, body.armature); }
  LISSOM_INLINE Coordinates<K, T> with_rotor(const Coordinates<K, T>& f, const Coordinates<K, T>& rate) const {
    Coordinates<K, T> sum;
    for (int k = 0; k < K; ++k) sum.e[k] = f.e[k] + body.armature * rate.e[k];
    return sum;
  }
};

/// Rotates about z and translates along it at once.
template <class T, class Real>
struct Screw : Dense<1, T, Real> {
  LISSOM_INLINE Screw(const Body<Real>& b, const Configuration<T>& a)
      : Dense<1, T, Real>{b, a, {{{{{0, 0, b.rotation_per_q}, {0, 0, b.translation_per_q}}}}}} {}
  LISSOM_INLINE auto X() const {
    const auto& b = this->body;
    const AxisRotation<Axis::z, T> about_z{this->at.sin[b.q], this->at.cos[b.q]};
    return Transform{Composed{MatrixRotation<Real>{b.tilt}, about_z},
                     b.origin + b.translation_per_q * this->at.q[b.q] * column_z(b.tilt)};
  }
};

/// Two joints of three degrees of freedom each.
/// planar: q = (x, y, angle about z), v = their rates in the child's frame.
/// geared_spherical: a ball joint with a rotor; q and v as those of a ball joint.
template <class T, class Real>
struct PlanarOrGeared : Dense<3, T, Real> {
  LISSOM_INLINE PlanarOrGeared(const Body<Real>& b, const Configuration<T>& a)
      : Dense<3, T, Real>{b, a, b.kind == JointKind::planar ? planar_axes() : ball_axes()} {}
  LISSOM_INLINE auto X() const {
    const auto& b = this->body;
    const T* const q = this->at.q + b.q;
    const T o = zero<T>();
    Vec3<T> travel{o, o, o};
    Mat3<T> R;
    if (b.kind == JointKind::planar) {
      const T s = this->at.sin[b.q + 2], c = this->at.cos[b.q + 2];
      R = {c, -s, o, s, c, o, o, o, one<T>()};
      travel.x = q[0], travel.y = q[1];
    } else {
      R = matrix(q[0], q[1], q[2], q[3]);
    }
    return Transform{Composed{MatrixRotation<Real>{b.tilt}, MatrixRotation<T>{R}}, b.tilt * travel + b.origin};
  }

 private:
  using Columns = MotionColumns<3, Real>;
  LISSOM_INLINE static Columns planar_axes() {
    return {
        {Motion<Real>{{0, 0, 0}, {1, 0, 0}}, Motion<Real>{{0, 0, 0}, {0, 1, 0}}, Motion<Real>{{0, 0, 1}, {0, 0, 0}}}};
  }
  LISSOM_INLINE static Columns ball_axes() {
    return {
        {Motion<Real>{{1, 0, 0}, {0, 0, 0}}, Motion<Real>{{0, 1, 0}, {0, 0, 0}}, Motion<Real>{{0, 0, 1}, {0, 0, 0}}}};
  }
};

/// The one place that switches on the kind of a joint: calls f(joint) with the class of this body's joint. Every
/// algorithm is compiled for every class, which takes a compiler time; so kinds that are rare, or alike, share a class.
template <class T, class Real, class F>
LISSOM_INLINE void visit_joint(const Body<Real>& body, const Configuration<T>& at, F&& f) {
  switch (body.kind) {
    case JointKind::revolute_x:
      LISSOM_INLINE_CALL return f(Revolute<Axis::x, T, Real>{{body, at}});
    case JointKind::revolute_y:
      LISSOM_INLINE_CALL return f(Revolute<Axis::y, T, Real>{{body, at}});
    case JointKind::revolute_z:
      LISSOM_INLINE_CALL return f(Revolute<Axis::z, T, Real>{{body, at}});
    case JointKind::revolute:
      LISSOM_INLINE_CALL return f(TiltedRevolute<T, Real>{{{body, at}}});
    case JointKind::prismatic_x:
      LISSOM_INLINE_CALL return f(Prismatic<Axis::x, T, Real>{{body, at}});
    case JointKind::prismatic_y:
      LISSOM_INLINE_CALL return f(Prismatic<Axis::y, T, Real>{{body, at}});
    case JointKind::prismatic_z:
      LISSOM_INLINE_CALL return f(Prismatic<Axis::z, T, Real>{{body, at}});
    case JointKind::prismatic:
      LISSOM_INLINE_CALL return f(TiltedPrismatic<T, Real>{{{body, at}}});
    case JointKind::spherical:
      LISSOM_INLINE_CALL return f(Spherical<T, Real>{body, at});
    case JointKind::free:
    case JointKind::tilted_free:
      LISSOM_INLINE_CALL return f(Free<T, Real>{body, at});
    case JointKind::screw:
      LISSOM_INLINE_CALL return f(Screw<T, Real>(body, at));
    case JointKind::planar:
    case JointKind::geared_spherical:
      LISSOM_INLINE_CALL return f(PlanarOrGeared<T, Real>(body, at));
  }
}

}  // namespace lissom
