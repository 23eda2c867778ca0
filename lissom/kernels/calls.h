#pragma once
// Every algorithm behind one signature, in the model's coordinates: where joints mimic others, states are spread to the
// tree's coordinates and results gathered (tree/coupling.h). The tables of kernels.h point here.
#include "lissom/dynamics/aba.h"
#include "lissom/dynamics/centroidal.h"
#include "lissom/dynamics/coriolis.h"
#include "lissom/dynamics/crba.h"
#include "lissom/dynamics/energy.h"
#include "lissom/dynamics/inverse.h"
#include "lissom/dynamics/joint_forces.h"
#include "lissom/dynamics/regressor.h"
#include "lissom/dynamics/rnea.h"
#include "lissom/kernels/kernels.h"
#include "lissom/kernels/transpose.h"
#include "lissom/kinematics/damped_step.h"
#include "lissom/kinematics/target_rows.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

template <class T>
struct ScratchOf final : KernelScratch {
  using Real = Number<T>;
  KinematicsScratch<T> kinematics;
  RneaScratch<T> rnea;
  AbaScratch<T> aba;
  CrbaScratch<T> crba;
  CoriolisScratch<T> coriolis;
  CentroidalScratch<T> centroidal;
  Factor<T> factor;
  InverseScratch<T> inverse;
  Array<T> acceleration;
  TargetScratch<T> target;
  // The tree's coordinates, for models with mimic joints.
  Array<T> q, v, a, tau, columns, square, C, bias, M;
  int full_stride, stride;

  explicit ScratchOf(const ModelView<Real>& m)
      : kinematics(m.tree),
        rnea(m.tree),
        aba(m.tree),
        crba(m.tree),
        coriolis(m.tree),
        centroidal(m.tree),
        factor(m.sparsity),
        inverse(m.sparsity),
        acceleration(std::size_t(m.coupling.nv)),
        target(m.coupling.nv),
        full_stride(row_stride(m.tree.nv)),
        stride(row_stride(m.coupling.nv)) {
    if (m.coupling.trivial()) return;
    const auto nq = std::size_t(m.tree.nq), nv = std::size_t(m.tree.nv);
    q = Array<T>(nq), v = Array<T>(nv), a = Array<T>(nv), tau = Array<T>(nv), bias = Array<T>(nv);
    columns = Array<T>(nv * 10 * m.tree.bodies.size());
    square = Array<T>(nv * std::size_t(full_stride) + padding);
    C = Array<T>(square.size());
    M = Array<T>(nv * std::size_t(stride) + padding);
  }
};

template <class T>
struct Calls {
  using S = Number<T>;
  using View = const ModelView<S>&;

  static ScratchOf<T>& in(KernelScratch& w) { return static_cast<ScratchOf<T>&>(w); }
  static const T* lanes(const S* x) { return reinterpret_cast<const T*>(x); }
  static T* lanes(S* x) { return reinterpret_cast<T*>(x); }
  static const S* numbers(const void* x) { return static_cast<const S*>(x); }
  static S* numbers(Array<T>& x) { return reinterpret_cast<S*>(x.data()); }
  static Vec3<T> vec3(const S* x) { return *reinterpret_cast<const Vec3<T>*>(x); }
  static Mat3<T> mat3(const S* x) { return *reinterpret_cast<const Mat3<T>*>(x); }
  static const Force<T>* forces(const S* x) { return reinterpret_cast<const Force<T>*>(x); }

  // States in the tree's coordinates.
  static const T* full_q(View m, ScratchOf<T>& w, const S* q) {
    if (m.coupling.trivial()) return lanes(q);
    m.coupling.spread_q(lanes(q), w.q.data());
    return w.q.data();
  }
  static const T* full_v(View m, Array<T>& room, const S* v) {
    if (m.coupling.trivial()) return lanes(v);
    m.coupling.spread_v(lanes(v), room.data());
    return room.data();
  }
  // Calls f with room for columns over the tree's coordinates, and gathers them.
  template <class F>
  static void gather_columns(View m, ScratchOf<T>& w, S* J, F&& f) {
    if (m.coupling.trivial()) return f(lanes(J));
    f(w.columns.data());
    m.coupling.gather_columns(w.columns.data(), lanes(J), 6);
  }

  static std::unique_ptr<KernelScratch> scratch(View m) { return std::make_unique<ScratchOf<T>>(m); }

