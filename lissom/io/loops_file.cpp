#include "lissom/io/loops_file.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "lissom/io/json_place.h"
#include "lissom/model/axes.h"
#include "lissom/model/interpretation.h"
#include "lissom/model/text.h"

namespace lissom::io {
namespace {

using Place = JsonPlace;

class LoopsFile {
 public:
  explicit LoopsFile(Description& description) : description_(description) {
    for (const auto& link : description.links) frames_.insert(link.name);
    for (const auto& frame : description.frames) frames_.insert(frame.name);
    inertial_frame_ = inertial_frame_name(description);
    frames_.insert(inertial_frame_);
    for (const auto& one : description.joints) joints_.insert(one.name), type_of_.emplace(one.name, one.type);
  }

  void read(const Place& top) {
    top.only({"loops", "couplings", "springs", "gravity"});
    if (top.has("gravity")) description_.gravity = top["gravity"].vec3();
    if (top.has("loops")) top["loops"].each([&](const Place& p) { description_.loops.push_back(loop(p)); });
    if (top.has("couplings"))
      top["couplings"].each([&](const Place& p) { description_.couplings.push_back(coupling(p)); });
    if (top.has("springs")) top["springs"].each([&](const Place& p) { description_.springs.push_back(spring(p)); });
  }

 private:
  using Names = std::unordered_set<std::string_view>;

  static std::string name_of(const Place& place, const char* fallback) {
    return place.has("name") ? place["name"].text() : fallback + place.at.substr(place.at.rfind('/') + 1);
  }
  static std::string known(const Place& place, const char* what, const Names& names) {
    const auto name = place.text();
    if (names.contains(name)) return name;
    std::vector<std::string_view> candidates(names.begin(), names.end());
    std::ranges::sort(candidates);
    const auto suggestion = did_you_mean(name, candidates);
    place.fail("no " + std::string(what) + " " + in_quotes(name) + " in the robot" +
               (suggestion.empty() ? "" : "; " + suggestion));
  }

  AttachmentDescription end(const Place& place) const {
    if (place.value.is_string()) return {known(place, "frame", frames_), {}};
    place.only({"frame", "position", "rpy"});
    AttachmentDescription e{known(place["frame"], "frame", frames_), {}};
    if (place.has("position")) e.placement.p = place["position"].vec3();
    if (place.has("rpy")) {
      const auto rpy = place["rpy"].vec3();
      e.placement.R = rotation_rpy(rpy.x, rpy.y, rpy.z);
    }
    return e;
  }

  // A joint with one degree of freedom.
  std::string joint(const Place& place) const {
    const auto name = known(place, "joint", joints_);
    const auto& traits = joint_traits(type_of_.at(name));
    if (!traits.may_mimic())
      place.fail("joint " + in_quotes(name) + " has " + std::to_string(traits.nv()) +
                 " degrees of freedom, expected 1");
    return name;
  }

  LoopDescription loop(const Place& p) const {
    p.only({"name", "kind", "a", "b", "axes", "length"});
    LoopDescription loop{name_of(p, "loop "), end(p["a"]), end(p["b"])};
    if (p.has("kind")) {
      const auto kind = p["kind"].text();
      if (kind != "axes" && kind != "distance")
        p["kind"].fail("found " + in_quotes(kind) + ", expected axes or distance");
      loop.kind = kind == "distance" ? LoopKind::distance : LoopKind::axes;
    }
    const char* const foreign = loop.kind == LoopKind::distance ? "axes" : "length";
    if (p.has(foreign))
      p[foreign].fail(std::string("a loop of kind ") + (loop.kind == LoopKind::distance ? "distance" : "axes") +
                      " has no \"" + foreign + "\"");
    if (p.has("length")) {
      loop.length = p["length"].number();
      if (!(*loop.length > 0))
        p["length"].fail("found " + p["length"].value.dump() +
                         " m, expected a positive length; to keep two points together, use \"axes\": \"xyz\"");
    }
    if (p.has("axes")) {
      const auto place = p["axes"];
      const auto text = place.text();
      loop.axes = place.judged([&] { return loop_axes(text); });
      if (loop.axes.count() == 0) place.fail("constrains no axis, expected at least one of x y z rx ry rz");
    }
    return loop;
  }

  JointCoupling coupling(const Place& p) const {
    p.only({"name", "joint", "of", "coefficients"});
    JointCoupling c{name_of(p, "coupling "), joint(p["joint"]), p.has("of") ? joint(p["of"]) : ""};
    if (p.has("coefficients")) c.coefficients = p["coefficients"].numbers();
    if (c.coefficients.empty()) p["coefficients"].fail("no coefficients, expected c0, c1, …");
    return c;
  }

  SpringDescription spring(const Place& p) const {
    p.only({"name", "a", "b", "stiffness", "damping", "rest"});
    SpringDescription s{name_of(p, "spring "), end(p["a"]), end(p["b"])};
    s.stiffness = p["stiffness"].number();
    if (p.has("damping")) s.damping = p["damping"].number();
    s.rest = p["rest"].number();
    if (s.rest < 0) p["rest"].fail("found " + in_short(p["rest"].value) + " m, expected 0 or more");
    return s;
  }

  Description& description_;
  std::string inertial_frame_;
  Names frames_, joints_;
  std::unordered_map<std::string_view, JointType> type_of_;
};

}  // namespace

void read_loops(const std::string& path, Description& description) {
  auto extended = description;  // the caller's description stays as it is if the file is invalid
  const auto json = read_json(path);
  LoopsFile(extended).read({json, path, ""});
  description = std::move(extended);
}

}  // namespace lissom::io
