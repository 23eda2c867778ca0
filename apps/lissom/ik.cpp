// lissom ik FILE --frame F --position x,y,z …: finds the configuration that reaches a target, or comes closest to it.
#include <cmath>
#include <iostream>
#include <memory>
#include <numbers>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "interrupt.h"
#include "lissom/api/postures.h"
#include "lissom/ik/closed_loops.h"
#include "lissom/lissom.h"
#include "lissom/model/axes.h"
#include "lissom/spatial/quaternion.h"
#include "model_arguments.h"
#include "number_checks.h"
#include "numbers.h"
#include "output.h"
#include "progress.h"
#include "recording_arguments.h"
#include "state_arguments.h"
#include "verbs.h"
#include "view_arguments.h"

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
  ViewArguments page;
  std::string frame, eye, in, position, point, rpy, quaternion, look_at, axis, com, from, prefer = "first";
  std::vector<std::string> locked;
  double tolerance = 1e-6;
  int starts = ik::Options{}.starts;
  std::uint64_t seed = 0;
  bool all = false, as_json = false, quiet = false;
};

Mat3<double> rotation_quaternion(const std::string& text) {
  const auto x = numbers_of("--orientation-quaternion", text, 4);
  const double norm = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
  if (std::abs(norm - 1) > 1e-3)
    throw Error(
        fmt::format("--orientation-quaternion: '{}' has norm {:.6g}, expected w,x,y,z with norm 1", text, norm));
  return matrix(normalized(lissom::Quaternion<double>{x[0], x[1], x[2], x[3]}));
}

std::optional<Mat3<double>> desired_rotation(const Arguments& a) {
  if (!a.rpy.empty() && !a.quaternion.empty())
    throw Error("--orientation-rpy and --orientation-quaternion are both given; give only one of them");
  if (!a.rpy.empty()) {
    const auto rpy = vec3_of("--orientation-rpy", a.rpy);
    return lissom::rotation_rpy(rpy.x, rpy.y, rpy.z);
  }
  if (!a.quaternion.empty()) return rotation_quaternion(a.quaternion);
  return {};
}

lissom::FrameId frame(const Model& model, const std::string& name, const std::string& option, const std::string& why) {
  if (name.empty()) throw Error(option + " is missing; expected " + why);
  try {
    return model.frame(name);
  } catch (const Error& error) {
    throw Error(option + ": " + error.what());
  }
}

// A target, and its name in the report.
struct Named {
  ik::Target target;
  std::string kind, of;
};

std::vector<Named> targets(const Model& model, const Arguments& a) {
  std::vector<Named> all;
  const auto rotation = desired_rotation(a);
  if (!a.position.empty() || rotation) {
    const auto of = frame(model, a.frame, "--frame", "the frame that is to reach the position or orientation");
    ik::Target t{.of = of};
    t.kind = a.position.empty() ? lissom::ik::TargetKind::orientation
             : rotation         ? lissom::ik::TargetKind::pose
                                : lissom::ik::TargetKind::position;
    if (!a.position.empty()) t.pose.p = vec3_of("--position", a.position);
    if (rotation) t.pose.R = *rotation;
    if (!a.point.empty()) t.point = vec3_of("--point", a.point);
    all.push_back({t, a.position.empty() ? "orientation" : rotation ? "pose" : "position", a.frame});
  } else if (!a.point.empty()) {
    throw Error("--point is the point of --frame that is brought to --position; give --position x,y,z too");
  }
  if (!a.look_at.empty()) {
    const auto& name = a.eye.empty() ? a.frame : a.eye;
    const auto eye =
        frame(model, name, a.eye.empty() ? "--frame" : "--eye", "the frame whose axis is to point at --look-at");
    all.push_back(
        {ik::look_at(eye, vec3_of("--axis", a.axis.empty() ? "1,0,0" : a.axis), vec3_of("--look-at", a.look_at)),
         "look-at", name});
  }
  if (!a.com.empty()) all.push_back({ik::center_of_mass(vec3_of("--com", a.com)), "center of mass", ""});
  if (all.empty())
    throw Error(
        "no target; expected --position, --orientation-rpy or --orientation-quaternion with --frame, --look-at, "
        "or --com");
  if (!a.in.empty())
    for (auto& named : all) named.target.in = frame(model, a.in, "--in", "");
  return all;
}

ik::Options options(const Arguments& a) {
  ik::Options o{.tolerance = {a.tolerance, a.tolerance}, .starts = a.starts, .seed = a.seed};
  if (a.prefer == "nearest")
    o.prefer = ik::Prefer::nearest;
  else if (a.prefer == "central")
    o.prefer = ik::Prefer::central;
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
    std::string limits = range_text(low * unit, high * unit, name);
    if (x == low || x == high) limits += "  at its limit";
    std::cout << fmt::format("  {:<28} {:>18.12f} {:>12.4f} {:<2} {}\n", k == 0 ? joint.name : "", x, x * unit, name,
                             limits);
  }
}

