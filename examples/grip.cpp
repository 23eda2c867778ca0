// A world: a gripper holds a capsule, lets go, and the capsule falls to the ground. Forces by name, a saved state.
#include <cmath>
#include <iostream>
#include <lissom/world.h>
#include <string>

int main(int argc, char** argv) {
  const std::string models = argc > 1 ? argv[1] : "models";
  // The file says what there is, where it starts, and how it touches; a program may change all of that.
  auto scene = lissom::scenes::read_scene(models + "/scenes/grip.json");
  scene.robots[0].servos = {};
  scene.bodies[0].color = lissom::Color{.1, .5, .6, 1};

  lissom::scenes::Simulation simulation(scene);
  auto& world = simulation.world();
  double grip = 40;  // N, of both pads together
  simulation.before_step([&](lissom::World& w) { w.tau("gripper")[0] = -grip; });

  for (int k = 0; k < 500; ++k) simulation.step(scene.step);
  const auto held = world.pose("capsule").p;
  const auto pad = world.contact_force("gripper/left_pad");
  std::cout << "after " << world.time() << " s the capsule is at z = " << held.z << " m; the capsule presses with "
            << std::abs(pad.y) << " N on the left pad\n";

  const auto saved = world.state();
  grip = -5;  // it opens
  for (int k = 0; k < 500; ++k) simulation.step(scene.step);
  const auto report = simulation.report();
  std::cout << "without grip it falls to z = " << world.pose("capsule").p.z << " m; residual at most "
            << report.max_residual << " m/s, overlap at most " << report.max_overlap << " m\n";

  // The state is what it was, bit for bit.
  world.restore(saved);
  return std::abs(held.z - .23) < 1e-6 && world.pose("capsule").p.z == held.z ? 0 : 1;
}
