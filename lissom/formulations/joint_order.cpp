// The order in which other programs number the joints of a robot that they read from the same file.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "lissom/formulations/conventions.h"

namespace lissom::formulations {
namespace {

constexpr std::array<std::pair<const char*, Convention>, 5> conventions{{{"lissom", Convention::lissom},
                                                                         {"pinocchio", Convention::pinocchio},
                                                                         {"ros", Convention::ros},
                                                                         {"mujoco", Convention::mujoco},
                                                                         {"world", Convention::world}}};

// Whether this program numbers the coordinates of a model that it reads itself, in which followers have their own.
bool is_program(Convention c) {
  return c == Convention::pinocchio || c == Convention::ros || c == Convention::mujoco;
}

// The joints of a file as urdfdom sorts them.
class Family {
 public:
  explicit Family(const Model& model) : model_(model) {
    for (const auto& joint : model.description().joints) {
      below_[joint.parent].push_back(&joint);
      children_.insert(joint.child);
    }
    for (auto& [link, joints] : below_) std::ranges::sort(joints, {}, &JointDescription::name);
  }
  std::vector<std::string> alphabetical() const {
    std::vector<std::string> names;
    for (const auto& link : model_.links()) {
      if (children_.contains(link.name)) continue;
      if (link.joint >= 0) names.push_back(model_.joints()[std::size_t(link.joint)].name);
      std::vector<const JointDescription*> waiting;  // an explicit stack: chains may be long
      push_below(link.name, waiting);
      while (!waiting.empty()) {
        const auto& joint = *waiting.back();
        waiting.pop_back();
        if (joint.type != JointType::fixed) names.push_back(joint.name);
        push_below(joint.child, waiting);
      }
    }
    return names;
  }

 private:
  void push_below(const std::string& link, std::vector<const JointDescription*>& waiting) const {
    if (const auto found = below_.find(link); found != below_.end())
      waiting.insert(waiting.end(), found->second.rbegin(), found->second.rend());
  }
  const Model& model_;
  std::map<std::string_view, std::vector<const JointDescription*>> below_;  // each link, by name
  std::set<std::string_view> children_;
};

}  // namespace

std::vector<std::string> base_joints(const Model& model) {
  std::set<std::string_view> in_file;
  for (const auto& joint : model.description().joints) in_file.insert(joint.name);
  std::vector<std::string> names;
  for (const auto& joint : model.joints())
    if (!in_file.contains(joint.name)) names.push_back(joint.name);
  return names;
}

Convention convention(std::string_view name) {
  for (const auto& [known, value] : conventions)
    if (name == known) return value;
  throw Error("no convention '" + std::string(name) + "'; conventions: lissom, pinocchio, ros, mujoco, world");
}
const char* to_string(Convention c) {
  return std::ranges::find(conventions, c, &std::pair<const char*, Convention>::second)->first;
}

std::vector<std::string> joint_order(const Model& model, Convention c) {
  if (c == Convention::pinocchio) return Family(model).alphabetical();
  std::vector<std::string> names;
  if (c == Convention::ros) {
    names = base_joints(model);
    for (const auto& joint : model.description().joints)
      if (joint.type != JointType::fixed) names.push_back(joint.name);
    return names;
  }
  for (const auto& joint : model.joints())
    if (joint.nv > 0 || (joint.follows && is_program(c))) names.push_back(joint.name);
  return names;
}

}  // namespace lissom::formulations
