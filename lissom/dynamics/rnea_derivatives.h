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
// The matrices are written column by column, in blocks (record_blocks.h): column j has the rows i that carry j, from
// its forces Fq, Fv, Fa, and the rows that j carries, from its axis and their forces Fa, Fb.
//
// Reads q, v, a and, where given, one external force per body, in that body's frame, which moves with the body. Writes
// dq, dv and the upper triangle of M, rows `stride` apart. Entries of joints on different branches are zero: they are
// left as they are (or set to zero, where they share a block with others). O(n depth).
#include "lissom/dynamics/free_base_columns.h"
#include "lissom/dynamics/record_blocks.h"
#include "lissom/dynamics/rotors.h"
#include "lissom/tree/joint.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

template <class T>
struct RneaDerivativesScratch {
  template <class U>
  struct BodyMotions {
    Motion<U> v, a;
    Pose<U> X;  // in the frame of the root body
  };
  template <class U>
  struct Subtree {
    RigidInertia<U> I;
    BodyCoriolis<U> B2;  // 2B
    Force<U> f;
  };

  Array<RigidInertia<Block<T>>> inertia;  // constant, of blocks of bodies from the first on, for one robot
  RecordArray<BodyMotions, T> motion;     // per body, and for each root joint that of the world in its frame
  RecordArray<Subtree, T> subtree;
  RecordArray<Motion, T> S;  // per degree of freedom
  RecordArray<Force, T> Fa;
  RecordArray<Vec3, T> Fb;
  // By the accelerations of the joints, where these are not known from the beginning: of each record of `motion`, and
  // the force of each subtree.
  RecordArray<Motion, T> added_a;
  RecordArray<Force, T> added_f;
  // Per body: which of `motion` carries its joint. Per degree of freedom: the same, and its body.
  Array<int> carrier, carrier_of, body_of;
  ColumnBlocks<T> columns;
  Configuration<T> at;

  template <class Real>
  explicit RneaDerivativesScratch(const Tree<Real>& tree)
      : inertia(block_width<T> == 1 ? 0 : tree.bodies.size() / block_width<T> + 1),
        motion(2 * tree.bodies.size()),
        subtree(tree.bodies.size()),
        S(std::size_t(tree.nv)),
        Fa(std::size_t(tree.nv)),
        Fb(std::size_t(tree.nv)),
        added_a(2 * tree.bodies.size()),
        added_f(tree.bodies.size()),
        carrier(tree.bodies.size()),
        carrier_of(std::size_t(tree.nv + padding)),
        body_of(std::size_t(tree.nv + padding)),
        columns(tree),
        at(tree.nq) {
    for (const auto& body : tree.outward()) {
      if constexpr (block_width<T> > 1)
        set_lane<T>(inertia[(body.index - 1) / block_width<T>], (body.index - 1) % block_width<T>, body.inertia);
      carrier[body.index] = body.parent == world ? int(tree.bodies.size()) + body.index : body.parent;
      for (int j = body.v; j < body.v + body.dofs; ++j) body_of[j] = body.index, carrier_of[j] = carrier[body.index];
    }
  }
};

/// The constant inertias of a block of bodies.
template <class B, class T, class Real>
LISSOM_INLINE const auto& inertias(const Tree<Real>& tree, const RneaDerivativesScratch<T>& w, int first) {
  if constexpr (std::is_same_v<B, T>)
    return tree.bodies[std::size_t(first)].inertia;
  else
    return w.inertia[(first - 1) / block_width<T>];
}

/// How bodies and axes move, in the frame of the root body. a may be Nothing.
template <class T, class Real, class Acceleration>
LISSOM_INLINE void move_bodies(const Tree<Real>& tree, RneaDerivativesScratch<T>& w, const T* v, Acceleration a) {
  for (const auto& body : tree.outward())
    visit_joint(body, w.at, [&](auto joint) {
      const auto X = joint.X();
      auto& carrier = w.motion[w.carrier[body.index]];
      if (body.parent == world) carrier.a = X.to_child(upward<T>(tree.gravity));  // its velocity stays zero
      // They are summed in registers: what was just written cannot be read at once.
      const auto X_i = body.parent == world ? Pose<T>{} : carrier.X * X;
      auto v_i = carrier.v, a_i = carrier.a;
      const auto v_carrier = v_i;
      joint.each_axis([&](int j, auto axis, auto sign) {
        const auto S = sign * to_world(X_i, axis);
        w.S[j] = S;
        v_i += v[j] * S;
        if constexpr (!std::is_same_v<Acceleration, Nothing>) a_i += a[j] * S;
      });
      a_i += cross(v_carrier, v_i);  // v_λ × S v
      w.motion[body.index] = {v_i, a_i, X_i};
    });
}

