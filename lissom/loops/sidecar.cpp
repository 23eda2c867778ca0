#include "lissom/loops/sidecar.h"

#include <cmath>
#include <fstream>
#include <set>

#include <nlohmann/json.hpp>

#include "lissom/model/axes.h"

namespace lissom {
namespace {

using Json = nlohmann::json;

// A value and the way to it, for messages: "robot.json: /loops/0/axes".
struct Place {
  const Json& value;
  std::string at;

  [[noreturn]] void fail(const std::string& what) const { throw Error(at + ": " + what); }
  Place operator[](const std::string& key) const {
    if (!value.is_object() || !value.contains(key)) fail("there is no \"" + key + "\"; it is needed here");
    return {value[key], at + "/" + key};
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
      list.push_back(Place{value[i], at + "/" + std::to_string(i)}.number());
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
    for (std::size_t i = 0; i < value.size(); ++i) f(Place{value[i], at + "/" + std::to_string(i)});
  }
};

LoopEnd end(const Place& place, const Model& model) {
  if (place.value.is_string()) return {model.frame(place.text())};
  place.only({"frame", "position", "rpy"});
  LoopEnd e{model.frame(place["frame"].text())};
  if (place.has("position")) e.placement.p = place["position"].vec3();
  if (place.has("rpy")) {
    const auto rpy = place["rpy"].vec3();
    e.placement.R = rotation_rpy(rpy.x, rpy.y, rpy.z);
  }
  return e;
}

std::string name_of(const Place& place, const char* fallback) {
  return place.has("name") ? place["name"].text() : fallback + place.at.substr(place.at.rfind('/') + 1);
}

}  // namespace

Sidecar read_sidecar(const std::string& path, const Model& model) {
  std::ifstream file(path);
  if (!file) throw Error(path + ": the file cannot be read; check the path and the permissions");
  Json json;
  try {
    json = Json::parse(file, nullptr, true, true);
  } catch (const Json::exception& e) {
    throw Error(path + ": no JSON: " + e.what());
  }
  Sidecar sidecar;
  const Place top{json, path + ": "};
  top.only({"loops", "couplings", "springs", "gravity"});
  if (top.has("gravity")) sidecar.gravity = top["gravity"].vec3();
  if (top.has("loops"))
    top["loops"].each([&](const Place& p) {
      p.only({"name", "a", "b", "axes"});
      Loop loop{name_of(p, "loop "), end(p["a"], model), end(p["b"], model), {}};
      loop.axes = loop_axes(p.has("axes") ? p["axes"].text() : "xyz");
      sidecar.closures.loops.push_back(loop);
    });
  if (top.has("couplings"))
    top["couplings"].each([&](const Place& p) {
      p.only({"name", "joint", "of", "coefficients"});
      JointCoupling c{name_of(p, "coupling "), p["joint"].text(), p.has("of") ? p["of"].text() : "", {0, 1}};
      if (p.has("coefficients")) c.coefficients = p["coefficients"].numbers();
      sidecar.closures.couplings.push_back(c);
    });
  if (top.has("springs"))
    top["springs"].each([&](const Place& p) {
      p.only({"name", "a", "b", "stiffness", "damping", "rest"});
      Spring s{name_of(p, "spring "), end(p["a"], model), end(p["b"], model)};
      s.stiffness = p["stiffness"].number();
      if (p.has("damping")) s.damping = p["damping"].number();
      s.rest = p["rest"].number();
      sidecar.springs.push_back(s);
    });
  return sidecar;
}

}  // namespace lissom
