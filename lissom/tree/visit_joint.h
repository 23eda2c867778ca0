#pragma once
// The one place that switches on the type of a joint: calls f(joint) with the class of this body's joint. Every
// algorithm is compiled for every class, which takes a compiler time; so kinds that are rare, or alike, share a class.
#include "lissom/tree/joint.h"

namespace lissom {

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