  static bool finite(const S* x, long n) {
    // All bits of the exponent set: infinite or NaN. In integers, so that compilers may do many at once.
    using Bits = std::conditional_t<sizeof(S) == 8, std::uint64_t, std::uint32_t>;
    constexpr Bits exponent = sizeof(S) == 8 ? Bits(0x7ff0000000000000) : Bits(0x7f800000);
    Bits bad = 0;
    for (long i = 0; i < n; ++i) {
      Bits bits;
      std::memcpy(&bits, x + i, sizeof bits);
      bad |= Bits((bits & exponent) == exponent);
    }
    return bad == 0;
  }

  static void to_lanes(const S* rows, long stride, int robots, int n, S* out) {
    if constexpr (lanes_of<T> == 1)
      std::memcpy(out, rows, std::size_t(n) * sizeof(S));
    else
      rows_to_lanes(rows, stride, robots, n, lanes(out));
  }
  static void to_rows(const S* in, int robots, int n, S* rows, long stride) {
    if constexpr (lanes_of<T> == 1)
      std::memcpy(rows, in, std::size_t(n) * sizeof(S));
    else
      lanes_to_rows(lanes(in), robots, n, rows, stride);
  }

  static void placements(View m, KernelScratch& k, const S* q) {
    auto& w = in(k);
    lissom::placements(m.tree, w.kinematics, full_q(m, w, q));
  }
  static void velocities(View m, KernelScratch& k, const S* q, const S* v) {
    auto& w = in(k);
    lissom::velocities(m.tree, w.kinematics, full_q(m, w, q), full_v(m, w.v, v));
  }
  static void accelerations(View m, KernelScratch& k, const S* q, const S* v, const S* a) {
    auto& w = in(k);
    lissom::accelerations(m.tree, w.kinematics, full_q(m, w, q), full_v(m, w.v, v), full_v(m, w.a, a));
  }
  static const S* poses(KernelScratch& k) { return numbers(in(k).kinematics.X.data()); }
  static const S* twists(KernelScratch& k) { return numbers(in(k).kinematics.v.data()); }
  static const S* spatial_accelerations(KernelScratch& k) { return numbers(in(k).kinematics.a.data()); }
  static void jacobians(View m, KernelScratch& k, const S* q, S* J) {
    auto& w = in(k);
    gather_columns(m, w, J, [&](T* to) { lissom::jacobians(m.tree, w.kinematics, full_q(m, w, q), to); });
  }
  static void jacobian(View m, KernelScratch& k, int body, const S* point, const S* rotation, S* J) {
    auto& w = in(k);
    gather_columns(m, w, J,
                   [&](T* to) { lissom::jacobian(m.tree, w.kinematics, body, vec3(point), mat3(rotation), to); });
  }
  static void jacobian_rate(View m, KernelScratch& k, int body, const S* point, const S* point_velocity,
                            const S* rotation, const S* omega, S* J_dot) {
    auto& w = in(k);
    gather_columns(m, w, J_dot, [&](T* to) {
      lissom::jacobian_rate(m.tree, w.kinematics, body, vec3(point), vec3(point_velocity), mat3(rotation), vec3(omega),
                            to);
    });
  }

  static void centre_of_mass(View m, KernelScratch& k, S* com) {
    auto& w = in(k);
    lissom::centre_of_mass(m.tree, w.kinematics, w.centroidal);
    const auto& c = w.centroidal.com;
    lanes(com)[0] = c.x, lanes(com)[1] = c.y, lanes(com)[2] = c.z;
  }
  static void momentum(View m, KernelScratch& k, S* h) {
    lissom::momentum(m.tree, in(k).kinematics, in(k).centroidal, lanes(h));
  }
  static void momentum_rate(View m, KernelScratch& k, S* h_dot) {
    lissom::momentum_rate(m.tree, in(k).kinematics, in(k).centroidal, lanes(h_dot));
  }
  static void kinetic_energy(View m, KernelScratch& k, const S* v, S* energy) {
    lissom::kinetic_energy(m.tree, in(k).kinematics, full_v(m, in(k).v, v), lanes(energy));
  }
  static void potential_energy(View m, KernelScratch& k, S* energy) {
    lissom::potential_energy(m.tree, in(k).kinematics, lanes(energy));
  }

