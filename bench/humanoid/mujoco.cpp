// Time of mj_step on MuJoCo's humanoid, on the motions of runs.h. Compiled by run.
// usage: humanoid FILE.xml [STEP [SECONDS]]
#include <chrono>
#include <cstdlib>
#include <mujoco/mujoco.h>

#include "runs.h"

static void run(const mjModel* m, mjData* d, const humanoid::Run& start, double seconds, humanoid::Steps& steps) {
  using Clock = std::chrono::steady_clock;
  mj_resetData(m, d);
  d->qpos[2] = start.height;
  for (int k = 0; k < 4; ++k) d->qpos[3 + k] = start.quaternion[k];
  humanoid::Torques torques(start);
  const int count = int(seconds / m->opt.timestep);
  for (int k = 0; k < count; ++k) {
    const auto& applied = torques.at(k);
    for (std::size_t i = 0; i < applied.size(); ++i) d->ctrl[i] = applied[i] / humanoid::gears[i];
    const auto begin = Clock::now();
    mj_step(m, d);
    const double us = std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
    steps.add({us, 0, d->ncon, d->nefc, d->solver_niter[0], 0});
  }
}

int main(int count, char** arguments) {
  if (count < 2) return std::fprintf(stderr, "usage: humanoid FILE.xml [STEP [SECONDS]]\n"), 2;
  char error[500];
  mjModel* const m = mj_loadXML(arguments[1], nullptr, error, sizeof error);
  if (!m) return std::fprintf(stderr, "humanoid: %s\n", error), 1;
  const double seconds = count > 3 ? std::atof(arguments[3]) : 4;
  m->opt.timestep = count > 2 ? std::atof(arguments[2]) : 2e-3;
  mjData* const d = mj_makeData(m);
  humanoid::Steps steps;
  for (int repetition = 0; repetition < humanoid::repetitions; ++repetition) {
    steps.begin();
    for (int seed = 0; seed < humanoid::runs; ++seed) run(m, d, humanoid::Run(seed), seconds, steps);
  }
  std::printf("MuJoCo %s: candidates are rows of its solver, sweeps its iterations\n", mj_versionString());
  steps.print("MuJoCo", m->opt.timestep);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