/// Inertia, Coriolis matrix and force of each body of a block by itself.
template <class B, class T, class Real>
LISSOM_INLINE void set_subtrees(const Tree<Real>& tree, RneaDerivativesScratch<T>& w, int k) {
  const auto& i = w.motion.template block<B>([&](int l) { return k + l; });
  const auto I = to_world(i.X, inertias<B>(tree, w, k));
  const auto B2 = body_coriolis(I, i.v + i.v);
  w.subtree.template set_block<B>(k, {I, B2, I * i.a + B2 * (Number<T>(0.5) * i.v)});
}
/// The same of each body with all that it carries.
template <class T, class Real>
LISSOM_INLINE void sum_subtrees(const Tree<Real>& tree, RneaDerivativesScratch<T>& w, const Force<T>* external) {
  constexpr int width = block_width<T>;
  const int end = int(tree.bodies.size());
  int k = 1;
  for (; k + 1 < end || (width == 1 && k < end); k += width) set_subtrees<Block<T>>(tree, w, k);
  if (k < end) set_subtrees<T>(tree, w, k);  // a last one alone
  if (external)
    for (const auto& body : tree.outward())
      w.subtree[body.index].f -= to_world(w.motion[body.index].X, external[body.index]);
  for (const auto& body : tree.inward())
    if (body.parent != world) w.subtree.add(body.parent, body.index);
}

/// How the axes j of a block move: for the rows i that they carry.
template <class B>
struct AxisMotions {
  Motion<B> S, psi_dot, psi_ddot, rate_sum;  // S, ψ̇, ψ̈, ψ̇ + Ṡ
};
/// The forces of a block of degrees of freedom j: for the rows i that carry them. own_q is Fq without S ×* f, for the
/// joint itself.
template <class B>
struct AxisForces {
  Force<B> own_q, q, v, a;
  Vec3<B> b;  // the linear part of Fb is zero
};

/// The matrices that are written; M may be Nothing. Columns that follow from symmetry (free_base_columns.h) are left as
/// they are if they are known, where a block is one column.
template <class T, class Mass, bool known = false>
struct DerivativeMatrices {
  T *dq, *dv;
  Mass M;
  int stride;
  template <class Real>
  LISSOM_INLINE bool skips(const Body<Real>& body, int matrix, int column) const {
    return block_width<T> == 1 && known && known_for_free_base(body, matrix, column);
  }
};

/// Where a_added, the joints' accelerations were added after sum_subtrees, and Fa and Fb are known.
template <class B, class T>
LISSOM_INLINE AxisMotions<B> axis_motions(RneaDerivativesScratch<T>& w, const ColumnBlock& block, bool a_added) {
  const auto bodies = [&](int l) { return w.body_of[block.k + l]; };
  const auto carriers = [&](int l) { return w.carrier_of[block.k + l]; };
  const auto& parent = w.motion.template block<B>(carriers);
  const auto& S = w.S.template block<B>([&](int l) { return block.k + l; });
  const auto psi_dot = cross(parent.v, S);
  const auto psi_ddot =
      cross(a_added ? parent.a + w.added_a.template block<B>(carriers) : parent.a, S) + cross(parent.v, psi_dot);
  // Ṡ = v × S is ψ̇ where S is the joint's only axis, since v - v_λ is along S.
  const auto S_dot = block.single_axes ? psi_dot : cross(w.motion.template block<B>(bodies).v, S);
  return {S, psi_dot, psi_ddot, psi_dot + S_dot};
}
template <class B, class T>
LISSOM_INLINE AxisForces<B> axis_forces(RneaDerivativesScratch<T>& w, const ColumnBlock& block, bool a_added,
                                        const AxisMotions<B>& m) {
  const auto bodies = [&](int l) { return w.body_of[block.k + l]; };
  const auto carriers = [&](int l) { return w.carrier_of[block.k + l]; };
  const auto these = [&](int l) { return block.k + l; };
  const auto& [I, B2, f] = w.subtree.template block<B>(bodies);
  AxisForces<B> F;
  F.own_q = I * m.psi_ddot + B2 * m.psi_dot;
  F.v = I * m.rate_sum + B2 * m.S;
  if (a_added) {
    F.a = w.Fa.template block<B>(these), F.b = w.Fb.template block<B>(these);
    F.q = F.own_q + cross(m.S, f + w.added_f.template block<B>(bodies) + I * w.added_a.template block<B>(carriers));
  } else {
    F.a = I * m.S, F.b = transpose_times(B2, m.S).angular;
    w.Fa.template set_block<B>(block.k, F.a), w.Fb.template set_block<B>(block.k, F.b);
    F.q = F.own_q + cross(m.S, f);
  }
  return F;
}

