#include "lissom/codegen/limbs.h"

#include "lissom/tree/tree.h"

namespace lissom::codegen {
namespace {

using Children = std::vector<std::vector<int>>;

// Appends the limb that begins with this body, and those behind it. Inward recursions visit the last body first, so its
// limb is the first to be added to a sum.
void add_limb(Limbs& limbs, const Children& children, int body, int parent) {
  const int limb = int(limbs.limbs.size());
  limbs.limbs.push_back({"", parent});
  limbs.of_body[std::size_t(body)] = limb;
  while (children[std::size_t(body)].size() == 1) {
    body = children[std::size_t(body)].front();
    limbs.of_body[std::size_t(body)] = limb;
  }
  const auto& branches = children[std::size_t(body)];
  for (auto branch = branches.rbegin(); branch != branches.rend(); ++branch) add_limb(limbs, children, *branch, limb);
}

}  // namespace

Limbs::Limbs(const Model& model) : of_q(std::size_t(model.nq())), of_v(std::size_t(model.nv())) {
  const auto& bodies = model.tree<double>().bodies;
  Children children(bodies.size());
  for (const auto& body : model.tree<double>().outward()) children[std::size_t(body.parent)].push_back(body.index);
  of_body.assign(bodies.size(), 0);
  for (auto root = children[world].rbegin(); root != children[world].rend(); ++root)
    add_limb(*this, children, *root, -1);
  for (const auto& joint : model.joints()) {
    const int limb = of_body[std::size_t(joint.body)];
    for (int i = 0; i < joint.nq; ++i) of_q[std::size_t(joint.q_index + i)] = limb;
    for (int i = 0; i < joint.nv; ++i) of_v[std::size_t(joint.v_index + i)] = limb;
    if (joint.type != JointType::fixed && limbs[std::size_t(limb)].name.empty())
      limbs[std::size_t(limb)].name = joint.name;
  }
}

}  // namespace lissom::codegen
