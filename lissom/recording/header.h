#pragma once
// Makes the header of a recording from a model, and the model from the header.
#include "lissom/model/model.h"
#include "lissom/recording/recording.h"

namespace lissom::recording {

/// The header for a model. It includes the text of the robot file, so that the recording is self-contained; throws an
/// Error if the file cannot be read. `settings` is a JSON object.
Header describe(const Model& model, const std::string& settings = "{}");

/// Names and units of the elements of q: "left_knee" in rad; "base.x" … "base.qz" for joints with several elements.
std::vector<Column> configuration_columns(const Model& model);
/// Names and units of the elements of v: "left_knee" in rad/s; "base.vx" … "base.wz".
std::vector<Column> velocity_columns(const Model& model);

/// The model that was recorded, from the robot file in the header. Throws an Error if there is none, or it is invalid.
Model rebuild(const Header& header);

}  // namespace lissom::recording
