#include "lissom/api/state.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "lissom/spatial/quaternion.h"

namespace lissom {
namespace {

using Out = Eigen::Ref<Eigen::VectorXd>;
using Q = Quaternion<double>;

Q quaternion(const VectorIn& q, int at) {
  return {q[at], q[at + 1], q[at + 2], q[at + 3]};
}
Vec3<double> vec3(const VectorIn& v, int at) {
  return {v[at], v[at + 1], v[at + 2]};
}
void put(Out out, int at, const Q& a) {
  out.segment<4>(at) << a.w, a.x, a.y, a.z;
}
void put(Out out, int at, const Vec3<double>& a) {
  out.segment<3>(at) << a.x, a.y, a.z;
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

int quaternion_at(const Joint& joint) {
  if (joint.nq == 0) return -1;
  return joint.type == JointType::spherical ? joint.q : joint.type == JointType::free ? joint.q + 3 : -1;
}

bool is_angle(const Joint& joint, int k) {
  switch (joint.type) {
    case JointType::prismatic:
      return false;
    case JointType::cylindrical:
      return k == 1;
    case JointType::planar:
      return k == 2;
    case JointType::free:
      return false;
    default:
      return true;
  }
}

void integrate_joint(const Joint& j, const VectorIn& q, const VectorIn& v, double dt, Out out) {
  if (j.type == JointType::spherical) {
    put(out, j.q, normalised(quaternion(q, j.q) * exponential(dt * vec3(v, j.v))));
  } else if (j.type == JointType::free) {
    const auto turn = quaternion(q, j.q + 3);
    const auto phi = dt * vec3(v, j.v + 3), travel = dt * vec3(v, j.v);
    put(out, j.q, vec3(q, j.q) + matrix(turn) * carried_along(phi, travel));
    put(out, j.q + 3, normalised(turn * exponential(phi)));
  } else if (j.type == JointType::planar) {
    const double angle = q[j.q + 2], phi = dt * v[j.v + 2];
    const auto moved = carried_along(Vec3<double>{0, 0, phi}, Vec3<double>{dt * v[j.v], dt * v[j.v + 1], 0});
    const double c = std::cos(angle), s = std::sin(angle);
    const double x = q[j.q] + c * moved.x - s * moved.y, y = q[j.q + 1] + s * moved.x + c * moved.y;
    out.segment<3>(j.q) << x, y, angle + phi;
  } else {
    for (int k = 0; k < j.nq; ++k) out[j.q + k] = q[j.q + k] + dt * v[j.v + k];
  }
}

void difference_joint(const Joint& j, const VectorIn& q0, const VectorIn& q1, Out out) {
  if (j.type == JointType::spherical) {
    put(out, j.v, logarithm(conjugate(quaternion(q0, j.q)) * quaternion(q1, j.q)));
  } else if (j.type == JointType::free) {
    const auto turn = quaternion(q0, j.q + 3);
    const auto phi = logarithm(conjugate(turn) * quaternion(q1, j.q + 3));
    const auto way = transpose_times(matrix(turn), vec3(q1, j.q) - vec3(q0, j.q));
    put(out, j.v, carrying(phi, way));
    put(out, j.v + 3, phi);
  } else if (j.type == JointType::planar) {
    const double c = std::cos(q0[j.q + 2]), s = std::sin(q0[j.q + 2]), phi = q1[j.q + 2] - q0[j.q + 2];
    const double x = q1[j.q] - q0[j.q], y = q1[j.q + 1] - q0[j.q + 1];
    // V(phi)⁻¹ in the plane; whole turns in phi carry nothing further.
    const double half = phi / 2, k = std::abs(phi) < 1e-4 ? 1 - phi * phi / 12 : half * std::cos(half) / std::sin(half);
    const double bx = c * x + s * y, by = -s * x + c * y;
    out.segment<3>(j.v) << k * bx + half * by, k * by - half * bx, phi;
  } else {
    for (int k = 0; k < j.nv; ++k) out[j.v + k] = q1[j.q + k] - q0[j.q + k];
  }
}

}  // namespace

Eigen::VectorXd neutral(const Model& model) {
  Eigen::VectorXd q = Eigen::VectorXd::Zero(model.nq());
  for (int i = 0; i < model.nq(); ++i)
    q[i] = std::clamp(0.0, model.lower()[std::size_t(i)], model.upper()[std::size_t(i)]);
  for (const auto& joint : model.joints())
    if (const int at = quaternion_at(joint); at >= 0) put(q, at, Q{1, 0, 0, 0});
  return q;
}

Eigen::VectorXd random_configuration(const Model& model, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  // Of our own: the standard distributions give other numbers with another library.
  const auto uniform = [&](double low, double high) { return low + (high - low) * (double(engine() >> 11) * 0x1p-53); };
  Eigen::VectorXd q(model.nq());
  for (const auto& joint : model.joints()) {
    for (int k = 0; k < joint.nq; ++k) {
      const double reach = is_angle(joint, k) ? std::numbers::pi : 1;
      const double low = model.lower()[std::size_t(joint.q + k)], high = model.upper()[std::size_t(joint.q + k)];
      const bool from = std::isfinite(low), to = std::isfinite(high);
      q[joint.q + k] = uniform(from ? low : to ? high - 2 * reach : -reach, to ? high : from ? low + 2 * reach : reach);
    }
    if (const int at = quaternion_at(joint); at >= 0) {
      // Shoemake's uniform rotations.
      const double u = uniform(0, 1), a = uniform(0, 2 * std::numbers::pi), b = uniform(0, 2 * std::numbers::pi);
      const double r = std::sqrt(1 - u), s = std::sqrt(u);
      put(q, at, Q{s * std::cos(b), r * std::sin(a), r * std::cos(a), s * std::sin(b)});
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
  for (const auto& joint : model.joints())
    if (joint.nq > 0) integrate_joint(joint, q, v, dt, result);
}

void difference(const Model& model, const VectorIn& q0, const VectorIn& q1, Out result) {
  expect_configuration("q0", model, q0);
  expect_configuration("q1", model, q1);
  if (result.size() != model.nv())
    throw Error("result has " + std::to_string(result.size()) + " numbers; expected " + std::to_string(model.nv()));
  for (const auto& joint : model.joints())
    if (joint.nq > 0) difference_joint(joint, q0, q1, result);
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
  for (const auto& joint : model.joints())
    if (const int at = quaternion_at(joint); at >= 0) {
      const double length = q.segment<4>(at).norm();
      if (!(length > 1e-12))
        throw Error("q[" + std::to_string(at) + " … " + std::to_string(at + 3) + "], the quaternion of joint '" +
                    joint.name + "', is zero: it stands for no orientation; expected e.g. (1, 0, 0, 0)");
      result.segment<4>(at) /= length;
    }
  return result;
}

}  // namespace lissom
