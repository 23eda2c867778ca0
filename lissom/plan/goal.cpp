// Limbs, and goals in files.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <unordered_set>

#include "lissom/api/kinematics.h"
#include "lissom/api/postures.h"
#include "lissom/io/json_place.h"
#include "lissom/model/axes.h"
#include "lissom/model/text.h"
#include "lissom/plan/plan.h"

namespace lissom::plan {

namespace {

using Place = JsonPlace;

using Names = std::unordered_set<std::string>;

const std::string& limb_name(const Place& p, const std::string& name, const std::vector<Limb>& limbs,
                             const Names& known) {
  if (known.contains(name)) return name;
  std::string names;
  for (const auto& limb : limbs) names += (names.empty() ? "" : ", ") + limb.frame;
  p.fail("no limb " + in_quotes(name) + "; limbs: " + names);
}

// x y z, or x y z roll pitch yaw.
Pose<double> pose(const Place& p) {
  const auto x = p.numbers();
  if (x.size() != 3 && x.size() != 6)
    p.fail("found " + std::to_string(x.size()) + " numbers, expected x y z, or x y z roll pitch yaw");
  return {x.size() == 6 ? rotation_rpy(x[3], x[4], x[5]) : identity3<double>(), {x[0], x[1], x[2]}};
}

void read_base(const Place& p, Goal& goal) {
  const auto x = p.numbers();
  if (x.size() != 2 && x.size() != 3)
    p.fail("found " + std::to_string(x.size()) + " numbers, expected x y, or x y heading");
  goal.base = Vec3<double>(x[0], x[1], 0);
  if (x.size() == 3) goal.heading = x[2];
}

// Limbs of `contacts` without a place of their own are where the posture has them.
void add_places_of_posture(const Model& model, Goal& goal) {
  Workspace work(model);
  forward_kinematics(model, work, *goal.posture);
  for (const auto& name : goal.contacts)
    if (!goal.places.contains(name)) goal.places[name] = placement(model, work, model.frame(name));
}

}  // namespace

std::vector<Limb> limbs_of(const RobotContacts& contacts) {
  std::vector<Limb> limbs;
  for (const auto& c : contacts.limbs)
    if (c.role != ContactRole::pad)
      limbs.push_back({.frame = c.name,
                       .foot = c.role == ContactRole::foot,
                       .kind = c.kind,
                       .points = c.points,
                       .friction = c.friction,
                       .radius = c.radius});
  return limbs;
}

Goal read_goal(const Model& model, const std::vector<Limb>& limbs, const std::string& path) {
  const auto json = read_json(path);
  const Place top{json, path, ""};
  top.only({"description", "base", "tolerance", "contacts", "places", "posture"});
  if (!top.has("base") && !top.has("contacts") && !top.has("posture"))
    top.fail(
        "has no \"base\", \"contacts\" or \"posture\", expected where the robot shall be, what shall touch, or how");
  Goal goal;
  if (top.has("base")) read_base(top["base"], goal);
  if (top.has("tolerance")) {
    goal.tolerance = top["tolerance"].number();
    if (!(goal.tolerance > 0)) top["tolerance"].fail("found " + to_text(goal.tolerance) + ", expected more than 0 m");
  }
  Names known, touching;
  for (const auto& limb : limbs) known.insert(limb.frame);
  if (top.has("contacts"))
    top["contacts"].each([&](const Place& p) { goal.contacts.push_back(limb_name(p, p.text(), limbs, known)); });
  touching.insert(goal.contacts.begin(), goal.contacts.end());
  if (top.has("places")) {
    const auto places = top["places"];
    if (!places.value.is_object()) places.fail("expected an object of limbs and their places");
    for (const auto& item : places.value.items()) {
      const auto place = places[item.key()];
      if (!touching.contains(limb_name(place, item.key(), limbs, known)))
        place.fail("limb " + in_quotes(item.key()) + " is not one of \"contacts\"");
      goal.places[item.key()] = pose(place);
    }
  }
  if (top.has("posture")) {
    const auto text = top["posture"].text();
    const auto file = (std::filesystem::path(path).parent_path() / text).lexically_normal().string();
    goal.posture = top["posture"].judged([&] { return read_posture(model, file); });
    add_places_of_posture(model, goal);
  }
  return goal;
}

}  // namespace lissom::plan
