#include "lissom/formulations/reroot.h"

#include <algorithm>
#include <unordered_map>

#include "lissom/formulations/joint_forms.h"

namespace lissom::formulations {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

const JointDescription* joint_above(const Description& d, const std::string& link) {
  const auto found = std::ranges::find_if(d.joints, [&](const auto& j) { return j.child == link; });
  return found == d.joints.end() ? nullptr : &*found;
}

std::string seat_name(const JointDescription& joint) {
  return joint.parent + "@" + joint.name;
}

Model rebuilt(const Model& model, const std::string& base_link) {
  if (model.joints().empty() || model.joints()[0].type != JointType::free ||
      joint_above(model.description(), model.joints()[0].child))
    throw Error("'" + model.name() +
                "' does not stand on a free base: only then may another link be the base; load it with Base::free");
  return build(rerooted(model.description(), base_link), model.options());
}

}  // namespace

Description rerooted(const Description& description, const std::string& base_link) {
  if (std::ranges::none_of(description.links, [&](const auto& l) { return l.name == base_link; }))
    throw Error("no link is called '" + base_link + "'");
  Description d = description;
  // The joints from the new base up to the old one.
  std::vector<JointDescription> way;
  for (const auto* j = joint_above(description, base_link); j; j = joint_above(description, j->parent))
    way.push_back(*j);
  for (const auto& joint : way) {
    LinkDescription seat;
    seat.name = seat_name(joint);
    seat.line = joint.line;
    d.links.push_back(seat);
    JointDescription weld;
    weld.name = seat.name;
    weld.parent = seat.name, weld.child = joint.parent;
    weld.origin = inverse(joint.origin);
    weld.line = joint.line;
    auto& old = *std::ranges::find_if(d.joints, [&](const auto& j) { return j.name == joint.name; });
    old = reversed_joint(joint, joint.child, seat.name);
    d.joints.push_back(weld);
  }
  return d;
}

Rerooted::Rerooted(const Model& model, const std::string& base_link)
    : old_(model), model_(rebuilt(model, base_link)), new_(model_) {}

MaximalState Rerooted::carried_over(const MaximalState& old) const {
  std::unordered_map<std::string, std::size_t> place;
  for (std::size_t k = 0; k < old_.links.size(); ++k) place[old_.links[k].name] = k;
  MaximalState state;
  for (const auto& link : new_.links) {
    if (const auto found = place.find(link.name); found != place.end()) {
      state.X.push_back(old.X[found->second]);
      state.V.push_back(old.V[found->second]);
      continue;
    }
    // A seat moves with the link that hangs on it: "parent@joint".
    const auto& hanging = *std::ranges::find_if(new_.links, [&](const auto& l) { return l.joint == link.name; });
    const auto k = place.at(hanging.name);
    const auto X = old.X[k] * inverse(hanging.origin);
    const Eigen::Vector3d omega = old.V[k].tail<3>();
    Vector6 V;
    V << old.V[k].head<3>() + omega.cross(in_eigen(X.p - old.X[k].p)), omega;
    state.X.push_back(X);
    state.V.push_back(V);
  }
  return state;
}

Rerooted::State Rerooted::convert(const VectorIn& q, const VectorIn& v, const VectorXd* near) const {
  // Angles keep their values: look for them near the old ones.
  check_configuration(old_, q);
  VectorXd old_values = VectorXd::Zero(new_.nq);
  for (const auto& link : new_.links) {
    const auto old = std::ranges::find_if(old_.links, [&](const auto& l) { return l.joint == link.joint; });
    if (old == old_.links.end() || link.follows || link.type == JointType::fixed || link.parent < 0) continue;
    const bool turned = new_.links[std::size_t(link.parent)].name == old->name;  // its old child is its parent now
    if (joint_traits(link.type).has_quaternion()) continue;
    const VectorXd values = q.segment(old->q, link.nv);
    old_values.segment(link.q, link.nv) = turned ? reversed_coordinates(link.type, values) : values;
  }
  auto g = to_generalized(new_, carried_over(to_maximal(old_, q, v)), near ? near : &old_values);
  if (const auto broken = g.worst(1e-6); !broken.empty())
    throw Error("re-rooted at '" + new_.links[0].name + "': " + broken + "; give `near` a q close to the state");
  return {std::move(g.q), std::move(g.v)};
}

MatrixXd Rerooted::velocity_map(const VectorIn& q) const {
  MatrixXd A(new_.nv, old_.nv);
  VectorXd unit = VectorXd::Zero(old_.nv);
  for (int j = 0; j < old_.nv; ++j) {
    unit[j] = 1;
    A.col(j) = convert(q, unit).v;
    unit[j] = 0;
  }
  return A;
}

}  // namespace lissom::formulations
