#pragma once
// The derivatives of inverse dynamics: ∂tau/∂q (in the tangent space: along v), ∂tau/∂v and ∂tau/∂a = M(q).
// Singh, Russell and Wensing, "Efficient Analytical Derivatives of Rigid-Body Dynamics using Spatial Vector Algebra",
// 2022. Everything is expressed in the frame of the root body of each tree, so that nothing is transformed from joint
// to joint. With the velocity v_λ and acceleration a_λ of the joint's parent (gravity included), each axis S moves by
//   ψ̇ = v_λ × S,   ψ̈ = a_λ × S + v_λ × ψ̇,   Ṡ = v × S.
// Degree of freedom j, with the inertia I, the Coriolis matrix B (body_coriolis.h) and the force f of its subtree,
// gives
//   Fq = I ψ̈ + 2B ψ̇ + S ×* f,   Fv = I (ψ̇ + Ṡ) + 2B S,   Fa = I S,   Fb = 2Bᵀ S,
// and with the joints i towards the base
//   ∂tau_i/∂(q, v, a)_j = S_iᵀ (Fq, Fv, Fa)_j,
//   ∂tau_j/∂q_i = ψ̈_iᵀ Fa_j + ψ̇_iᵀ Fb_j,   ∂tau_j/∂v_i = (ψ̇ + Ṡ)_iᵀ Fa_j + S_iᵀ Fb_j.
// Between the degrees of freedom of one joint, S ×* f is left out: its axes rotate together with f.
//
// Reads q, v, a and, where given, one external force per body, in that body's frame, which moves with the body. Writes
// dq, dv and the upper triangle of M, rows `stride` apart, with block_width - 1 spare rows. Entries of joints on
// different branches are zero: they are left as they are (or set to zero, where they share a block with others).
// O(n depth).
#include "lissom/dynamics/record_blocks.h"
#include "lissom/dynamics/rotors.h"
#include "lissom/tree/visit_joint.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

template <class T>
struct RneaDerivativesScratch {
  template <class U>
  struct BodyMotions {
    Motion<U> v, a, v_parent, a_parent;
    Pose<U> X;  // in the frame of the root body
  };
  template <class U>
  struct Subtree {
    RigidInertia<U> I;
    BodyCoriolis<U> B2;  // 2B
    Force<U> f;
  };
  template <class U>
  struct AxisMotions {
    Motion<U> S, psi_dot, psi_ddot, rate_sum;  // S, ψ̇, ψ̈, ψ̇ + Ṡ
  };
  template <class U>
  using Inertia = RigidInertia<U>;

  RecordArray<Inertia, Number<T>> inertia;  // of the bodies, for blocks of them
  RecordArray<BodyMotions, T> motion;       // per body
  RecordArray<Subtree, T> subtree;
  RecordArray<Motion, T> S;  // per degree of freedom
  RecordArray<AxisMotions, T> axis;
  RecordArray<Force, T> F;      // Fa
  Array<Force<T>> added_force;  // per body, by the accelerations of the joints
  Array<int> body_of;           // the body of each degree of freedom
  // The bodies that carry some of the degrees of freedom of a block, from the tips inward: those of block b begin at
  // carriers_begin[b].
  Array<int> carriers, carriers_begin;
  Configuration<T> at;

  template <class Real>
  explicit RneaDerivativesScratch(const Tree<Real>& tree)
      : inertia(tree.bodies.size()),
        motion(tree.bodies.size()),
        subtree(tree.bodies.size()),
        S(std::size_t(tree.nv)),
        axis(std::size_t(tree.nv)),
        F(std::size_t(tree.nv)),
        added_force(tree.bodies.size()),
        body_of(std::size_t(tree.nv + padding)),
        at(tree.nq) {
    for (const auto& body : tree.outward()) {
      inertia[body.index] = body.inertia;
      for (int j = body.v; j < body.v + body.dofs; ++j) body_of[j] = body.index;
    }
    constexpr int width = block_width<T>;
    const auto carries = [](const auto& body, int k) { return body.v < k + width && body.last_v >= k; };
    const int blocks = (tree.nv + width - 1) / width;
    std::size_t count = 0;
    for (int k = 0; k < tree.nv; k += width)
      for (const auto& body : tree.outward()) count += carries(body, k);
    carriers = Array<int>(count);
    carriers_begin = Array<int>(std::size_t(blocks) + 1);
    int next = 0;
    for (int b = 0; b < blocks; ++b) {
      carriers_begin[b] = next;
      for (const auto& body : tree.inward())
        if (carries(body, b * width)) carriers[next++] = body.index;
    }
    carriers_begin[blocks] = next;
  }
};

/// The constant inertias of a block of bodies.
template <class T, class Real, class Index>
LISSOM_INLINE decltype(auto) inertias(const Tree<Real>& tree, RneaDerivativesScratch<T>& w, Index index) {
  if constexpr (block_width<T> == 1)
    return (tree.bodies[std::size_t(index(0))].inertia);
  else
    return w.inertia.block(index);
}

