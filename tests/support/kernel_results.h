#pragma once
// Calls every function of a table of kernels, for the tests that compare tables with each other.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "close.h"
#include "largest.h"
#include "lissom/kernels/kernels.h"
#include "random_tree.h"

namespace lissom::test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// 64-byte aligned memory for n numbers.
template <class S>
struct Buffer {
  std::vector<S> memory;
  S* at;
  explicit Buffer(int numbers) : memory(std::size_t(numbers) + 128, S(0)) {
    auto address = reinterpret_cast<std::uintptr_t>(memory.data());
    at = reinterpret_cast<S*>((address + 63) / 64 * 64);
  }
  Buffer(const Buffer&) = delete;
};

// One state for each lane.
struct States {
  std::vector<VectorXd> q, v, a, tau;
};
// The results of one lane, by name, as the table gives them. The names of results of M⁻¹ begin with a slash.
struct Results {
  std::vector<std::pair<std::string, MatrixXd>> all;

  const MatrixXd& operator[](const std::string& name) const {
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.first == name; });
    if (found == all.end()) throw std::logic_error("no result " + name);
    return found->second;
  }
};

// Calls every function of a table. entry is how many numbers lie side by side for one element; the first `lanes` of
// them belong to different states.
template <class S>
class Evaluation {
 public:
  Evaluation(const Kernels<S>& table, const Model& model, int entry_size, int lane_count, const States& states)
      : k(table),
        view(model),
        scratch(k.scratch(view)),
        matrices(k.matrix_scratch(view)),
        factor(k.make_factor(view)),
        w(*scratch),
        entry(entry_size),
        lanes(lane_count),
        nq(model.nq()),
        nv(model.nv()),
        n(model.body_count()),
        stride(row_stride(nv)),
        max_size(std::max({int(padded_square(nv)), nq + padding, 12 * (n + 1), 10 * n * nv, 64})),
        Q((model.nq() + padding) * entry),
        V((nv + padding) * entry),
        A((nv + padding) * entry),
        T((nv + padding) * entry),
        out(max_size * entry),
        M(max_size * entry),
        external(6 * (n + 1) * entry),
        results(std::size_t(lanes)) {
    set(Q, states.q), set(V, states.v), set(A, states.a), set(T, states.tau);
    for (int i = 0; i < 6 * (n + 1) * entry; ++i) external.at[i] = S(std::sin(1 + i / entry));
  }
  std::vector<Results> all() {
    kinematics();
    jacobian_of_a_point();
    dynamics();
    all_terms();
    through_inverse();
    steps();
    derivatives();
    return results;
  }

