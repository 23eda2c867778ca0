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

// The name of the massless link between a reversed joint and its old parent.
std::string seat_name(const JointDescription& joint) {
  return joint.parent + "@" + joint.name;
}

// What the file says about the old root is said about the new one. `path` has the joints from the new to the old one.
void move_root(Description& d, const std::vector<JointDescription>& path, const std::string& base_link) {
  if (path.empty()) return;
  const std::string old_root = path.back().parent;
  if (const auto root = std::ranges::find(d.roots, old_root, &RootDescription::link); root != d.roots.end()) {
    root->link = base_link;
    for (auto joint = path.rbegin(); joint != path.rend(); ++joint) root->placement = root->placement * joint->origin;
  }
  // Coordinates of the old base are not those of the new one.
  for (PostureDescription& posture : d.postures)
    std::erase_if(posture.positions, [&](const auto& position) {
      return position.joint == "base" || position.joint == "base:" + old_root;
    });
}

Model rebuilt(const Model& model, const std::string& base_link) {
  if (model.joints().empty() || model.joints()[0].type != JointType::free ||
      joint_above(model.description(), model.joints()[0].child))
    throw Error("model '" + model.name() +
                "' has no free base, which is needed to change the base link; load it with Base::free");
  return build(rerooted(model.description(), base_link), model.options());
}

}  // namespace

Description rerooted(const Description& description, const std::string& base_link) {
  if (std::ranges::none_of(description.links, [&](const auto& l) { return l.name == base_link; }))
    throw Error("no link '" + base_link + "'");
  Description d = description;
  // The joints from the new base to the old one.
  std::vector<JointDescription> path;
  for (const auto* j = joint_above(description, base_link); j; j = joint_above(description, j->parent))
    path.push_back(*j);
  for (const auto& joint : path) {
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
  move_root(d, path, base_link);
  return d;
}

Rerooted::Rerooted(const Model& model, const std::string& base_link)
    : old_(model), model_(rebuilt(model, base_link)), new_(model_) {}

MaximalState Rerooted::state_of_new_links(const MaximalState& old) const {
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t k = 0; k < old_.links.size(); ++k) index[old_.links[k].name] = k;
  MaximalState state;
  for (const auto& link : new_.links) {
    if (const auto found = index.find(link.name); found != index.end()) {
      state.X.push_back(old.X[found->second]);
      state.V.push_back(old.V[found->second]);
      continue;
    }
    // The massless link "parent@joint" moves with the link that is fixed to it.
    const auto& attached = *std::ranges::find_if(new_.links, [&](const auto& l) { return l.joint == link.name; });
    const auto k = index.at(attached.name);
    const auto X = old.X[k] * inverse(attached.origin);
    const Eigen::Vector3d omega = old.V[k].tail<3>();
    Vector6 V;
    V << old.V[k].head<3>() + omega.cross(to_eigen(X.p - old.X[k].p)), omega;
    state.X.push_back(X);
    state.V.push_back(V);
  }
  return state;
}

Rerooted::State Rerooted::convert(const VectorIn& q, const VectorIn& v, const VectorXd* near) const {
  // Angles keep their values, so the search starts near the old ones.
  check_configuration(old_, q);
  VectorXd old_values = VectorXd::Zero(new_.nq);
  for (const auto& link : new_.links) {
    const auto old = std::ranges::find_if(old_.links, [&](const auto& l) { return l.joint == link.joint; });
    if (old == old_.links.end() || link.follows || link.type == JointType::fixed || link.parent < 0) continue;
    const bool reversed = new_.links[std::size_t(link.parent)].name == old->name;  // its old child is now its parent
    if (joint_traits(link.type).has_quaternion()) continue;
    const VectorXd values = q.segment(old->q_index, link.nv);
    old_values.segment(link.q_index, link.nv) = reversed ? reversed_coordinates(link.type, values) : values;
  }
  auto g = to_generalized(new_, state_of_new_links(to_maximal(old_, q, v)), near ? near : &old_values);
  if (const auto violated = g.worst(1e-6); !violated.empty())
    throw Error("model with base link '" + new_.links[0].name + "': " + violated +
                "; pass a configuration of this model close to the state as near");
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
