// Derivatives of a robot's step: of M w + D (v⁺ - v*) + h rnea(q', v', a) - h f = Jᵀ p with w = v⁺ - v* - h a and D the
// implicit terms on the diagonal of M̃ (docs/contact.md, "Derivative of a step"); q' and v' are those of the middle.
#include <algorithm>
#include <cmath>

#include "lissom/world/robot_memory.h"

namespace lissom::worlds {
namespace {

// The derivatives of q ⊕ dt v of one joint, in the tangent spaces, are dq = Ad exp(-dt v) and dv = dt times the right
// Jacobian of dt v, here by their series in -ad(dt v). (Steps are short: a few terms suffice.)
Unit::CurvedBlock of_joint(const CurvedJoint& joint, const double* v, double dt) {
  using Square = Eigen::Matrix<double, 6, 6>;
  Square ad = Square::Zero();
  const auto write_skew = [&](int row, int column, const double* w) {
    const double x = -dt * w[0], y = -dt * w[1], z = -dt * w[2];
    ad(row, column + 1) = -z, ad(row, column + 2) = y, ad(row + 1, column) = z;
    ad(row + 1, column + 2) = -x, ad(row + 2, column) = -y, ad(row + 2, column + 1) = x;
  };
  const double* const u = v + joint.first;
  if (joint.type == JointType::free) {
    write_skew(0, 0, u + 3), write_skew(3, 3, u + 3), write_skew(0, 3, u);
  } else if (joint.type == JointType::spherical) {
    write_skew(0, 0, u);
  } else {  // planar: two lengths and an angle
    ad(0, 1) = dt * u[2], ad(1, 0) = -dt * u[2], ad(0, 2) = -dt * u[1], ad(1, 2) = dt * u[0];
  }
  Unit::CurvedBlock block;
  block.first = joint.first, block.count = joint.count;
  Square term = Square::Identity();
  block.dq = term, block.dv = dt * term;
  for (int k = 1; k < 60; ++k) {
    term = (ad * term).eval() / k;
    block.dq += term, block.dv += dt / (k + 1) * term;
    if (!(term.cwiseAbs().maxCoeff() > 1e-17)) break;
  }
  return block;
}

}  // namespace

RobotUnit::Derivatives& RobotUnit::derivatives() const {
  if (!derivatives_) derivatives_ = std::make_unique<Derivatives>(model_);
  return *derivatives_;
}

void RobotUnit::differentiate(double h, const MotionColumns& to) {
  auto& m = *memory_;
  auto& d = derivatives();
  const int n = nv(), stride = d.stride;
  const double *const at_start = d.start_q.data(), *const at_middle = d.middle_q.data(),
                      *const of_v = d.middle_v.data();
  d.change = v_end - v_start - h * a;
  Unchecked(d.weightless, d.weightless_work)
      .rnea_derivatives(*d.weightless_scratch, q.data(), d.zero.data(), d.change.data(), d.start_q.data(),
                        d.start_v.data(), d.M.data());
  Unchecked middle(model_, d.work);
  middle.rnea_derivatives(*d.scratch, m.q_middle.data(), m.v_middle.data(), a.data(), d.middle_q.data(),
                          d.middle_v.data(), d.M.data());
  const double before = euler ? 0 : .5 * h;  // of the middle
  for (int i = 0; i < n; ++i) {
    double* const line = to.W + i * to.stride;
    const int row = i * stride;
    for (int j = 0; j < n; ++j) {
      line[to.q + j] = -at_start[row + j] - h * at_middle[row + j];
      line[to.v + j] = -h * (of_v[row + j] + before * at_middle[row + j]);
    }
  }
  if (!m.curved.empty()) d.v_before = v_start + .25 * h * a;
  for (const auto& joint : m.curved) {
    if (euler) break;
    // There the middle of the step depends on q and v by more than 1 and h/2.
    const auto block = of_joint(joint, d.v_before.data(), .5 * h);
    const int count = block.count;
    for (int i = 0; i < n; ++i) {
      const double* const from = at_middle + i * stride + block.first;
      double *const to_q = to.W + i * to.stride + to.q + block.first, *const to_v = to_q - to.q + to.v;
      for (int j = 0; j < count; ++j) {
        double of_q = from[j], of_rate = .5 * h * of_q;
        for (int k = 0; k < count; ++k) of_q -= from[k] * block.dq(k, j), of_rate -= from[k] * block.dv(k, j);
        to_q[j] += h * of_q, to_v[j] += h * of_rate;
      }
    }
  }
  // What joints have by themselves (explicit_forces), on the diagonal.
  for (int i = 0; i < n; ++i) {
    double* const line = to.W + i * to.stride;
    // (A servo that is a row moves the row instead: contact_changes.cpp.)
    const bool constant = limited_[std::size_t(i)] || (!has_servo(i) && std::abs(tau[i]) > m.effort_limit[i]);
    line[to.tau + i] = constant ? 0 : h;
    line[to.v + i] -= h * (m.damping[i] + .5 * h * m.stiffness[i]);
    line[to.q + i] -= h * m.stiffness[i];
    if (!has_servo(i) || constant) continue;
    line[to.v + i] -= h * (servos_.damping[i] + h * servos_.stiffness[i]);
    line[to.q + i] -= h * servos_.stiffness[i];
  }
}

void RobotUnit::differentiate_mass(double h, const std::string& link, double* to, int stride) {
  auto& m = *memory_;
  auto& d = derivatives();
  auto found = d.heavier.find(link);
  if (found == d.heavier.end()) {
    auto description = model_.description();
    for (auto& one : description.links) {
      if (!link.empty() && one.name != link) continue;
      one.mass *= 2;
      auto& I = one.inertia;
      I = {2 * I.xx, 2 * I.xy, 2 * I.xz, 2 * I.yy, 2 * I.yz, 2 * I.zz};
    }
    found = d.heavier.try_emplace(link, build(description, model_.options()).with_gravity(model_.gravity())).first;
  }
  auto& other = found->second;
  d.change = v_end - v_start - h * a;
  const auto subtract = [&](const Model& heavier, Workspace& work, const Model& model, Workspace& own,
                            const double* at_q, const double* at_v, const double* at_a, double factor) {
    Unchecked(heavier, work).rnea(at_q, at_v, at_a, nullptr, d.force.data());
    Unchecked(model, own).rnea(at_q, at_v, at_a, nullptr, d.other_force.data());
    for (int i = 0; i < nv(); ++i) to[i * stride] -= factor * (d.force[i] - d.other_force[i]);
  };
  subtract(other.weightless, other.weightless_work, d.weightless, d.weightless_work, q.data(), d.zero.data(),
           d.change.data(), 1);
  subtract(other.model, other.work, model_, d.work, m.q_middle.data(), m.v_middle.data(), a.data(), h);
}

void RobotUnit::chain(int body, std::vector<ChainEntry>& to) const {
  auto& m = *memory_;
  const auto before = to.size();
  const auto axis = [](const Columns6& columns, int i) -> SpatialVector {
    const double* const s = columns.col(i).data();
    return {{s[0], s[1], s[2]}, {s[3], s[4], s[5]}};
  };
  if (!m.has_followers) {
    for (int i = m.last_dof_of_body[std::size_t(body)]; i >= 0; i = m.parent[std::size_t(i)])
      to.push_back({i, m.group_of_dof[std::size_t(i)], axis(m.axes, i)});
  } else {
    // What a body's own joint adds to the columns of its parent. Columns of joints with several degrees of freedom turn
    // together; no joint that mimics another has several.
    Unchecked at(model_, m.work);
    const ModelView<double> view(model_);
    const auto origin = Vec3<double>{0, 0, 0};
    Columns6 of_parent(6, nv());
    for (int b = body; b != world; b = view.tree.bodies[std::size_t(b)].parent) {
      at.jacobian(b, origin, identity3<double>(), m.columns.data());
      of_parent.setZero();
      if (const int parent = view.tree.bodies[std::size_t(b)].parent; parent != world)
        at.jacobian(parent, origin, identity3<double>(), of_parent.data());
      for (int i = nv() - 1; i >= 0; --i) {
        const Vector6 own = m.columns.col(i) - of_parent.col(i);
        if (!(own.cwiseAbs().maxCoeff() > 1e-12)) continue;
        to.push_back({i, b, {{own[0], own[1], own[2]}, {own[3], own[4], own[5]}}});
      }
    }
  }
  std::reverse(to.begin() + long(before), to.end());
}

void RobotUnit::differentiate_motion(double h, std::vector<CurvedBlock>& to) const {
  for (const auto& joint : memory_->curved) to.push_back(of_joint(joint, v_mean.data(), h));
}

}  // namespace lissom::worlds
