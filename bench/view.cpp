// Measures what the viewer costs a run, and how quickly it answers: writing a frame for pages, a pull of the
// humanoid's hand, quantities of a state, and the scene.
#include <benchmark/benchmark.h>
#include <nlohmann/json.hpp>

#include "lissom/ik/pull.h"
#include "lissom/lissom.h"
#include "lissom/recording/recorder.h"
#include "lissom/view/answers.h"
#include "lissom/view/frame_ring.h"
#include "lissom/view/scene.h"

namespace {

using benchmark::State;
using lissom::Vec3;

const lissom::Model& humanoid() {
  static const auto model = lissom::load(LISSOM_MODELS_DIR "/humanoid.urdf", {.base = lissom::Base::free});
  return model;
}

// Standing with bent knees and elbows.
Eigen::VectorXd posture() {
  auto q = neutral(humanoid());
  const std::pair<const char*, double> bent[] = {
      {"left_knee", .6},         {"right_knee", .6},         {"left_hip_pitch", -.3}, {"right_hip_pitch", -.3},
      {"left_ankle_pitch", -.3}, {"right_ankle_pitch", -.3}, {"left_elbow", -1}};
  for (const auto& [joint, angle] : bent) q[humanoid().joint(joint).q_index] = angle;
  return q;
}

void write_frame(State& state) {
  const std::vector<double> q(37, .1), v(36, .2), tau(36, .3), others(12, .4);
  lissom::view::FrameRing ring(121);
  const lissom::recording::Row rows[] = {q, v, tau, others};
  double time = 0;
  for (auto _ : state) ring.write(time += 1e-3, std::span<const lissom::recording::Row>(rows));
}
BENCHMARK(write_frame);

// As one drags: from place to place, a centimeter apart. Argument: whether the feet are pinned.
void pull_hand(State& state) {
  const auto& model = humanoid();
  std::vector<lissom::FrameId> pinned;
  if (state.range(0) != 0) pinned = {model.frame("left_sole"), model.frame("right_sole")};
  state.SetLabel(state.range(0) != 0 ? "feet pinned" : "free");
  lissom::ik::Pull pull(model, model.frame("left_palm"), {0, 0, 0}, pinned);
  lissom::Workspace work(model);
  const auto start = posture();
  forward_kinematics(model, work, start);
  const auto from = placement(model, work, model.frame("left_palm")).p;
  auto q = start;
  int k = 0;
  for (auto _ : state) {
    q = pull.solve(q, from + double(k) * Vec3<double>{.01, .002, -.004}).q;
    if (++k == 60) q = start, k = 0;
  }
}
BENCHMARK(pull_hand)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

void answer_quantities(State& state) {
  const auto q = posture();
  lissom::view::Answers answers({humanoid()});
  const nlohmann::json question{{"id", 1},
                                {"ask", "quantities"},
                                {"q", std::vector<double>(q.begin(), q.end())},
                                {"v", std::vector<double>(36, .1)}};
  const auto text = question.dump();
  for (auto _ : state) benchmark::DoNotOptimize(answers.answer(text));
}
BENCHMARK(answer_quantities)->Unit(benchmark::kMicrosecond);

void make_scene(State& state) {
  for (auto _ : state) {
    lissom::view::Scene scene(lissom::view::Mode::pose, "humanoid");
    scene.add_robot(humanoid(), posture());
    benchmark::DoNotOptimize(scene.json_text());
  }
}
BENCHMARK(make_scene)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