 private:
  void kinematics() {
    k.accelerations(view, w, Q.at, V.at, A.at);
    vector("spatial accelerations", k.spatial_accelerations(w), 6 * (n + 1));
    k.velocities(view, w, Q.at, V.at);
    vector("twists", k.twists(w), 6 * (n + 1));
    k.placements(view, w, Q.at);
    vector("poses", k.poses(w), 12 * (n + 1));
    k.accelerations(view, w, Q.at, V.at, A.at);
    k.center_of_mass(view, w, out.at), vector("com", out.at, 3);
    k.momentum(view, w, out.at), vector("momentum", out.at, 6);
    k.momentum_rate(view, w, out.at), vector("momentum rate", out.at, 6);
    k.kinetic_energy(view, w, V.at, out.at), vector("kinetic energy", out.at, 1);
    k.potential_energy(view, w, out.at), vector("potential energy", out.at, 1);
    k.jacobians(view, w, Q.at, out.at), matrix("jacobians", out.at, 6, nv, 1, 6);
  }
  void jacobian_of_a_point() {
    Buffer<S> point(3 * entry), speed(3 * entry), R(9 * entry), omega(3 * entry);
    for (int i = 0; i < 3; ++i)
      for (int l = 0; l < entry; ++l) {
        point.at[i * entry + l] = S(0.3 * i - 0.2), speed.at[i * entry + l] = S(0.1 * i);
        omega.at[i * entry + l] = S(0.2 - 0.1 * i), R.at[4 * i * entry + l] = S(1);
      }
    k.velocities(view, w, Q.at, V.at);
    k.jacobian(view, w, n, point.at, R.at, out.at), matrix("jacobian", out.at, 6, nv, 1, 6);
    k.jacobian_rate(view, w, n, point.at, speed.at, R.at, omega.at, out.at);
    matrix("jacobian rate", out.at, 6, nv, 1, 6);
  }
  void dynamics() {
    k.rnea(view, w, Q.at, V.at, A.at, nullptr, out.at), vector("rnea", out.at, nv);
    k.rnea(view, w, Q.at, V.at, A.at, external.at, out.at), vector("rnea with forces", out.at, nv);
    k.bias(view, w, Q.at, V.at, out.at), vector("bias", out.at, nv);
    k.generalized_forces(view, w, Q.at, external.at, out.at), vector("generalized forces", out.at, nv);
    k.coriolis(view, *matrices, Q.at, V.at, M.at, stride), matrix("coriolis", M.at, nv, nv, stride, 1);
    k.placements(view, w, Q.at), k.centroidal_map(view, w, out.at), matrix("centroidal map", out.at, 6, nv, 1, 6);
    k.regressor(view, *matrices, Q.at, V.at, A.at, out.at), matrix("regressor", out.at, nv, 10 * n, 1, nv);
    clear(M), k.crba(view, w, Q.at, M.at, stride), upper("M", M.at);
  }
  void all_terms() {
    const int columns = (6 * nv + padding) * entry, vector_size = (nv + padding) * entry;
    Buffer<S> h(vector_size), map(columns), momentum(6 * entry), momentum_rate(6 * entry), mass(max_size * entry);
    k.all_terms(view, w, Q.at, V.at, mass.at, stride, h.at, map.at, momentum.at, momentum_rate.at);
    upper("all: M", mass.at), vector("all: bias", h.at, nv), matrix("all: centroidal map", map.at, 6, nv, 1, 6);
    vector("all: momentum", momentum.at, 6), vector("all: momentum rate", momentum_rate.at, 6);
    vector("all: poses", k.poses(w), 12 * (n + 1)), vector("all: twists", k.twists(w), 6 * (n + 1));
    vector("all: spatial accelerations", k.spatial_accelerations(w), 6 * (n + 1));
  }
  // Comes after dynamics(), whose M it uses.
  void through_inverse() {
    k.aba(view, w, Q.at, V.at, T.at, nullptr, out.at), vector("/aba", out.at, nv);
    k.aba(view, w, Q.at, V.at, T.at, external.at, out.at), vector("/aba with forces", out.at, nv);
    k.factorize(view, *factor, M.at, stride);
    k.solve(view, *factor, T.at, out.at), vector("/solve", out.at, nv);
    clear(out), k.invert(view, *factor, *matrices, out.at, stride), upper("/inverse", out.at);
    Buffer<S> D((nv + padding) * entry);
    clear(out), k.factor_rows(view, *factor, out.at, D.at, stride);
    matrix("/L", out.at, nv, nv, stride, 1), vector("/D", D.at, nv);
  }

  void steps() {
    k.integrate(view, Q.at, V.at, S(0.1), out.at), vector("integrate", out.at, nq);
    k.increment_rate(view, A.at, V.at, out.at), vector("increment rate", out.at, nv);
    k.coordinate_rate(view, Q.at, V.at, out.at), vector("coordinate rate", out.at, nq);
    k.step(view, w, Q.at, V.at, T.at, external.at, S(1e-3), out.at, M.at);
    vector("/step: q", out.at, nq), vector("/step: v", M.at, nv);
  }

  void derivatives() {
    const auto scratch_of_derivatives = k.derivative_scratch(view);
    auto& d = *scratch_of_derivatives;
    Buffer<S> dq(max_size * entry), dv(max_size * entry), mass(max_size * entry), a((nv + padding) * entry);
    k.rnea_derivatives(view, d, Q.at, V.at, A.at, external.at, dq.at, dv.at, mass.at, stride);
    matrix("dtau/dq", dq.at, nv, nv, stride, 1), matrix("dtau/dv", dv.at, nv, nv, stride, 1), upper("dtau/da", mass.at);
    k.aba_derivatives(view, d, Q.at, V.at, T.at, external.at, a.at, dq.at, dv.at, mass.at, stride);
    vector("/derivatives: a", a.at, nv), matrix("/da/dq", dq.at, nv, nv, stride, 1);
    matrix("/da/dv", dv.at, nv, nv, stride, 1), matrix("/da/dtau", mass.at, nv, nv, stride, 1);
    k.rnea_jvp(view, d, Q.at, V.at, A.at, external.at, V.at, T.at, A.at, out.at), vector("rnea jvp", out.at, nv);
    k.rnea_vjp(view, d, Q.at, V.at, A.at, external.at, T.at, dq.at, dv.at, mass.at);
    vector("rnea vjp: q", dq.at, nv), vector("rnea vjp: v", dv.at, nv), vector("rnea vjp: a", mass.at, nv);
    k.aba_jvp(view, d, Q.at, V.at, T.at, external.at, V.at, A.at, T.at, a.at, out.at), vector("/aba jvp", out.at, nv);
    k.aba_vjp(view, d, Q.at, V.at, T.at, external.at, A.at, a.at, dq.at, dv.at, mass.at);
    vector("/aba vjp: q", dq.at, nv), vector("/aba vjp: v", dv.at, nv), vector("/aba vjp: tau", mass.at, nv);
    k.integrate_derivatives(view, Q.at, V.at, S(0.1), dq.at, dv.at, stride);
    matrix("integrate: dq", dq.at, nv, nv, stride, 1), matrix("integrate: dv", dv.at, nv, nv, stride, 1);
  }

