#pragma once
// Names of materials: a format defines each of them once. Not installed.
#include <array>
#include <map>
#include <string>

#include "lissom/model/description.h"

namespace lissom::io::write {

class MaterialNames {
 public:
  // The material's own name, unless it has none, or another material has it: "color", "steel_2".
  const std::string& name(const Material& material) {
    const auto& c = material.color;
    const Key key{material.name, material.texture, {c.r, c.g, c.b, c.a}};
    const auto known = names_.find(key);
    if (known != names_.end()) return known->second;
    const std::string wanted = material.name.empty() ? "color" : material.name;
    std::string name = wanted;
    for (int i = 2; taken_.contains(name); ++i) name = wanted + "_" + std::to_string(i);
    taken_.emplace(name, material);
    return names_[key] = name;
  }
  // All of them, by name.
  const std::map<std::string, Material>& all() const { return taken_; }

 private:
  struct Key {
    std::string name, texture;
    std::array<double, 4> color;
    auto operator<=>(const Key&) const = default;
  };
  std::map<Key, std::string> names_;
  std::map<std::string, Material> taken_;
};

}  // namespace lissom::io::write
