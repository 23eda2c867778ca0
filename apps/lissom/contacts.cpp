// lissom contacts FILE: with which links a robot can touch, found from its file alone, and how it stands on them.
#include <cmath>
#include <iostream>
#include <memory>
#include <numbers>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "lissom/limbs/standing_robot.h"
#include "model_arguments.h"
#include "output.h"
#include "progress.h"
#include "robot_files.h"
#include "verbs.h"

namespace verb::contacts {
namespace {

using lissom::LimbContact;
using lissom::RobotContacts;
using nlohmann::json;

struct Arguments {
  ModelArguments model;
  std::string write, contacts_file;
  bool as_json = false, propose = false, quiet = false;
};

// What `print` says, and whether the robot stands.
struct Standing {
  std::string failure;
  lissom::Stance stance;
  double height = 0;  // m, of the base
};

Standing stands(const lissom::RobotWithContacts& robot) {
  Standing s;
  try {
    lissom::expect_usable(robot.model);
    s.stance = lissom::find_stance(robot.model, {.contacts = lissom::stance_contacts(robot.contacts),
                                                 .from = lissom::nominal_configuration(robot.model, robot.contacts)});
    if (s.stance.status != lissom::StanceStatus::found) s.failure = s.stance.what;
    for (const auto& joint : robot.model.joints())
      if (joint.type == lissom::JointType::free) s.height = s.stance.q[joint.q_index + 2];
  } catch (const lissom::Error& error) {
    s.failure = error.what();
  }
  return s;
}

void print_contact(const LimbContact& c) {
  std::cout << fmt::format("{:<20} {:<5} link {}: {}\n", c.name, to_string(c.role), c.link, c.why);
  std::cout << fmt::format("{:<20} {} at {:.4f} {:.4f} {:.4f} m in the link", "", to_string(c.kind), c.pose.p.x,
                           c.pose.p.y, c.pose.p.z);
  if (c.radius > 0) std::cout << fmt::format(", radius {:.4f} m", c.radius);
  if (!c.points.empty()) {
    std::cout << "; corners";
    for (const auto& p : c.points) std::cout << fmt::format(" ({:.3f}, {:.3f})", p.x, p.y);
  }
  std::cout << fmt::format("\n{:<20} joints", "");
  for (const auto& joint : c.joints) std::cout << " " << joint;
  std::cout << "\n";
}

void print(const lissom::Model& model, const RobotContacts& contacts, const Standing& standing) {
  std::cout << fmt::format("{}: {} ({})\n", model.name(),
                           fmt::format("{} contact{}", contacts.limbs.size(), contacts.limbs.size() == 1 ? "" : "s"),
                           contacts.source.empty() ? "proposed" : contacts.source);
  for (const auto& c : contacts.limbs) print_contact(c);
  for (const auto& remark : contacts.remarks) std::cout << "note: " << remark << "\n";
  if (!standing.failure.empty()) {
    std::cout << "it does not stand: " << standing.failure << "\n";
    return;
  }
  const auto& s = standing.stance;
  std::cout << fmt::format(
      "it stands: base at {:.3f} m, center of mass {:.1f} cm inside the support region, largest "
      "torque {:.0f} %{}\n",
      standing.height, 100 * s.balance_margin, 100 * s.max_torque_use,
      s.max_torque_joint.empty() ? "" : " (" + s.max_torque_joint + ")");
}

int run(const Arguments& a) {
  lissom::StandingOptions options{.load = a.model.options, .contacts_file = a.contacts_file, .propose = a.propose};
  options.load.base = lissom::Base::free;
  options.load.find_meshes = true;
  auto description = read_robot(a.model.file, options.load);
  const auto [robot, standing] = [&] {
    const Waiting waiting(a.quiet, "looking for contacts and a posture");
    auto found = lissom::with_contacts(std::move(description), options);
    auto how = stands(found);
    return std::pair(std::move(found), std::move(how));
  }();
  if (!a.write.empty()) lissom::write_contacts(robot.model.description(), robot.contacts, a.write);
  if (a.as_json) {
    auto out = json::parse(lissom::contacts_to_json(robot.model.description(), robot.contacts));
    out["stands"] = standing.failure.empty();
    if (!standing.failure.empty()) out["failure"] = standing.failure;
    print_json(out, 2);
  } else {
    print(robot.model, robot.contacts, standing);
    if (!a.write.empty()) std::cout << "written to " << a.write << "\n";
  }
  return standing.failure.empty() ? 0 : 1;
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto* const verb = app.add_subcommand(
      "contacts", "find the feet and hands of a robot, and how it stands on them, from its file alone");
  const auto a = std::make_shared<Arguments>();
  a->model.add_to(*verb);
  verb->remove_option(verb->get_option("--base"));
  verb->add_option("--write", a->write, "write the contacts to this file (.json), to be edited");
  verb->add_option("--contacts-file", a->contacts_file,
                   "read them from this file (default: ROBOT.contacts.json beside the robot, if there is one)");
  verb->add_flag("--propose", a->propose, "propose them anew, although there is such a file");
  verb->add_flag("--json", a->as_json, "print JSON");
  verb->add_flag("--quiet", a->quiet, "show no progress");
  verb->footer(
      "Exit code: 0 the robot stands on these contacts, 1 it does not, or has no feet, 2 wrong usage or input.");
  verb->callback([a, &exit_code] {
    try {
      exit_code = run(*a);
    } catch (const lissom::NoFeet& none) {
      complain(none.what());
      exit_code = 1;
    }
  });
}

}  // namespace verb::contacts
