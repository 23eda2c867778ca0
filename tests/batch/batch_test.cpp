// Many robots at once: the same results as one by one, and the same bits however they are distributed to threads.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#include "close.h"
#include "largest.h"
#include "lissom/lissom.h"
#include "random_batch.h"
#include "random_tree.h"
#include "refusal.h"

namespace lissom::test {
namespace {

using batch::Rows;
using Eigen::MatrixXd;
using Eigen::VectorXd;
const TreeOptions trees{.max_joints = 10, .armature = 0.2, .mimic = 0.2};

// The results of all functions, in one row per robot.
template <class S>
MatrixXd everything(const Model& m, batch::Workspace<S>& w, const Batch<S>& b, FrameId frame) {
  const long B = b.q.rows();
  const int nv = m.nv();
  std::vector<Rows<S>> parts;
  const auto part = [&](int columns) -> Rows<S>& {
    return parts.emplace_back(Rows<S>::Constant(B, columns, S(std::nan(""))));
  };
  batch::inverse_dynamics<S>(m, w, b.q, b.v, b.a, part(nv));
  batch::bias_forces<S>(m, w, b.q, b.v, part(nv));
  batch::gravity_forces<S>(m, w, b.q, part(nv));
  batch::mass_matrix<S>(m, w, b.q, part(nv * nv));
  batch::coriolis_matrix<S>(m, w, b.q, b.v, part(nv * nv));
  batch::mass_matrix<S>(m, w, b.q, part(nv * nv));  // once more: its zeros have stayed zero
  batch::centroidal_map<S>(m, w, b.q, part(6 * nv));
  batch::center_of_mass<S>(m, w, b.q, part(3));
  batch::kinetic_energy<S>(m, w, b.q, b.v, part(1));
  batch::potential_energy<S>(m, w, b.q, part(1));
  batch::placement<S>(m, w, b.q, frame, part(12));
  batch::jacobian<S>(m, w, b.q, frame, part(6 * nv));
  using batch::Quantity;
  const batch::Inputs<S> in{
      .q = b.q, .v = b.v, .a = b.a, .tau = b.tau, .dq = b.a, .dv = b.tau, .da = b.v, .dtau = b.v, .weights = b.tau};
  const auto derivative = [&](Quantity quantity, int columns) {
    batch::evaluate(m, w, in, {{quantity, part(columns)}});
  };
  derivative(Quantity::inverse_dynamics_dq, nv * nv);
  derivative(Quantity::inverse_dynamics_dv, nv * nv);
  derivative(Quantity::inverse_dynamics_da, nv * nv);
  derivative(Quantity::inverse_dynamics_jvp, nv);
  derivative(Quantity::inverse_dynamics_vjp, 3 * nv);
  batch::forward_dynamics<S>(m, w, b.q, b.v, b.tau, part(nv));
  batch::inverse_mass_matrix<S>(m, w, b.q, part(nv * nv));
  derivative(Quantity::forward_dynamics_dq, nv * nv);
  derivative(Quantity::forward_dynamics_dv, nv * nv);
  derivative(Quantity::forward_dynamics_dtau, nv * nv);
  derivative(Quantity::forward_dynamics_jvp, nv);
  derivative(Quantity::forward_dynamics_vjp, 3 * nv);
  long columns = 0;
  for (const auto& p : parts) columns += p.cols();
  MatrixXd all(B, columns);
  long at = 0;
  for (const auto& p : parts) all.middleCols(at, p.cols()) = p.template cast<double>(), at += p.cols();
  return all;
}

VectorXd rows_of(const MatrixXd& m) {
  const Rows<double> r = m;
  return Eigen::Map<const VectorXd>(r.data(), r.size());
}
// The same for one robot, by the functions of api/.
VectorXd everything_alone(const Model& m, Workspace& w, const VectorXd& q, const VectorXd& v, const VectorXd& a,
                          const VectorXd& tau, FrameId frame) {
  std::vector<VectorXd> parts;
  const auto add = [&](const MatrixXd& x) { parts.push_back(rows_of(x)); };
  add(inverse_dynamics(m, w, q, v, a)), add(bias_forces(m, w, q, v)), add(gravity_forces(m, w, q));
  add(mass_matrix(m, w, q)), add(coriolis_matrix(m, w, q, v)), add(mass_matrix(m, w, q));
  add(centroidal_map(m, w, q)), add(to_eigen(center_of_mass(m, w, q)));
  add(MatrixXd::Constant(1, 1, kinetic_energy(m, w, q, v))), add(MatrixXd::Constant(1, 1, potential_energy(m, w, q)));
  forward_kinematics(m, w, q);
  const auto X = placement(m, w, frame);
  add(Eigen::Map<const VectorXd>(&X.R.xx, 12));
  add(jacobian(m, w, q, frame));
  const auto id = inverse_dynamics_derivatives(m, w, q, v, a);
  add(id.dtau_dq), add(id.dtau_dv), add(id.M), add(inverse_dynamics_jvp(m, w, q, v, a, {a, tau, v}));
  const auto& g = inverse_dynamics_vjp(m, w, q, v, a, tau);
  add(g.q), add(g.v), add(g.last);
  add(forward_dynamics(m, w, q, v, tau)), add(inverse_mass_matrix(m, w, q));
  const auto fd = forward_dynamics_derivatives(m, w, q, v, tau);
  add(fd.da_dq), add(fd.da_dv), add(fd.M_inverse), add(forward_dynamics_jvp(m, w, q, v, tau, {a, tau, v}));
  const auto& h = forward_dynamics_vjp(m, w, q, v, tau, tau);
  add(h.q), add(h.v), add(h.last);
  long size = 0;
  for (const auto& p : parts) size += p.size();
  VectorXd all(size);
  size = 0;
  for (const auto& p : parts) all.segment(size, p.size()) = p, size += p.size();
  return all;
}

template <class S>
class BatchOf : public ::testing::Test {};
using Numbers = ::testing::Types<double, float>;
TYPED_TEST_SUITE(BatchOf, Numbers);

TYPED_TEST(BatchOf, EqualsOneByOneWithinRounding) {
  using S = TypeParam;
  for_each_tree(
      trees,
      [](Case& c) {
        batch::Workspace<S> w(c.model, 2);
        const FrameId frame{int(c.model.frames().size()) - 1};
        const Batch<S> b(c.model, 2 * w.lanes() + 3);
        const MatrixXd found = everything(c.model, w, b, frame);
        const int nv = c.model.nv(), inverted = 5 * nv + 4 * nv * nv;
        for (long i = 0; i < found.rows(); ++i) {
          const auto row = [&](const Rows<S>& x) { return VectorXd(x.row(i).transpose().template cast<double>()); };
          const VectorXd q = normalize(c.model, row(b.q));
          const auto expected = everything_alone(c.model, c.work, q, row(b.v), row(b.a), row(b.tau), frame);
          const long direct = expected.size() - inverted;
          const bool single = sizeof(S) == 4;
          EXPECT_TRUE(close(found.row(i).head(direct).transpose(), expected.head(direct), single ? 1e-4 : 1e-11));
          EXPECT_TRUE(close(found.row(i).tail(inverted).transpose(), expected.tail(inverted), single ? 0.05 : 1e-8));
          // M may be badly conditioned, and its inverse then is inaccurate; but M a + h = tau holds.
          const VectorXd a = found.row(i).segment(direct, nv).transpose(), h = expected.segment(nv, nv);
          const MatrixXd M = mass_matrix(c.model, c.work, q);
          const double size = nv == 0 ? 1 : largest(M.cwiseAbs() * a.cwiseAbs() + h.cwiseAbs());
          EXPECT_TRUE(close(M * a + h, row(b.tau), single ? 1e-4 : 1e-11, size));
        }
      },
      50);
}

TYPED_TEST(BatchOf, SameBitsForAnyNumberOfThreadsAndAnySize) {
  using S = TypeParam;
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    const auto c = random_case(seed, trees);
    const FrameId frame{int(c.model.frames().size()) - 1};
    const Batch<S> b(c.model, 1000);
    batch::Workspace<S> one(c.model, 1);
    const MatrixXd expected = everything(c.model, one, b, frame);
    for (const int threads : {1, 2, 3, 7, 16}) {
      batch::Workspace<S> w(c.model, threads);
      EXPECT_EQ(w.threads(), threads);
      EXPECT_TRUE(identical(everything(c.model, w, b, frame), expected)) << threads << " threads";
      const int lanes = w.lanes();
      for (const long B : {0, 1, lanes - 1, lanes, lanes + 1, 3 * lanes - 1}) {
        EXPECT_TRUE(identical(everything(c.model, w, b.part(0, B), frame), expected.topRows(B))) << B << " robots";
        // At another index of the batch, in another lane.
        EXPECT_TRUE(identical(everything(c.model, w, b.part(501, B), frame), expected.middleRows(501, B))) << B;
      }
    }
  }
}

TYPED_TEST(BatchOf, ARobotAloneHasTheBitsOfARobotAmongOthers) {
  using S = TypeParam;
  const auto c = random_case(6, trees);
  batch::Workspace<S> w(c.model, 2);
  const Batch<S> b(c.model, 40);
  const FrameId frame{1};
  const MatrixXd all = everything(c.model, w, b, frame);
  for (long i = 0; i < 40; ++i) EXPECT_TRUE(identical(everything(c.model, w, b.part(i, 1), frame), all.row(i))) << i;
}

// An angle so large that it is reduced by another algorithm does not change the bits of other robots.
TYPED_TEST(BatchOf, AHugeAngleOfOneRobotDoesNotTouchItsNeighbours) {
  using S = TypeParam;
  const auto c = random_case(
      8,
      {.min_joints = 8, .max_joints = 8, .types = {JointType::revolute}, .fixed_links = false, .several_roots = false});
  batch::Workspace<S> w(c.model, 1);
  Batch<S> b(c.model, 40);
  const auto& joint = c.model.joint("joint3");
  const FrameId frame{1};
  const MatrixXd before = everything(c.model, w, b, frame);
  b.q(5, joint.q_index) = S(1e6);
  const MatrixXd after = everything(c.model, w, b, frame);
  for (long i = 0; i < 40; ++i) EXPECT_EQ(bool(identical(after.row(i), before.row(i))), i != 5) << i;
}

TYPED_TEST(BatchOf, RefusesWhatItCannotWorkWith) {
  using S = TypeParam;
  const auto c =
      random_case(9, {.min_joints = 5, .max_joints = 5, .types = {JointType::spherical, JointType::revolute}});
  const auto& m = c.model;
  batch::Workspace<S> w(m, 2);
  const Batch<S> good(m, 10);
  Rows<S> out(10, m.nv()), narrow(10, m.nv() - 1), few(9, m.nv());
  const auto starts = [](const std::string& text, const std::string& with) {
    EXPECT_TRUE(text.starts_with(with)) << text;
  };
  const auto call = [&](const Batch<S>& b, Rows<S>& to) {
    return refusal([&] { batch::inverse_dynamics<S>(m, w, b.q, b.v, b.a, to); });
  };
  const MatrixXd before = everything(m, w, good, {1});
  const auto spoiled = [&](auto change) {
    Batch<S> b = good;
    change(b);
    return call(b, out);
  };
  starts(spoiled([](auto& b) { b.q.conservativeResize(10, b.q.cols() - 1); }), "q");
  starts(spoiled([](auto& b) { b.v.conservativeResize(9, b.v.cols()); }), "v");
  starts(spoiled([](auto& b) { b.a.conservativeResize(10, b.a.cols() + 1); }), "a");
  for (const double bad : {std::nan(""), double(INFINITY)}) {
    starts(spoiled([&](auto& b) { b.q(7, 0) = S(bad); }), "q(7, 0)");
    starts(spoiled([&](auto& b) { b.v(9, 2) = S(bad); }), "v(9, 2)");
    starts(spoiled([&](auto& b) { b.a(0, 1) = S(bad); }), "a(0, 1)");
  }
  EXPECT_NE(call(good, narrow).find("result"), std::string::npos);
  EXPECT_NE(call(good, few).find("result"), std::string::npos);
  Rows<S> X(10, 12);
  starts(refusal([&] { batch::placement<S>(m, w, good.q, FrameId{-1}, X); }), "frame");
  starts(refusal([&] { batch::placement<S>(m, w, good.q, FrameId{9999}, X); }), "frame");
  const auto other = random_case(10, {.min_joints = 7, .max_joints = 7});
  starts(refusal([&] { batch::inverse_dynamics<S>(other.model, w, good.q, good.v, good.a, out); }), "workspace");
  starts(refusal([&] { batch::Workspace<S>(m, -1); }), "threads");
  EXPECT_TRUE(identical(everything(m, w, good, {1}), before));
}

TYPED_TEST(BatchOf, RefusesQuaternionsWhoseNormIsNotOne) {
  using S = TypeParam;
  const auto c = random_case(9, {.min_joints = 5, .max_joints = 5, .types = {JointType::spherical}});
  batch::Workspace<S> w(c.model, 1);
  Batch<S> b(c.model, 10);
  Rows<S> out(10, c.model.nv());
  b.q.row(3) *= S(2);
  EXPECT_TRUE(refusal([&] { batch::inverse_dynamics<S>(c.model, w, b.q, b.v, b.a, out); }).starts_with("q"));
}

// Several quantities in one call have the bits of separate calls, in any order.
TYPED_TEST(BatchOf, SeveralOutputsOfOneCallAreThoseOfOneCallEach) {
  using S = TypeParam;
  using batch::Quantity;
  for_each_tree(
      trees,
      [](Case& c) {
        const auto& m = c.model;
        batch::Workspace<S> w(m, 2);
        const int B = 2 * w.lanes() + 1, nv = m.nv();
        const Batch<S> b(m, B);
        const FrameId frame{int(m.frames().size()) - 1};
        Rows<S> tau(B, nv), a(B, nv), M(B, nv * nv), M_inverse(B, nv * nv), J(B, 6 * nv), T(B, 1), V(B, 1), com(B, 3);
        Rows<S> dtau_dq(B, nv * nv), dtau_da(B, nv * nv), da_dv(B, nv * nv), gradient(B, 3 * nv);
        const batch::Inputs<S> in{.q = b.q, .v = b.v, .a = b.a, .tau = b.tau, .weights = b.a};
        const auto run = [&](bool backwards) {
          std::vector<batch::Output<S>> outputs{{Quantity::potential_energy, V},
                                                {Quantity::inverse_dynamics, tau},
                                                {Quantity::jacobian, J, frame},
                                                {Quantity::kinetic_energy, T},
                                                {Quantity::inverse_mass_matrix, M_inverse},
                                                {Quantity::mass_matrix, M},
                                                {Quantity::forward_dynamics, a},
                                                {Quantity::inverse_dynamics_da, dtau_da},
                                                {Quantity::forward_dynamics_dv, da_dv},
                                                {Quantity::forward_dynamics_vjp, gradient},
                                                {Quantity::inverse_dynamics_dq, dtau_dq},
                                                {Quantity::center_of_mass, com}};
          if (backwards) outputs = {outputs.rbegin(), outputs.rend()};
          batch::evaluate(m, w, in, std::span<const batch::Output<S>>(outputs));
        };
        for (const bool backwards : {false, true}) {
          for (auto* x : {&tau, &a, &M, &M_inverse, &J, &T, &V, &com, &dtau_dq, &dtau_da, &da_dv, &gradient})
            x->setConstant(S(7));
          run(backwards);
          const auto expect = [&](const char* name, const Rows<S>& found, const auto& call) {
            Rows<S> alone = Rows<S>::Constant(found.rows(), found.cols(), S(8));
            call(alone);
            EXPECT_TRUE(identical(found.template cast<double>(), alone.template cast<double>())) << name;
          };
          expect("tau", tau, [&](Rows<S>& x) { batch::inverse_dynamics(m, w, b.q, b.v, b.a, x); });
          expect("a", a, [&](Rows<S>& x) { batch::forward_dynamics(m, w, b.q, b.v, b.tau, x); });
          expect("M", M, [&](Rows<S>& x) { batch::mass_matrix(m, w, b.q, x); });
          expect("M⁻¹", M_inverse, [&](Rows<S>& x) { batch::inverse_mass_matrix(m, w, b.q, x); });
          expect("J", J, [&](Rows<S>& x) { batch::jacobian(m, w, b.q, frame, x); });
          expect("T", T, [&](Rows<S>& x) { batch::kinetic_energy(m, w, b.q, b.v, x); });
          expect("V", V, [&](Rows<S>& x) { batch::potential_energy(m, w, b.q, x); });
          expect("com", com, [&](Rows<S>& x) { batch::center_of_mass(m, w, b.q, x); });
          const auto alone = [&](const char* name, const Rows<S>& found, Quantity quantity) {
            expect(name, found, [&](Rows<S>& x) { batch::evaluate(m, w, in, {{quantity, x}}); });
          };
          alone("dtau/dq", dtau_dq, Quantity::inverse_dynamics_dq);
          alone("dtau/da", dtau_da, Quantity::inverse_dynamics_da);
          alone("da/dv", da_dv, Quantity::forward_dynamics_dv);
          alone("gradient", gradient, Quantity::forward_dynamics_vjp);
        }
      },
      20);
}

TEST(Batch, ExternalForcesActAsOnOneRobot) {
  for_each_tree(
      trees,
      [](Case& c) {
        const auto& m = c.model;
        batch::Workspace<double> w(m, 2);
        const int B = w.lanes() + 3;
        const Batch<double> b(m, B);
        Random random(c.seed);
        const FrameId first = c.some_frame(random), second = c.some_frame(random);
        const Rows<double> f = Rows<double>::Random(B, 6), g = Rows<double>::Random(B, 6);
        const std::vector<batch::ExternalForces<double>> external{{first, f}, {second, g}};
        Rows<double> tau(B, m.nv()), a(B, m.nv()), q = b.q, v = b.v;
        batch::inverse_dynamics(m, w, b.q, b.v, b.a, tau, external);
        batch::forward_dynamics(m, w, b.q, b.v, b.tau, a, external);
        EXPECT_TRUE(batch::step(m, w, q, v, b.tau, 0.01, external).empty());
        for (int i = 0; i < B; ++i) {
          const auto force = [&](FrameId on, const Rows<double>& x) {
            return ExternalForce{on, {x(i, 0), x(i, 1), x(i, 2)}, {x(i, 3), x(i, 4), x(i, 5)}, {on, {0, 0, 0}}};
          };
          const std::vector<ExternalForce> forces{force(first, f), force(second, g)};
          const VectorXd qi = b.q.row(i), vi = b.v.row(i), ai = b.a.row(i), ti = b.tau.row(i);
          EXPECT_TRUE(close(tau.row(i).transpose(), inverse_dynamics(m, c.work, qi, vi, ai, forces), 1e-11, 10));
          const VectorXd one = forward_dynamics(m, c.work, qi, vi, ti, forces);
          EXPECT_TRUE(close(a.row(i).transpose(), one, 1e-8, 10));
          EXPECT_TRUE(close(v.row(i).transpose(), vi + 0.01 * one, 1e-8, 10));
        }
      },
      20);
}

// Robots with wrong inputs, or whose step ends in infinity, stay as they were; the others move as without them.
TEST(Batch, WhatAQuantityReadsMustBeGiven) {
  const auto c = random_case(9, {.min_joints = 5, .max_joints = 5});
  const auto& m = c.model;
  batch::Workspace<double> w(m, 1);
  const Batch<double> b(m, 3);
  Rows<double> out(3, m.nv());
  EXPECT_EQ(refusal([&] { batch::evaluate(m, w, {.q = b.q, .v = b.v}, {{batch::Quantity::inverse_dynamics, out}}); }),
            "a is missing; inverse_dynamics reads it");
  Rows<double> f = Rows<double>::Zero(3, 6);
  f(2, 4) = std::nan("");
  const std::vector<batch::ExternalForces<double>> bad{{{1}, f}}, nowhere{{{-1}, f}};
  EXPECT_EQ(refusal([&] { batch::inverse_dynamics(m, w, b.q, b.v, b.a, out, bad); }),
            "external[0].wrench(2, 4) is NaN");
  EXPECT_TRUE(refusal([&] {
                batch::inverse_dynamics(m, w, b.q, b.v, b.a, out, nowhere);
              }).starts_with("external[0].on is -1, expected a frame of model"));
}

TEST(Batch, TellsItsShape) {
  const auto c = random_case(1);
  batch::Workspace<double> d(c.model);
  batch::Workspace<float> f(c.model);
  EXPECT_GE(d.threads(), 1);
  EXPECT_EQ(f.lanes(), 2 * d.lanes());
  const std::string set = d.instruction_set();
  EXPECT_TRUE(set == "baseline" || set == "avx2" || set == "avx512") << set;
}

}  // namespace
}  // namespace lissom::test
