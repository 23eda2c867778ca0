// Position actuators whose damping is given as a ratio of the critical one. MuJoCo takes the inertia that the actuator
// sees at qpos0 from the diagonal of M: with the transmission dx/dq_j = c_j, 1/m = Σ c_j² / M_jj, kv = 2 ζ √(kp m).
#include <cmath>
#include <optional>
#include <unordered_map>

#include "lissom/io/mjcf/parts.h"
#include "lissom/model/interpretation.h"

namespace lissom::io::mjcf {
namespace {

// Poses of joints and links at qpos0, and what each joint carries, all in the frame of the world.
class AtStart {
 public:
  explicit AtStart(const Reading& reading) : reading_(reading), d_(reading.out) {
    for (std::size_t i = 0; i < d_.links.size(); ++i) link_of_[d_.links[i].name] = i;
    links_.resize(d_.links.size()), joints_.resize(d_.joints.size()), carried_.resize(d_.links.size());
    for (std::size_t j = 0; j < d_.joints.size(); ++j) place(j);  // parents come before what they carry
    for (std::size_t i = 0; i < d_.links.size(); ++i) carried_[i] = inertia_about_origin(d_.links[i], links_[i]);
    for (std::size_t j = d_.joints.size(); j-- > 0;) {
      const RigidInertia<double> child = carried_[link(d_.joints[j].child)];
      carried_[link(d_.joints[j].parent)] += child;
    }
  }

  // The element of the diagonal of M that belongs to a hinge or slide.
  double inertia(const std::string& name) const {
    const std::size_t j = reading_.joints.at(name).index;
    const JointDescription& joint = d_.joints[j];
    const auto& body = carried_[link(joint.child)];
    if (joint.type == JointType::prismatic) return body.mass + joint.armature;
    const auto a = joints_[j].R * joint.axis, p = joints_[j].p, Ia = body.I * a;
    const double ap = dot(a, p);
    return dot(a, Ia) - 2 * (dot(p, body.h) - ap * dot(a, body.h)) + body.mass * (dot(p, p) - ap * ap) + joint.armature;
  }

 private:
  // (In a file with errors, a link may be missing; the world is as good then.)
  std::size_t link(const std::string& name) const {
    const auto found = link_of_.find(name);
    return found == link_of_.end() ? 0 : found->second;
  }
  void place(std::size_t j) {
    const JointDescription& joint = d_.joints[j];
    auto& child = links_[link(joint.child)];
    joints_[j] = child = links_[link(joint.parent)] * joint.origin;
    const auto known = reading_.joints.find(joint.name);
    if (known == reading_.joints.end() || joint.type == JointType::spherical) return;
    const double ref = known->second.ref;
    if (joint.type == JointType::free)
      child = reading_.bodies.at(known->second.body).world;
    else if (joint.type == JointType::prismatic)
      child.p = child * (ref * joint.axis);
    else
      child.R = child.R * rotation_about(joint.axis, ref);
  }

  const Reading& reading_;
  const Description& d_;
  std::unordered_map<std::string_view, std::size_t> link_of_;
  std::vector<Pose<double>> links_, joints_;
  std::vector<RigidInertia<double>> carried_;
};

}  // namespace

void convert_damping_ratios(Reading& reading) {
  std::optional<AtStart> at_start;
  for (auto& actuator : reading.out.actuators) {
    // As MuJoCo tells them: a spring towards the command, with a damping that would drive.
    if (!(actuator.bias[2] > 0) || actuator.gain != -actuator.bias[1]) continue;
    if (!at_start) at_start.emplace(reading);
    double inverse = 0;
    if (actuator.tendon.empty()) {
      inverse = actuator.gear * actuator.gear / at_start->inertia(actuator.joint);
    } else {
      for (const auto& term : reading.out.tendons[reading.tendons.at(actuator.tendon).index].terms)
        inverse += std::pow(actuator.gear * term.coefficient, 2) / at_start->inertia(term.joint);
    }
    const double damping = 2 * actuator.bias[2] * std::sqrt(actuator.gain / inverse);
    actuator.bias[2] = std::isfinite(damping) ? -damping : 0;
  }
}

}  // namespace lissom::io::mjcf
