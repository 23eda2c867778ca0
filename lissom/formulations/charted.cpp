#include "lissom/formulations/charted.h"

#include <cmath>

#include "lissom/spatial/rotation_checks.h"

namespace lissom::formulations {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::map<std::string, Chart> by_name(const std::map<std::string, std::string>& names) {
  std::map<std::string, Chart> charts;
  for (const auto& [joint, name] : names) charts.emplace(joint, chart(name));
  return charts;
}
// The transposed rotation matrix of the plane: takes x and y of a planar joint to its child's axes.
Eigen::Matrix2d inverse_rotation(double angle) {
  Eigen::Matrix2d R;
  R << std::cos(angle), std::sin(angle), -std::sin(angle), std::cos(angle);
  return R;
}

}  // namespace

Charted::Charted(const Model& model, const std::map<std::string, std::string>& charts, const std::string& otherwise)
    : Charted(model, by_name(charts), chart(otherwise)) {}

Charted::Charted(const Model& model, const std::map<std::string, Chart>& charts, const Chart& otherwise)
    : mechanism_(model) {
  for (const auto& [joint, unused] : charts)
    if (!joint_traits(model.joint(joint).type).has_quaternion())
      throw Error("joint '" + joint + "' is " + to_string(model.joint(joint).type) +
                  ", expected a free or spherical joint: only these have a chart");
  for (const auto& joint : model.joints()) {
    if (joint.nv == 0) continue;
    Slot slot{joint.name, joint.type, size_, joint.nq, joint.q_index, joint.v_index, joint.nv, {}, constraints_};
    if (const auto& traits = joint_traits(joint.type); traits.has_quaternion()) {
      const auto chosen = charts.find(joint.name);
      slot.chart = chosen == charts.end() ? otherwise : chosen->second;
      slot.size = traits.quaternion() + slot.chart->size();
      constraints_ += slot.chart->constraints();
    }
    size_ += slot.size;
    slots_.push_back(std::move(slot));
  }
}

VectorXd Charted::from_model(const VectorIn& q) const {
  check_configuration(mechanism_, q);
  VectorXd x(size_);
  for (const auto& s : slots_) {
    if (!s.chart) {
      x.segment(s.at, s.size) = q.segment(s.q_index, s.size);
      continue;
    }
    const int before = s.size - s.chart->size();  // the position of a free joint
    x.segment(s.at, before) = q.segment(s.q_index, before);
    const double* w = q.data() + s.q_index + before;
    x.segment(s.at + before, s.chart->size()) =
        s.chart->coordinates(matrix(normalized(Quaternion<double>{w[0], w[1], w[2], w[3]})));
  }
  return x;
}

VectorXd Charted::to_model(const VectorIn& charted) const {
  check_vector(charted, size_, "charted coordinates");
  VectorXd q(mechanism_.nq);
  for (const auto& s : slots_) {
    if (!s.chart) {
      q.segment(s.q_index, s.size) = charted.segment(s.at, s.size);
      continue;
    }
    const int before = s.size - s.chart->size();
    q.segment(s.q_index, before) = charted.segment(s.at, before);
    const VectorXd theta = charted.segment(s.at + before, s.chart->size());
    s.chart->check(theta);
    const auto w = quaternion_of(orthonormal(s.chart->rotation(theta)));
    q.segment(s.q_index + before, 4) << w.w, w.x, w.y, w.z;
  }
  return q;
}

MatrixXd Charted::velocity_map(const VectorIn& charted) const {
  check_vector(charted, size_, "charted coordinates");
  MatrixXd E = MatrixXd::Zero(mechanism_.nv, size_);
  for (const auto& s : slots_) {
    auto block = E.block(s.v_index, s.at, s.nv, s.size);
    if (joint_traits(s.type).manifold == ManifoldKind::se2) {
      block.topLeftCorner<2, 2>() = inverse_rotation(charted[s.at + 2]);
      block(2, 2) = 1;
    } else if (!s.chart) {
      block.setIdentity();
    } else {
      const int before = s.size - s.chart->size();
      const VectorXd theta = charted.segment(s.at + before, s.chart->size());
      block.bottomRightCorner(3, s.chart->size()) = s.chart->rate_map(theta, ExpressedIn::body_axes);
      if (before) block.topLeftCorner<3, 3>() = to_eigen(s.chart->rotation(theta)).transpose();
    }
  }
  return E;
}

