#include "restart.h"

#include <algorithm>
#include <charconv>
#include <span>

#include <fmt/format.h>

#include "lissom/io/loops_file.h"
#include "lissom/io/read.h"
#include "lissom/recording/header.h"
#include "lissom/recording/read.h"
#include "lissom/sim/recorded_energy.h"

namespace verb::sim {

using lissom::Error;
using nlohmann::json;

namespace {

std::vector<double> list(const Eigen::VectorXd& v) {
  return {v.begin(), v.end()};
}

// A vector of finite numbers; empty if the key is missing or has something else.
Eigen::VectorXd vector_at(const json& object, const char* key, int size) {
  if (!object.is_object() || !object.contains(key)) return {};
  const auto& values = object[key];
  if (!values.is_array() || int(values.size()) != size) return {};
  Eigen::VectorXd v(size);
  for (int i = 0; i < size; ++i) {
    if (!values[std::size_t(i)].is_number()) return {};
    v[i] = values[std::size_t(i)].get<double>();
  }
  return v;
}

}  // namespace

json to_json(const ReferenceMotion& motion) {
  return {{"from", list(motion.from)}, {"to", list(motion.to)}, {"start", motion.start}, {"seconds", motion.seconds}};
}

Restart::Restart(const std::string& text) : file_(text) {
  std::string frame;
  if (const auto colon = text.rfind(':'); colon != std::string::npos && colon + 1 < text.size() &&
                                          text.find_first_not_of("0123456789", colon + 1) == std::string::npos) {
    frame = text.substr(colon + 1);
    file_.resize(colon);
  }
  recorded_ = lissom::recording::read_recording(file_);
  if (recorded_.frames() == 0) throw Error("--restart '" + file_ + "': the recording has no frames");
  frame_ = recorded_.frames() - 1;
  if (!frame.empty()) {
    const auto [end, error] = std::from_chars(frame.data(), frame.data() + frame.size(), frame_);
    if (error != std::errc() || frame_ >= recorded_.frames())
      throw Error(fmt::format("--restart '{}': no frame {}; frames: 0 … {}", file_, frame.substr(0, 40),
                              recorded_.frames() - 1));
  }
  settings_ = json::parse(recorded_.header.settings, nullptr, false);
  if (!settings_.is_object()) settings_ = json::object();
}

lissom::Model Restart::model(const std::string& loops_file) const {
  auto model = lissom::recording::rebuild(recorded_.header);
  if (loops_file.empty()) return model;
  const auto gravity = model.gravity();
  auto description = model.description();
  description.loops.clear(), description.couplings.clear(), description.springs.clear();
  lissom::io::read_loops(loops_file, description);
  return lissom::build(description, model.options()).with_gravity(gravity);
}

lissom::sim::State Restart::state(const lissom::Model& model) const {
  using namespace lissom::recording;
  if (configuration_columns(model) != header().q || velocity_columns(model) != header().v)
    throw Error(
        fmt::format("--restart '{}': it was recorded with other joints than those of '{}' ({} and {} elements of "
                    "v); give the robot, --base and --mimic of the recording, or no FILE at all",
                    file_, model.name(), header().v.size(), model.nv()));
  lissom::sim::State x;
  const auto take = [&](const char* name) {
    const auto row = recorded_.row(recorded_.signal(name), frame_);
    return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(row.data(), long(row.size())));
  };
  x.q = take("q");
  x.v = take("v");
  if (x.q.size() != model.nq() || x.v.size() != model.nv())
    throw Error(fmt::format("--restart '{}': q and v have {} and {} elements, expected {} and {} for this model", file_,
                            x.q.size(), x.v.size(), model.nq(), model.nv()));
  x.t = recorded_.times[frame_];
  x.next_step = take("integrator")[0];
  return x;
}

std::optional<lissom::EarlierEnergy> Restart::energy() const {
  using lissom::Work;
  const auto expected = lissom::sim::RecordedEnergy::signals();
  const auto row = [&](const lissom::recording::Signal& signal, std::size_t frame) -> std::span<const double> {
    const auto& signals = recorded_.signals;
    const auto found = std::ranges::find(signals, signal.name, &lissom::recording::Signal::name);
    if (found == signals.end() || found->columns != signal.columns) return {};
    return recorded_.row(std::size_t(found - signals.begin()), frame);
  };
  const auto energy = row(expected[0], 0), energy_until = row(expected[0], frame_);
  const auto work = row(expected[1], 0), work_until = row(expected[1], frame_);
  if (energy.empty() || work.empty()) return {};
  const auto work_of = [](std::span<const double> values) {
    Work all;
    for (std::size_t i = 0; i < std::size(Work::members); ++i) all.*Work::members[i] = values[i];
    return all;
  };
  // (The first frame may be the end of a run as well. The last column of work is what it does not explain.)
  return lissom::EarlierEnergy{energy.back() - work_of(work).sum() - work.back(), energy_until.back(),
                               work_of(work_until)};
}

ReferenceMotion Restart::motion(const lissom::Model& model) const {
  const auto name = settings_.value("controller", json("none"));
  if (name != "pd" && name != "computed_torque") return {};
  const auto kept = settings_.value("motion", json());
  ReferenceMotion motion{vector_at(kept, "from", model.nq()), vector_at(kept, "to", model.nq()), recorded_.times[0], 0};
  if (motion.from.size() == 0 || motion.to.size() == 0) return {};
  if (kept.contains("start") && kept["start"].is_number()) motion.start = kept["start"].get<double>();
  if (kept.contains("seconds") && kept["seconds"].is_number()) motion.seconds = kept["seconds"].get<double>();
  return motion;
}

}  // namespace verb::sim
