// lissom plan FILE --scene FILE --goal FILE --out FILE: plans which limb touches where and when, with a static posture
// for every change, and writes a motion that `lissom control` carries out.
#include "lissom/plan/plan.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <sstream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "interrupt.h"
#include "lissom/limbs/standing_robot.h"
#include "lissom/lissom.h"
#include "model_arguments.h"
#include "number_checks.h"
#include "output.h"
#include "progress.h"
#include "state_arguments.h"
#include "verbs.h"

namespace verb::plan {
namespace {

namespace plan = lissom::plan;
using lissom::Error;
using lissom::Model;
using nlohmann::json;

struct Arguments {
  ModelArguments model;
  std::string scene, goal, out, from, feet, hands;
  plan::PlanProblem problem;
  bool as_json = false, quiet = false;
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream list(text);
  for (std::string name; std::getline(list, name, ',');) all.push_back(name);
  return all;
}

// The robot, its limbs and its first posture: as its contacts say, or as the options do.
Model read_robot(Arguments& a) {
  auto& p = a.problem;
  if (a.feet.empty()) {
    auto options = a.model.options;
    options.base = lissom::Base::free;
    auto robot = lissom::load_standing_robot(a.model.file, {.load = options});
    p.limbs = plan::limbs_of(robot.contacts);
    p.start = a.from.empty() ? robot.q : configuration_of(robot.model, "--from", a.from);
    for (const auto& limb : p.limbs)
      if (limb.foot) p.standing.push_back(limb.frame);
    return robot.model;
  }
  auto model = a.model.load();
  for (const auto& name : split(a.feet)) p.limbs.push_back({.frame = name});
  for (const auto& name : split(a.hands)) p.limbs.push_back({.frame = name, .foot = false});
  for (const auto& limb : p.limbs) model.frame(limb.frame);
  if (a.from.empty()) throw Error("--feet: give the first posture as well: --from FILE#NAME");
  p.start = configuration_of(model, "--from", a.from);
  p.standing = split(a.feet);
  return model;
}

json to_json(const Arguments& a, const plan::Plan& p) {
  json steps = json::array();
  for (const auto& s : p.steps) {
    json contacts = json::array();
    for (const auto& c : s.contacts)
      contacts.push_back({{"limb", a.problem.limbs[std::size_t(c.limb)].frame},
                          {"on", a.problem.environment.surfaces[std::size_t(c.surface)].name},
                          {"position", {c.pose.p.x, c.pose.p.y, c.pose.p.z}}});
    steps.push_back({{"change", to_string(s.change)},
                     {"limb", s.limb < 0 ? "" : a.problem.limbs[std::size_t(s.limb)].frame},
                     {"contacts", contacts},
                     {"q", std::vector<double>(s.q.begin(), s.q.end())}});
  }
  return {{"reached", p.reached},   {"what", p.what},         {"steps", steps},
          {"distance", p.distance}, {"nodes", p.nodes},       {"stances", p.stances},
          {"found", p.found},       {"filtered", p.filtered}, {"seconds", p.seconds}};
}

void print(const Arguments& a, const plan::Plan& p) {
  std::cout << (p.reached ? fmt::format("a plan of {} postures", p.steps.size()) : "no plan: " + p.what) << "\n";
  for (const auto& s : p.steps) {
    if (s.change != plan::Change::touch && s.change != plan::Change::release) continue;
    const auto& limb = a.problem.limbs[std::size_t(s.limb)].frame;
    if (s.change == plan::Change::release) {
      std::cout << fmt::format("  {:14} leaves\n", limb);
      continue;
    }
    const auto c = std::ranges::find_if(s.contacts, [&](const auto& x) { return x.limb == s.limb; });
    std::cout << fmt::format("  {:14} touches {} at {:.3f} {:.3f} {:.3f}\n", limb,
                             a.problem.environment.surfaces[std::size_t(c->surface)].name, c->pose.p.x, c->pose.p.y,
                             c->pose.p.z);
  }
  std::cout << fmt::format("{} stances reached, {} postures sought, {} places out of reach, {:.1f} s\n", p.nodes,
                           p.stances, p.filtered, p.seconds);
  if (p.reached) std::cout << "written    " << a.out << "\n";
}

int run(Arguments& a) {
  const Model model = read_robot(a);
  auto& p = a.problem;
  p.environment = plan::environment_of(lissom::scenes::read_surroundings(a.scene));
  p.goal = plan::read_goal(model, p.limbs, a.goal);
  plan::expect_writable(a.out);
  end_on_request();
  Progress progress(a.quiet);
  const auto found = plan::find_plan(model, p, [&](double part, long nodes, double distance) {
    progress.show(std::min(.99, part), fmt::format("{} stances, {:.2f} m from the goal", nodes, distance));
    return !interrupted();
  });
  progress.clear();
  if (found.reached) plan::write_motion(model, p, found, a.out);
  if (a.as_json)
    print_json(to_json(a, found), 1);
  else
    print(a, found);
  return interrupted() ? interrupted_code : found.reached ? 0 : 1;
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto* const verb = app.add_subcommand("plan", "plan which limb touches where, from a stance to a goal in a scene");
  const auto a = std::make_shared<Arguments>();
  a->model.options.base = lissom::Base::free;
  a->model.add_to(*verb);
  verb->remove_option(verb->get_option("--base"));
  auto& p = a->problem;
  verb->add_option("--scene", a->scene, "a scene with the ground and fixed shapes (.json)")->required();
  verb->add_option("--goal", a->goal, "the goal: base, contacts, posture (.json)")->required();
  verb->add_option("--out", a->out, "the motion file to write (.json)")->required();
  verb->add_option("--from", a->from, "the first posture: " + configuration_syntax + " (default: it stands)");
  verb->add_option("--feet", a->feet, "frames of the feet: FRAME,… (default: the robot's contacts)");
  verb->add_option("--hands", a->hands, "frames of the hands: FRAME,…");
  verb->add_option("--support", p.support,
                   "at least so many limbs touch while a foot is in the air: 2 or 3 uses the hands (default: 1)")
      ->check(number_check::whole(1, 100));
  verb->add_option("--seconds", p.seconds, "time for the search (default: 60)")->check(number_check::positive());
  verb->add_option("--threads", p.threads, "number of threads (default: all); the plan does not depend on it")
      ->check(number_check::whole(0, 1024));
  verb->add_option("--seed", p.seed, "other seeds try other places (default: 0)")->check(number_check::seed());
  verb->add_option("--torque-fraction", p.torque_fraction, "part of the effort limits that may be used (default: 0.8)")
      ->check(number_check::positive());
  verb->add_flag("--json", a->as_json, "print JSON");
  verb->add_flag("--quiet", a->quiet, "show no progress");
  verb->footer("Exit code: 0 a plan was found and written, 1 none was found, 2 wrong usage or input, 130 interrupted.");
  verb->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace verb::plan
