#include "lissom/limbs/body_tree.h"

#include <algorithm>
#include <cmath>

#include "lissom/geometry/collision_geometry.h"
#include "lissom/limbs/body_shape.h"
#include "lissom/model/joint_traits.h"

namespace lissom::limbs {

BodyTree::BodyTree(const Model& model, const Eigen::VectorXd& q) : model_(model), work_(model) {
  bodies_.resize(std::size_t(model.body_count()) + 1);
  for (std::size_t k = 0; k < model.joints().size(); ++k) {
    const auto& joint = model.joints()[k];
    if (joint.type == JointType::fixed) continue;
    auto& body = bodies_[std::size_t(joint.body)];
    body.joint = int(k), body.link = joint.child;
    const bool root = model.is_root_joint(joint) || !model.has_link(joint.parent);
    body.parent = root ? 0 : model.link(joint.parent).body;
    bodies_[std::size_t(body.parent)].children.push_back(joint.body);
  }
  for (const auto& link : model.links()) {
    auto& body = bodies_[std::size_t(link.body)];
    if (body.link.empty()) body.link = link.name;
    if (link.mass <= 0) continue;
    const auto at = link.placement * model.link_description(link.name).com;
    body.com = (1 / (body.mass + link.mass)) * (body.mass * body.com + link.mass * at);
    body.mass += link.mass;
  }
  for (std::size_t f = 1; f < model.frames().size(); ++f)
    bodies_[std::size_t(model.frames()[f].body)].frames.push_back(int(f));
  add_shapes();
  // Files may have other things beside the robot: a ball, a table.
  std::size_t most = 0;
  for (const int child : bodies_[0].children)
    if (const auto count = subtree(child).size(); count > most) most = count, root_ = child;
  move(q);
}

void BodyTree::add_shapes() {
  for (std::size_t b = 0; b < bodies_.size(); ++b) bodies_[b].shape = body_shape(model_, int(b));
}

std::vector<int> BodyTree::subtree(int first) const {
  std::vector<int> all = {first};
  for (std::size_t k = 0; k < all.size(); ++k)
    for (const int child : body(all[k]).children) all.push_back(child);
  return all;
}

std::vector<std::string> BodyTree::joints_to(int last, int above) const {
  std::vector<std::string> names;
  for (int b = last; b > 0 && b != above; b = body(b).parent) {
    const auto& joint = model_.joints()[std::size_t(body(b).joint)];
    if (joint.nv > 0) names.push_back(joint.name);
  }
  std::reverse(names.begin(), names.end());
  return names;
}

void BodyTree::move(const Eigen::VectorXd& q) {
  forward_kinematics(model_, work_, q);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    auto& body = bodies_[b];
    if (b > 0) {
      // The frame of a link that the joint moves has its origin in the joint.
      const auto& link = model_.link(body.link);
      body.pose = placement(model_, work_, model_.frame(body.link)) * inverse(link.placement);
      body.joint_at = placement(model_, work_, model_.frame(body.link)).p;
      const auto& joint = model_.joints()[std::size_t(body.joint)];
      body.axis = {0, 0, 0};
      if (joint_traits(joint.type).is_hinge() && joint.nv == 1) {
        const auto& J = jacobian(model_, work_, model_.frame(body.link));
        body.axis = {J(3, joint.v_index), J(4, joint.v_index), J(5, joint.v_index)};
      }
    }
    body.lowest = body.joint_at.z;
    for (const int f : body.frames)
      body.lowest = std::min(body.lowest, (body.pose * model_.frames()[std::size_t(f)].placement.p).z);
    for (const auto& core : body.shape.cores)
      body.lowest = std::min(body.lowest, (body.pose * core.at).z - core.radius);
  }
}

}  // namespace lissom::limbs
