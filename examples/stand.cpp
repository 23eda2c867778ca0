// A humanoid keeps standing though somebody pushes its chest: a whole-body controller solves a quadratic program every
// millisecond, and a simulated robot with contacts of its own receives the torques.
#include <iostream>
#include <lissom/control.h>
#include <lissom/lissom.h>
#include <lissom/sim.h>
#include <string>

int main(int argc, char** argv) {
  const std::string models = argc > 1 ? argv[1] : "models";
  const auto model = lissom::load(models + "/humanoid.urdf", {.base = lissom::Base::free});
  const auto plan = lissom::control::read_motion_plan(model, models + "/motions/stand.json");

  lissom::control::MotionOptions options;
  options.robot.imperfections.pushes = {lissom::sim::push_at(model.frame("chest"), {60, 0, 0}, 1, 1.2)};
  const auto report = lissom::control::run(model, plan, options);

  std::cout << (report.succeeded ? "it stands" : report.failure) << " after " << report.seconds << " s; the center of "
            << "mass was at most " << 1e3 * report.max_com_error << " mm from its target\n";
  for (const auto& contact : report.contacts) std::cout << contact.name << ": up to " << contact.max_normal << " N\n";
  return report.succeeded ? 0 : 1;
}