  void set(Buffer<S>& to, const std::vector<VectorXd>& x) {
    for (int i = 0; i < x[0].size(); ++i)
      for (int l = 0; l < entry; ++l) to.at[i * entry + l] = S(l < lanes ? x[std::size_t(l)][i] : 0.1 * l + i);
  }
  void clear(Buffer<S>& b) { std::fill_n(b.at, max_size * entry, S(0)); }
  void matrix(const char* name, const S* from, int rows, int columns, int row_step, int column_step) {
    for (int l = 0; l < lanes; ++l) {
      MatrixXd m(rows, columns);
      for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) m(r, c) = double(from[(r * row_step + c * column_step) * entry + l]);
      results[std::size_t(l)].all.emplace_back(name, m);
    }
  }
  void vector(const char* name, const S* from, int size) { matrix(name, from, size, 1, 1, 1); }
  // Only the upper triangle of a symmetric matrix is compared: the rest has no meaning.
  void upper(const char* name, const S* from) {
    matrix(name, from, nv, nv, stride, 1);
    for (auto& one : results) {
      auto& m = one.all.back().second;
      m = MatrixXd(m.template triangularView<Eigen::Upper>());
    }
  }

  const Kernels<S>& k;
  ModelView<S> view;
  std::unique_ptr<KernelScratch> scratch, matrices;
  std::unique_ptr<KernelFactor> factor;
  KernelScratch& w;
  int entry, lanes, nq, nv, n, stride, max_size;
  Buffer<S> Q, V, A, T, out, M, external;
  std::vector<Results> results;
};

// Solutions of M x = b are off by the condition of M times the rounding, so they are compared loosely; but they meet
// their equation as well as the numbers allow.
inline void expect_balance(const Results& found, const Results& exact, const VectorXd& tau, double tolerance) {
  const MatrixXd M = MatrixXd(exact["M"].selfadjointView<Eigen::Upper>());
  const auto size = [&](const VectorXd& x) { return largest(M.cwiseAbs() * x.cwiseAbs()) + largest(tau); };
  const VectorXd x = found["/solve"], a = found["/aba"], h = exact["bias"];
  EXPECT_TRUE(close(M * x, tau, tolerance, size(x))) << "M x of solve";
  EXPECT_TRUE(close(M * a + h, tau, tolerance, size(a) + largest(h))) << "M a + h of aba";
}

// Compares all results of a table with those of `reference`, a table for one robot, on random trees.
template <class S>
void compare(const Kernels<S>& table, int entry, int lanes, const Kernels<double>& reference,
             const TreeOptions& options, double tolerance, double through_inverse) {
  EXPECT_TRUE(entry == table.width || entry == 2);
  for_each_tree(
      options,
      [&](Case& c) {
        States states;
        auto& [q, v, a, tau] = states;
        for (int l = 0; l < lanes; ++l) {
          Random random(c.seed * 100 + std::uint64_t(l));
          // The states are rounded first, so that all compute with the same numbers.
          const auto rounded = [](const VectorXd& x) { return VectorXd(x.cast<S>().template cast<double>()); };
          q.push_back(rounded(random_configuration(c.model, random.seed())));
          v.push_back(rounded(random.vector(c.model.nv(), 1)));
          a.push_back(rounded(random.vector(c.model.nv(), 1)));
          tau.push_back(rounded(random.vector(c.model.nv(), 5)));
        }
        const bool followers = !c.model.coupling<double>().trivial();
        if (c.seed % 10 == 0 && c.model.tree<double>().angles.size() > 0 && sizeof(S) == 8 && !followers) {
          // Angles of one lane get so many revolutions that another reduction is needed. (Not where a prismatic joint
          // follows an angle: its link would be far away, and M too badly conditioned to invert.)
          for (const auto& joint : c.model.joints())
            if (joint.nq == 1 && joint.type == JointType::revolute) q[0][joint.q_index] += 2e5;
        }
        const auto found = Evaluation<S>(table, c.model, entry, lanes, states).all();
        for (int l = 0; l < lanes; ++l) {
          const auto i = std::size_t(l);
          const States one{{q[i]}, {v[i]}, {a[i]}, {tau[i]}};
          const auto expected = Evaluation<double>(reference, c.model, 1, 1, one).all()[0];
          for (std::size_t r = 0; r < expected.all.size(); ++r) {
            const auto& [name, numbers] = expected.all[r];
            EXPECT_TRUE(close(found[i].all[r].second, numbers, name[0] == '/' ? through_inverse : tolerance))
                << name << " in lane " << l;
          }
          expect_balance(found[i], expected, tau[i], tolerance);
        }
      },
      100);
}

}  // namespace lissom::test