/// ∂tau_i/∂q_j and ∂tau_i/∂v_j for a degree of freedom i that the axes j of a block carry.
template <class B, class T>
LISSOM_INLINE std::array<B, 2> carried_entries(const AxisMotions<B>& m, const Force<T>& Fa, const Vec3<T>& Fb) {
  return {dot(m.psi_ddot, Fa) + dot(m.psi_dot.angular, Fb), dot(m.rate_sum, Fa) + dot(m.S.angular, Fb)};
}
/// Row i of the columns of a block that carry it.
template <class T, class B, class Mass, bool known>
LISSOM_INLINE void write_carried_row(int i, RneaDerivativesScratch<T>& w, int k, const AxisMotions<B>& m,
                                     const DerivativeMatrices<T, Mass, known>& to) {
  const BlockMask<T, B> carrying(k, i, w.columns.last.data());
  const auto [row_q, row_v] = carried_entries(m, w.Fa[i], w.Fb[i]);
  carrying.write(to.dq + i * to.stride, row_q);
  carrying.write(to.dv + i * to.stride, row_v);
}
/// The rows of body i for the columns of a block that it carries.
template <class T, class B, class Real, class Mass, bool known>
LISSOM_INLINE void write_carrying_rows(const Body<Real>& body, RneaDerivativesScratch<T>& w, int k,
                                       const AxisMotions<B>& m, const AxisForces<B>& F,
                                       const DerivativeMatrices<T, Mass, known>& to) {
  const BlockMask<T, B> inside(k, body.v, body.last_v);
  const auto own = BlockMask<T, B>(k, body.v, body.v + body.dofs - 1);
  for (int i = body.v; i < body.v + body.dofs; ++i) {
    T *const to_q = to.dq + i * to.stride, *const to_v = to.dv + i * to.stride;
    const auto& S = w.S[i];
    auto row_q = dot(S, F.q);
    const auto row_v = dot(S, F.v);
    if (body.dofs > 1) row_q = own.pick(dot(S, F.own_q), row_q);
    if constexpr (!std::is_same_v<Mass, Nothing>) inside.write(to.M + i * to.stride, dot(S, F.a));
    if (!std::is_same_v<T, B> && i >= k) {  // on the diagonal, other columns of the block may carry body i
      const BlockMask<T, B> carrying(k, i, w.columns.last.data());
      const auto [carried_q, carried_v] = carried_entries(m, w.Fa[i], w.Fb[i]);
      carrying.write(to_q, carried_q, inside, row_q);
      carrying.write(to_v, carried_v, inside, row_v);
    } else {
      inside.write(to_q, row_q);
      inside.write(to_v, row_v);
    }
  }
}
/// The rows of a root joint. Its axes are those of the frame, so S_iᵀ F are elements of F. Where a block is one degree
/// of freedom j, also the root's columns of row j: v_λ = 0, so ∂tau_j/∂q_i = -S_iᵀ (a_λ ×* Fa_j), and
/// ∂tau_j/∂v_i = S_iᵀ (Fb_j - v ×* Fa_j) are elements of two forces.
template <class T, class B, class Real, class Mass, bool known>
LISSOM_INLINE void write_root(const Body<Real>& body, RneaDerivativesScratch<T>& w, int k, const AxisForces<B>& F,
                              const DerivativeMatrices<T, Mass, known>& to) {
  const BlockMask<T, B> inside(k, body.v, body.last_v);
  const auto own = BlockMask<T, B>(k, body.v, body.v + body.dofs - 1);
  visit_joint(body, w.at, [&](auto joint) {
    const auto along = [&](T* matrix, const Force<B>& f) {
      joint.each(dot(joint.S, f), [&](int row, const B& x) { inside.write(matrix + row * to.stride, x); });
    };
    along(to.dq, body.dofs > 1 ? own.pick(F.own_q, F.q) : F.q);
    along(to.dv, F.v);
    if constexpr (!std::is_same_v<Mass, Nothing>) along(to.M, F.a);
    if constexpr (block_width<T> == 1) {
      const auto across = [&](int matrix, T* rows, const Force<B>& f) {
        joint.each(dot(joint.S, f), [&](int column, const B& x) {
          if (!to.skips(body, matrix, column)) rows[k * to.stride + column] = x;
        });
      };
      const auto& upward_a = w.motion[w.carrier[body.index]].a.linear;  // its angular part is zero
      if (!to.skips(body, 0, body.v)) across(0, to.dq, {cross(F.a.linear, upward_a), zero_vec3<B>()});
      across(1, to.dv, Force<B>{F.b, zero_vec3<B>()} - cross(w.motion[body.index].v, F.a));
    }
  });
}

