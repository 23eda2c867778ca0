#include <filesystem>

#include "lissom/model/text.h"
#include "lissom/scenes/scene_reader.h"

namespace lissom::scenes {
namespace {

// true, false, or {"name": …, "material": …}
void read_ground(const Place& p, Scene& scene, SceneNames& names) {
  if (p.value.is_boolean()) {
    if (!p.value.get<bool>()) return;
    scene.ground = "ground";
    names.add_part(p, "ground", "");
    return;
  }
  if (!p.value.is_object()) p.fail("found " + in_short(p.value) + ", expected true, false or an object");
  p.only({"name", "material"});
  scene.ground = p.has("name") ? read_name(p["name"]) : "ground";
  names.add_part(p, *scene.ground, p.has("material") ? read_name(p["material"]) : "");
}

}  // namespace

std::optional<World::Options::Stepping> stepping_named(const std::string& name) {
  using Stepping = World::Options::Stepping;
  if (name == "trapezoid") return Stepping::trapezoid;
  if (name == "semi_implicit_euler") return Stepping::semi_implicit_euler;
  return {};
}

Scene read_surroundings(const std::string& path) {
  const auto json = read_json(path);
  const Place top{json, path, ""};
  top.only({"name", "description", "gravity", "step", "seconds", "stepping", "ground", "contact", "pairs", "exclusions",
            "robots", "bodies", "fixed"});
  Scene scene;
  scene.file = path;
  scene.name = top.has("name") ? top["name"].text() : std::filesystem::path(path).stem().string();
  if (top.has("description")) scene.description = top["description"].text();
  if (top.has("gravity")) scene.options.gravity = top["gravity"].vec3();
  if (top.has("step")) scene.step = positive(top["step"], "s");
  if (top.has("seconds")) scene.seconds = nonnegative(top["seconds"], "s");
  if (top.has("stepping")) {
    const auto name = top["stepping"].text();
    const auto stepping = stepping_named(name);
    if (!stepping) top["stepping"].fail("found " + in_quotes(name) + ", expected trapezoid or semi_implicit_euler");
    scene.options.stepping = *stepping;
  }
  if (top.has("contact")) {
    top["contact"].only(property_keys);
    take_properties(top["contact"], scene.options.default_properties);
  }
  SceneNames names;
  if (top.has("ground")) read_ground(top["ground"], scene, names);
  if (top.has("fixed")) read_fixed(top["fixed"], scene, names);
  if (top.has("bodies")) read_bodies(top["bodies"], scene, names);
  if (top.has("robots")) read_robots(top["robots"], scene, names);
  if (top.has("pairs")) read_pairs(top["pairs"], scene, names);
  if (top.has("exclusions")) read_exclusions(top["exclusions"], scene, names);
  return scene;
}

Scene read_scene(const std::string& path) {
  auto scene = read_surroundings(path);
  if (scene.bodies.empty() && scene.robots.empty())
    throw Error(printable(path) + ": nothing in the scene moves, expected \"robots\" or \"bodies\"");
  return scene;
}

}  // namespace lissom::scenes
