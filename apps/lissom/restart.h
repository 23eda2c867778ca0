#pragma once
// Where a recorded run of `lissom sim` goes on: --restart FILE or FILE:FRAME.
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "lissom/recording/recording.h"
#include "lissom/sim/integrator.h"
#include "lissom/world/energy_audit.h"

namespace verb::sim {

// The motion that a controller follows: from one configuration to another, beginning at a time, within some seconds.
struct ReferenceMotion {
  Eigen::VectorXd from, to;
  double start = 0, seconds = 0;
};
nlohmann::json to_json(const ReferenceMotion& motion);

class Restart {
 public:
  // Reads the recording. `text` is FILE or FILE:FRAME; without FRAME, the last one.
  explicit Restart(const std::string& text);

  const std::string& file() const { return file_; }
  const lissom::recording::Header& header() const { return recorded_.header; }
  // The settings of the recorded run, a JSON object.
  const nlohmann::json& settings() const { return settings_; }
  // The recorded robot, with the closed loops of a file (empty: none).
  lissom::Model model(const std::string& loops_file) const;
  // The state in the frame. Throws an Error if the model has other joints than the recorded one.
  lissom::sim::State state(const lissom::Model& model) const;
  // What the recording says of energy and work until the frame; nothing if it does not have them.
  std::optional<lissom::EarlierEnergy> energy() const;
  // The motion that the recorded controller followed; empty vectors if it followed none.
  ReferenceMotion motion(const lissom::Model& model) const;

 private:
  std::string file_;
  lissom::recording::Recording recorded_;
  std::size_t frame_ = 0;
  nlohmann::json settings_;
};

}  // namespace verb::sim
