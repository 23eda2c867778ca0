#pragma once
// Scene files for tests.
#include <filesystem>
#include <fstream>
#include <string>

#include "lissom/scenes/scene.h"

namespace lissom::scenes::test {

// A scene file in a folder of its own, which is removed at the end.
class SceneFile {
 public:
  explicit SceneFile(const std::string& text) {
    std::string name = (std::filesystem::temp_directory_path() / "lissom_scene_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    std::ofstream(path()) << text;
  }
  ~SceneFile() { std::filesystem::remove_all(folder_); }
  SceneFile(const SceneFile&) = delete;
  SceneFile& operator=(const SceneFile&) = delete;
  std::string path() const { return (folder_ / "scene.json").string(); }

 private:
  std::filesystem::path folder_;
};

inline Scene scene_of(const std::string& text) {
  const SceneFile file(text);
  return read_scene(file.path());
}

// The message with which a text is refused; empty if it is not.
inline std::string refusal(const std::string& text) {
  const SceneFile file(text);
  try {
    (void)read_scene(file.path());
  } catch (const Error& error) {
    const std::string what = error.what();
    return what.starts_with(file.path() + ":") ? what.substr(file.path().size()) : "no file: " + what;
  }
  return {};
}

inline const std::string models = LISSOM_MODELS_DIR;
inline const std::string ball = R"({"name": "ball", "shape": {"kind": "sphere", "radius": 0.1}, "mass": 2})";
// A scene with one body, and more keys.
inline std::string with_ball(const std::string& keys) {
  return "{\"bodies\": [" + ball + "]" + (keys.empty() ? "" : ", ") + keys + "}";
}
// A scene with one body that has more keys.
inline std::string ball_with(const std::string& keys) {
  return R"({"bodies": [{"name": "ball", "shape": {"kind": "sphere", "radius": 0.1}, "mass": 2, )" + keys + "}]}";
}
// A scene with one arm that has more keys.
inline std::string arm_with(const std::string& keys) {
  return R"({"robots": [{"name": "arm", "file": ")" + models + R"(/arm7_gripper.urdf", )" + keys + "}]}";
}

}  // namespace lissom::scenes::test
