// Records a made-up motion of the humanoid, for the tests of the command and of other programs that read our files.
// usage: record_example FILE [frames=N] [step=S] [shift=X] [from=FRAME] [flip=1] [odd=1] [nan=1] [tick=1] [crash=1]
//        shift: added to left_knee from frame `from` on; flip: the base's quaternion with the other sign;
//        odd: a signal with odd names; nan: NaN and infinity; tick: a signal with a long tail; crash: exits without
//        closing the file
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include "lissom/lissom.h"
#include "lissom/recording/header.h"
#include "lissom/recording/recorder.h"

namespace {

using namespace lissom;

int run(const std::string& file, std::map<std::string, double> option) {
  const auto model = load(LISSOM_MODELS_DIR "/humanoid.urdf", {.base = Base::free});
  Workspace work(model);
  const int frames = int(option["frames"]);
  const double step = option["step"];
  const auto header =
      recording::describe(model, "{\"step\":" + std::to_string(step) + ",\"solver\":{\"iterations\":10}}");
  std::vector<recording::Signal> signals{
      {"q", header.q}, {"v", header.v}, {"energy", {{"kinetic", "J"}, {"potential", "J"}, {"total", "J"}}}};
  if (option["odd"] != 0)
    signals.push_back({"foot_left, 'größe'", {{"a_b, \"c\"", "N·m"}, {"x^2_{3}", ""}, {"100 % $HOME `id`", "1/s"}}});
  if (option["tick"] != 0) signals.push_back({"tick", {{"time", "µs"}, {"iterations", "1"}, {"nothing", ""}}});
  recording::Recorder recorder(file, header, signals);
  Eigen::VectorXd q = neutral(model), v(model.nv());
  const auto knee = model.joint("left_knee").q_index;
  for (int k = 0; k < frames; ++k) {
    const double t = k * step;
    for (int i = 0; i < model.nv(); ++i) v[i] = (i < 6 ? 0.3 : 1) * std::cos((1 + 0.1 * i) * t + 0.4 * i);
    Eigen::VectorXd out = q;
    if (option["flip"] != 0) out.segment<4>(3) *= -1;
    if (k >= int(option["from"])) out[knee] += option["shift"];
    Eigen::Vector3d energy(kinetic_energy(model, work, q, v), potential_energy(model, work, q), 0);
    energy[2] = energy[0] + energy[1];
    if (option["nan"] != 0 && k % 50 > 40) energy[0] = k % 2 == 0 ? NAN : INFINITY;
    if (option["odd"] != 0)
      recorder.write(t, {out, v, energy, Eigen::Vector3d(std::sin(t), t, 5)});
    else if (option["tick"] != 0)  // 40 … 59.99 µs in steps, and one frame in 2000 takes 100 times as long
      recorder.write(
          t, {out, v, energy,
              Eigen::Vector3d((40 + .01 * (k * 7 % 2000)) * (k % 2000 == 3 ? 100 : 1), k * 7 % 2000 / 500, NAN)});
    else
      recorder.write(t, {out, v, energy});
    q = integrate(model, q, v, step);
  }
  if (option["crash"] != 0) {
    recorder.flush();
    std::_Exit(0);
  }
  recorder.close();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::map<std::string, double> option{{"frames", 200}, {"step", 0.01}};
  for (int i = 2; i < argc; ++i)
    if (const char* equals = std::strchr(argv[i], '='))
      option[std::string(argv[i], std::size_t(equals - argv[i]))] = std::atof(equals + 1);
  try {
    return argc > 1 ? run(argv[1], option) : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