/// How bodies and axes move, in the frame of the root body. a may be Nothing.
template <class T, class Real, class Acceleration>
LISSOM_INLINE void move_bodies(const Tree<Real>& tree, RneaDerivativesScratch<T>& w, const T* v, Acceleration a) {
  for (const auto& body : tree.outward())
    visit_joint(body, w.at, [&](auto joint) {
      const auto X = joint.X();
      const auto& parent = w.motion[body.parent];
      auto& i = w.motion[body.index];
      if (body.parent == world) {
        i.X = {};
        i.v_parent = zero_motion<T>();
        i.a_parent = X.to_child(upward<T>(tree.gravity));
      } else {
        i.X = parent.X * X;
        i.v_parent = parent.v;
        i.a_parent = parent.a;
      }
      i.v = i.v_parent, i.a = i.a_parent;
      joint.each_axis([&](int j, auto axis, auto sign) {
        const auto S = w.S[j] = sign * to_world(i.X, axis);
        i.v += v[j] * S;
        if constexpr (!std::is_same_v<Acceleration, Nothing>) i.a += a[j] * S;
      });
      i.a += cross(i.v_parent, i.v);  // v_λ × S v
    });
}

/// Inertia, Coriolis matrix and force of each body by itself; then of each with all that it carries.
template <class T, class Real>
LISSOM_INLINE void sum_subtrees(const Tree<Real>& tree, RneaDerivativesScratch<T>& w, const Force<T>* external) {
  constexpr int width = block_width<T>;
  for (int k = 1; k < int(tree.bodies.size()); k += width) {
    const auto these = [&](int l) { return k + l; };
    const auto& i = w.motion.block(these);
    const auto I = to_world(i.X, inertias(tree, w, these));
    const auto B2 = body_coriolis(I, i.v + i.v);
    w.subtree.set_block(k, {I, B2, I * i.a + B2 * (Number<T>(0.5) * i.v)});
  }
  if (external)
    for (const auto& body : tree.outward())
      w.subtree[body.index].f -= to_world(w.motion[body.index].X, external[body.index]);
  for (const auto& body : tree.inward())
    if (body.parent != world) w.subtree.add(body.parent, body.index);
}

/// The forces Fq, Fv, Fa, Fb of a block of degrees of freedom. own_q is Fq without S ×* f, for the joint itself.
template <class B>
struct AxisForces {
  Force<B> own_q, q, v, a;
  Vec3<B> b;  // the linear part of Fb is zero
};

/// The entries of the rows and columns of joint i, with the degrees of freedom of a block that it carries.
template <class T, class Real>
LISSOM_INLINE void read_off(const Body<Real>& body, RneaDerivativesScratch<T>& w, int k, const AxisForces<Block<T>>& F,
                            T* dq, T* dv, T* M, int stride) {
  const BlockMask<T> inside(k, body.v, body.last_v);
  const auto own = BlockMask<T>(k, body.v, body.v + body.dofs - 1);
  for (int i = body.v; i < body.v + body.dofs; ++i) {
    const auto& [S, psi_dot, psi_ddot, rate_sum] = w.axis[i];
    auto row_q = dot(S, F.q);
    if (body.dofs > 1) row_q = own.pick(dot(S, F.own_q), row_q);
    inside.write(dq + i * stride, row_q);
    inside.write(dv + i * stride, dot(S, F.v));
    if (M) inside.write(M + i * stride, dot(S, F.a));
    inside.write_down(dq + i, stride, dot(psi_ddot, F.a) + dot(psi_dot.angular, F.b));
    inside.write_down(dv + i, stride, dot(rate_sum, F.a) + dot(S.angular, F.b));
  }
}
/// The same for a root joint. Its axes are those of the frame, and v_λ = 0; so ∂tau_j/∂q_i = -S_iᵀ (a_λ ×* Fa_j), and
/// ∂tau_j/∂v_i = S_iᵀ (Fb_j - v ×* Fa_j): elements of two forces.
template <class T, class Real>
LISSOM_INLINE void read_off_root(const Body<Real>& body, RneaDerivativesScratch<T>& w, int k,
                                 const AxisForces<Block<T>>& F, T* dq, T* dv, T* M, int stride) {
  using B = Block<T>;
  const BlockMask<T> inside(k, body.v, body.last_v);
  const auto own = BlockMask<T>(k, body.v, body.v + body.dofs - 1);
  const auto v = as_motion<B>(w.motion[body.index].v);
  const auto upward_a = cast<B>(w.motion[body.index].a_parent.linear);  // its angular part is zero
  visit_joint(body, w.at, [&](auto joint) {
    const auto along = [&](T* matrix, const Force<B>& f) {
      joint.each(dot(joint.S, f), [&](int row, const B& x) { inside.write(matrix + row * stride, x); });
    };
    const auto down = [&](T* matrix, const Force<B>& f) {
      joint.each(dot(joint.S, f), [&](int column, const B& x) { inside.write_down(matrix + column, stride, x); });
    };
    along(dq, body.dofs > 1 ? own.pick(F.own_q, F.q) : F.q);
    along(dv, F.v);
    if (M) along(M, F.a);
    down(dq, {cross(F.a.linear, upward_a), zero_vec3<B>()});
    down(dv, Force<B>{F.b, zero_vec3<B>()} - cross(v, F.a));
  });
}

