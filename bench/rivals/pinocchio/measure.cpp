// Pinocchio, from its headers alone, so that this compiler optimises it for this machine; nothing of its own library,
// which is built for any machine, is linked. Models come as Pinocchio's own text (write_models.py).
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
  const auto at = [](int i) { return std::size_t(i); };
  harness::Stopwatch watch("pinocchio", RIVAL_VERSION, arguments, robot, m.nv);
  using pin::Convention;

  watch.add("placements", "forwardKinematics(q)", [&](int i) {
    pin::forwardKinematics(m, d, s.q[at(i)]);
    keep(d);
  });
  watch.add("velocities", "forwardKinematics(q, v)", [&](int i) {
    pin::forwardKinematics(m, d, s.q[at(i)], s.v[at(i)]);
    keep(d);
  });
  watch.add("jacobians", "computeJointJacobians", [&](int i) {
    pin::computeJointJacobians(m, d, s.q[at(i)]);
    keep(d);
  });
  watch.add("rnea", "rnea", [&](int i) {
    pin::rnea(m, d, s.q[at(i)], s.v[at(i)], s.a[at(i)]);
    keep(d);
  });
  watch.add("bias", "nonLinearEffects", [&](int i) {
    pin::nonLinearEffects(m, d, s.q[at(i)], s.v[at(i)]);
    keep(d);
  });
  watch.add("crba", "crba, Convention::LOCAL", [&](int i) {
    pin::crba(m, d, s.q[at(i)], Convention::LOCAL);
    keep(d);
  });
  watch.add("crba", "crba, Convention::WORLD", [&](int i) {
    pin::crba(m, d, s.q[at(i)], Convention::WORLD);
    keep(d);
  });
  watch.add("factor", "cholesky::decompose", [&](int) {
    pin::cholesky::decompose(m, d);
    keep(d);
  });
  watch.add("minv", "computeMinverse", [&](int i) {
    pin::computeMinverse(m, d, s.q[at(i)]);
    keep(d);
  });
  watch.add("aba", "aba, Convention::LOCAL", [&](int i) {
    pin::aba(m, d, s.q[at(i)], s.v[at(i)], s.tau[at(i)], Convention::LOCAL);
    keep(d);
  });
  watch.add("aba", "aba, Convention::WORLD", [&](int i) {
    pin::aba(m, d, s.q[at(i)], s.v[at(i)], s.tau[at(i)], Convention::WORLD);
    keep(d);
  });
  watch.add("centroidal", "computeCentroidalMap", [&](int i) {
    pin::computeCentroidalMap(m, d, s.q[at(i)]);
    keep(d);
  });
  watch.add("coriolis", "computeCoriolisMatrix", [&](int i) {
    pin::computeCoriolisMatrix(m, d, s.q[at(i)], s.v[at(i)]);
    keep(d);
  });
  watch.add("d_rnea", "computeRNEADerivatives", [&](int i) {
    pin::computeRNEADerivatives(m, d, s.q[at(i)], s.v[at(i)], s.a[at(i)]);
    keep(d);
  });
  watch.add("d_aba", "computeABADerivatives", [&](int i) {
    pin::computeABADerivatives(m, d, s.q[at(i)], s.v[at(i)], s.tau[at(i)]);
    keep(d);
  });
  watch.measure_and_print();
}

}  // namespace

int main(int argc, char** argv) {
  const harness::Arguments arguments(argc, argv);
  for (const auto& robot : arguments.robots) measure(arguments, robot);
}
