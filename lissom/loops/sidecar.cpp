#include "lissom/loops/sidecar.h"

#include <filesystem>
#include <fstream>
#include <set>

#include <nlohmann/json.hpp>

#include "lissom/model/axes.h"

namespace lissom {
namespace {

using Json = nlohmann::json;

// A value and the way to it, for messages: "robot.json: /loops/0/axes: …".
struct Place {
  const Json& value;
  const std::string& file;
  std::string at;  // empty at the top

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(file + ": " + at + (at.empty() ? "" : ": ") + what);
  }
  // What others say about this value, with the place.
  template <class F>
  auto judged(F&& f) const {
    try {
      return f();
    } catch (const Error& e) {
      fail(e.what());
    }
  }
  Place operator[](const std::string& key) const {
    if (!value.is_object() || !value.contains(key)) fail("there is no \"" + key + "\"; it is needed here");
    return {value[key], file, at + "/" + key};
  }
  bool has(const std::string& key) const { return value.is_object() && value.contains(key); }
  void only(const std::set<std::string>& known) const {
    if (!value.is_object()) fail("found " + std::string(value.type_name()) + "; expected an object { … }");
    std::string names;
    for (const auto& name : known) names += (names.empty() ? "" : ", ") + name;
    for (const auto& [key, unused] : value.items())
      if (!known.contains(key)) fail("\"" + key + "\" is not known here; expected one of " + names);
  }
  std::string text() const {
    if (!value.is_string()) fail("found " + value.dump() + "; expected a text");
    return value.get<std::string>();
  }
  double number() const {
    if (!value.is_number()) fail("found " + value.dump() + "; expected a number");
    return value.get<double>();
  }
  std::vector<double> numbers() const {
    if (!value.is_array()) fail("found " + value.dump() + "; expected numbers [ … ]");
    std::vector<double> list;
    for (std::size_t i = 0; i < value.size(); ++i)
      list.push_back(Place{value[i], file, at + "/" + std::to_string(i)}.number());
    return list;
  }
  Vec3<double> vec3() const {
    const auto x = numbers();
    if (x.size() != 3) fail("found " + std::to_string(x.size()) + " numbers; expected three");
    return {x[0], x[1], x[2]};
  }
  template <class F>
  void each(F&& f) const {
    if (!value.is_array()) fail("found " + std::string(value.type_name()) + "; expected a list [ … ]");
    for (std::size_t i = 0; i < value.size(); ++i) f(Place{value[i], file, at + "/" + std::to_string(i)});
  }
};

LoopEnd end(const Place& place, const Model& model) {
  const auto frame = [&](const Place& name) { return name.judged([&] { return model.frame(name.text()); }); };
  if (place.value.is_string()) return {frame(place)};
  place.only({"frame", "position", "rpy"});
  LoopEnd e{frame(place["frame"])};
  if (place.has("position")) e.placement.p = place["position"].vec3();
  if (place.has("rpy")) {
    const auto rpy = place["rpy"].vec3();
    e.placement.R = rotation_rpy(rpy.x, rpy.y, rpy.z);
  }
  return e;
}

LoopAxes axes(const Place& place) {
  const auto held = place.judged([&] { return loop_axes(place.text()); });
  if (held.count() == 0) place.fail("holds nothing; expected at least one of x y z rx ry rz");
  return held;
}

// A joint with one degree of freedom.
std::string joint(const Place& place, const Model& model) {
  const auto name = place.text();
  const int nv = place.judged([&] { return model.joint(name).nv; });
  if (nv != 1)
    place.fail("joint '" + name + "' has " + std::to_string(nv) + " coordinates of its own; expected a joint with one");
  return name;
}

std::string name_of(const Place& place, const char* fallback) {
  return place.has("name") ? place["name"].text() : fallback + place.at.substr(place.at.rfind('/') + 1);
}

}  // namespace

Sidecar read_sidecar(const std::string& path, const Model& model) {
  std::ifstream file(path);
  if (!file || std::filesystem::is_directory(path))
    throw Error(path + ": the file cannot be read; check the path and the permissions");
  Json json;
  try {
    json = Json::parse(file, nullptr, true, true);
  } catch (const Json::exception& e) {
    throw Error(path + ": no JSON: " + e.what());
  }
  Sidecar sidecar;
  const Place top{json, path, ""};
  top.only({"loops", "couplings", "springs", "gravity"});
  if (top.has("gravity")) sidecar.gravity = top["gravity"].vec3();
  if (top.has("loops"))
    top["loops"].each([&](const Place& p) {
      p.only({"name", "a", "b", "axes"});
      Loop loop{name_of(p, "loop "), end(p["a"], model), end(p["b"], model), {}};
      loop.axes = p.has("axes") ? axes(p["axes"]) : loop_axes("xyz");
      sidecar.closures.loops.push_back(loop);
    });
  if (top.has("couplings"))
    top["couplings"].each([&](const Place& p) {
      p.only({"name", "joint", "of", "coefficients"});
      JointCoupling c{
          name_of(p, "coupling "), joint(p["joint"], model), p.has("of") ? joint(p["of"], model) : "", {0, 1}};
      if (p.has("coefficients")) c.coefficients = p["coefficients"].numbers();
      if (c.coefficients.empty()) p["coefficients"].fail("there are no coefficients; expected c0, c1, …");
      sidecar.closures.couplings.push_back(c);
    });
  if (top.has("springs"))
    top["springs"].each([&](const Place& p) {
      p.only({"name", "a", "b", "stiffness", "damping", "rest"});
      Spring s{name_of(p, "spring "), end(p["a"], model), end(p["b"], model)};
      s.stiffness = p["stiffness"].number();
      if (p.has("damping")) s.damping = p["damping"].number();
      s.rest = p["rest"].number();
      if (s.rest < 0) p["rest"].fail("found " + p["rest"].value.dump() + "; expected a length of at least 0");
      sidecar.springs.push_back(s);
    });
  return sidecar;
}

}  // namespace lissom
