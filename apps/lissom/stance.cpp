// lissom stance FILE --contacts F,F,…: finds a posture in which the robot stays at rest on these contacts.
#include "lissom/stance/stance.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <numbers>
#include <sstream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "interrupt.h"
#include "lissom/limbs/standing_robot.h"
#include "lissom/lissom.h"
#include "lissom/model/axes.h"
#include "model_arguments.h"
#include "number_checks.h"
#include "numbers.h"
#include "output.h"
#include "progress.h"
#include "robot_files.h"
#include "state_arguments.h"
#include "verbs.h"

namespace verb::stance {
namespace {

using lissom::Error;
using lissom::Joint;
using lissom::JointType;
using lissom::Model;
using lissom::Vec3;
using nlohmann::json;

struct Arguments {
  ModelArguments model;
  std::string contacts, contacts_file, from, com, ground = "0";
  std::vector<std::string> places, points;
  lissom::StanceProblem problem;
  std::optional<double> friction;
  bool as_json = false, quiet = false;
};

// Reads a contact: "left_sole", or with its kind "left_foot:point".
lissom::StanceContact contact(const std::string& text, const std::vector<lissom::StanceContact>& known_contacts) {
  const auto colon = text.rfind(':');
  lissom::StanceContact c{.frame = text.substr(0, colon)};
  for (const auto& known : known_contacts)
    if (known.frame == c.frame) c = known;
  if (colon == std::string::npos) return c;
  const auto kind = text.substr(colon + 1);
  c.kind.reset();
  for (const auto known : {lissom::ContactKind::point, lissom::ContactKind::surface, lissom::ContactKind::fixed})
    if (kind == to_string(known)) c.kind = known;
  if (c.kind == lissom::ContactKind::point) c.points.clear();
  if (!c.kind) throw Error("--contacts: '" + text + "': expected FRAME, FRAME:surface, FRAME:point or FRAME:fixed");
  return c;
}

// The contact and the rest of FRAME=rest.
struct Assignment {
  lissom::StanceContact& contact;
  std::string value;
};
Assignment assignment(std::vector<lissom::StanceContact>& contacts, const char* option, const std::string& text,
                      const char* expected) {
  const auto equals = text.find('=');
  if (equals == std::string::npos) throw Error(fmt::format("{}: '{}': expected {}", option, text, expected));
  const auto name = text.substr(0, equals);
  const auto found = std::find_if(contacts.begin(), contacts.end(), [&](const auto& c) { return c.frame == name; });
  if (found == contacts.end()) throw Error(fmt::format("{}: '{}' is not among the --contacts", option, name));
  return {*found, text.substr(equals + 1)};
}

// Sets the placement of a contact from FRAME=x,y,z or FRAME=x,y,z,r,p,y.
void set_placement(std::vector<lissom::StanceContact>& contacts, const std::string& text) {
  const auto [contact, value] = assignment(contacts, "--place", text, "FRAME=x,y,z or FRAME=x,y,z,r,p,y");
  const auto x = numbers_of("--place", value);
  if (x.size() != 3 && x.size() != 6)
    throw Error(fmt::format("--place: '{}' has {} numbers, expected x,y,z or x,y,z,r,p,y", text, x.size()));
  contact.placement = {x.size() == 6 ? lissom::rotation_rpy(x[3], x[4], x[5]) : lissom::identity3<double>(),
                       {x[0], x[1], x[2]}};
}

// Sets the points of a contact from FRAME=x,y,z:x,y,z:…
void set_points(std::vector<lissom::StanceContact>& contacts, const std::string& text) {
  const auto [contact, value] = assignment(contacts, "--points", text, "FRAME=x,y,z:x,y,z:…");
  std::istringstream list(value);
  for (std::string point; std::getline(list, point, ':');) contact.points.push_back(vec3_of("--points", point));
  if (contact.points.size() != 1 && contact.points.size() < 3)
    throw Error(fmt::format("--points: '{}' has {} points, expected one, or at least three corners of a face", text,
                            contact.points.size()));
}

// The robot, and the contacts that its file, or the one beside it, has.
struct Robot {
  Model model;
  std::vector<lissom::StanceContact> feet = {}, contacts = {};  // contacts: with hands and pads
  Eigen::VectorXd from = {};
  std::vector<std::string> remarks = {};
};

Robot with_contacts(const Arguments& a) {
  auto options = a.model.options;
  options.find_meshes = true;
  auto [model, found] =
      lissom::with_contacts(read_robot(a.model.file, options), {.load = options, .contacts_file = a.contacts_file});
  Robot robot{.model = model, .feet = stance_contacts(found)};
  using lissom::ContactRole;
  for (const auto role : {ContactRole::foot, ContactRole::hand, ContactRole::pad})
    for (auto& c : stance_contacts(found, role)) robot.contacts.push_back(std::move(c));
  robot.from = nominal_configuration(model, found);
  robot.remarks = std::move(found.remarks);
  return robot;
}

// Contacts are looked for where none are named, or names are not those of frames.
Robot robot_of(const Arguments& a) {
  if (a.contacts.empty()) {
    if (a.model.options.base != lissom::Base::free)
      throw Error("--contacts is missing; with --base, name the frames that touch");
    return with_contacts(a);
  }
  Robot robot{.model = a.model.load()};
  std::istringstream list(a.contacts);
  for (std::string text; std::getline(list, text, ',');) {
    if (robot.model.has_frame(text.substr(0, text.rfind(':')))) continue;
    try {
      return with_contacts(a);
    } catch (const lissom::NoFeet&) {
      return robot;  // the name is explained later
    }
  }
  return robot;
}

lissom::StanceProblem problem_of(const Robot& robot, const Arguments& a) {
  const auto& model = robot.model;
  auto p = a.problem;
  if (a.contacts.empty()) p.contacts = robot.feet;
  p.from = robot.from;
  std::istringstream list(a.contacts);
  for (std::string text; std::getline(list, text, ',');) {
    p.contacts.push_back(contact(text, robot.contacts));
    try {
      model.frame(p.contacts.back().frame);
    } catch (const Error& error) {
      throw Error(std::string("--contacts: ") + error.what());
    }
  }
  for (auto& c : p.contacts) c.friction = a.friction.value_or(c.friction);
  for (const auto& text : a.places) set_placement(p.contacts, text);
  for (const auto& text : a.points) set_points(p.contacts, text);
  if (!a.from.empty()) p.from = configuration_of(model, "--from", a.from);
  if (!a.com.empty()) {
    const auto x = numbers_of("--com", a.com);
    if (x.size() != 2 && x.size() != 3)
      throw Error(fmt::format("--com: '{}' has {} numbers, expected x,y,z, or x,y for any height", a.com, x.size()));
    p.com_height = x.size() == 3;
    p.com = {x[0], x[1], p.com_height ? x[2] : 0};
  }
  if (a.ground == "none")
    p.ground.reset();
  else
    p.ground = numbers_of("--ground", a.ground, 1)[0];
  return p;
}

json list(const Vec3<double>& x) {
  return {x.x, x.y, x.z};
}
json list(const lissom::Mat3<double>& R) {
  return {R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz};
}
json list(const std::vector<Vec3<double>>& all) {
  json result = json::array();
  for (const auto& x : all) result.push_back(list(x));
  return result;
}

json contact_json(const lissom::StanceForces& c) {
  return {{"frame", c.frame},
          {"kind", to_string(c.kind)},
          {"position", list(c.placement.p)},
          {"rotation", list(c.placement.R)},
          {"force", list(c.force)},
          {"torque", list(c.torque)},
          {"normal_force", c.normal},
          {"friction_use", c.friction_use},
          {"points", list(c.points)},
          {"point_forces", list(c.point_forces)}};
}

// nlohmann's library writes NaN and infinite numbers as null.
json to_json(const Model& model, const lissom::Stance& s) {
  json joints = json::object(), torques = json::object(), contacts = json::array();
  json out{{"status", to_string(s.status)}, {"what", s.what}};
  for (const auto& joint : model.joints()) {
    const std::vector<double> x(s.q.begin() + joint.q_index, s.q.begin() + joint.q_index + joint.nq);
    if (joint.type == JointType::free && model.is_root_joint(joint) && !out.contains("base_position")) {
      out["base_position"] = std::vector<double>(x.begin(), x.begin() + 3);
      out["base_quaternion"] = std::vector<double>(x.begin() + 3, x.end());
    }
    if (joint.nq > 0) joints[joint.name] = x;
    if (joint.nv > 0 && joint.type != JointType::free)
      torques[joint.name] = {{"torque", std::vector<double>(s.torques.begin() + joint.v_index,
                                                            s.torques.begin() + joint.v_index + joint.nv)},
                             {"limit", joint.effort_limit[0]}};
  }
  for (const auto& c : s.contacts) contacts.push_back(contact_json(c));
  out["q"] = std::vector<double>(s.q.begin(), s.q.end());
  out["tau"] = std::vector<double>(s.torques.begin(), s.torques.end());
  out["joints"] = joints, out["torques"] = torques, out["contacts"] = contacts;
  out["com"] = list(s.com), out["balance_margin"] = s.balance_margin, out["support"] = list(s.support);
  out["max_torque_use"] = s.max_torque_use, out["max_torque_joint"] = s.max_torque_joint;
  out["max_friction_use"] = s.max_friction_use, out["posture_distance"] = s.posture_distance;
  out["starts"] = s.starts, out["iterations"] = s.iterations;
  out["remarks"] = s.remarks;
  return out;
}

void print_joint(const Model& model, const lissom::Stance& s, const Joint& joint) {
  if (joint.type == JointType::free) {
    const auto x = s.q.segment(joint.q_index, 7);
    std::cout << fmt::format("  {:<24} x y z {:.4f} {:.4f} {:.4f} m, quaternion {:.5f} {:.5f} {:.5f} {:.5f}\n",
                             joint.name, x[0], x[1], x[2], x[3], x[4], x[5], x[6]);
    return;
  }
  for (int k = 0; k < joint.nv && joint.nq == joint.nv; ++k) {
    const bool translates = joint_traits(joint.type).is_length(k);
    const double x = s.q[joint.q_index + k] * (translates ? 1 : 180 / std::numbers::pi),
                 tau = s.torques[joint.v_index + k];
    const double low = model.lower()[std::size_t(joint.q_index + k)],
                 high = model.upper()[std::size_t(joint.q_index + k)];
    const bool at_limit = s.q[joint.q_index + k] <= low || s.q[joint.q_index + k] >= high;
    const auto use = joint.effort_limit[k] > 0
                         ? fmt::format("{:>10.2f} of {:>6.4g} {:<4} {:>4.0f} %", tau, joint.effort_limit[k],
                                       translates ? "N" : "N m", 100 * std::abs(tau) / joint.effort_limit[k])
                         : fmt::format("{:>10} {:<22}", "–", "(no motor)");
    std::cout << fmt::format("  {:<24} {:>10.3f} {:<2} {}{}\n", joint.name, x, translates ? "m" : "°", use,
                             at_limit ? "  at its limit" : "");
  }
}

void print(const Model& model, const lissom::Stance& s) {
  std::cout << fmt::format("{}: {} ({} start{}, {} quadratic programs)\n", model.name(),
                           s.status == lissom::StanceStatus::found ? "a stance" : "no stance found: " + s.what,
                           s.starts, s.starts == 1 ? "" : "s", s.iterations);
  for (const auto& remark : s.remarks) std::cout << "note: " << remark << "\n";
  if (s.status != lissom::StanceStatus::found) std::cout << "best posture found:\n";
  std::cout << fmt::format("center of mass {:.4f} {:.4f} {:.4f} m{}\n", s.com.x, s.com.y, s.com.z,
                           !std::isfinite(s.balance_margin)    ? ""
                           : std::abs(s.balance_margin) < 1e-4 ? ", on the edge of the support region"
                           : s.balance_margin < 0
                               ? fmt::format(", {:.1f} cm outside of the support region", -100 * s.balance_margin)
                               : fmt::format(", {:.1f} cm inside the support region", 100 * s.balance_margin))
            << fmt::format("largest torque {:.0f} % of its limit{}, largest friction {:.0f} %\n\n",
                           100 * s.max_torque_use, s.max_torque_joint.empty() ? "" : " (" + s.max_torque_joint + ")",
                           100 * s.max_friction_use);
  std::cout << fmt::format("  {:<24} {:>24} {:>30} {:>9}\n", "contact", "x y z (m)", "force (N)", "friction");
  for (const auto& c : s.contacts)
    std::cout << fmt::format("  {:<24} {:>8.3f}{:>8.3f}{:>8.3f}  {:>9.1f}{:>9.1f}{:>9.1f}  {:>7.0f} %\n", c.frame,
                             c.placement.p.x, c.placement.p.y, c.placement.p.z, c.force.x, c.force.y, c.force.z,
                             100 * c.friction_use);
  std::cout << fmt::format("\n  {:<24} {:>10}    {:>10}    limit\n", "joint", "q", "torque");
  for (const auto& joint : model.joints()) print_joint(model, s, joint);
}

void run(const Arguments& a, int& exit_code) {
  const auto robot = robot_of(a);
  const auto& model = robot.model;
  auto problem = problem_of(robot, a);
  end_on_request();
  Progress progress(a.quiet);
  problem.stop = [&] {
    progress.show(-1, "looking for a posture");
    return interrupted();
  };
  auto stance = lissom::find_stance(model, problem);
  progress.clear();
  stance.remarks.insert(stance.remarks.begin(), robot.remarks.begin(), robot.remarks.end());
  const bool found = stance.status == lissom::StanceStatus::found;
  exit_code = found ? 0 : interrupted() ? interrupted_code : 1;
  if (a.as_json)
    print_json(to_json(model, stance), 1);
  else
    print(model, stance);
  if (interrupted() && !found)
    complain(fmt::format("interrupted after {} of {} starts", stance.starts, problem.starts));
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto* const verb = app.add_subcommand(
      "stance", "find a posture at rest on given contacts, balanced, within friction, joint and torque limits");
  const auto a = std::make_shared<Arguments>();
  a->model.options.base = lissom::Base::free;
  a->model.add_to(*verb);
  verb->get_option("--base")->description(
      "how the root link is connected to the world: free (default), fixed, planar, file (as in the file)");
  auto& p = a->problem;
  verb->add_option(
      "--contacts", a->contacts,
      "frames in contact: FRAME,…; FRAME:surface, FRAME:point or FRAME:fixed gives the kind of contact; or "
      "names of contacts, as lissom contacts prints them (default: the robot's feet)");
  verb->add_option("--contacts-file", a->contacts_file,
                   "file with the robot's contacts (default: ROBOT.contacts.json beside it, or they are proposed)");
  verb->add_option("--place", a->places,
                   "FRAME=x,y,z[,r,p,y] (m, rad): pose of a contact frame (default: flat, anywhere on the ground)")
      ->take_all();
  verb->add_option(
          "--points", a->points,
          "FRAME=x,y,z:x,y,z:…: corners of a contact's face in its frame, or its one point, in meters (default: "
          "those of collision boxes that end in the plane z = 0 of the frame)")
      ->take_all();
  verb->add_option("--from", a->from, "the posture to stay near (default: neutral): " + configuration_syntax);
  verb->add_option("--com", a->com, "x,y,z or x,y in meters: desired position of the center of mass");
  verb->add_option("--friction", a->friction, "friction coefficient of all contacts (default: 0.7)")
      ->check(number_check::non_negative());
  verb->add_option("--margin", p.com_margin,
                   "distance of the center of mass from the edge of the support region, in meters (default: 0.02)")
      ->check(number_check::non_negative());
  verb->add_option("--torque-fraction", p.torque_fraction,
                   "fraction of the effort limits that may be used (default: 0.9)")
      ->check(number_check::positive());
  verb->add_option("--ground", a->ground,
                   "height below which no collision shape may be, in meters, or none (default: 0)");
  verb->add_option("--starts", p.starts, "maximum number of starts; all but the first are random (default: 3)")
      ->check(number_check::whole(1, 100000));
  verb->add_option("--seed", p.seed, "seed of the random starts; the same seed gives the same result (default: 0)")
      ->check(number_check::seed());
  verb->add_flag("--json", a->as_json, "print JSON");
  verb->add_flag("--quiet", a->quiet, "show no progress");
  verb->callback([a, &exit_code] {
    try {
      run(*a, exit_code);
    } catch (const lissom::NoFeet& none) {
      complain(none.what());
      exit_code = 1;
    }
  });
}

}  // namespace verb::stance
