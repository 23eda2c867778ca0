#include "lissom/limbs/names.h"

#include <algorithm>
#include <cctype>

namespace lissom::limbs {

bool has_word(std::string_view name, std::initializer_list<std::string_view> words) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return std::ranges::any_of(words, [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

bool is_hand(const BodyTree& tree, int body) {
  return std::ranges::any_of(tree.body(body).frames, [&](int f) {
    const auto& name = tree.model().frames()[std::size_t(f)].name;
    return has_word(name, {"hand", "palm", "gripper"}) && !has_word(name, {"finger", "thumb"});
  });
}

bool named_as_arm(const BodyTree& tree, int first) {
  const auto is_part_of_arm = [](std::string_view name) {
    return has_word(name, {"wrist", "hand", "palm", "gripper", "finger", "thumb"});
  };
  return std::ranges::any_of(tree.subtree(first), [&](int b) {
    return is_part_of_arm(tree.model().joints()[std::size_t(tree.body(b).joint)].name) ||
           is_part_of_arm(tree.body(b).link);
  });
}

bool names_sole(std::string_view name) {
  return has_word(name, {"sole", "toe", "foot", "feet"});
}

std::string free_name(const Model& model, const std::string& wanted) {
  const auto taken = [&](const std::string& name) { return model.has_frame(name) || model.has_link(name); };
  if (!taken(wanted)) return wanted;
  std::string name = wanted + "_contact";
  for (int k = 2; taken(name); ++k) name = wanted + "_contact" + std::to_string(k);
  return name;
}

}  // namespace lissom::limbs
