#include "lissom/control/motion_plan.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "lissom/control/clearance_entry.h"
#include "lissom/io/json_place.h"
#include "lissom/model/axes.h"
#include "lissom/model/text.h"

namespace lissom::control {

namespace {

using Place = JsonPlace;

void take(const Place& p, const char* key, double& to) {
  if (p.has(key)) to = p[key].number();
}
void take_nonnegative(const Place& p, const char* key, double& to) {
  take(p, key, to);
  if (p.has(key) && !(to >= 0)) p[key].fail("found " + to_text(to) + ", expected 0 or more");
}
std::vector<std::string> texts(const Place& p) {
  std::vector<std::string> all;
  p.each([&](const Place& item) { all.push_back(item.text()); });
  return all;
}
std::string frame_name(const Place& p, const Model& model) {
  const auto name = p.text();
  p.judged([&] { return model.frame(name); });
  return name;
}
// x y z, or x y z roll pitch yaw.
Pose<double> pose(const Place& p) {
  const auto x = p.numbers();
  if (x.size() != 3 && x.size() != 6)
    p.fail("found " + std::to_string(x.size()) + " numbers, expected x y z, or x y z roll pitch yaw");
  return {x.size() == 6 ? rotation_rpy(x[3], x[4], x[5]) : identity3<double>(), {x[0], x[1], x[2]}};
}

// The contact of a robot at this frame; what the motion file does not say is as it has it.
Contact known_contact(const std::string& frame, const std::vector<Contact>& known) {
  const auto found = std::ranges::find(known, frame, &Contact::frame);
  return found == known.end() ? Contact{.frame = frame} : *found;
}

Contact contact(const Place& p, const Model& model, const std::vector<Contact>& known) {
  if (p.value.is_string()) return known_contact(frame_name(p, model), known);
  p.only(
      {"frame", "name", "friction", "min_normal_force", "max_normal_force", "points", "kind", "radius", "placement"});
  auto c = known_contact(frame_name(p["frame"], model), known);
  if (p.has("name")) c.name = p["name"].text();
  take_nonnegative(p, "friction", c.friction);
  take_nonnegative(p, "min_normal_force", c.min_normal_force);
  take_nonnegative(p, "max_normal_force", c.max_normal_force);
  take_nonnegative(p, "radius", c.radius);
  if (p.has("placement")) c.placement = pose(p["placement"]);
  if (p.has("points"))
    c.points.clear(), p["points"].each([&](const Place& point) { c.points.push_back(point.vec3()); });
  if (p.has("kind")) {
    const auto kind = p["kind"].text();
    bool is_kind = false;
    for (auto k : {ContactKind::point, ContactKind::surface, ContactKind::fixed, ContactKind::sliding})
      if (kind == to_string(k)) c.kind = k, is_kind = true;
    if (!is_kind) p["kind"].fail("found " + in_quotes(kind) + ", expected point, surface, fixed or sliding");
  }
  return c;
}

// The capsules bound the collision shapes of two links.
Clearance clearance(const Place& p, const Model& model) {
  p.only({"between", "min_distance", "influence_distance", "max_approach_speed", "weight"});
  const auto links = texts(p["between"]);
  if (links.size() != 2) p["between"].fail("found " + std::to_string(links.size()) + " links, expected two");
  if (links[0] == links[1]) p["between"].fail("found " + in_quotes(links[0]) + " twice, expected two links");
  Clearance c;
  p["between"].judged(
      [&] { return c.a = bounding_capsule(model, links[0]), c.b = bounding_capsule(model, links[1]), 0; });
  take_nonnegative(p, "min_distance", c.min_distance);
  take_nonnegative(p, "influence_distance", c.influence_distance);
  take_nonnegative(p, "max_approach_speed", c.max_approach_speed);
  take_nonnegative(p, "weight", c.weight);
  p.judged([&] { return make_entry(model, c).name; });
  return c;
}

bool truth(const Place& p) {
  if (!p.value.is_boolean()) p.fail("expected true or false");
  return p.value.get<bool>();
}

LimbMove limb_move(const Place& p, const Model& model) {
  p.only({"frame", "to", "by", "lift", "touch"});
  LimbMove move{.frame = frame_name(p["frame"], model), .to = {}};
  if (p.has("to") && p.has("by")) p.fail("has \"to\" and \"by\", expected one of them");
  if (p.has("to")) move.to = pose(p["to"]);
  if (p.has("by")) move.by = p["by"].vec3();
  take_nonnegative(p, "lift", move.lift);
  if (p.has("touch")) move.touch = truth(p["touch"]);
  return move;
}

std::string contact_names(const MotionPlan& plan) {
  std::string names;
  for (const auto& c : plan.contacts) names += (names.empty() ? "" : ", ") + name_of(c);
  return names;
}

Stage stage(const Place& p, const Model& model, const MotionPlan& plan) {
  p.only({"name", "seconds", "hold", "posture", "over", "offset", "com", "release", "move", "tolerance", "timeout"});
  Stage s;
  s.name = p.has("name") ? p["name"].text() : "stage " + std::to_string(plan.stages.size() + 1);
  take_nonnegative(p, "seconds", s.seconds);
  take_nonnegative(p, "hold", s.hold);
  take_nonnegative(p, "tolerance", s.tolerance);
  take_nonnegative(p, "timeout", s.timeout);
  if (p.has("posture")) {
    s.posture = p["posture"].text();
    p["posture"].judged([&] { return plan.posture(*s.posture); });
  }
  const auto known = [&](const Place& item, const std::string& name) {
    for (const auto& c : plan.contacts)
      if (name == name_of(c)) return;
    item.fail("no contact " + in_quotes(name) + " in this plan; contacts: " + contact_names(plan));
  };
  if (p.has("over")) {
    s.over = texts(p["over"]);
    for (const auto& name : s.over) known(p["over"], name);
  }
  if (p.has("offset")) s.offset = p["offset"].vec3();
  if (p.has("com")) s.com = p["com"].vec3();
  if (p.has("release")) {
    s.release = texts(p["release"]);
    for (const auto& name : s.release) known(p["release"], name);
  }
  if (p.has("move"))
    p["move"].each([&](const Place& item) {
      s.moves.push_back(limb_move(item, model));
      if (s.moves.back().touch) known(item["frame"], s.moves.back().frame);
    });
  return s;
}

MotionGains gains(const Place& p, const Model& model) {
  MotionGains g;
  const std::pair<const char*, double*> all[] = {{"com_weight", &g.com_weight},
                                                 {"com_stiffness", &g.com_stiffness},
                                                 {"posture_weight", &g.posture_weight},
                                                 {"posture_stiffness", &g.posture_stiffness},
                                                 {"base_weight", &g.base_weight},
                                                 {"base_stiffness", &g.base_stiffness},
                                                 {"limb_weight", &g.limb_weight},
                                                 {"limb_stiffness", &g.limb_stiffness},
                                                 {"momentum_weight", &g.momentum_weight},
                                                 {"momentum_damping", &g.momentum_damping},
                                                 {"ramp", &g.ramp},
                                                 {"friction_factor", &g.friction_factor},
                                                 {"support_scale", &g.support_scale},
                                                 {"min_normal_force", &g.min_normal_force}};
  std::set<std::string> names{"joint_stiffness"};
  for (const auto& [name, unused] : all) names.insert(name);
  p.only(names);
  for (const auto& [name, value] : all) take_nonnegative(p, name, *value);
  if (p.has("joint_stiffness")) {
    const auto joints = p["joint_stiffness"];
    if (!joints.value.is_object()) joints.fail("expected an object of joints and their stiffness");
    for (const auto& item : joints.value.items()) {
      joints[item.key()].judged([&] { return model.joint(item.key()).nv; });
      take_nonnegative(joints, item.key().c_str(), g.joint_stiffness[item.key()]);
    }
  }
  return g;
}

}  // namespace

const std::string& name_of(const Contact& contact) {
  return contact.name.empty() ? contact.frame : contact.name;
}

MotionGains resolved(const MotionGains& given, double weight, double height) {
  const double size = std::clamp(height / usual_height, .2, 3.), rate = std::sqrt(1 / size);
  MotionGains g = given;
  const auto choose = [](double& gain, double value) {
    if (gain < 0) gain = value;
  };
  choose(g.com_stiffness, 100 * rate * rate), choose(g.posture_stiffness, 40 * rate * rate);
  choose(g.base_stiffness, 40 * rate * rate), choose(g.limb_stiffness, 500 * rate * rate);
  choose(g.momentum_damping, 5 * rate), choose(g.ramp, .15 / rate);
  choose(g.min_normal_force, .05 * weight);
  return g;
}

const Eigen::VectorXd& MotionPlan::posture(const std::string& wanted) const {
  if (const auto found = postures.find(wanted); found != postures.end()) return found->second;
  std::string names;
  for (const auto& [key, unused] : postures) names += (names.empty() ? "" : ", ") + key;
  throw Error("no posture " + in_quotes(wanted) + "; postures: " + names);
}

MotionPlan read_motion_plan(const Model& model, const std::string& path, const std::vector<Contact>& known) {
  const auto json = read_json(path);
  const Place top{json, path, ""};
  top.only({"name", "description", "postures", "start", "contacts", "standing", "clearances", "self_clearances",
            "stages", "gains"});
  MotionPlan plan;
  plan.name = top.has("name") ? top["name"].text() : std::filesystem::path(path).stem().string();
  if (top.has("description")) plan.description = top["description"].text();
  const auto file = std::filesystem::path(path).parent_path() / top["postures"].text();
  plan.postures = read_postures(model, file.lexically_normal().string());
  plan.start = top["start"].text();
  top["start"].judged([&] { return plan.posture(plan.start); });
  top["contacts"].each([&](const Place& p) { plan.contacts.push_back(contact(p, model, known)); });
  plan.standing = texts(top["standing"]);
  if (top.has("clearances"))
    top["clearances"].each([&](const Place& p) { plan.clearances.push_back(clearance(p, model)); });
  if (top.has("self_clearances")) plan.self_clearances = truth(top["self_clearances"]);
  if (top.has("gains")) plan.gains = gains(top["gains"], model);
  top["stages"].each([&](const Place& p) { plan.stages.push_back(stage(p, model, plan)); });
  return plan;
}

}  // namespace lissom::control
