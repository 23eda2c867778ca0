#pragma once
// The core table for a scalar T: nothing but casts around the templates of in_model_coordinates.h.
#include <cstdint>
#include <cstring>

#include "lissom/kernels/in_model_coordinates.h"
#include "lissom/kernels/kernels.h"
#include "lissom/kernels/lanes_cast.h"
#include "lissom/kernels/transpose.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

template <class T>
struct CoreScratch final : KernelScratch {
  in_model_coordinates::KinematicsInModel<T> kinematics;
  in_model_coordinates::InverseDynamicsInModel<T> inverse_dynamics;
  in_model_coordinates::ForwardDynamicsInModel<T> forward_dynamics;
  in_model_coordinates::AllTermsInModel<T> all_terms;
  CentroidalScratch<T> centroidal;
  Array<T> acceleration;
  explicit CoreScratch(const ModelView<Number<T>>& m)
      : kinematics(m),
        inverse_dynamics(m),
        forward_dynamics(m),
        all_terms(m),
        centroidal(m.tree),
        acceleration(std::size_t(m.coupling.nv + padding)) {}
  const KinematicsScratch<T>& bodies() const { return kinematics.kinematics; }
};

template <class T>
struct CoreCalls : LanesCast<T> {
  using S = Number<T>;
  using View = const ModelView<S>&;
  using Scratch = KernelScratch&;
  using LanesCast<T>::lanes, LanesCast<T>::numbers, LanesCast<T>::vec3, LanesCast<T>::mat3, LanesCast<T>::forces;

  static CoreScratch<T>& in(Scratch w) { return static_cast<CoreScratch<T>&>(w); }
  static std::unique_ptr<KernelScratch> scratch(View m) { return std::make_unique<CoreScratch<T>>(m); }

