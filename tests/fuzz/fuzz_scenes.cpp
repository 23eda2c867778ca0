// Scene files.
#include <filesystem>

#include "lissom/scenes/simulation.h"
#include "lissom/scenes/world_model.h"
#include "targets.h"

namespace lissom::fuzz {

void scene(std::string_view input) {
  static InputFile file;
  static const bool linked = [] {
    std::filesystem::create_symlink(models() + "/gripper.urdf", file.folder() + "/gripper.urdf");
    return true;
  }();
  expect(linked, "a robot");
  try {
    const auto scene = scenes::read_scene(file.write(input));
    expect(!scene.robots.empty() || !scene.bodies.empty(), "something in a scene moves");
    if (scene.robots.size() + scene.bodies.size() > 12) return;  // slow
    const scenes::WorldModel model(scene);
    scenes::Simulation simulation(scene);
    Eigen::VectorXd q, v, tau;
    for (int k = 0; k < 3; ++k) {
      simulation.step(scene.step);
      model.read(simulation.world(), q, v, tau);
      expect(q.size() == model.model().nq() && v.size() == model.model().nv(), "a state has the size of the model");
    }
  } catch (const Error&) {
  }
}

}  // namespace lissom::fuzz
