#pragma once
// What a page shows: robots, what was recorded of them, and what the robot's file lacks. docs/stream.md describes its
// JSON. A scene is made once, and then served (server.h) or saved into a page (page.h).
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lissom/api/workspace.h"
#include "lissom/limbs/limb_contact.h"
#include "lissom/recording/recording.h"

namespace lissom::view {

class MeshFiles;

/// What a page shows.
enum class Mode {
  pose,    ///< a robot that one poses
  replay,  ///< recorded runs
  live     ///< a run that is being computed
};

/// How much of a recording is shown.
struct RecordedOptions {
  /// Frames per second of simulated time; of a recording with more, those in between are left out. 0: all of them.
  double rate = 120;
};

/// What a page shows of robots and runs.
class Scene {
 public:
  Scene(Mode mode, std::string title);
  ~Scene();
  Scene(Scene&&) noexcept;
  Scene& operator=(Scene&&) noexcept;

  /// Adds a robot at a configuration. Returns its index.
  int add_robot(const Model& model, const VectorIn& q);
  /// Adds a recorded run and its robot, with mesh files that are found beside the robot's file or in `packages`. Throws
  /// an Error if the recording has no robot, no q or no frames.
  void add_run(const recording::Recording& recording, const std::string& name, const RecordedOptions& options = {},
               const std::vector<std::string>& packages = {});
  /// The signals of the live run, of robot 0. `settings` is the text of a JSON object.
  void set_live(const std::string& name, const std::vector<recording::Signal>& signals, const std::string& settings);
  void add_findings(const std::vector<Diagnostic>& findings);
  /// What the server can do: questions and commands of docs/stream.md.
  void set_abilities(std::vector<std::string> can);

  /// Where a robot can touch, for the layer `contacts`. Throws an Error if the robot has no link of that name.
  void set_contacts(int robot, const RobotContacts& contacts);
  /// What is shown at first besides the robot; names of layers of docs/stream.md. For `contacts`, those of robots for
  /// which none were set are read or proposed (limbs/standing_robot.h); where that is impossible, a finding says why.
  /// Throws an Error if a name is unknown.
  void set_layers(const std::vector<std::string>& layers);
  /// The names of all layers.
  static const std::vector<std::string>& layers();

  /// The text of scene.json.
  std::string json_text() const;
  /// The robots, in the order in which they were added.
  const std::vector<Model>& models() const;
  /// The blocks of the runs.
  const std::vector<std::string>& blocks() const;
  const MeshFiles& meshes() const;
  /// Number of columns of the live run; 0 if there is none.
  std::size_t live_columns() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lissom::view
