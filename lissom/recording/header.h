#pragma once
// Makes the header of a recording from a model, and the model from the header.
#include "lissom/model/model.h"
#include "lissom/recording/recording.h"

namespace lissom::recording {

/// The header for a model. It includes the text of the robot file, so that the recording is self-contained; throws an
/// Error if the file cannot be read. If the file does not give this robot, because the description or the file was
/// changed after it was loaded, the text is left out. `settings` is a JSON object.
Header describe(const Model& model, const std::string& settings = "{}");

/// Names and units of the elements of q: "left_knee" in rad; "base.x" … "base.qz" for joints with several elements.
std::vector<Column> configuration_columns(const Model& model);
/// Names and units of the elements of v: "left_knee" in rad/s; "base.vx" … "base.wz".
std::vector<Column> velocity_columns(const Model& model);

/// The model that was recorded, from the robot file in the header; without loops, couplings and springs, which are in a
/// file of their own. Throws an Error if there is no robot file, because a program made or changed the model, or if it
/// is invalid.
Model rebuild(const Header& header);

}  // namespace lissom::recording
