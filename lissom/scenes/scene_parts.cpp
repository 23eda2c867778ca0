// What several parts of a scene file have in common.
#include <algorithm>

#include "lissom/model/axes.h"
#include "lissom/model/limits.h"
#include "lissom/model/text.h"
#include "lissom/scenes/scene_reader.h"

namespace lissom::scenes {

void SceneNames::add_part(const Place& place, const std::string& name, const std::string& material) {
  if (groups_.contains(name))
    place.fail("the name " + in_quotes(name) + " is also that of a grid or a material; all names must differ");
  const auto [there, is_new] = parts_.emplace(name, place.at);
  if (!is_new)
    place.fail("the name " + in_quotes(name) + " is already that of " + there->second + "; all names must differ");
  if (parts_.size() > limits::scene_parts)
    place.fail("the scene has more than " + std::to_string(limits::scene_parts) +
               " robots, bodies and fixed shapes; make it smaller");
  if (!material.empty()) add_to_group(place, material, name);
}

void SceneNames::add_to_group(const Place& place, const std::string& group, const std::string& part) {
  if (const auto found = parts_.find(group); found != parts_.end())
    place.fail("the name " + in_quotes(group) + " is already that of " + found->second + "; all names must differ");
  groups_[group].push_back(part);
}

std::vector<std::string> SceneNames::parts_of(const Place& place, const std::string& name) const {
  if (parts_.contains(name)) return {name};
  if (const auto group = groups_.find(name); group != groups_.end()) return group->second;
  std::vector<std::string_view> candidates;
  for (const auto& [part, unused] : parts_) candidates.push_back(part);
  for (const auto& [group, unused] : groups_) candidates.push_back(group);
  const auto suggestion = did_you_mean(name, candidates);
  place.fail("nothing in the scene is called " + in_quotes(name) +
             (suggestion.empty() ? ", expected the name of a robot, a body, a fixed shape, the ground, a grid or a "
                                   "material"
                                 : "; " + suggestion));
}

Pose<double> read_pose(const Place& p) {
  const auto x = p.numbers();
  if (x.size() != 3 && x.size() != 6)
    p.fail("found " + counted(x.size(), "number") + ", expected x y z, or x y z roll pitch yaw");
  return {x.size() == 6 ? rotation_rpy(x[3], x[4], x[5]) : identity3<double>(), {x[0], x[1], x[2]}};
}

double positive(const Place& p, const char* unit) {
  const double x = p.number();
  if (!(x > 0)) p.fail("found " + to_text(x) + " " + unit + ", expected a positive number");
  return x;
}
double nonnegative(const Place& p, const char* unit) {
  const double x = p.number();
  if (!(x >= 0)) p.fail("found " + to_text(x) + (*unit ? " " : "") + unit + ", expected 0 or more");
  return x;
}
bool boolean(const Place& p) {
  if (!p.value.is_boolean()) p.fail("found " + in_short(p.value) + ", expected true or false");
  return p.value.get<bool>();
}

namespace {

Vec3<double> lengths(const Place& p) {
  const auto x = p.vec3();
  if (!(x.x > 0 && x.y > 0 && x.z > 0)) p.fail("found " + in_short(p.value) + ", expected positive lengths in m");
  return x;
}

}  // namespace

Shape read_shape(const Place& p, bool plane_allowed) {
  if (!p.value.is_object())
    p.fail("found " + in_short(p.value) + R"(, expected an object such as {"kind": "sphere", "radius": 0.1})");
  const auto kind = p["kind"].text();
  Shape shape;
  if (kind == "box" || kind == "ellipsoid") {
    const char* const key = kind == "box" ? "size" : "radii";
    p.only({"kind", key});
    shape.kind = kind == "box" ? Shape::Kind::box : Shape::Kind::ellipsoid;
    shape.size = lengths(p[key]);
  } else if (kind == "sphere") {
    p.only({"kind", "radius"});
    shape.kind = Shape::Kind::sphere;
    shape.radius = positive(p["radius"], "m");
  } else if (kind == "cylinder" || kind == "capsule") {
    p.only({"kind", "radius", "length"});
    shape.kind = kind == "cylinder" ? Shape::Kind::cylinder : Shape::Kind::capsule;
    shape.radius = positive(p["radius"], "m");
    shape.length = positive(p["length"], "m");
  } else if (kind == "plane" && plane_allowed) {
    p.only({"kind"});
    shape.kind = Shape::Kind::plane;
  } else {
    p["kind"].fail("found " + in_quotes(kind) + ", expected box, sphere, cylinder, capsule" +
                   (plane_allowed ? ", ellipsoid or plane" : " or ellipsoid"));
  }
  return shape;
}

std::optional<Color> read_color(const Place& p) {
  const auto x = p.numbers();
  if ((x.size() != 3 && x.size() != 4) || std::ranges::any_of(x, [](double c) { return !(c >= 0 && c <= 1); }))
    p.fail("found " + in_short(p.value) + ", expected red, green, blue, and perhaps alpha, from 0 to 1");
  return Color{x[0], x[1], x[2], x.size() == 4 ? x[3] : 1};
}

void take_properties(const Place& p, ContactProperties& properties) {
  if (p.has("friction")) properties.friction = nonnegative(p["friction"], "");
  if (p.has("impact_friction")) properties.impact_friction = nonnegative(p["impact_friction"], "");
  if (p.has("torsional_friction")) properties.torsional_friction = nonnegative(p["torsional_friction"], "m");
  if (p.has("rolling_friction")) properties.rolling_friction = nonnegative(p["rolling_friction"], "m");
  if (p.has("restitution")) {
    properties.restitution = p["restitution"].number();
    if (!(properties.restitution >= 0 && properties.restitution <= 1))
      p["restitution"].fail("found " + to_text(properties.restitution) + ", expected 0 (plastic) to 1 (elastic)");
  }
  if (!p.has("law")) return;
  const auto law = p["law"].text();
  if (law != "newton" && law != "impulse") p["law"].fail("found " + in_quotes(law) + ", expected newton or impulse");
  properties.law = law == "newton" ? ContactProperties::Law::newton : ContactProperties::Law::impulse;
}

std::string read_name(const Place& p) {
  const auto name = p.text();
  if (name.empty() || name == "*" || name.find('/') != std::string::npos)
    p.fail("found " + in_quotes(name) + ", expected a name without '/', which separates robots from their links");
  return name;
}

}  // namespace lissom::scenes
