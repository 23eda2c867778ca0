// Measures Orocos KDL, with the library of the distribution. Robots that are a single chain are measured with the chain
// solvers; for trees KDL has only inverse dynamics. Robots are read from text files (flatten_urdf.py).
#include <fstream>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainfksolvervel_recursive.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/tree.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>
#include <sstream>

#include "../harness.h"

namespace {

using harness::keep;
using harness::states;
const KDL::Vector gravity(0, 0, -9.81);

struct Arm {
  KDL::Tree tree{"world"};
  KDL::Chain chain;
  bool is_chain = true;
  std::vector<harness::Range> limits;

  explicit Arm(const std::string& file) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      std::istringstream numbers(line);
      const auto next = [&] {
        double x = 0;
        numbers >> x;
        return x;
      };
      const auto vector = [&] {
        const double x = next(), y = next(), z = next();
        return KDL::Vector(x, y, z);
      };
      const int parent = int(next()), index = int(limits.size());
      const bool turns = next() != 0;
      double r[9];
      for (double& x : r) x = next();
      const KDL::Frame X(KDL::Rotation(r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]), vector());
      const KDL::Vector axis = X.M * vector();
      const double low = next(), high = next(), mass = next();
      const KDL::Vector com = vector();
      double i[6];
      for (double& x : i) x = next();
      limits.push_back(harness::drawn_from(low, high, turns ? harness::pi : 1));
      const auto name = [](int k) { return k < 0 ? std::string("world") : std::to_string(k); };
      const KDL::Segment segment(
          name(index), KDL::Joint("j" + name(index), X.p, axis, turns ? KDL::Joint::RotAxis : KDL::Joint::TransAxis), X,
          KDL::RigidBodyInertia(mass, com, KDL::RotationalInertia(i[0], i[1], i[2], i[3], i[4], i[5])));
      is_chain = is_chain && parent == index - 1;
      chain.addSegment(segment);
      tree.addSegment(segment, name(parent));
    }
  }
  int joints() const { return int(limits.size()); }
};

struct States {
  std::vector<KDL::JntArray> q, v, a, tau;

  explicit States(const Arm& arm) {
    harness::Random random;
    const auto n = unsigned(arm.joints());
    for (int i = 0; i < states; ++i) {
      for (auto* x : {&q, &v, &a, &tau}) {
        x->emplace_back(n);
        for (unsigned k = 0; k < n; ++k)
          x->back()(k) = x == &q ? random(arm.limits[k].low, arm.limits[k].high) : random(-1, 1);
      }
    }
  }
};

void measure_tree(const Arm& arm, const States& s, harness::Stopwatch& watch) {
  KDL::TreeIdSolver_RNE inverse(arm.tree, gravity);
  const KDL::WrenchMap no_forces;
  KDL::JntArray out(unsigned(arm.joints()));
  watch.add("rnea", "TreeIdSolver_RNE", [&](int i) {
    const auto at = std::size_t(i);
    keep(inverse.CartToJnt(s.q[at], s.v[at], s.a[at], no_forces, out));
  });
  watch.measure_and_print();
}

void measure_chain(const Arm& arm, const States& s, harness::Stopwatch& watch) {
  const auto n = unsigned(arm.joints());
  const auto at = [](int i) { return std::size_t(i); };
  KDL::ChainFkSolverPos_recursive positions(arm.chain);
  KDL::ChainFkSolverVel_recursive velocities(arm.chain);
  KDL::ChainIdSolver_RNE inverse(arm.chain, gravity);
  KDL::ChainFdSolver_RNE forward(arm.chain, gravity);
  KDL::ChainDynParam parameters(arm.chain, gravity);
  std::vector<KDL::Frame> frames(n);
  std::vector<KDL::FrameVel> frame_velocities(n);
  std::vector<KDL::JntArrayVel> moving;
  for (int i = 0; i < states; ++i) moving.emplace_back(s.q[at(i)], s.v[at(i)]);
  KDL::Wrenches no_forces(n, KDL::Wrench::Zero());
  KDL::JntArray out(n);
  KDL::JntSpaceInertiaMatrix M(n);

  watch.add("placements", "ChainFkSolverPos_recursive, all segments",
            [&](int i) { keep(positions.JntToCart(s.q[at(i)], frames)); });
  watch.add("velocities", "ChainFkSolverVel_recursive, all segments",
            [&](int i) { keep(velocities.JntToCart(moving[at(i)], frame_velocities)); });
  watch.add("rnea", "ChainIdSolver_RNE",
            [&](int i) { keep(inverse.CartToJnt(s.q[at(i)], s.v[at(i)], s.a[at(i)], no_forces, out)); });
  watch.add("crba", "ChainDynParam::JntToMass", [&](int i) { keep(parameters.JntToMass(s.q[at(i)], M)); });
  watch.add("aba", "ChainFdSolver_RNE (mass matrix, bias, factor, solution)",
            [&](int i) { keep(forward.CartToJnt(s.q[at(i)], s.v[at(i)], s.tau[at(i)], no_forces, out)); });
  watch.measure_and_print();
}

}  // namespace

int main(int argc, char** argv) {
  const harness::Arguments arguments(argc, argv);
  for (const auto& robot : arguments.robots) {
    const Arm arm(robot.file);
    const States s(arm);
    harness::Stopwatch watch("kdl", RIVAL_VERSION, arguments, robot, arm.joints());
    (arm.is_chain ? measure_chain : measure_tree)(arm, s, watch);
  }
}
