// What robots that stand are told in files: their contacts, and goals of plans; and questions of the viewer's page.
#include <filesystem>

#include "lissom/io/read.h"
#include "lissom/limbs/contacts_file.h"
#include "lissom/limbs/standing_robot.h"
#include "lissom/lissom.h"
#include "lissom/plan/plan.h"
#include "lissom/view/answers.h"
#include "targets.h"

namespace lissom::fuzz {

void contacts(std::string_view input) {
  static InputFile file;
  static const Description robot = io::read(models() + "/quadruped.urdf").description;
  try {
    const auto found = read_contacts(robot, file.write(input));
    const auto text = contacts_to_json(robot, found);
    const auto again = read_contacts(robot, file.write(text));
    expect(contacts_to_json(robot, again) == text, "contacts that are written are read again");
  } catch (const Error&) {
  }
}

void goal(std::string_view input) {
  static InputFile file;
  // Where the goals of the tree have it: in the folder beside theirs.
  static const bool linked = [] {
    std::filesystem::create_directory_symlink(models() + "/postures", file.folder() + "/postures");
    return true;
  }();
  expect(linked, "postures");
  static const StandingRobot robot = load_standing_robot(models() + "/humanoid.urdf");
  static const auto limbs = plan::limbs_of(robot.contacts);
  try {
    const auto found = plan::read_goal(robot.model, limbs, file.write(input));
    expect(!found.posture || found.posture->size() == robot.model.nq(), "the posture of a goal is one of this robot");
    expect(found.tolerance > 0, "a goal has a tolerance");
  } catch (const Error&) {
  }
}

void question(std::string_view input) {
  static view::Answers answers({load(models() + "/arm7.urdf"), load(models() + "/planar2.urdf")});
  expect(!answers.answer(input).empty(), "every question has an answer");
}

}  // namespace lissom::fuzz
