#include "lissom/control/passive_force_law.h"

#include <algorithm>

#include "lissom/model/text.h"

namespace lissom::control {

namespace {

constexpr double friction_horizon = .01;  // s, in which a joint begins to move

}  // namespace

PassiveForceLaw::PassiveForceLaw(const Model& model, const PassiveForces& options)
    : friction_speed_(options.friction_speed) {
  if (!(friction_speed_ > 0))
    throw Error("PassiveForces::friction_speed is " + to_text(friction_speed_) +
                ", expected a positive number (rad/s or m/s)");
  for (const auto& joint : model.joints()) {
    const auto& leader = joint.follows ? model.joints()[std::size_t(joint.follows->joint)] : joint;
    const bool flat = leader.nq == leader.nv;
    for (int k = 0; k < leader.nv; ++k) {
      const Force f{.q = flat ? leader.q_index + k : -1,
                    .v = leader.v_index + k,
                    .ratio = joint.follows ? joint.follows->ratio : 1,
                    .offset = joint.follows ? joint.follows->offset : 0,
                    .stiffness = options.springs && flat ? joint.spring_stiffness[k] : 0,
                    .rest = joint.spring_rest[k],
                    .damping = options.damping ? joint.damping[k] : 0,
                    .friction = options.dry_friction ? joint.dry_friction[k] : 0};
      if (f.stiffness != 0 || f.damping != 0 || f.friction != 0) forces_.push_back(f);
    }
  }
}

void PassiveForceLaw::add(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& a,
                          Eigen::VectorXd& bias) const {
  for (const auto& f : forces_) {
    const double stretch = f.q >= 0 ? f.ratio * q[f.q] + f.offset - f.rest : 0, rate = f.ratio * v[f.v];
    const double soon = rate + friction_horizon * f.ratio * a[f.v];
    const double friction = f.friction * std::clamp(soon / friction_speed_, -1.0, 1.0);
    bias[f.v] += f.ratio * (f.stiffness * stretch + f.damping * rate + friction);
  }
}

}  // namespace lissom::control
