// Damping that is given as a ratio of the critical one, by the inertia at qpos0. MuJoCo takes the one that a
// transmission J = dx/dq sees, 1/m = J M⁻¹ Jᵀ, where all other joints are free to move.
// Position actuators: kv = 2 ζ √(kp m). Joints, with a time constant t: stiffness m / (t ζ)², damping 2 m / t.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>

#include "lissom/io/mjcf/parts.h"
#include "lissom/model/interpretation.h"
#include "lissom/spatial/articulated_inertia.h"

namespace lissom::io::mjcf {
namespace {

// I - U Uᵀ / D
void take_off(ArticulatedInertia<double>& I, const Force<double>& U, double D) {
  const Force<double> V = U * (-1 / D);
  I += {symmetric_outer(U.angular, V.angular), outer(U.angular, V.linear), symmetric_outer(U.linear, V.linear)};
}

// The articulated-body algorithm at qpos0 and at rest, with everything along the axes and about the origin of the
// world. Only joints between an actuated one and the world take part in a response.
class AtStart {
 public:
  explicit AtStart(const Reading& reading) : reading_(reading), d_(reading.out) {
    for (std::size_t i = 0; i < d_.links.size(); ++i) link_of_[d_.links[i].name] = i;
    links_.resize(d_.links.size()), above_.resize(d_.links.size()), joints_.resize(d_.joints.size());
    for (std::size_t j = 0; j < d_.joints.size(); ++j) place(j);  // parents come before what they carry
    std::vector<ArticulatedInertia<double>> inertia;
    for (std::size_t i = 0; i < d_.links.size(); ++i)
      inertia.emplace_back(inertia_about_origin(d_.links[i], links_[i]));
    for (std::size_t j = d_.joints.size(); j-- > 0;) {
      auto& I = inertia[link(d_.joints[j].child)];
      for (auto dof = joints_[j].rbegin(); dof != joints_[j].rend(); ++dof) {
        dof->U = I * dof->s;
        dof->D = dot(dof->s, dof->U) + d_.joints[j].armature;
        if (dof->D > 0) take_off(I, dof->U, dof->D);
      }
      inertia[link(d_.joints[j].parent)] += I;
    }
  }

  // J M⁻¹ Jᵀ for J with these elements, by the index of hinges and slides.
  double inverse_inertia(const std::map<std::size_t, double>& J) const {
    struct Response {
      double tau = 0;
      Force<double> p{{0, 0, 0}, {0, 0, 0}};
      std::vector<double> u;
      Motion<double> a{{0, 0, 0}, {0, 0, 0}};
    };
    std::map<std::size_t, Response> path;
    for (const auto& [joint, coefficient] : J) {
      path[joint].tau = coefficient;
      for (auto above = above_[link(d_.joints[joint].parent)]; above; above = above_[link(d_.joints[*above].parent)])
        path[*above];
    }
    for (auto entry = path.rbegin(); entry != path.rend(); ++entry) {
      auto& [joint, response] = *entry;
      const auto& dofs = joints_[joint];
      response.u.resize(dofs.size());
      for (std::size_t k = dofs.size(); k-- > 0;) {
        const Dof& dof = dofs[k];
        response.u[k] = response.tau - dot(dof.s, response.p);
        if (dof.D > 0) response.p += dof.U * (response.u[k] / dof.D);
      }
      if (const auto above = above_[link(d_.joints[joint].parent)]) path[*above].p += response.p;
    }
    double sum = 0;
    for (auto& [joint, response] : path) {
      if (const auto above = above_[link(d_.joints[joint].parent)]) response.a = path[*above].a;
      for (std::size_t k = 0; k < joints_[joint].size(); ++k) {
        const Dof& dof = joints_[joint][k];
        const double acceleration = dof.D > 0 ? (response.u[k] - dot(response.a, dof.U)) / dof.D : 0;
        response.a += acceleration * dof.s;
        sum += response.tau * acceleration;
      }
    }
    return sum;
  }

 private:
  struct Dof {
    Motion<double> s;
    Force<double> U{{0, 0, 0}, {0, 0, 0}};
    double D = 0;
  };

  // (In a file with errors, a link may be missing; the world is as good then.)
  std::size_t link(const std::string& name) const {
    const auto found = link_of_.find(name);
    return found == link_of_.end() ? 0 : found->second;
  }
  void place(std::size_t j) {
    const JointDescription& joint = d_.joints[j];
    auto& child = links_[link(joint.child)];
    const Pose<double> X = child = links_[link(joint.parent)] * joint.origin;
    if (link(joint.child) != 0) above_[link(joint.child)] = j;
    const auto known = reading_.joints.find(joint.name);
    if (known == reading_.joints.end()) return;
    const double ref = known->second.ref;
    const Vec3<double> axis = X.R * joint.axis;
    if (joint.type == JointType::free)
      child = reading_.bodies.at(known->second.body).world;
    else if (joint.type == JointType::prismatic)
      child.p = child.p + ref * axis;
    else if (joint.type != JointType::spherical)
      child.R = child.R * rotation_about(joint.axis, ref);
    const auto rotate = [&](const Vec3<double>& a) { joints_[j].push_back({{a, cross(child.p, a)}}); };
    const auto slide = [&](const Vec3<double>& a) { joints_[j].push_back({{{0, 0, 0}, a}}); };
    const Vec3<double> axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (joint.type == JointType::prismatic) return slide(axis);
    if (joint_traits(joint.type).nv() == 1) return rotate(axis);
    for (const auto& e : axes) rotate(e);
    if (joint.type == JointType::free)
      for (const auto& e : axes) slide(e);
  }

  const Reading& reading_;
  const Description& d_;
  std::unordered_map<std::string_view, std::size_t> link_of_;
  std::vector<Pose<double>> links_;
  std::vector<std::optional<std::size_t>> above_;  // for each link: the joint that moves it
  std::vector<std::vector<Dof>> joints_;
};

}  // namespace

void convert_spring_dampers(Reading& reading) {
  if (reading.spring_dampers.empty()) return;
  const AtStart at_start(reading);
  constexpr double min_value = 1e-15;  // of MuJoCo
  for (const auto& [name, time_constant, ratio] : reading.spring_dampers) {
    const std::size_t index = reading.joints.at(name).index;
    auto& joint = reading.out.joints[index];
    const std::map<std::size_t, double> J{{index, 1.}};
    const double inertia = 1 / at_start.inverse_inertia(J);
    if (!std::isfinite(inertia)) continue;
    joint.spring_stiffness = inertia / std::max(min_value, time_constant * time_constant * ratio * ratio);
    joint.damping = 2 * inertia / std::max(min_value, time_constant);
  }
}

void convert_damping_ratios(Reading& reading) {
  std::optional<AtStart> at_start;
  for (auto& actuator : reading.out.actuators) {
    // As MuJoCo tells them: a spring towards the command, with a damping that would drive.
    if (!(actuator.bias[2] > 0) || actuator.gain != -actuator.bias[1]) continue;
    if (!at_start) at_start.emplace(reading);
    std::map<std::size_t, double> J;
    if (actuator.tendon.empty())
      J[reading.joints.at(actuator.joint).index] = actuator.gear;
    else
      for (const auto& term : reading.out.tendons[reading.tendons.at(actuator.tendon).index].terms)
        J[reading.joints.at(term.joint).index] = actuator.gear * term.coefficient;
    const double damping = 2 * actuator.bias[2] * std::sqrt(actuator.gain / at_start->inverse_inertia(J));
    actuator.bias[2] = std::isfinite(damping) ? -damping : 0;
  }
}

}  // namespace lissom::io::mjcf
