// Invalid arguments are refused with a message that names the argument, and leave the workspace unchanged.
#include <cmath>
#include <functional>

#include "close.h"
#include "lissom/lissom.h"
#include "random_tree.h"
#include "refusal.h"

namespace lissom::test::errors {
namespace {

using Eigen::VectorXd;

// A free base, a spherical, a revolute and a prismatic joint.
Model robot() {
  Random random(3);
  Description d;
  d.name = "robot";
  for (const char* name : {"root", "ball", "arm", "hand"}) d.links.push_back(random_link(name, random));
  const JointType types[] = {JointType::spherical, JointType::revolute, JointType::prismatic};
  for (int i = 0; i < 3; ++i) {
    JointDescription j;
    j.name = "j" + std::to_string(i), j.type = types[i];
    j.parent = d.links[std::size_t(i)].name, j.child = d.links[std::size_t(i) + 1].name;
    j.origin = random.pose();
    d.joints.push_back(j);
  }
  return build(d, {.base = Base::free});
}
Model another_robot() {
  Random random(4);
  Description d;
  d.name = "other";
  d.links = {random_link("root", random)};
  return build(d, {.base = Base::free});
}

struct State {
  VectorXd q, v, a, tau;
};
// A function of the interface, and the parts of the state that it takes: some of "qva", and "t" for tau.
struct Call {
  const char* name;
  std::string takes;
  std::function<Eigen::MatrixXd(const Model&, Workspace&, const State&)> run;
};
#define CALL(takes, expression)                                                               \
  Call {                                                                                      \
    #expression, takes, [](const Model& m, Workspace& w, const State& s) -> Eigen::MatrixXd { \
      (void)s;                                                                                \
      return expression;                                                                      \
    }                                                                                         \
  }
Eigen::MatrixXd number(double x) {
  return Eigen::MatrixXd::Constant(1, 1, x);
}
Eigen::MatrixXd after(const Workspace& w, const Model& m) {
  const auto x = velocity(m, w, m.frame("hand")), y = acceleration(m, w, m.frame("hand"));
  const auto p = placement(m, w, m.frame("hand")).p;
  Eigen::MatrixXd all(3, 5);
  all << to_eigen(x.linear), to_eigen(x.angular), to_eigen(y.linear), to_eigen(y.angular), to_eigen(p);
  return all;
}
const std::vector<ExternalForce> push{{{2}, {1, 2, 3}, {4, 5, 6}, {{3}, {0.1, 0, 0}}, {1}}};

std::vector<Call> calls() {
  return {
      CALL("q", (forward_kinematics(m, w, s.q), number(0))),
      CALL("qv", (forward_kinematics(m, w, s.q, s.v), number(0))),
      CALL("qva", (forward_kinematics(m, w, s.q, s.v, s.a), after(w, m))),
      CALL("q", jacobian(m, w, s.q, m.frame("hand"))),
      CALL("q", jacobian(m, w, s.q, m.frame("hand"), Point{{1}, {1, 2, 3}}, {2})),
      CALL("qv", jacobian_rate(m, w, s.q, s.v, m.frame("hand"))),
      CALL("qv", jacobian_rate(m, w, s.q, s.v, m.frame("hand"), Point{{1}, {1, 2, 3}}, {2})),
      CALL("q", joint_jacobians(m, w, s.q)),
      CALL("q", to_eigen(center_of_mass(m, w, s.q))),
      CALL("q", center_of_mass_jacobian(m, w, s.q)),
      CALL("qva", inverse_dynamics(m, w, s.q, s.v, s.a)),
      CALL("qva", inverse_dynamics(m, w, s.q, s.v, s.a, push)),
      CALL("qvt", forward_dynamics(m, w, s.q, s.v, s.tau)),
      CALL("qvt", forward_dynamics(m, w, s.q, s.v, s.tau, push)),
      CALL("qva", rnea(m, w, s.q, s.v, s.a)),
      CALL("qvt", aba(m, w, s.q, s.v, s.tau)),
      CALL("q", crba(m, w, s.q)),
      CALL("q", mass_matrix(m, w, s.q)),
      CALL("qv", bias_forces(m, w, s.q, s.v)),
      CALL("q", gravity_forces(m, w, s.q)),
      CALL("qv", coriolis_matrix(m, w, s.q, s.v)),
      CALL("q", factorize_mass_matrix(m, w, s.q).L()),
      CALL("q", inverse_mass_matrix(m, w, s.q)),
      CALL("q", centroidal_map(m, w, s.q)),
      CALL("qv", centroidal_momentum(m, w, s.q, s.v)),
      CALL("qva", centroidal_momentum_rate(m, w, s.q, s.v, s.a)),
      CALL("qv", number(kinetic_energy(m, w, s.q, s.v))),
      CALL("q", number(potential_energy(m, w, s.q))),
      CALL("qva", regressor(m, w, s.q, s.v, s.a)),
  };
}

void expect_refused(const std::function<void()>& f, const std::string& argument) {
  const auto message = refusal(f);
  EXPECT_TRUE(message.starts_with(argument)) << "expected '" << argument << "…', found '" << message << "'";
}

class Errors : public ::testing::Test {
 protected:
  const Model model = robot();
  Workspace work{model};
  Random random{1};
  const State good{random_configuration(model, 1), random.vector(model.nv(), 1), random.vector(model.nv(), 1),
                   random.vector(model.nv(), 1)};
};

TEST_F(Errors, WrongSizesAndNumbersAreRefusedAndLeaveTheWorkspaceAsItWas) {
  const double nan = std::nan(""), inf = INFINITY;
  for (const auto& call : calls()) {
    SCOPED_TRACE(call.name);
    const Eigen::MatrixXd before = call.run(model, work, good);
    for (const char which : call.takes) {
      const std::string name = which == 't' ? "tau" : std::string(1, which);
      const auto spoiled = [&](const std::function<void(VectorXd&)>& spoil) {
        State bad = good;
        spoil(which == 'q' ? bad.q : which == 'v' ? bad.v : which == 'a' ? bad.a : bad.tau);
        expect_refused([&] { call.run(model, work, bad); }, name);
      };
      spoiled([](VectorXd& x) { x.conservativeResize(x.size() - 1); });
      spoiled([](VectorXd& x) { x.conservativeResize(x.size() + 1), x.tail<1>().setZero(); });
      spoiled([](VectorXd& x) { x.resize(0); });
      for (const double bad : {nan, inf, -inf})
        for (const Eigen::Index at : {Eigen::Index(0), Eigen::Index(5), good.v.size() - 1})
          spoiled([&](VectorXd& x) { x[at] = bad; });
      if (which == 'q') {
        spoiled([](VectorXd& q) { q.segment<4>(3) *= 1.01; });
        spoiled([](VectorXd& q) { q.segment<4>(7).setZero(); });
      }
    }
    const auto other = another_robot();
    Workspace wrong(other);
    expect_refused([&] { call.run(model, wrong, good); }, "workspace");
    EXPECT_TRUE(identical(call.run(model, work, good), before));
  }
}

TEST_F(Errors, ARefusalTellsWhereInTheVector) {
  State bad = good;
  bad.v[4] = std::nan("");
  const auto message = refusal([&] { bias_forces(model, work, bad.q, bad.v); });
  EXPECT_NE(message.find("v[4] is NaN"), std::string::npos) << message;
  bad.q[9] = INFINITY;
  EXPECT_NE(refusal([&] { mass_matrix(model, work, bad.q); }).find("q[9] is infinite"), std::string::npos);
}

TEST_F(Errors, UnknownFramesAreRefused) {
  forward_kinematics(model, work, good.q, good.v, good.a);
  const auto before = after(work, model);
  for (const FrameId none : {FrameId{-1}, FrameId{int(model.frames().size())}, FrameId{1 << 30}}) {
    const FrameId hand = model.frame("hand");
    expect_refused([&] { placement(model, work, none); }, "frame");
    expect_refused([&] { velocity(model, work, none, Point{}, hand); }, "of");
    expect_refused([&] { velocity(model, work, hand, Point{none, {0, 0, 0}}, hand); }, "at");
    expect_refused([&] { velocity(model, work, hand, Point{}, none); }, "in");
    expect_refused([&] { acceleration(model, work, none, Point{}, hand); }, "of");
    expect_refused([&] { acceleration(model, work, hand, Point{none, {0, 0, 0}}, hand); }, "at");
    expect_refused([&] { acceleration(model, work, hand, Point{}, none); }, "in");
    EXPECT_TRUE(identical(after(work, model), before));
    expect_refused([&] { jacobian(model, work, good.q, none, Point{}, hand); }, "of");
    expect_refused([&] { jacobian(model, work, good.q, hand, Point{none, {0, 0, 0}}, hand); }, "at");
    expect_refused([&] { jacobian(model, work, good.q, hand, Point{}, none); }, "in");
    expect_refused([&] { jacobian_rate(model, work, good.q, good.v, none, Point{}, hand); }, "of");
    expect_refused([&] { jacobian_rate(model, work, good.q, good.v, hand, Point{none, {0, 0, 0}}, hand); }, "at");
    expect_refused([&] { jacobian_rate(model, work, good.q, good.v, hand, Point{}, none); }, "in");
    std::vector<ExternalForce> external(2);
    external[1].on = none;
    EXPECT_FALSE(refusal([&] { inverse_dynamics(model, work, good.q, good.v, good.a, external); }).empty());
    EXPECT_FALSE(refusal([&] { forward_dynamics(model, work, good.q, good.v, good.a, external); }).empty());
  }
  // The short overloads.
  EXPECT_FALSE(refusal([&] { jacobian(model, work, good.q, FrameId{-1}); }).empty());
  EXPECT_FALSE(refusal([&] { velocity(model, work, FrameId{-1}); }).empty());
}

TEST_F(Errors, ExternalForcesThatAreNotFiniteAreRefused) {
  for (int which = 0; which < 3; ++which)
    for (const double bad : {std::nan(""), double(INFINITY), -double(INFINITY)}) {
      std::vector<ExternalForce> external(2);
      (which == 0 ? external[1].force : which == 1 ? external[1].torque : external[1].at.position).y = bad;
      const char* const names[] = {"external[1].force", "external[1].torque", "external[1].at"};
      expect_refused([&] { inverse_dynamics(model, work, good.q, good.v, good.a, external); }, names[which]);
      expect_refused([&] { forward_dynamics(model, work, good.q, good.v, good.tau, external); }, names[which]);
    }
}

TEST_F(Errors, AnEmptyFactorAsksToBeFilled) {
  MassMatrixFactor empty(model);
  EXPECT_FALSE(empty.factorized());
  expect_refused([&] { empty.solve(good.tau); }, "solve: this MassMatrixFactor is empty");
  expect_refused([&] { empty.inverse(work); }, "inverse");
  expect_refused([&] { empty.L(); }, "L");
  expect_refused([&] { empty.D(); }, "D");
}

TEST_F(Errors, AFactorChecksItsVectorAndItsModel) {
  auto factor = factorize_mass_matrix(model, work, good.q);
  const VectorXd before = factor.solve(good.tau);
  VectorXd bad = good.tau;
  bad[2] = std::nan("");
  expect_refused([&] { factor.solve(bad); }, "b[2] is NaN");
  expect_refused([&] { factor.solve(VectorXd(VectorXd::Zero(3))); }, "b has 3 elements");
  const auto other = another_robot();
  Workspace wrong(other);
  expect_refused([&] { factor.factorize(other, wrong, neutral(other)); }, "factor");
  expect_refused([&] { factor.factorize(model, wrong, good.q); }, "workspace");
  EXPECT_TRUE(identical(factor.solve(good.tau), before));
}

TEST_F(Errors, StateHelpersCheckTheirArguments) {
  const auto &q = good.q, &v = good.v;
  const VectorXd short_q = q.head(q.size() - 1), short_v = v.head(v.size() - 1);
  VectorXd nan_q = q, nan_v = v, out(model.nq());
  nan_q[0] = std::nan(""), nan_v[0] = INFINITY;
  expect_refused([&] { integrate(model, short_q, v); }, "q");
  expect_refused([&] { integrate(model, q, short_v); }, "v");
  expect_refused([&] { integrate(model, nan_q, v); }, "q[0]");
  expect_refused([&] { integrate(model, q, nan_v); }, "v[0]");
  expect_refused([&] { integrate(model, q, v, std::nan("")); }, "dt");
  expect_refused([&] { integrate(model, q, v, 1, Eigen::Ref<VectorXd>(out.head(3))); }, "result");
  expect_refused([&] { difference(model, short_q, q); }, "q0");
  expect_refused([&] { difference(model, q, short_q); }, "q1");
  expect_refused([&] { difference(model, q, nan_q); }, "q1[0]");
  expect_refused([&] { difference(model, q, q, Eigen::Ref<VectorXd>(out)); }, "result");
  expect_refused([&] { interpolate(model, nan_q, q, 0.5); }, "q0");
  refusal([&] { interpolate(model, q, q, std::nan("")); });
  expect_refused([&] { normalize(model, short_q); }, "q");
  expect_refused([&] { normalize(model, nan_q); }, "q[0]");
}

// Same numbers of coordinates and bodies, another tree: the workspaces are not interchangeable.
TEST_F(Errors, AWorkspaceOfAnotherRobotOfTheSameSizeIsRefused) {
  const auto built = [](bool chain) {
    Random r(1);
    Description d;
    d.name = chain ? "chain" : "star";
    d.links.push_back(random_link("0", r));
    for (int i = 1; i <= 12; ++i) {
      d.links.push_back(random_link(std::to_string(i), r));
      JointDescription j;
      j.name = "j" + std::to_string(i), j.type = JointType::revolute;
      j.parent = std::to_string(chain ? i - 1 : 0), j.child = std::to_string(i);
      d.joints.push_back(j);
    }
    return build(d);
  };
  const auto chain = built(true), star = built(false);
  Workspace of_star(star);
  // (Nothing is computed: the factor of a chain does not fit into the buffer of a star.)
  expect_refused([&] { forward_kinematics(chain, of_star, VectorXd::Zero(12)); }, "workspace");
}

}  // namespace
}  // namespace lissom::test::errors