/// All columns in blocks, from the tips inward, so that the forces Fa, Fb of what they carry are known.
template <class T, class Real, class Mass, bool known>
LISSOM_INLINE void write_columns(const Tree<Real>& tree, RneaDerivativesScratch<T>& w, bool a_added,
                                 const DerivativeMatrices<T, Mass, known>& to) {
  w.columns.for_each_inward([&](const ColumnBlock& block, auto zero) {
    using B = decltype(zero);
    if (to.skips(tree.bodies[std::size_t(w.body_of[block.k])], 1, block.k)) return;  // of both matrices
    const auto m = axis_motions<B>(w, block, a_added);
    for (int i = block.carried_begin; i < block.carried_end; ++i) write_carried_row(i, w, block.k, m, to);
    const auto F = axis_forces<B>(w, block, a_added, m);
    for (const int index : w.columns.carriers(block)) {
      const auto& body = tree.bodies[std::size_t(index)];
      if (body.parent == world)
        write_root(body, w, block.k, F, to);
      else
        write_carrying_rows(body, w, block.k, m, F, to);
    }
  });
}

template <class T, class Real>
LISSOM_FLATTEN void rnea_derivatives(const Tree<Real>& tree, RneaDerivativesScratch<T>& w, const T* q, const T* v,
                                     const T* a, T* dq, T* dv, T* M, int stride, const Force<T>* external = nullptr) {
  configure(tree, w.at, q);
  move_bodies(tree, w, v, a);
  sum_subtrees(tree, w, external);
  write_columns(tree, w, false, DerivativeMatrices<T, T*>{dq, dv, M, stride});
  add_rotor_inertia(tree, M, stride);
}

/// The same in two steps, where a follows from the equation of motion. First the upper triangle of M, and the bias
/// forces h less what the external forces give: M a + h = tau.
template <class T, class Real>
LISSOM_FLATTEN void derivatives_terms(const Tree<Real>& tree, RneaDerivativesScratch<T>& w, const T* q, const T* v,
                                      T* h, T* M, int stride, const Force<T>* external = nullptr) {
  configure(tree, w.at, q);
  move_bodies(tree, w, v, Nothing{});
  sum_subtrees(tree, w, external);
  w.columns.for_each_inward([&](const ColumnBlock& block, auto zero) {
    using B = decltype(zero);
    const int k = block.k;
    const auto& S = w.S.template block<B>([&](int l) { return k + l; });
    const auto& subtree = w.subtree.template block<B>([&](int l) { return w.body_of[k + l]; });
    const auto Fa = subtree.I * S;
    w.Fa.template set_block<B>(k, Fa), w.Fb.template set_block<B>(k, transpose_times(subtree.B2, S).angular);
    store(h + k, B(dot(S, subtree.f)));
    for (const int index : w.columns.carriers(block)) {
      const auto& body = tree.bodies[std::size_t(index)];
      const BlockMask<T, B> inside(k, body.v, body.last_v);
      const auto write = [&](int row, const B& x) { inside.write(M + row * stride, x); };
      if (body.parent == world)  // its axes are those of the frame
        visit_joint(body, w.at, [&](auto joint) { joint.each(dot(joint.S, Fa), write); });
      else
        for (int i = body.v; i < body.v + body.dofs; ++i) write(i, dot(w.S[i], Fa));
    }
  });
  add_rotor_inertia(tree, M, stride);
}
/// Then the derivatives, for the accelerations a; of all columns, or only of those that free_base_columns.h does not
/// know. They add to the acceleration of each body Δ = Δ_λ + S a, and to the force of its subtree I Δ_λ + Σ Fa a,
/// summed over the degrees of freedom in the subtree.
template <bool known, class T, class Real>
LISSOM_FLATTEN void derivatives_at(const Tree<Real>& tree, RneaDerivativesScratch<T>& w, const T* a, T* dq, T* dv,
                                   int stride) {
  for (const auto& body : tree.outward()) {
    int a_before = w.carrier[body.index], f_before = world;  // that of the world stays zero
    for (int j = body.v; j < body.v + body.dofs; ++j) {
      w.added_a.set_sum(body.index, a_before, a[j], w.S, j);
      w.added_f.set_sum(body.index, f_before, a[j], w.Fa, j);
      a_before = f_before = body.index;
    }
  }
  for (const auto& body : tree.inward())
    if (body.parent != world) w.added_f.add(body.parent, body.index);
  write_columns(tree, w, true, DerivativeMatrices<T, Nothing, known>{dq, dv, {}, stride});
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
