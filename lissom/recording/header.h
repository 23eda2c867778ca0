#pragma once
// From a model to the header of its recording, and back.
#include "lissom/model/model.h"
#include "lissom/recording/recording.h"

namespace lissom::recording {

/// The header for a model. Reads the text of its file, so that the recording stands alone; Error where the file has
/// gone. `settings` is a JSON object.
Header describe(const Model& model, const std::string& settings = "{}");

// The names and units of q and v: "left_knee" in rad; "base.x" … "base.qz", "base.vx" … "base.wz" for joints with
// several numbers.
std::vector<Column> configuration_columns(const Model& model);
std::vector<Column> velocity_columns(const Model& model);

// The model that was recorded, from the text in the header. Error where there is none, or it cannot be used.
Model rebuild(const Header& header);

}  // namespace lissom::recording