MatrixXd Charted::velocity_map_rate(const VectorIn& charted, const VectorIn& rates) const {
  check_vector(charted, size_, "charted coordinates");
  check_vector(rates, size_, "rates");
  MatrixXd E_rate = MatrixXd::Zero(mechanism_.nv, size_);
  for (const auto& s : slots_) {
    auto block = E_rate.block(s.v_index, s.at, s.nv, s.size);
    if (joint_traits(s.type).manifold == ManifoldKind::se2) {
      // d/dt of the inverse rotation by φ is the inverse rotation by φ + π/2, times φ̇.
      block.topLeftCorner<2, 2>() = inverse_rotation(charted[s.at + 2] + 2 * std::atan(1.0)) * rates[s.at + 2];
    } else if (s.chart) {
      const int before = s.size - s.chart->size();
      const VectorXd theta = charted.segment(s.at + before, s.chart->size());
      const VectorXd theta_rate = rates.segment(s.at + before, s.chart->size());
      block.bottomRightCorner(3, s.chart->size()) = s.chart->rate_map_rate(theta, theta_rate, ExpressedIn::body_axes);
      if (before)  // d/dt Rᵀ = -[ω] Rᵀ, with ω along the body's axes
        block.topLeftCorner<3, 3>() =
            -cross_matrix(to_eigen(s.chart->angular_velocity(theta, theta_rate, ExpressedIn::body_axes))) *
            to_eigen(s.chart->rotation(theta)).transpose();
    }
  }
  return E_rate;
}

MatrixXd Charted::rates_map(const VectorIn& charted) const {
  check_vector(charted, size_, "charted coordinates");
  MatrixXd inverse = MatrixXd::Zero(size_, mechanism_.nv);
  for (const auto& s : slots_) {
    auto block = inverse.block(s.at, s.v_index, s.size, s.nv);
    if (joint_traits(s.type).manifold == ManifoldKind::se2) {
      block.topLeftCorner<2, 2>() = inverse_rotation(charted[s.at + 2]).transpose();
      block(2, 2) = 1;
    } else if (!s.chart) {
      block.setIdentity();
    } else {
      const int before = s.size - s.chart->size();
      const VectorXd theta = charted.segment(s.at + before, s.chart->size());
      for (int k = 0; k < 3; ++k)
        block.bottomRightCorner(s.chart->size(), 3).col(k) =
            s.chart->rates(theta, Vec3<double>(k == 0, k == 1, k == 2), ExpressedIn::body_axes);
      if (before) block.topLeftCorner<3, 3>() = to_eigen(s.chart->rotation(theta));
    }
  }
  return inverse;
}

VectorXd Charted::constraint(const VectorIn& charted) const {
  check_vector(charted, size_, "charted coordinates");
  VectorXd C(constraints_);
  for (const auto& s : slots_)
    if (s.chart)
      C.segment(s.constraint, s.chart->constraints()) =
          s.chart->constraint(charted.segment(s.at + s.size - s.chart->size(), s.chart->size()));
  return C;
}
MatrixXd Charted::constraint_jacobian(const VectorIn& charted) const {
  check_vector(charted, size_, "charted coordinates");
  MatrixXd J = MatrixXd::Zero(constraints_, size_);
  for (const auto& s : slots_)
    if (s.chart) {
      const int at = s.at + s.size - s.chart->size();
      J.block(s.constraint, at, s.chart->constraints(), s.chart->size()) =
          s.chart->constraint_jacobian(charted.segment(at, s.chart->size()));
    }
  return J;
}
VectorXd Charted::constraint_bias(const VectorIn& charted, const VectorIn& rates) const {
  check_vector(charted, size_, "charted coordinates");
  check_vector(rates, size_, "rates");
  VectorXd bias(constraints_);
  for (const auto& s : slots_)
    if (s.chart) {
      const int at = s.at + s.size - s.chart->size(), n = s.chart->size();
      bias.segment(s.constraint, s.chart->constraints()) =
          s.chart->constraint_bias(charted.segment(at, n), rates.segment(at, n));
    }
  return bias;
}

Charted::WorstChart Charted::worst_chart(const VectorIn& charted) const {
  check_vector(charted, size_, "charted coordinates");
  WorstChart worst;
  for (const auto& s : slots_)
    if (s.chart) {
      const double found =
          s.chart->inverse_condition(charted.segment(s.at + s.size - s.chart->size(), s.chart->size()));
      if (found < worst.inverse_condition) worst = {s.joint, found};
    }
  return worst;
}

}  // namespace lissom::formulations
