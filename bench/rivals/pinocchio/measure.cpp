// Measures Pinocchio from its headers alone, so that this compiler optimizes it for this machine; its own library,
// which is built for any machine, is not linked. Models are read from Pinocchio's text serialization (write_models.py).
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/centroidal.hpp>
#include <pinocchio/algorithm/cholesky.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody.hpp>
#include <pinocchio/serialization.hpp>

#include "../harness.h"

namespace {

namespace pin = pinocchio;
using harness::keep;
using harness::states;

struct States {
  std::vector<Eigen::VectorXd> q, v, a, tau;

  explicit States(pin::Model model) {
    for (Eigen::Index i = 0; i < model.nq; ++i) {
      const auto range =
          harness::drawn_from(model.lowerPositionLimit[i], model.upperPositionLimit[i], i < 3 ? 1 : harness::pi);
      model.lowerPositionLimit[i] = range.low;
      model.upperPositionLimit[i] = range.high;
    }
    std::srand(1);
    for (int i = 0; i < states; ++i) {
      q.push_back(pin::randomConfiguration(model));
      for (auto* x : {&v, &a, &tau}) x->push_back(Eigen::VectorXd::Random(model.nv));
    }
  }
};

void measure(const harness::Arguments& arguments, const harness::Robot& robot) {
  pin::Model m;
  pin::serialization::loadFromText(m, robot.file);
  pin::Data d(m);
  const States s(m);
  using pin::Convention;
  harness::Stopwatch watch("pinocchio", RIVAL_VERSION, arguments, robot, m.nv);
  const auto add = [&](const char* algorithm, const char* how, auto call) {
    watch.add(algorithm, how, [&d, call](int i) {
      call(std::size_t(i));
      keep(d);
    });
  };

  add("placements", "forwardKinematics(q)", [&](std::size_t i) { pin::forwardKinematics(m, d, s.q[i]); });
  add("velocities", "forwardKinematics(q, v)", [&](std::size_t i) { pin::forwardKinematics(m, d, s.q[i], s.v[i]); });
  add("jacobians", "computeJointJacobians", [&](std::size_t i) { pin::computeJointJacobians(m, d, s.q[i]); });
  add("rnea", "rnea", [&](std::size_t i) { pin::rnea(m, d, s.q[i], s.v[i], s.a[i]); });
  add("bias", "nonLinearEffects", [&](std::size_t i) { pin::nonLinearEffects(m, d, s.q[i], s.v[i]); });
  add("crba", "crba, Convention::LOCAL", [&](std::size_t i) { pin::crba(m, d, s.q[i], Convention::LOCAL); });
  add("crba", "crba, Convention::WORLD", [&](std::size_t i) { pin::crba(m, d, s.q[i], Convention::WORLD); });
  add("factor", "cholesky::decompose", [&](std::size_t) { pin::cholesky::decompose(m, d); });
  add("minv", "computeMinverse", [&](std::size_t i) { pin::computeMinverse(m, d, s.q[i]); });
  add("aba", "aba, Convention::LOCAL",
      [&](std::size_t i) { pin::aba(m, d, s.q[i], s.v[i], s.tau[i], Convention::LOCAL); });
  add("aba", "aba, Convention::WORLD",
      [&](std::size_t i) { pin::aba(m, d, s.q[i], s.v[i], s.tau[i], Convention::WORLD); });
  add("centroidal", "computeCentroidalMap", [&](std::size_t i) { pin::computeCentroidalMap(m, d, s.q[i]); });
  add("coriolis", "computeCoriolisMatrix", [&](std::size_t i) { pin::computeCoriolisMatrix(m, d, s.q[i], s.v[i]); });
  add("d_rnea", "computeRNEADerivatives",
      [&](std::size_t i) { pin::computeRNEADerivatives(m, d, s.q[i], s.v[i], s.a[i]); });
  add("d_aba", "computeABADerivatives",
      [&](std::size_t i) { pin::computeABADerivatives(m, d, s.q[i], s.v[i], s.tau[i]); });
  watch.measure_and_print();
}

}  // namespace

int main(int argc, char** argv) {
  const harness::Arguments arguments(argc, argv);
  for (const auto& robot : arguments.robots) measure(arguments, robot);
}
