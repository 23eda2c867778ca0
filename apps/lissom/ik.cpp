// lissom ik FILE --frame F --position x,y,z …: the configuration that reaches a target, or comes closest to it.
#include <charconv>
#include <cmath>
#include <iostream>
#include <memory>
#include <numbers>
#include <optional>
#include <sstream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "lissom/ik/closed_loops.h"
#include "lissom/lissom.h"
#include "lissom/model/axes.h"
#include "lissom/spatial/quaternion.h"
#include "model_arguments.h"
#include "numbers.h"
#include "verbs.h"

namespace verb::ik {
namespace {

using lissom::Error;
using lissom::Joint;
using lissom::JointType;
using lissom::Mat3;
using lissom::Model;
using nlohmann::json;
namespace ik = lissom::ik;

struct Arguments {
  ModelArguments model;
  std::string frame, eye, in, position, point, rpy, quaternion, look_at, axis, com, from, prefer = "first";
  double tolerance = 1e-6;
  int starts = ik::Options{}.starts;
  std::uint64_t seed = 0;
  bool all = false, as_json = false;
};

double number(const std::string& text, const std::string& option) {
  double x = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(x))
    throw Error(option + ": '" + text + "' is no number");
  return x;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

Mat3<double> rotation_quaternion(const std::string& text) {
  const auto x = numbers_of("--orientation-quaternion", text, 4);
  const double length = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
  if (std::abs(length - 1) > 1e-3)
    throw Error(
        fmt::format("--orientation-quaternion: '{}' has length {:.6g}; expected w,x,y,z of length 1", text, length));
  return matrix(normalized(lissom::Quaternion<double>{x[0], x[1], x[2], x[3]}));
}

std::optional<Mat3<double>> desired_rotation(const Arguments& a) {
  if (!a.rpy.empty() && !a.quaternion.empty())
    throw Error("--orientation-rpy and --orientation-quaternion say the same thing; give one of them");
  if (!a.rpy.empty()) {
    const auto rpy = vec3_of("--orientation-rpy", a.rpy);
    return lissom::rotation_rpy(rpy.x, rpy.y, rpy.z);
  }
  if (!a.quaternion.empty()) return rotation_quaternion(a.quaternion);
  return {};
}

lissom::FrameId frame(const Model& model, const std::string& name, const std::string& option, const std::string& why) {
  if (name.empty()) throw Error(option + " is missing: " + why);
  try {
    return model.frame(name);
  } catch (const Error& error) {
    throw Error(option + ": " + error.what());
  }
}

// What a target is called in the report.
struct Named {
  ik::Target target;
  std::string kind, of;
};

std::vector<Named> targets(const Model& model, const Arguments& a) {
  std::vector<Named> all;
  const auto rotation = desired_rotation(a);
  if (!a.position.empty() || rotation) {
    const auto of = frame(model, a.frame, "--frame", "whose position or orientation is meant");
    ik::Target t{.of = of};
    t.kind = a.position.empty() ? lissom::ik::TargetKind::orientation
             : rotation         ? lissom::ik::TargetKind::pose
                                : lissom::ik::TargetKind::position;
    if (!a.position.empty()) t.place.p = vec3_of("--position", a.position);
    if (rotation) t.place.R = *rotation;
    if (!a.point.empty()) t.point = vec3_of("--point", a.point);
    all.push_back({t, a.position.empty() ? "orientation" : rotation ? "pose" : "position", a.frame});
  } else if (!a.point.empty()) {
    throw Error("--point is the point of --frame that is brought to --position; give --position x,y,z too");
  }
  if (!a.look_at.empty()) {
    const auto& name = a.eye.empty() ? a.frame : a.eye;
    const auto eye = frame(model, name, a.eye.empty() ? "--frame" : "--eye", "whose axis looks at the place");
    all.push_back(
        {ik::look_at(eye, vec3_of("--axis", a.axis.empty() ? "1,0,0" : a.axis), vec3_of("--look-at", a.look_at)),
         "look-at", name});
  }
  if (!a.com.empty()) all.push_back({ik::center_of_mass(vec3_of("--com", a.com)), "center of mass", ""});
  if (all.empty())
    throw Error(
        "nothing to reach: expected --position, --orientation-rpy or --orientation-quaternion with --frame, --look-at, "
        "or --com");
  if (!a.in.empty())
    for (auto& named : all) named.target.in = frame(model, a.in, "--in", "");
  return all;
}

// All of q, or JOINT=VALUE pairs; what is not named stays as it is at rest.
Eigen::VectorXd start(const Model& model, const std::string& text) {
  Eigen::VectorXd q = neutral(model);
  if (text.empty()) return q;
  if (text.find('=') == std::string::npos) {
    const auto x = numbers_of("--from", text, std::size_t(model.nq()));
    std::copy(x.begin(), x.end(), q.begin());
    return normalize(model, q);
  }
  for (const auto& pair : split(text)) {
    const auto equals = pair.find('=');
    if (equals == std::string::npos) throw Error("--from: '" + pair + "': expected JOINT=VALUE");
    const auto& joint = model.joint(pair.substr(0, equals));
    if (joint.nq != 1)
      throw Error(
          fmt::format("--from: joint '{}' ({}) has {} numbers; only joints with one can be named: give all {} "
                      "numbers of q instead",
                      joint.name, to_string(joint.type), joint.nq, model.nq()));
    q[joint.q_index] = number(pair.substr(equals + 1), "--from");
  }
  return q;
}

ik::Options options(const Arguments& a) {
  ik::Options o{.tolerance = {a.tolerance, a.tolerance}, .starts = a.starts, .seed = a.seed};
  if (a.prefer == "nearest")
    o.prefer = ik::Prefer::nearest;
  else if (a.prefer == "central")
    o.prefer = ik::Prefer::central;
  else if (a.prefer != "first")
    throw Error("--prefer: '" + a.prefer + "': expected first, nearest or central");
  return o;
}

json to_json(const Model& model, const std::vector<Named>& asked, const ik::Result& r) {
  json joints = json::object(), list = json::array();
  for (const auto& joint : model.joints())
    if (joint.nq > 0)
      joints[joint.name] = std::vector<double>(r.q.begin() + joint.q_index, r.q.begin() + joint.q_index + joint.nq);
  for (std::size_t i = 0; i < asked.size(); ++i)
    list.push_back({{"kind", asked[i].kind},
                    {"frame", asked[i].of},
                    {"distance", r.residuals[i].distance},
                    {"angle", r.residuals[i].angle}});
  return {{"status", ik::to_string(r.status)},
          {"q", std::vector<double>(r.q.begin(), r.q.end())},
          {"joints", joints},
          {"targets", list},
          {"error", r.error}};
}

void print_joint(const Model& model, const Joint& joint, const Eigen::VectorXd& q) {
  const auto& traits = joint_traits(joint.type);
  for (int k = 0; k < joint.nq; ++k) {
    const bool in_degrees = traits.is_angle(k);
    const double unit = in_degrees ? 180 / std::numbers::pi : 1, x = q[joint.q_index + k];
    const double low = model.lower()[std::size_t(joint.q_index + k)],
                 high = model.upper()[std::size_t(joint.q_index + k)];
    const auto* const name = in_degrees ? "°" : traits.is_length(k) ? "m" : "";
    std::string limits = std::isfinite(low) || std::isfinite(high)
                             ? fmt::format("{:.4g} … {:.4g} {}", low * unit, high * unit, name)
                             : "";
    if (x == low || x == high) limits += "  at its limit";
    std::cout << fmt::format("  {:<28} {:>18.12f} {:>12.4f} {:<2} {}\n", k == 0 ? joint.name : "", x, x * unit, name,
                             limits);
  }
}

void print(const Model& model, const std::vector<Named>& asked, const ik::Result& r, double tolerance) {
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const auto& left = r.residuals[i];
    const auto of = asked[i].of.empty() ? "" : fmt::format(" of '{}'", asked[i].of);
    std::cout << fmt::format("{}{}: {:.3g} m, {:.3g} rad off{}\n", asked[i].kind, of, left.distance, left.angle,
                             left.distance <= tolerance && left.angle <= tolerance ? "" : "  not reached");
  }
  std::cout << fmt::format("\n  {:<28} {:>18} {:>12}    limits\n", "joint", "q", "");
  for (const auto& joint : model.joints()) print_joint(model, joint, r.q);
}

void run(const Arguments& a, int& exit_code) {
  const auto model = a.model.load();
  const auto asked = targets(model, a);
  std::vector<ik::Target> plain;
  for (const auto& named : asked) plain.push_back(named.target);
  ik::ExtraRows loops;
  if (const auto closures = lissom::closures(model); !closures.empty())
    loops = ik::closed_loops(model, closures, std::min(1e-8, a.tolerance));
  ik::Solver solver(model, plain, loops);
  const auto from = start(model, a.from);
  const auto found =
      a.all ? solver.solve_all(from, options(a)) : std::vector<ik::Result>{solver.solve(from, options(a))};
  const auto& best = found.front();
  exit_code = best.status == ik::Status::solved ? 0 : 1;
  if (a.as_json) {
    json out = to_json(model, asked, best);
    out["iterations"] = best.iterations, out["starts"] = best.starts;
    for (std::size_t i = 0; a.all && i < found.size(); ++i) out["solutions"].push_back(to_json(model, asked, found[i]));
    std::cout << out.dump(1) << "\n";
    return;
  }
  std::cout << fmt::format("{}: {} ({} start{}, {} iterations)\n", model.name(),
                           best.status == ik::Status::solved ? "solved"
                           : best.status == ik::Status::closest
                               ? "not reached from any start; the closest configuration found"
                               : "not reached; the best so far",
                           best.starts, best.starts == 1 ? "" : "s", best.iterations);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found.size() > 1) std::cout << fmt::format("\nsolution {} of {}\n", i + 1, found.size());
    print(model, asked, found[i], a.tolerance);
  }
}

