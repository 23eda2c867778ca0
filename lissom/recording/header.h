#pragma once
// Makes the header of a recording from a model, and the model from the header.
#include "lissom/model/model.h"
#include "lissom/recording/recording.h"

namespace lissom::recording {

/// The header for a model. It includes the robot, so that the recording is self-contained: the text of the robot file,
/// or the whole description if that text alone does not give it (because the robot was changed after it was loaded,
/// comes from several files or from none, or has loops in a file of their own). `settings` is a JSON object.
Header describe(const Model& model, const std::string& settings = "{}");

/// Names and units of the elements of q: "left_knee" in rad; "base.x" … "base.qz" for joints with several elements.
std::vector<Column> configuration_columns(const Model& model);
/// Names and units of the elements of v: "left_knee" in rad/s; "base.vx" … "base.wz".
std::vector<Column> velocity_columns(const Model& model);
/// The same names with the units of generalized forces, N and N·m.
std::vector<Column> effort_columns(const Model& model);

/// Whether the header includes the robot. Recordings of earlier versions may lack it.
bool has_robot(const Header& header);
/// The description of the robot that was recorded; meshes have no paths. Throws an Error if the header has none, or if
/// it is invalid.
Description description_of(const Header& header);
/// The model that was recorded.
Model rebuild(const Header& header);

}  // namespace lissom::recording
