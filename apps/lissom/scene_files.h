#pragma once
// Scenes (docs/scenes.md) among the files that verbs take.
#include <string>

// Whether a file is a scene, judged by its name.
inline bool is_scene(const std::string& file) {
  return file.ends_with(".json");
}