void add_targets(CLI::App& verb, Arguments& a) {
  verb.add_option("--frame", a.frame, "link or frame that shall be somewhere");
  verb.add_option("--position", a.position, "x,y,z in meters: where its origin shall be");
  verb.add_option("--orientation-rpy", a.rpy, "r,p,y in radians, as URDF has them: how it shall be turned");
  verb.add_option("--orientation-quaternion", a.quaternion, "w,x,y,z: the same as a quaternion");
  verb.add_option("--point", a.point, "x,y,z on the frame: what is brought to --position instead of its origin");
  verb.add_option("--loops", a.model.options.loops_file, "file (JSON) with closed loops, which are kept closed");
  verb.add_option("--look-at", a.look_at, "x,y,z: the place that an axis shall point at");
  verb.add_option("--eye", a.eye, "frame that looks; --frame unless given");
  verb.add_option("--axis", a.axis, "x,y,z: its axis that looks; 1,0,0 unless given");
  verb.add_option("--com", a.com, "x,y,z: where the center of mass shall be");
  verb.add_option("--in", a.in, "frame in whose coordinates all places are given; the world unless given");
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto* const verb =
      app.add_subcommand("ik", "inverse kinematics: joints that bring a frame to a place, or as close as they can");
  const auto a = std::make_shared<Arguments>();
  a->model.add_to(*verb);
  add_targets(*verb, *a);
  verb->add_option("--from", a->from,
                   "where the search begins: all numbers of q, or JOINT=VALUE,…; at rest unless given");
  verb->add_option("--starts", a->starts, "how many times it begins at most; all but the first at random")
      ->check(CLI::Range(1, 1000000));
  verb->add_option("--seed", a->seed, "of the random starts: the same seed, the same answer");
  verb->add_option("--tolerance", a->tolerance, "meters and radians that count as reached")->check(CLI::PositiveNumber);
  verb->add_option("--prefer", a->prefer,
                   "which of several solutions: first (default), nearest (to --from), central (far from limits)");
  verb->add_flag("--all", a->all, "all distinct solutions that the starts find");
  verb->add_flag("--json", a->as_json, "for programs");
  verb->callback([a, &exit_code] { run(*a, exit_code); });
}

}  // namespace verb::ik
