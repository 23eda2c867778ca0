#include "lissom/api/state.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "lissom/math/random.h"
#include "lissom/model/arguments.h"
#include "lissom/tree/manifold.h"

namespace lissom {
namespace {

using Q = Quaternion<double>;

void put(VectorOut out, int at, const Q& a) {
  out.segment<4>(at) << a.w, a.x, a.y, a.z;
}
void expect_vector(const char* name, const VectorIn& x, int size) {
  expect_size(name, x.size(), size);
  expect_finite(name, x.data(), size);
}
void expect_configuration(const char* name, const Model& model, const VectorIn& q) {
  expect_vector(name, q, model.nq());
  expect_unit_quaternions(name, model, q.data());
}

}  // namespace

void neutral(const Model& model, VectorOut q) {
  expect_size("q", q.size(), model.nq());
  for (int i = 0; i < model.nq(); ++i)
    q[i] = std::clamp(0.0, model.lower()[std::size_t(i)], model.upper()[std::size_t(i)]);
  for (const int at : model.quaternions()) put(q, at, Q{1, 0, 0, 0});
}
Eigen::VectorXd neutral(const Model& model) {
  Eigen::VectorXd q(model.nq());
  neutral(model, q);
  return q;
}

void random_configuration(const Model& model, std::uint64_t seed, VectorOut q) {
  expect_size("q", q.size(), model.nq());
  std::mt19937_64 engine(seed);
  // Our own distribution: the results of std::uniform_real_distribution depend on the standard library.
  const auto uniform = [&](double low, double high) { return low + (high - low) * uniform01(engine()); };
  for (const auto& joint : model.joints()) {
    const auto& traits = joint_traits(joint.type);
    for (int k = 0; k < joint.nq; ++k) {
      const double reach = traits.is_angle(k) ? std::numbers::pi : 1;
      const double low = model.lower()[std::size_t(joint.q_index + k)],
                   high = model.upper()[std::size_t(joint.q_index + k)];
      const bool from = std::isfinite(low), to = std::isfinite(high);
      q[joint.q_index + k] = uniform(from ? low
                                     : to ? high - 2 * reach
                                          : -reach,
                                     to     ? high
                                     : from ? low + 2 * reach
                                            : reach);
    }
    if (joint.nq > 0 && traits.has_quaternion()) {
      // Shoemake's uniform rotations.
      const double u = uniform(0, 1), a = uniform(0, 2 * std::numbers::pi), b = uniform(0, 2 * std::numbers::pi);
      const double r = std::sqrt(1 - u), s = std::sqrt(u);
      put(q, joint.q_index + traits.quaternion(),
          Q{s * std::cos(b), r * std::sin(a), r * std::cos(a), s * std::sin(b)});
    }
  }
}
Eigen::VectorXd random_configuration(const Model& model, std::uint64_t seed) {
  Eigen::VectorXd q(model.nq());
  random_configuration(model, seed, q);
  return q;
}

void integrate(const Model& model, const VectorIn& q, const VectorIn& v, double dt, VectorOut result) {
  expect_configuration("q", model, q);
  expect_vector("v", v, model.nv());
  expect_finite("dt", dt);
  expect_size("result", result.size(), model.nq());
  integrate(model.manifold(), q.data(), v.data(), dt, result.data());
}

void difference(const Model& model, const VectorIn& q0, const VectorIn& q1, VectorOut result) {
  expect_configuration("q0", model, q0);
  expect_configuration("q1", model, q1);
  expect_size("result", result.size(), model.nv());
  difference(model.manifold(), q0.data(), q1.data(), result.data());
}

Eigen::VectorXd integrate(const Model& model, const VectorIn& q, const VectorIn& v, double dt) {
  Eigen::VectorXd result(model.nq());
  integrate(model, q, v, dt, result);
  return result;
}
Eigen::VectorXd difference(const Model& model, const VectorIn& q0, const VectorIn& q1) {
  Eigen::VectorXd result(model.nv());
  difference(model, q0, q1, result);
  return result;
}
void interpolate(const Model& model, const VectorIn& q0, const VectorIn& q1, double t, VectorOut result) {
  expect_finite("t", t);
  expect_configuration("q0", model, q0);
  expect_configuration("q1", model, q1);
  expect_size("result", result.size(), model.nq());
  for (const auto& p : model.manifold().pieces)
    visit_manifold(p, [&](auto kind) {
      const double *const from = q0.data() + p.q, *const to = q1.data() + p.q;
      double* const x = result.data() + p.q;
      kind.difference(from, to, x);  // which is no longer than the configuration
      kind.integrate(from, x, t, x);
    });
}
Eigen::VectorXd interpolate(const Model& model, const VectorIn& q0, const VectorIn& q1, double t) {
  Eigen::VectorXd result(model.nq());
  interpolate(model, q0, q1, t, result);
  return result;
}
void normalize(const Model& model, const VectorIn& q, VectorOut result) {
  expect_vector("q", q, model.nq());
  expect_size("result", result.size(), model.nq());
  for (const int at : model.quaternions())
    if (!(q.segment<4>(at).norm() > 1e-12))
      throw Error("quaternion " + Argument("q").element(at, 4) +
                  " is zero, expected an orientation such as (1, 0, 0, 0)");
  result = q;
  for (const int at : model.quaternions()) result.segment<4>(at) /= result.segment<4>(at).norm();
}
Eigen::VectorXd normalize(const Model& model, const VectorIn& q) {
  Eigen::VectorXd result(model.nq());
  normalize(model, q, result);
  return result;
}

}  // namespace lissom
