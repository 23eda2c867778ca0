#pragma once
// Finds the files of a description's meshes on this machine.
#include <string>
#include <vector>

#include "lissom/model/model.h"

namespace lissom::io {

/// Sets Shape::path of every mesh whose path is empty or does not exist, where its file is found: as the readers search
/// it, relative to the robot's file and in packages (docs/urdf.md). Returns whether a path changed.
bool find_meshes(Description& description, const std::vector<std::string>& package_paths);
/// The same model with the files of its meshes, where they are found: for a page that shows it.
Model with_meshes(const Model& model, const std::vector<std::string>& package_paths);

}  // namespace lissom::io
