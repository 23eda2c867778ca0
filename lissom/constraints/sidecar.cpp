#include "lissom/constraints/sidecar.h"

#include "lissom/io/json_place.h"
#include "lissom/model/axes.h"

namespace lissom {
namespace {

using Place = JsonPlace;

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
  const auto json = read_json(path);
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
