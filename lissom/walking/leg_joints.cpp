#include "lissom/walking/leg_joints.h"

namespace lissom::walking {

namespace {

// Bodies from the frame's to the root, with the degrees of freedom of the joint that moves each.
struct Ancestor {
  int body, v_index, nv;
};
std::vector<Ancestor> chain(const Model& model, FrameId frame) {
  std::vector<Ancestor> all;
  int body = model.frame_at(frame).body;
  while (body != 0) {
    const Joint* mover = nullptr;
    for (const auto& joint : model.joints())
      if (joint.body == body && (!mover || joint.nv > 0)) mover = &joint;
    if (!mover) break;
    all.push_back({body, mover->v_index, mover->nv});
    const int parent = model.is_root_joint(*mover) ? 0 : model.link(mover->parent).body;
    if (parent == body) break;
    body = parent;
  }
  return all;
}

}  // namespace

std::vector<std::vector<int>> leg_joints(const Model& model, const std::vector<FrameId>& frames) {
  std::vector<int> users(std::size_t(model.body_count()) + 1, 0);
  for (const auto& frame : frames)
    for (const auto& a : chain(model, frame)) ++users[std::size_t(a.body)];
  std::vector<std::vector<int>> joints;
  for (const auto& frame : frames) {
    auto& dofs = joints.emplace_back();
    for (const auto& a : chain(model, frame))
      for (int i = 0; i < a.nv && users[std::size_t(a.body)] == 1; ++i) dofs.push_back(a.v_index + i);
  }
  return joints;
}

}  // namespace lissom::walking
