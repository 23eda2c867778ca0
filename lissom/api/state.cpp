#include "lissom/api/state.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "lissom/tree/manifold.h"

namespace lissom {
namespace {

using Out = Eigen::Ref<Eigen::VectorXd>;
using Q = Quaternion<double>;

void put(Out out, int at, const Q& a) {
  out.segment<4>(at) << a.w, a.x, a.y, a.z;
}
void expect(const char* name, const VectorIn& x, int size) {
  if (x.size() != size)
    throw Error(std::string(name) + " has " + std::to_string(x.size()) + " numbers; this model expects " +
                std::to_string(size));
  for (long i = 0; i < x.size(); ++i)
    if (!std::isfinite(x[i]))
      throw Error(std::string(name) + "[" + std::to_string(i) + "] is not finite; expected a finite number");
}

// q, with quaternions of length 1.
void expect_configuration(const char* name, const Model& model, const VectorIn& q) {
  expect(name, q, model.nq());
  for (const int at : model.quaternions())
    if (const double length = q.segment<4>(at).norm(); std::abs(length - 1) > 1e-6)
      throw Error(std::string(name) + "[" + std::to_string(at) + " … " + std::to_string(at + 3) +
                  "], a quaternion (w x y z), has length " + std::to_string(length) +
                  "; expected 1: call normalise(model, q) first");
}

}  // namespace

Eigen::VectorXd neutral(const Model& model) {
  Eigen::VectorXd q = Eigen::VectorXd::Zero(model.nq());
  for (int i = 0; i < model.nq(); ++i)
    q[i] = std::clamp(0.0, model.lower()[std::size_t(i)], model.upper()[std::size_t(i)]);
  for (const int at : model.quaternions()) put(q, at, Q{1, 0, 0, 0});
  return q;
}

Eigen::VectorXd random_configuration(const Model& model, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  // Of our own: the standard distributions give other numbers with another library.
  const auto uniform = [&](double low, double high) { return low + (high - low) * (double(engine() >> 11) * 0x1p-53); };
  Eigen::VectorXd q(model.nq());
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
  return q;
}

void integrate(const Model& model, const VectorIn& q, const VectorIn& v, double dt, Out result) {
  expect_configuration("q", model, q);
  expect("v", v, model.nv());
  if (!std::isfinite(dt)) throw Error("dt is not finite; expected seconds");
  if (result.size() != model.nq())
    throw Error("result has " + std::to_string(result.size()) + " numbers; expected " + std::to_string(model.nq()));
  integrate(model.manifold(), q.data(), v.data(), dt, result.data());
}

void difference(const Model& model, const VectorIn& q0, const VectorIn& q1, Out result) {
  expect_configuration("q0", model, q0);
  expect_configuration("q1", model, q1);
  if (result.size() != model.nv())
    throw Error("result has " + std::to_string(result.size()) + " numbers; expected " + std::to_string(model.nv()));
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
Eigen::VectorXd interpolate(const Model& model, const VectorIn& q0, const VectorIn& q1, double t) {
  if (!std::isfinite(t)) throw Error("t is not finite; expected 0 for q0, 1 for q1, between for between");
  return integrate(model, q0, difference(model, q0, q1), t);
}
Eigen::VectorXd normalise(const Model& model, const VectorIn& q) {
  expect("q", q, model.nq());
  Eigen::VectorXd result = q;
  for (const int at : model.quaternions()) {
    const double length = q.segment<4>(at).norm();
    if (!(length > 1e-12))
      throw Error("q[" + std::to_string(at) + " … " + std::to_string(at + 3) +
                  "], a quaternion (w x y z), is zero: it stands for no orientation; expected e.g. (1, 0, 0, 0)");
    result.segment<4>(at) /= length;
  }
  return result;
}

}  // namespace lissom
