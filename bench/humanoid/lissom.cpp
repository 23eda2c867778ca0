// Time of World::step on MuJoCo's humanoid: it falls and lies on the ground, some of the time with random torques, in
// closed loop. mujoco.cpp does the same with mj_step. Prints one line for each range of contacts.
// usage: contact_humanoid FILE.xml [STEP [SECONDS]]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "lissom/api/load.h"
#include "lissom/api/state.h"
#include "lissom/world/world.h"
#include "runs.h"

namespace {

using namespace lissom;

World make_world(const Model& model) {
  World world;
  world.add_ground();
  world.add("robot", model, neutral(model));
  // As in the file: the robot's shapes slide on each other without friction, and two pairs of links never touch.
  world.set_properties("ground", "", {.friction = 1});
  world.set_properties("robot", "robot", {.friction = 0});
  for (const std::string side : {"right", "left"}) world.exclude("robot/waist_lower", "robot/thigh_" + side);
  return world;
}

void run(World& world, const humanoid::Run& start, double h, double seconds, humanoid::Steps& steps) {
  using Clock = std::chrono::steady_clock;
  auto state = world.state();
  auto& q = state.q[0];
  q.setZero(), state.v[0].setZero(), state.tau[0].setZero(), state.a[0].setZero();
  state.time = 0, state.impulses.clear();
  q[2] = start.height;
  for (int k = 0; k < 4; ++k) q[3 + k] = start.quaternion[k];
  world.restore(state);
  humanoid::Torques torques(start);
  const int count = int(seconds / h);
  for (int k = 0; k < count; ++k) {
    const auto& applied = torques.at(k);
    for (std::size_t i = 0; i < applied.size(); ++i) world.tau("robot")[6 + long(i)] = applied[i];
    const auto begin = Clock::now();
    const auto report = world.step(h);
    const double us = std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
    int touching = 0;
    for (const auto& contact : world.contacts()) touching += contact.force.x != 0 || contact.force.z != 0;
    steps.add({us, report.residual, touching, report.contacts, report.sweeps, report.factorizations});
  }
}

}  // namespace

int main(int count, char** arguments) try {
  if (count < 2) return std::fprintf(stderr, "usage: contact_humanoid FILE.xml [STEP [SECONDS]]\n"), 2;
  const double h = count > 2 ? std::atof(arguments[2]) : 2e-3, seconds = count > 3 ? std::atof(arguments[3]) : 4;
  auto world = make_world(load(arguments[1]));
  humanoid::Steps steps;
  for (int repetition = 0; repetition < humanoid::repetitions; ++repetition) {
    steps.begin();
    for (int seed = 0; seed < humanoid::runs; ++seed) run(world, humanoid::Run(seed), h, seconds, steps);
  }
  steps.print("lissom", h);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "contact_humanoid: %s\n", error.what());
  return 1;
}
