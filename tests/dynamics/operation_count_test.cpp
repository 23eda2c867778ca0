// Counts the operations of the algorithms: rotors must not make a robot slow, whichever joints it has.
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "counting_scalar.h"
#include "lissom/api/load.h"
#include "lissom/kernels/derivatives.h"

namespace lissom::test::operation_count {
namespace {

namespace mc = in_model_coordinates;

struct Cost {
  long operations, sines;
};
// The operations of the algorithms, by name.
std::map<std::string, Cost> costs(const Model& model) {
  const ModelView<double> view(model);
  mc::InverseDynamicsInModel<Counted> inverse(view);
  mc::ForwardDynamicsInModel<Counted> forward(view);
  mc::KinematicsInModel<Counted> kinematics(view);
  mc::AllTermsInModel<Counted> terms(view);
  CentroidalScratch<Counted> centroidal(view.tree);
  mc::RneaDerivativesInModel<Counted> rnea_derivatives(view);
  mc::AbaDerivativesInModel<Counted> aba_derivatives(view);
  mc::ProductsInModel<Counted> products(view);
  using Vector = std::vector<Counted>;
  const auto n = std::size_t(model.nv() + padding);
  const int stride = row_stride(model.nv());
  const Vector states[] = {Vector(std::size_t(model.nq() + padding), Counted(0.1)), Vector(n, Counted(0.2)),
                           Vector(n, Counted(0.3)), Vector(n, Counted(0.4))};
  const Counted *const q = states[0].data(), *const v = states[1].data(), *const a = states[2].data(),
                       *const direction = states[3].data();
  Vector x(n), y(n), z(n), momenta(12), A(6 * n);
  std::vector<Vector> matrices(3, Vector(n * std::size_t(stride) + padding));
  Counted *const M = matrices[0].data(), *const dq = matrices[1].data(), *const dv = matrices[2].data();
  const Force<Counted>* const none = nullptr;
  const AllTerms<Counted> all{M, stride, x.data(), A.data(), momenta.data(), momenta.data() + 6};
  std::map<std::string, Cost> found;
  const auto count = [&](const char* name, auto f) {
    const long operations = Counted::operations, sines = Counted::sines;
    f();
    found[name] = {Counted::operations - operations, Counted::sines - sines};
  };
  count("rnea", [&] { mc::rnea(view, inverse, q, v, a, none, x.data()); });
  count("bias", [&] { mc::rnea(view, inverse, q, v, Nothing{}, none, x.data()); });
  count("crba", [&] { mc::crba(view, forward, q, M, stride); });
  count("aba", [&] { mc::aba(view, forward, inverse, q, v, a, none, x.data()); });
  count("all_terms", [&] { mc::all_terms(view, terms, kinematics, centroidal, forward, q, v, all); });
  count("rnea_derivatives", [&] { mc::rnea_derivatives(view, rnea_derivatives, q, v, a, none, dq, dv, M, stride); });
  count("aba_derivatives", [&] {
    mc::aba_derivatives(view, aba_derivatives, rnea_derivatives, q, v, a, none, x.data(), dq, dv, M, stride);
  });
  count("rnea_jvp", [&] { mc::rnea_jvp(view, products, q, v, a, none, direction, direction, direction, x.data()); });
  count("rnea_vjp", [&] { mc::rnea_vjp(view, products, q, v, a, none, direction, x.data(), y.data(), z.data()); });
  count("aba_jvp", [&] {
    mc::aba_jvp(view, products, forward, inverse, q, v, a, none, direction, direction, direction, x.data(), y.data());
  });
  count("aba_vjp", [&] {
    mc::aba_vjp(view, products, forward, inverse, q, v, a, none, direction, A.data(), x.data(), y.data(), z.data());
  });
  return found;
}

Model with_armature(const Description& plain, Base base) {
  auto description = plain;
  for (auto& joint : description.joints)
    if (joint.type != JointType::fixed && joint.type != JointType::free) joint.armature = 0.01;
  return build(description, {.base = base});
}

void expect_cheap_rotors(const std::string& file, Base base) {
  const auto model = load(std::string(LISSOM_MODELS_DIR) + "/" + file, {.base = base});
  const auto geared = with_armature(model.description(), base);
  const auto without = costs(model), with = costs(geared);
  for (const auto& [name, cost] : without) {
    EXPECT_GT(cost.operations, 30L * model.nv()) << name;  // something was counted
    EXPECT_LE(double(with.at(name).operations), 1.08 * double(cost.operations)) << name << " of " << file;
  }
  // Rotors that do not accelerate need no force.
  EXPECT_EQ(with.at("bias").operations, without.at("bias").operations);
  EXPECT_GT(with.at("rnea").operations, without.at("rnea").operations);
  EXPECT_GT(with.at("aba").operations, without.at("aba").operations);
}

TEST(OperationCount, RotorsCostAtMostEightPercent) {
  expect_cheap_rotors("humanoid.urdf", Base::free);
  expect_cheap_rotors("quadruped.urdf", Base::free);
  expect_cheap_rotors("arm7.urdf", Base::fixed);
}

// rnea.h states about 105 multiplications and 90 additions per body; the bound is somewhat looser than their sum.
TEST(OperationCount, RneaOfAnArmIsLinear) {
  const auto arm = load(std::string(LISSOM_MODELS_DIR) + "/arm7.urdf");
  EXPECT_LE(costs(arm).at("rnea").operations, 250L * arm.nv());
}

// All joints of these robots but the free one are revolute. A tick of a controller is one call of all_terms.
TEST(OperationCount, AllTermsTakeOneSineAndCosineOfEachAngle) {
  for (const std::string name : {"humanoid", "quadruped"}) {
    const auto model = load(std::string(LISSOM_MODELS_DIR) + "/" + name + ".urdf", {.base = Base::free});
    EXPECT_EQ(costs(model).at("all_terms").sines, model.nv() - 6) << name;
  }
}

}  // namespace
}  // namespace lissom::test::operation_count