/// Degrees of freedom j, from the base outward, with all joints i that carry them. M may be nullptr.
template <class T, class Real>
LISSOM_INLINE void read_off_all(const Tree<Real>& tree, RneaDerivativesScratch<T>& w, T* dq, T* dv, T* M, int stride) {
  constexpr int width = block_width<T>;
  for (int b = 0, k = 0; k < tree.nv; ++b, k += width) {
    const auto bodies = [&](int l) { return w.body_of[k + l]; };
    const auto& S = w.S.block([&](int l) { return k + l; });
    const auto& i = w.motion.block(bodies);
    const auto& [I, B2, f] = w.subtree.block(bodies);
    const auto psi_dot = cross(i.v_parent, S);
    const auto psi_ddot = cross(i.a_parent, S) + cross(i.v_parent, psi_dot);
    const auto rate_sum = psi_dot + cross(i.v, S);
    w.axis.set_block(k, {S, psi_dot, psi_ddot, rate_sum});

    AxisForces<Block<T>> F;
    F.own_q = I * psi_ddot + B2 * psi_dot;
    F.q = F.own_q + cross(S, f);
    F.v = I * rate_sum + B2 * S;
    F.a = I * S;
    F.b = transpose_times(B2, S).angular;
    for (int c = w.carriers_begin[b]; c < w.carriers_begin[b + 1]; ++c) {
      const auto& body = tree.bodies[std::size_t(w.carriers[c])];
      if (body.parent == world)
        read_off_root(body, w, k, F, dq, dv, M, stride);
      else
        read_off(body, w, k, F, dq, dv, M, stride);
    }
  }
}

template <class T, class Real>
LISSOM_FLATTEN void rnea_derivatives(const Tree<Real>& tree, RneaDerivativesScratch<T>& w, const T* q, const T* v,
                                     const T* a, T* dq, T* dv, T* M, int stride, const Force<T>* external = nullptr) {
  configure(tree, w.at, q);
  move_bodies(tree, w, v, a);
  sum_subtrees(tree, w, external);
  read_off_all(tree, w, dq, dv, M, stride);
  add_rotor_inertia(tree, M, stride);
}

/// The same in two steps, where a follows from the equation of motion. First the upper triangle of M, and the bias
/// forces h less what the external forces give: M a + h = tau.
template <class T, class Real>
LISSOM_FLATTEN void derivatives_terms(const Tree<Real>& tree, RneaDerivativesScratch<T>& w, const T* q, const T* v,
                                      T* h, T* M, int stride, const Force<T>* external = nullptr) {
  constexpr int width = block_width<T>;
  configure(tree, w.at, q);
  move_bodies(tree, w, v, Nothing{});
  sum_subtrees(tree, w, external);
  for (int b = 0, k = 0; k < tree.nv; ++b, k += width) {
    const auto& S = w.S.block([&](int l) { return k + l; });
    const auto& subtree = w.subtree.block([&](int l) { return w.body_of[k + l]; });
    const auto F = subtree.I * S;
    w.F.set_block(k, F);
    store(h + k, Block<T>(dot(S, subtree.f)));
    for (int c = w.carriers_begin[b]; c < w.carriers_begin[b + 1]; ++c) {
      const auto& body = tree.bodies[std::size_t(w.carriers[c])];
      const BlockMask<T> inside(k, body.v, body.last_v);
      const auto write = [&](int row, const Block<T>& x) { inside.write(M + row * stride, x); };
      if (body.parent == world)  // its axes are those of the frame
        visit_joint(body, w.at, [&](auto joint) { joint.each(dot(joint.S, F), write); });
      else
        for (int i = body.v; i < body.v + body.dofs; ++i) write(i, dot(w.S[i], F));
    }
  }
  add_rotor_inertia(tree, M, stride);
}
/// Then the derivatives, for the accelerations a. They add to the acceleration of each body Δ = Δ_λ + S a, and to the
/// force of its subtree I Δ_λ + Σ Fa a, summed over the degrees of freedom in the subtree.
template <class T, class Real>
LISSOM_FLATTEN void derivatives_at(const Tree<Real>& tree, RneaDerivativesScratch<T>& w, const T* a, T* dq, T* dv,
                                   int stride) {
  for (const auto& body : tree.outward()) {
    auto& i = w.motion[body.index];
    i.a = body.parent == world ? zero_motion<T>() : w.motion[body.parent].a;  // from here on Δ
    i.a_parent += i.a;
    w.subtree[body.index].f += w.subtree[body.index].I * i.a;
    auto& force = w.added_force[body.index];
    force = zero_force<T>();
    for (int j = body.v; j < body.v + body.dofs; ++j) i.a += a[j] * w.S[j], force += w.F[j] * a[j];
  }
  for (const auto& body : tree.inward()) {
    w.subtree[body.index].f += w.added_force[body.index];
    if (body.parent != world) w.added_force[body.parent] += w.added_force[body.index];
  }
  read_off_all(tree, w, dq, dv, static_cast<T*>(nullptr), stride);
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
