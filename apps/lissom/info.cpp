// lissom info FILE: prints the kinematic tree of a robot, its joints, masses and limits.
#include <cmath>
#include <iostream>
#include <map>
#include <memory>
#include <numbers>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "lissom/lissom.h"
#include "loop_report.h"
#include "model_arguments.h"
#include "numbers.h"
#include "output.h"
#include "verbs.h"

namespace verb::info {
namespace {

using lissom::Joint;
using lissom::JointType;
using lissom::Model;
using nlohmann::json;

json limit(double x) {
  return std::isfinite(x) ? json(x) : json(nullptr);
}
json limits(const std::vector<double>& all) {
  json list = json::array();
  for (const double x : all) list.push_back(limit(x));
  return list;
}

// One number for all degrees of freedom, or a list with one for each.
json per_dof(const lissom::PerDof& x) {
  return x.count() == 1 ? limit(x[0]) : limits({x.values().begin(), x.values().end()});
}

json joint_to_json(const Model& model, const Joint& j) {
  json out{{"name", j.name},
           {"type", to_string(j.type)},
           {"parent", j.parent},
           {"child", j.child},
           {"body", j.body},
           {"q", j.q_index},
           {"nq", j.nq},
           {"v", j.v_index},
           {"nv", j.nv},
           {"lower", limits(j.lower)},
           {"upper", limits(j.upper)},
           {"velocity_limit", per_dof(j.velocity_limit)},
           {"effort_limit", per_dof(j.effort_limit)},
           {"armature", j.armature},
           {"damping", per_dof(j.damping)},
           {"dry_friction", per_dof(j.dry_friction)},
           {"spring_stiffness", per_dof(j.spring_stiffness)},
           {"spring_rest", per_dof(j.spring_rest)}};
  if (j.follows)
    out["follows"] = {{"joint", model.joints()[std::size_t(j.follows->joint)].name},
                      {"ratio", j.follows->ratio},
                      {"offset", j.follows->offset}};
  return out;
}

json to_json(const Model& model) {
  json joints = json::array(), links = json::array(), frames = json::array();
  for (const auto& joint : model.joints()) joints.push_back(joint_to_json(model, joint));
  for (const auto& link : model.links())
    links.push_back({{"name", link.name}, {"body", link.body}, {"mass", link.mass}});
  for (const auto& frame : model.frames()) frames.push_back({{"name", frame.name}, {"body", frame.body}});
  const auto g = model.gravity();
  return {{"name", model.name()},
          {"nq", model.nq()},
          {"nv", model.nv()},
          {"bodies", model.body_count()},
          {"mass", model.mass()},
          {"gravity", {g.x, g.y, g.z}},
          {"joints", joints},
          {"links", links},
          {"frames", frames},
          {"loops", loops_to_json(model)},
          {"snapped_axes", model.snapped_axes()},
          {"max_snap", model.max_snap()}};
}

std::string indices(const char* letter, int at, int count) {
  if (count == 0) return "";
  return count == 1 ? fmt::format("{}[{}]", letter, at) : fmt::format("{}[{}…{}]", letter, at, at + count - 1);
}

std::string range(const Joint& j) {
  if (j.lower.size() != 1 || j.upper.size() != 1) return "";
  const bool angle = joint_traits(j.type).is_angle(0);
  const double unit = angle ? 180 / std::numbers::pi : 1;
  return range_text(j.lower[0] * unit, j.upper[0] * unit, angle ? "°" : "m");
}

std::string with_unit(double x, const char* unit) {
  return std::isfinite(x) ? fmt::format("{:.4g} {}", x, unit) : "";
}

std::string joint_line(const Model& model, const Joint& j) {
  std::string text = to_string(j.type);
  if (j.follows)
    text += fmt::format(" = {:g} · {}{}", j.follows->ratio, model.joints()[std::size_t(j.follows->joint)].name,
                        j.follows->offset != 0 ? fmt::format(" + {:g}", j.follows->offset) : "");
  for (const auto& part : {indices("q", j.q_index, j.nq), indices("v", j.v_index, j.nv), range(j)})
    if (!part.empty()) text += "  " + part;
  if (j.nv > 0) {
    const auto& traits = joint_traits(j.type);
    const bool translates = traits.nq() == 1 && traits.is_length(0);
    for (const auto& part : {with_unit(j.effort_limit[0], translates ? "N" : "N·m"),
                             with_unit(j.velocity_limit[0], translates ? "m/s" : "rad/s")})
      if (!part.empty()) text += "  " + part;
  }
  return text;
}

// Prints the tree, one line per link, with the joint that connects it to its parent.
void print_tree(const Model& model) {
  std::map<std::string, std::vector<int>> children;  // of each link, by its name
  const auto& links = model.links();
  std::vector<std::pair<int, int>> waiting;  // link, depth
  for (int i = int(links.size()) - 1; i >= 0; --i) {
    const int joint = links[std::size_t(i)].joint;
    const auto& parent = joint >= 0 ? model.joints()[std::size_t(joint)].parent : model.frames()[0].name;
    if (parent == model.frames()[0].name)
      waiting.emplace_back(i, 0);
    else
      children[parent].push_back(i);
  }
  while (!waiting.empty()) {
    const auto [i, depth] = waiting.back();
    waiting.pop_back();
    const auto& link = links[std::size_t(i)];
    std::string line = std::string(std::size_t(std::min(depth, 40)) * 2, ' ') + link.name;
    if (link.mass != 0) line += fmt::format(" ({:.4g} kg)", link.mass);
    if (link.joint >= 0) {
      const auto& joint = model.joints()[std::size_t(link.joint)];
      line = fmt::format("  {:<44} {}: {}", line, joint.name, joint_line(model, joint));
    } else {
      line = fmt::format("  {:<44} welded to the world", line);
    }
    std::cout << line << "\n";
    if (const auto at = children.find(link.name); at != children.end())
      for (const int child : at->second) waiting.emplace_back(child, depth + 1);
  }
}

void print(const Model& model) {
  std::map<std::string, int> types;
  for (const auto& joint : model.joints()) ++types[to_string(joint.type)];
  std::string by_type;
  for (const auto& [type, count] : types) by_type += fmt::format("{}{} {}", by_type.empty() ? "" : ", ", count, type);
  std::cout << fmt::format("{}: {} degree{} of freedom (nq {}), {} moving bod{}, {} link{}, {:.6g} kg\n", model.name(),
                           model.nv(), model.nv() == 1 ? "" : "s", model.nq(), model.body_count(),
                           model.body_count() == 1 ? "y" : "ies", model.links().size(),
                           model.links().size() == 1 ? "" : "s", model.mass());
  std::cout << "joints: " << (by_type.empty() ? "none" : by_type) << "\n";
  if (model.snapped_axes() > 0)
    std::cout << fmt::format("axes snapped to coordinate axes: {}, by at most {:.1e} rad\n", model.snapped_axes(),
                             model.max_snap());
  std::cout << "\n";
  print_tree(model);
  std::string extra;
  for (std::size_t i = model.links().size() + 1; i < model.frames().size(); ++i)
    extra += (extra.empty() ? "" : ", ") + model.frames()[i].name;
  if (!extra.empty()) std::cout << "\nframes: " << extra << "\n";
  if (const auto loops = loop_lines(model); !loops.empty())
    std::cout << fmt::format("\nloops\n  {}\n", fmt::join(loops, "\n  "));
}

}  // namespace

void add(CLI::App& app, int&) {
  auto* const verb = app.add_subcommand(
      "info", "print the kinematic tree of a robot, its joints, masses, limits, and the order of q and v");
  const auto arguments = std::make_shared<ModelArguments>();
  const auto as_json = std::make_shared<bool>(false);
  arguments->add_to(*verb);
  verb->add_option("--loops", arguments->options.loops_file, "file (JSON) with closed loops, couplings and springs");
  verb->add_flag("--json", *as_json, "print JSON");
  verb->callback([arguments, as_json] {
    const auto model = arguments->load();
    if (*as_json)
      print_json(to_json(model), 1);
    else
      print(model);
  });
}

}  // namespace verb::info