void print(const Model& model, const std::vector<Named>& asked, const ik::Result& r, double tolerance) {
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const auto& residual = r.residuals[i];
    const auto of = asked[i].of.empty() ? "" : fmt::format(" of '{}'", asked[i].of);
    std::cout << fmt::format("{}{}: {:.3g} m, {:.3g} rad off{}\n", asked[i].kind, of, residual.distance, residual.angle,
                             residual.distance <= tolerance && residual.angle <= tolerance ? "" : "  not reached");
  }
  std::cout << fmt::format("\n  {:<28} {:>18} {:>12}    limits\n", "joint", "q", "");
  for (const auto& joint : model.joints()) print_joint(model, joint, r.q);
}

void report(const Arguments& a, const Model& model, const std::vector<Named>& asked,
            const std::vector<ik::Result>& found) {
  const auto& best = found.front();
  if (a.as_json) {
    json out = to_json(model, asked, best);
    out["iterations"] = best.iterations, out["starts"] = best.starts;
    for (std::size_t i = 0; a.all && i < found.size(); ++i) out["solutions"].push_back(to_json(model, asked, found[i]));
    print_json(out, 1);
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

void run(Arguments& a, int& exit_code) {
  a.model.options.find_meshes = a.page.view;
  const auto model = a.model.load();
  const auto asked = targets(model, a);
  std::vector<ik::Target> plain;
  for (const auto& named : asked) plain.push_back(named.target);
  ik::ExtraRows loops;
  if (const auto closures = lissom::closures(model); !closures.empty())
    loops = ik::closed_loops(model, closures, std::min(1e-8, a.tolerance));
  ik::Solver solver(model, plain, loops,
                    split_names(a.locked, [&](const auto& name) { return model.has_joint(name); }));
  const auto from = a.from.empty() ? initial_configuration(model) : configuration_of(model, "--from", a.from);
  end_on_request();
  Progress progress(a.quiet);
  auto o = options(a);
  o.stop = [&](int starts) {
    progress.show(double(starts) / a.starts, fmt::format("start {} of {}", starts + 1, a.starts));
    return interrupted();
  };
  const auto found = a.all ? solver.solve_all(from, o) : std::vector<ik::Result>{solver.solve(from, o)};
  progress.clear();
  const auto& best = found.front();
  if (interrupted()) complain(fmt::format("interrupted after {} of {} starts", best.starts, a.starts));
  exit_code = interrupted() ? interrupted_code : best.status == ik::Status::solved ? 0 : 1;
  report(a, model, asked, found);
  if (!a.page.view || interrupted()) return;
  lissom::view::Scene scene(lissom::view::Mode::pose, model.name());
  scene.add_robot(model, best.q);
  serve(std::move(scene), a.page, std::cerr);
}

void add_targets(CLI::App& verb, Arguments& a) {
  verb.add_option("--frame", a.frame, "link or frame that is to reach the target");
  verb.add_option("--position", a.position, "x,y,z in meters: desired position of its origin");
  verb.add_option("--orientation-rpy", a.rpy, "r,p,y in radians, as in URDF: its desired orientation");
  verb.add_option("--orientation-quaternion", a.quaternion, "w,x,y,z: its desired orientation as a unit quaternion");
  verb.add_option("--point", a.point,
                  "x,y,z in meters, in the frame: the point that is brought to --position (default: its origin)");
  verb.add_option("--loops", a.model.options.loops_file, "file (JSON) with closed loops, which stay closed");
  verb.add_option("--look-at", a.look_at, "x,y,z in meters: the point that an axis of a frame is to point at");
  verb.add_option("--eye", a.eye, "the frame of that axis (default: --frame)");
  verb.add_option("--axis", a.axis, "x,y,z: that axis, in its frame (default: 1,0,0)");
  verb.add_option("--com", a.com, "x,y,z in meters: desired position of the center of mass");
  verb.add_option("--in", a.in, "frame in which all targets are expressed (default: the world)");
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto* const verb = app.add_subcommand(
      "ik", "inverse kinematics: find joint positions that bring a frame to a target, or as close as possible");
  const auto a = std::make_shared<Arguments>();
  a->model.add_to(*verb);
  add_targets(*verb, *a);
  verb->add_option("--lock", a->locked, "joints, separated by commas, that keep their positions of --from");
  verb->add_option("--from", a->from, "initial configuration (default: neutral): " + configuration_syntax);
  verb->add_option("--starts", a->starts,
                   fmt::format("maximum number of starts; all but the first are random (default: {})", a->starts))
      ->check(number_check::whole(1, 1000000));
  verb->add_option("--seed", a->seed, "seed of the random starts; the same seed gives the same result (default: 0)")
      ->check(number_check::seed());
  verb->add_option("--tolerance", a->tolerance,
                   "error below which a target is reached, in meters and radians (default: 1e-6)")
      ->check(number_check::positive());
  take_one_of(
      verb->add_option("--prefer", a->prefer,
                       "which of several solutions: first (default), nearest (to --from), central (far from joint "
                       "limits)"),
      {"first", "nearest", "central"});
  verb->add_flag("--all", a->all, "report all distinct solutions that the starts find");
  a->page.add_to(*verb);
  verb->add_flag("--json", a->as_json, "print JSON");
  verb->add_flag("--quiet", a->quiet, "show no progress");
  verb->footer(
      "Exit code: 0 solved, 1 not reached (the closest configuration is printed), 2 wrong usage or input, 130 "
      "interrupted (with the best so far).");
  verb->callback([a, verb, &exit_code] {
    a->page.check(*verb);
    run(*a, exit_code);
  });
}

}  // namespace verb::ik
