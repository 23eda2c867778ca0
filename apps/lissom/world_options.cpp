// What the options of `lissom sim` mean for worlds.
#include "lissom/model/text.h"
#include "numbers.h"
#include "scene_files.h"
#include "sim_start.h"
#include "sim_world.h"

namespace verb::sim {

using lissom::Error;
using lissom::in_quotes;
using lissom::scenes::Scene;
using nlohmann::json;

namespace {

Scene scene_of_file(Options& o) {
  refuse(o, {"--ground", "--friction"}, "does not apply to a scene: its file says what there is and how it touches");
  refuse(o,
         {"--base", "--mimic", "--q", "--v", "--random", "--posture", "--move-seconds", "--loops", "--controller",
          "--stiffness", "--damping"},
         "does not apply to a scene: its file says where its robots are and what they do");
  auto scene = lissom::scenes::read_scene(o.model.file);
  if (!o.gravity.empty()) {
    scene.options.gravity = vec3_of("--gravity", o.gravity);
    for (auto& robot : scene.robots) robot.model = robot.model.with_gravity(scene.options.gravity);
  }
  if (!o.given.contains("--step")) o.step = scene.step;
  if (!o.given.contains("--seconds")) o.seconds = scene.seconds;
  return scene;
}

Scene robot_on_ground(Options& o) {
  refuse_without_effect(o);
  o.model.options.find_meshes = true;  // they touch by their hulls
  auto model = o.model.load();
  if (!o.gravity.empty()) model = model.with_gravity(vec3_of("--gravity", o.gravity));
  lissom::sim::System system(model, o.system);
  auto x = beginning(o, system);
  Scene scene;
  scene.name = model.name();
  scene.options.gravity = model.gravity();
  scene.options.default_properties.friction = o.friction;
  scene.ground = "ground";
  const std::string name = model.name().empty() || model.name() == *scene.ground ? "robot" : model.name();
  scene.robots.push_back({.name = name, .model = model, .q = x.q, .v = x.v});
  // Otherwise the materials of the robot's file count, where it has any.
  if (o.given.contains("--friction")) scene.pairs.push_back({name, "", scene.options.default_properties});
  auto& robot = scene.robots[0];
  if (lissom::scenes::base_is_neutral(model, x.q) ||
      (o.random && o.q.empty() && model.options().base == lissom::Base::free))
    robot.raised = lissom::scenes::put_on_ground(model, robot.q);
  x.q = robot.q;
  o.motion = reference_motion(o, model, x, {});
  return scene;
}

}  // namespace

bool is_world(const Options& o) {
  return o.ground || is_scene(o.model.file);
}

Scene scene_of(Options& o) {
  refuse(o, {"--attitude", "--tolerance", "--min-step", "--zero-order-hold", "--friction-speed"},
         "does not apply to worlds, which have a time stepping of their own (docs/contact.md); leave it out");
  if (!o.restart.empty())
    throw Error("--restart does not apply to worlds: a step also depends on the impulses of the last one");
  auto scene = is_scene(o.model.file) ? scene_of_file(o) : robot_on_ground(o);
  if (o.given.contains("--integrator")) {
    const auto stepping = lissom::scenes::stepping_named(o.integrator);
    if (!stepping)
      throw Error("--integrator is " + in_quotes(o.integrator) +
                  ", but worlds have a time stepping of their own (docs/contact.md): expected trapezoid, which is the "
                  "default, or semi_implicit_euler");
    scene.options.stepping = *stepping;
  }
  for (auto& robot : scene.robots) {
    auto& s = robot.settings;
    if (o.no_passive_forces) s.damping = s.dry_friction = s.springs = false;
    if (o.no_effort_limits) s.effort_limits = false;
  }
  return scene;
}

json world_settings(const Options& o, const Scene& scene) {
  json all{{"world", true},
           {"step", o.step},
           {"seconds", o.seconds},
           {"friction", scene.options.default_properties.friction},
           {"pushes", o.pushes},
           {"passive_forces", !o.no_passive_forces},
           {"effort_limits", !o.no_effort_limits},
           {"stepping", scene.options.stepping == lissom::World::Options::Stepping::trapezoid ? "trapezoid"
                                                                                              : "semi_implicit_euler"}};
  const auto& g = scene.options.gravity;
  all["gravity"] = {g.x, g.y, g.z};
  if (is_scene(o.model.file)) {
    all["scene"] = scene.name;
    return all;
  }
  all["ground"] = true;
  all["controller"] = o.controller;
  if (o.controller == "pd" || o.controller == "computed_torque") {
    all["stiffness"] = o.gains.stiffness;
    all["damping"] = o.gains.damping;
    all["posture"] = o.posture;
    all["move_seconds"] = o.move_seconds;
  }
  return all;
}

}  // namespace verb::sim
