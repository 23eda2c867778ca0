// Counts the operations of the algorithms: rotors must not make a robot slow, whichever joints it has.
#include <gtest/gtest.h>

#include "counting_scalar.h"
#include "lissom/api/load.h"
#include "lissom/kernels/in_model_coordinates.h"

namespace lissom::test::operation_count {
namespace {

namespace mc = in_model_coordinates;

struct Costs {
  long rnea, crba, aba;
};

Costs costs(const Model& model) {
  const ModelView<double> view(model);
  mc::InverseDynamicsInModel<Counted> inverse(view);
  mc::ForwardDynamicsInModel<Counted> forward(view);
  const auto n = std::size_t(model.nv() + padding);
  std::vector<Counted> q(std::size_t(model.nq() + padding), Counted(0.1)), v(n, Counted(0.2)), a(n, Counted(0.3)), x(n);
  std::vector<Counted> M(n * std::size_t(row_stride(model.nv())) + padding);
  const Counted* const a_in = a.data();
  const Force<Counted>* const no_external = nullptr;
  const auto count = [](auto f) {
    const long before = Counted::operations;
    f();
    return Counted::operations - before;
  };
  return {count([&] { mc::rnea(view, inverse, q.data(), v.data(), a_in, no_external, x.data()); }),
          count([&] { mc::crba(view, forward, q.data(), M.data(), row_stride(model.nv())); }),
          count([&] { mc::aba(view, forward, inverse, q.data(), v.data(), a_in, no_external, x.data()); })};
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
  EXPECT_GT(without.rnea, 60L * model.nv());  // something was counted
  EXPECT_GT(with.aba, without.aba);
  EXPECT_LE(double(with.rnea), 1.08 * double(without.rnea)) << file;
  EXPECT_LE(double(with.crba), 1.08 * double(without.crba)) << file;
  EXPECT_LE(double(with.aba), 1.08 * double(without.aba)) << file;
}

TEST(OperationCount, RotorsCostAtMostEightPercent) {
  expect_cheap_rotors("humanoid.urdf", Base::free);
  expect_cheap_rotors("quadruped.urdf", Base::free);
  expect_cheap_rotors("arm7.urdf", Base::fixed);
}

// rnea.h states about 105 multiplications and 90 additions per body; the bound is somewhat looser than their sum.
TEST(OperationCount, RneaOfAnArmIsLinear) {
  const auto arm = load(std::string(LISSOM_MODELS_DIR) + "/arm7.urdf");
  EXPECT_LE(costs(arm).rnea, 250L * arm.nv());
}

}  // namespace
}  // namespace lissom::test::operation_count
