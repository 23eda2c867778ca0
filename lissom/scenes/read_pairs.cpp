// How parts of a scene touch each other, and which of them do not.
#include <algorithm>
#include <array>
#include <set>

#include "lissom/model/text.h"
#include "lissom/scenes/scene_reader.h"

namespace lissom::scenes {
namespace {

using Names = std::array<std::string, 2>;

Names two_names(const Place& p) {
  if (!p.value.is_array() || p.value.size() != 2) p.fail("found " + in_short(p.value) + ", expected two names [a, b]");
  Names names;
  std::size_t k = 0;
  p.each([&](const Place& item) { names[k++] = item.text(); });
  return names;
}

// A pair of the file, before groups are replaced by their members. Pairs that name more groups count less.
struct NamedPair {
  int groups = 0;
  std::array<std::vector<std::string>, 2> parts;
  ContactProperties properties;
};

NamedPair read_pair(const Place& p, const ContactProperties& defaults, const SceneNames& names,
                    std::set<Names>& known) {
  auto keys = property_keys;
  keys.insert("between");
  p.only(keys);
  const auto place = p["between"];
  const auto wanted = two_names(place);
  NamedPair pair;
  for (std::size_t k = 0; k < 2; ++k) {
    if (wanted[k] == "*") {
      pair.parts[k] = {""};
      continue;
    }
    pair.parts[k] = names.parts_of(place, wanted[k]);
    if (names.is_group(wanted[k])) ++pair.groups;
  }
  if (wanted[0] == "*" && wanted[1] == "*")
    place.fail("found \"*\" twice; how things touch by default is said by \"contact\"");
  if (!known.insert({std::min(wanted[0], wanted[1]), std::max(wanted[0], wanted[1])}).second)
    place.fail("the pair " + in_quotes(wanted[0]) + " and " + in_quotes(wanted[1]) + " was given before");
  pair.properties = defaults;
  take_properties(p, pair.properties);
  return pair;
}

// A link "robot/link", or a part, or the members of a group.
std::vector<std::string> bodies_or_links(const Place& p, const std::string& name, const Scene& scene,
                                         const SceneNames& names) {
  const auto slash = name.find('/');
  if (slash == std::string::npos) return names.parts_of(p, name);
  const auto robot = std::ranges::find(scene.robots, name.substr(0, slash), &SceneRobot::name);
  if (robot == scene.robots.end())
    p.fail("found " + in_quotes(name) + ", but no robot is called " + in_quotes(name.substr(0, slash)));
  p.judged([&] { return robot->model.link(name.substr(slash + 1)).body; });
  return {name};
}

}  // namespace

void read_pairs(const Place& list, Scene& scene, const SceneNames& names) {
  std::vector<NamedPair> all;
  std::set<Names> known;
  list.each([&](const Place& p) { all.push_back(read_pair(p, scene.options.default_properties, names, known)); });
  std::ranges::stable_sort(all, std::greater(), &NamedPair::groups);
  for (const auto& pair : all)
    for (const auto& a : pair.parts[0])
      for (const auto& b : pair.parts[1]) scene.pairs.push_back({a, b, pair.properties});
}

void read_exclusions(const Place& list, Scene& scene, const SceneNames& names) {
  list.each([&](const Place& p) {
    const auto [first, second] = two_names(p);
    for (const auto& a : bodies_or_links(p, first, scene, names))
      for (const auto& b : bodies_or_links(p, second, scene, names))
        if (a != b || first == second) scene.exclusions.emplace_back(a, b);
  });
}

}  // namespace lissom::scenes
