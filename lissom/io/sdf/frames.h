#pragma once
// The frames of a world: of its models, links, joints, and those that are only named. Each has a pose relative to
// another one, and is attached to a link. Not for users.
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lissom/io/sdf/values.h"

namespace lissom::io::sdf {

inline constexpr int none = -1;
inline constexpr int world_frame = 0, world_scope = 0;

enum class FrameKind { world, model, link, joint, frame };
const char* to_string(FrameKind kind);

struct Frame {
  FrameKind kind = FrameKind::frame;
  std::string name;  // with those of the models around it: outer::inner::link
  int scope = world_scope;
  WrittenPose pose;
  // What it is attached to: of a frame its attached_to, of a joint its child, of a model its canonical link.
  std::string attached_to;
  std::string placement_frame;  // of a model
  int inner = none;             // of a model: the scope of the names in it
  int line = 0;

  // What Frames::resolve finds out.
  int parent = none;  // the frame that X_parent is relative to
  Pose<double> X_parent;
  int attached = none;    // to this frame
  int top = world_frame;  // the model of a world that it belongs to, or the world
  Pose<double> X_top;     // in the frame of that model
  int link = none;        // that it moves with; world_frame: it does not move
};

// The names that a pose in a model, or in the world, may refer to.
struct Scope {
  int model = world_frame;  // the frame of the model
  int names = world_scope;  // the scope that has the names: of a merged model it is that of the model around it
  std::unordered_map<std::string, int> frames;
  std::vector<int> links, models;  // frames, in the order of the file
  Version version;
  std::string prefix;  // of names in the description
  bool is_static = false;
};

class Frames {
 public:
  Frames();

  // Adds a model with a scope for what is in it. A merged model gives its names to the model around it.
  int add_model(Frame frame, Scope scope, bool merge);
  // Adds a frame under a name in its scope. If the name is taken, the first one keeps it, and that is returned.
  int add(Frame frame, const std::string& name, int& taken_by);

  Frame& operator[](int frame) { return frames_[std::size_t(frame)]; }
  const Frame& operator[](int frame) const { return frames_[std::size_t(frame)]; }
  Scope& scope(int index) { return scopes_[std::size_t(index)]; }
  const Scope& scope(int index) const { return scopes_[std::size_t(index)]; }

  // The frame of that name as seen from a scope: a::b is b in the model a. None if there is no such frame.
  int find(int scope, std::string_view name) const;
  // The same; reports a name that is unknown. `what` says who asks: "relative_to".
  int find(int scope, std::string_view name, std::string_view what, int line, const std::string& whose,
           Report& report) const;

  // Finds out where all frames are and which links they move with; reports unknown names and cycles.
  void resolve(Report& report);

  // Afterwards. The pose of frame b in frame a.
  Pose<double> pose(int a, int b) const;
  Pose<double> in_world(int frame) const;
  std::string subject(int frame) const;

 private:
  std::string suggest(int scope, std::string_view name) const;
  void find_parents(Report& report);
  int default_parent(const Frame& frame) const;
  int canonical_frame(int model, Report& report) const;
  void break_cycles(int Frame::* next, const char* what, const char* code, Report& report);
  void apply_placement_frames(Report& report);
  void find_poses();
  void find_links();

  std::vector<Frame> frames_;
  std::vector<Scope> scopes_;
  mutable int suggested_ = 0;
};

}  // namespace lissom::io::sdf