  static bool finite(const S* x, long n) {
    // An infinite number or NaN has all bits of the exponent set: one more in its lowest place carries into the sign
    // bit. Vectors by name, because g++ makes none of this loop by itself.
    using Bits = std::conditional_t<sizeof(S) == 8, std::uint64_t, std::uint32_t>;
    using Vector [[gnu::vector_size(32)]] = Bits;
    constexpr Bits exponent = sizeof(S) == 8 ? Bits(0x7ff0000000000000) : Bits(0x7f800000);
    constexpr Bits lowest = exponent & ~(exponent << 1);
    constexpr long width = sizeof(Vector) / sizeof(S);
    Vector carries{};
    long i = 0;
    for (; i + width <= n; i += width) {
      Vector bits;
      std::memcpy(&bits, x + i, sizeof bits);
      carries |= (bits & exponent) + lowest;
    }
    Bits carry = 0;
    for (long k = 0; k < width; ++k) carry |= carries[k];
    for (; i < n; ++i) {
      Bits bits;
      std::memcpy(&bits, x + i, sizeof bits);
      carry |= (bits & exponent) + lowest;
    }
    return (carry >> (8 * sizeof(S) - 1)) == 0;
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

  static void placements(View m, Scratch w, const S* q) {
    in_model_coordinates::placements(m, in(w).kinematics, lanes(q));
  }
  static void velocities(View m, Scratch w, const S* q, const S* v) {
    in_model_coordinates::velocities(m, in(w).kinematics, lanes(q), lanes(v));
  }
  static void accelerations(View m, Scratch w, const S* q, const S* v, const S* a) {
    in_model_coordinates::accelerations(m, in(w).kinematics, lanes(q), lanes(v), lanes(a));
  }
  static const S* poses(Scratch w) { return numbers(in(w).bodies().X.data()); }
  static const S* twists(Scratch w) { return numbers(in(w).bodies().v.data()); }
  static const S* spatial_accelerations(Scratch w) { return numbers(in(w).bodies().a.data()); }
  static void jacobians(View m, Scratch w, const S* q, S* J) {
    in_model_coordinates::jacobians(m, in(w).kinematics, lanes(q), lanes(J));
  }
  static void jacobian(View m, Scratch w, int body, const S* point, const S* rotation, S* J) {
    in_model_coordinates::jacobian(m, in(w).kinematics, body, vec3(point), mat3(rotation), lanes(J));
  }
  static void jacobian_rate(View m, Scratch w, int body, const S* point, const S* point_velocity, const S* rotation,
                            const S* omega, S* J_dot) {
    in_model_coordinates::jacobian_rate(m, in(w).kinematics, body, vec3(point), vec3(point_velocity), mat3(rotation),
                                        vec3(omega), lanes(J_dot));
  }

  static void center_of_mass(View m, Scratch w, S* com) {
    lissom::center_of_mass(m.tree, in(w).bodies(), in(w).centroidal);
    const auto& c = in(w).centroidal.com;
    lanes(com)[0] = c.x, lanes(com)[1] = c.y, lanes(com)[2] = c.z;
  }
  static void centroidal_map(View m, Scratch w, S* A) {
    in_model_coordinates::centroidal_map(m, in(w).kinematics, in(w).centroidal, lanes(A));
  }
  static void momentum(View m, Scratch w, S* h) {
    lissom::momentum(m.tree, in(w).bodies(), in(w).centroidal, lanes(h));
  }
  static void momentum_rate(View m, Scratch w, S* h_dot) {
    lissom::momentum_rate(m.tree, in(w).bodies(), in(w).centroidal, lanes(h_dot));
  }
  static void kinetic_energy(View m, Scratch w, const S* v, S* energy) {
    in_model_coordinates::kinetic_energy(m, in(w).kinematics, lanes(v), lanes(energy));
  }
  static void potential_energy(View m, Scratch w, S* energy) {
    lissom::potential_energy(m.tree, in(w).bodies(), lanes(energy));
  }

  static void rnea(View m, Scratch w, const S* q, const S* v, const S* a, const S* external, S* tau) {
    in_model_coordinates::rnea(m, in(w).inverse_dynamics, lanes(q), lanes(v), lanes(a), forces(external), lanes(tau));
  }
  static void bias(View m, Scratch w, const S* q, const S* v, S* h) {
    in_model_coordinates::rnea(m, in(w).inverse_dynamics, lanes(q), lanes(v), Nothing{}, forces(nullptr), lanes(h));
  }
  static void aba(View m, Scratch w, const S* q, const S* v, const S* tau, const S* external, S* a) {
    in_model_coordinates::aba(m, in(w).forward_dynamics, in(w).inverse_dynamics, lanes(q), lanes(v), lanes(tau),
                              forces(external), lanes(a));
  }
  static void crba(View m, Scratch w, const S* q, S* M, int stride) {
    in_model_coordinates::crba(m, in(w).forward_dynamics, lanes(q), lanes(M), stride);
  }
  static void all_terms(View m, Scratch k, const S* q, const S* v, S* M, int stride, S* h, S* A, S* momentum,
                        S* momentum_rate) {
    auto& w = in(k);
    in_model_coordinates::all_terms(
        m, w.all_terms, w.kinematics, w.centroidal, w.forward_dynamics, lanes(q), lanes(v),
        AllTerms<T>{lanes(M), stride, lanes(h), lanes(A), lanes(momentum), lanes(momentum_rate)});
  }
  static void generalized_forces(View m, Scratch w, const S* q, const S* f, S* tau) {
    in_model_coordinates::generalized_forces(m, in(w).inverse_dynamics, lanes(q), forces(f), lanes(tau));
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
  static void step(View m, Scratch w, const S* q, const S* v, const S* tau, const S* external, S dt, S* q1, S* v1) {
    T* const a = in(w).acceleration.data();
    aba(m, w, q, v, tau, external, reinterpret_cast<S*>(a));
    for (int i = 0; i < m.coupling.nv; ++i) lanes(v1)[i] = lanes(v)[i] + dt * a[i];
    integrate(m, q, v1, dt, q1);
  }

  static CoreKernels<S> table() {
    return {.instruction_set = LISSOM_ISA_NAME,
            .width = lanes_of<T>,
            .scratch = scratch,
            .finite = finite,
            .to_lanes = to_lanes,
            .to_rows = to_rows,
            .placements = placements,
            .velocities = velocities,
            .accelerations = accelerations,
            .poses = poses,
            .twists = twists,
            .spatial_accelerations = spatial_accelerations,
            .jacobians = jacobians,
            .jacobian = jacobian,
            .jacobian_rate = jacobian_rate,
            .center_of_mass = center_of_mass,
            .centroidal_map = centroidal_map,
            .momentum = momentum,
            .momentum_rate = momentum_rate,
            .kinetic_energy = kinetic_energy,
            .potential_energy = potential_energy,
            .rnea = rnea,
            .bias = bias,
            .aba = aba,
            .crba = crba,
            .all_terms = all_terms,
            .generalized_forces = generalized_forces,
            .integrate = integrate,
            .increment_rate = increment_rate,
            .coordinate_rate = coordinate_rate,
            .step = step};
  }
};

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