  static void rnea(View m, KernelScratch& k, const S* q, const S* v, const S* a, const S* external, S* tau) {
    auto& w = in(k);
    const T* full_a = full_v(m, w.a, a);
    T* const out = m.coupling.trivial() ? lanes(tau) : w.tau.data();
    lissom::rnea(m.tree, w.rnea, full_q(m, w, q), full_v(m, w.v, v), full_a, out, forces(external));
    for (std::size_t i = 0; i < m.tree.armature.size(); ++i) out[i] += m.tree.armature[i] * full_a[i];
    if (!m.coupling.trivial()) m.coupling.gather_forces(out, lanes(tau));
  }
  static void bias(View m, KernelScratch& k, const S* q, const S* v, S* h) {
    auto& w = in(k);
    T* const out = m.coupling.trivial() ? lanes(h) : w.tau.data();
    lissom::rnea(m.tree, w.rnea, full_q(m, w, q), full_v(m, w.v, v), Nothing{}, out);
    if (!m.coupling.trivial()) m.coupling.gather_forces(out, lanes(h));
  }
  static void aba(View m, KernelScratch& k, const S* q, const S* v, const S* tau, const S* external, S* a) {
    auto& w = in(k);
    if (!m.coupling.trivial()) return coupled_forward_dynamics(m, w, q, v, tau, external, a);
    lissom::aba(m.tree, w.aba, lanes(q), lanes(v), lanes(tau), lanes(a), forces(external));
  }
  // With mimic joints the inertia a joint feels is no longer its own affair: solve Gᵀ M G a = tau - Gᵀ h. (The factor
  // first: its chain of divisions is worked off while h is on its way.)
  static void coupled_forward_dynamics(View m, ScratchOf<T>& w, const S* q, const S* v, const S* tau, const S* external,
                                       S* a) {
    lissom::crba(m.tree, w.crba, full_q(m, w, q), w.square.data(), w.full_stride);
    m.coupling.gather_symmetric(w.square.data(), w.full_stride, w.M.data(), w.stride);
    lissom::factorize(m.sparsity, w.factor, w.M.data(), w.stride);
    lissom::rnea(m.tree, w.rnea, w.crba.at, full_v(m, w.v, v), Nothing{}, w.tau.data(), forces(external));
    m.coupling.gather_forces(w.tau.data(), w.bias.data());
    for (int i = 0; i < m.coupling.nv; ++i) w.bias[std::size_t(i)] = lanes(tau)[i] - w.bias[std::size_t(i)];
    lissom::solve(m.sparsity, w.factor, w.bias.data(), lanes(a));
  }
  static void crba(View m, KernelScratch& k, const S* q, S* M, int stride) {
    auto& w = in(k);
    if (m.coupling.trivial()) return lissom::crba(m.tree, w.crba, lanes(q), lanes(M), stride);
    lissom::crba(m.tree, w.crba, full_q(m, w, q), w.square.data(), w.full_stride);
    m.coupling.gather_symmetric(w.square.data(), w.full_stride, lanes(M), stride);
  }
  static void coriolis(View m, KernelScratch& k, const S* q, const S* v, S* C, int stride) {
    auto& w = in(k);
    if (m.coupling.trivial()) return lissom::coriolis(m.tree, w.coriolis, lanes(q), lanes(v), lanes(C), stride);
    lissom::coriolis(m.tree, w.coriolis, full_q(m, w, q), full_v(m, w.v, v), w.C.data(), w.full_stride);
    m.coupling.gather_square(w.C.data(), w.full_stride, lanes(C), stride);
  }
  static void factorize(View m, KernelScratch& k, const S* M, int stride) {
    lissom::factorize(m.sparsity, in(k).factor, lanes(M), stride);
  }
  static void solve(View m, KernelScratch& k, const S* b, S* x) {
    lissom::solve(m.sparsity, in(k).factor, lanes(b), lanes(x));
  }
  static void invert(View m, KernelScratch& k, S* M_inverse, int stride) {
    lissom::invert(m.sparsity, in(k).factor, in(k).inverse, lanes(M_inverse), stride);
  }
  static void factor_rows(View m, KernelScratch& k, S* L, S* D, int stride) {
    const auto& s = m.sparsity;
    const auto& f = in(k).factor;
    for (int i = 0; i < s.nv(); ++i) {
      for (int j = 0; j < s.nv(); ++j) lanes(L)[i * stride + j] = i == j ? one<T>() : zero<T>();
      for (int t = s.start[i]; t < s.start[i] + s.count[i]; ++t) lanes(L)[i * stride + s.column[t]] = f.L[t];
      lanes(D)[i] = f.U[s.start[i] + s.count[i]];
    }
  }
  static void centroidal(View m, KernelScratch& k, const S* q, S* A) {
    auto& w = in(k);
    gather_columns(m, w, A,
                   [&](T* to) { lissom::centroidal(m.tree, w.kinematics, w.centroidal, full_q(m, w, q), to); });
  }
  static void regressor(View m, KernelScratch& k, const S* q, const S* v, const S* a, S* Y) {
    auto& w = in(k);
    const T* const full = full_q(m, w, q);
    const T *const full_rate = full_v(m, w.v, v), *const full_a = full_v(m, w.a, a);
    if (m.coupling.trivial()) return lissom::regressor(m.tree, w.kinematics, full, full_rate, full_a, lanes(Y));
    lissom::regressor(m.tree, w.kinematics, full, full_rate, full_a, w.columns.data());
    const int parameters = 10 * (int(m.tree.bodies.size()) - 1);
    for (int c = 0; c < parameters; ++c)
      m.coupling.gather_forces(w.columns.data() + c * m.tree.nv, lanes(Y) + c * m.coupling.nv);
  }

  static void integrate(View m, const S* q, const S* v, S dt, S* result) {
    lissom::integrate(m.manifold, lanes(q), lanes(v), T(dt), lanes(result));
  }
  static void increment_rate(View m, const S* u, const S* v, S* rate) {
    lissom::increment_rate(m.manifold, lanes(u), lanes(v), lanes(rate));
  }
  static void coordinate_rate(View m, const S* q, const S* v, S* rate) {
    lissom::coordinate_rate(m.manifold, lanes(q), lanes(v), lanes(rate));
  }
  static void step(View m, KernelScratch& k, const S* q, const S* v, const S* tau, const S* external, S dt, S* q1,
                   S* v1) {
    auto& w = in(k);
    S* const a = reinterpret_cast<S*>(w.acceleration.data());
    aba(m, k, q, v, tau, external, a);
    for (int i = 0; i < m.coupling.nv; ++i) lanes(v1)[i] = lanes(v)[i] + dt * lanes(a)[i];
    integrate(m, q, v1, dt, q1);
  }
  static void joint_forces(View m, KernelScratch& k, const S* q, const S* f, S* tau) {
    auto& w = in(k);
    T* const out = m.coupling.trivial() ? lanes(tau) : w.tau.data();
    for (const auto& body : m.tree.outward()) w.rnea.force[body.index] = forces(f)[body.index];
    lissom::joint_forces(m.tree, w.rnea, full_q(m, w, q), out);
    if (!m.coupling.trivial()) m.coupling.gather_forces(out, lanes(tau));
  }
  static void target_rows(View m, KernelScratch& k, const TargetRows<S>& target, const S* q, const S* place,
                          const ChosenColumns& columns, S* e, S* rows, S* error) {
    auto& w = in(k);
    const auto& X = w.kinematics.X;
    const auto axes = identity3<T>();
    Pose<T> X_WF;
    if (target.kind == TargetKind::centre_of_mass) {
      centroidal(m, k, q, numbers(w.target.of));
      X_WF.p = w.centroidal.com;
      const S over = w.centroidal.mass != 0 ? 1 / w.centroidal.mass : S(0);
      for (auto& number : w.target.of) number = over * number;
    } else {
      X_WF = X[target.of] * target.of_placement;
      gather_columns(m, w, numbers(w.target.of),
                     [&](T* to) { lissom::jacobian(m.tree, w.kinematics, target.of, X_WF.p, axes, to); });
    }
    if (target.in != world) {
      gather_columns(m, w, numbers(w.target.in),
                     [&](T* to) { lissom::jacobian(m.tree, w.kinematics, target.in, X_WF.p, axes, to); });
      for (std::size_t i = 0; i < w.target.of.size(); ++i) w.target.of[i] -= w.target.in[i];
    }
    const auto& X_IP = *reinterpret_cast<const Pose<T>*>(place);
    lissom::target_rows(target, X_WF, X[target.in] * target.in_placement, X_IP, columns, w.target.of.data(), lanes(e),
                        lanes(rows), lanes(error));
  }
  static void damped_step(const DampedStep<S>& s) {
    lissom::damped_step(s.rows, s.columns, lanes(s.J), lanes(s.e), lanes(s.lower), lanes(s.upper), *lanes(s.damping),
                        lanes(s.room), lanes(s.d));
  }

  static const Kernels<S>& table() {
    static const Kernels<S> all{LISSOM_ISA_NAME,
                                lanes_of<T>,
                                scratch,
                                finite,
                                to_lanes,
                                to_rows,
                                placements,
                                velocities,
                                accelerations,
                                poses,
                                twists,
                                spatial_accelerations,
                                jacobians,
                                jacobian,
                                jacobian_rate,
                                centre_of_mass,
                                momentum,
                                momentum_rate,
                                kinetic_energy,
                                potential_energy,
                                rnea,
                                bias,
                                aba,
                                crba,
                                coriolis,
                                factorize,
                                solve,
                                invert,
                                factor_rows,
                                centroidal,
                                regressor,
                                integrate,
                                increment_rate,
                                coordinate_rate,
                                step,
                                joint_forces,
                                target_rows,
                                damped_step};
    return all;
  }
};

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
