#include "lissom/io/sdf/frames.h"

#include <algorithm>

#include "lissom/model/text.h"

namespace lissom::io::sdf {
namespace {

bool is_identity(const Pose<double>& X) {
  return X.R.xx == 1 && X.R.yy == 1 && X.R.zz == 1 && X.p.x == 0 && X.p.y == 0 && X.p.z == 0;
}

}  // namespace

const char* to_string(FrameKind kind) {
  constexpr const char* names[] = {"world", "model", "link", "joint", "frame"};
  return names[std::size_t(kind)];
}

Frames::Frames() {
  Frame world;
  world.kind = FrameKind::world;
  world.name = "world";
  world.inner = world_scope;
  world.link = world_frame;
  frames_.push_back(world);
  scopes_.push_back({});
}

int Frames::add_model(Frame frame, Scope scope, bool merge) {
  const int index = int(frames_.size()), outer = frame.scope;
  frame.kind = FrameKind::model;
  frame.inner = int(scopes_.size());
  scope.model = index;
  scope.names = merge ? scopes_[std::size_t(outer)].names : frame.inner;
  frames_.push_back(std::move(frame));
  scopes_.push_back(std::move(scope));
  return index;
}

int Frames::add(Frame frame, const std::string& name, int& taken_by) {
  const int index = int(frames_.size());
  Scope& names = scopes_[std::size_t(scopes_[std::size_t(frame.scope)].names)];
  const auto [entry, is_new] = names.frames.try_emplace(name, index);
  taken_by = is_new ? none : entry->second;
  if (frame.kind == FrameKind::link) {
    scopes_[std::size_t(frame.scope)].links.push_back(index);
    if (&names != &scopes_[std::size_t(frame.scope)]) names.links.push_back(index);
  }
  frames_.push_back(std::move(frame));
  return index;
}

int Frames::find(int scope, std::string_view name) const {
  while (true) {
    const Scope& from = scopes_[std::size_t(scope)];
    if (name == "__model__" && scope != world_scope) return from.model;
    const Scope& names = scopes_[std::size_t(from.names)];
    // Before 1.8, names could have "::" in them.
    if (const auto found = names.frames.find(std::string(name)); found != names.frames.end()) return found->second;
    const auto colons = name.find("::");
    if (colons == std::string_view::npos) return none;
    const auto model = names.frames.find(std::string(name.substr(0, colons)));
    if (model == names.frames.end() || frames_[std::size_t(model->second)].kind != FrameKind::model) return none;
    scope = frames_[std::size_t(model->second)].inner;
    name.remove_prefix(colons + 2);
  }
}

// Comparing with all names takes long, so only the first few unknown names of a file get a suggestion.
std::string Frames::suggest(int scope, std::string_view name) const {
  constexpr int max_count = 20;
  if (suggested_++ >= max_count) return {};
  std::vector<std::string_view> known{"__model__"};
  for (const auto& [other, unused] : scopes_[std::size_t(scopes_[std::size_t(scope)].names)].frames)
    known.push_back(other);
  std::ranges::sort(known);
  return did_you_mean(name, known);
}

int Frames::find(int scope, std::string_view name, std::string_view what, int line, const std::string& whose,
                 Report& report) const {
  const int found = find(scope, name);
  if (found != none) return found;
  const std::string suggestion = suggest(scope, name);
  report.add(
      Severity::error, "frame-unknown", line, whose,
      std::string(what) + " is " + in_quotes(name) + ", which is no link, joint, frame or model here",
      suggestion.empty() ? "name something of the same model, or in a model inside it: inner::link" : suggestion);
  return none;
}

std::string Frames::subject(int frame) const {
  const Frame& f = frames_[std::size_t(frame)];
  return std::string(to_string(f.kind)) + " " + in_quotes(f.name);
}

int Frames::default_parent(const Frame& frame) const {
  if (frame.kind == FrameKind::joint) return frame.attached;
  if (frame.kind == FrameKind::frame && !frame.attached_to.empty()) return frame.attached;
  return scopes_[std::size_t(frame.scope)].model;
}

// The frame to which a model's frame is attached: its canonical link, or a model inside it if it has no link itself.
int Frames::canonical_frame(int model, Report& report) const {
  const Frame& frame = frames_[std::size_t(model)];
  const Scope& inner = scopes_[std::size_t(frame.inner)];
  if (!frame.attached_to.empty()) {
    const int named = find(frame.inner, frame.attached_to, "canonical_link", frame.line, subject(model), report);
    if (named != none && frames_[std::size_t(named)].kind == FrameKind::link) return named;
    if (named != none)
      report.add(Severity::error, "canonical-link", frame.line, subject(model),
                 "canonical_link is " + in_quotes(frame.attached_to) + ", which is a " +
                     to_string(frames_[std::size_t(named)].kind),
                 "name a link");
  }
  if (!inner.links.empty()) return inner.links.front();
  return inner.models.empty() ? none : inner.models.front();
}

void Frames::find_parents(Report& report) {
  for (std::size_t i = 1; i < frames_.size(); ++i) {
    Frame& frame = frames_[i];
    const std::string whose = subject(int(i));
    const int model = scopes_[std::size_t(frame.scope)].model;
    if (frame.kind == FrameKind::model) {
      frame.attached = canonical_frame(int(i), report);
    } else if (frame.kind == FrameKind::joint) {
      if (frame.attached_to == "world")
        frame.attached = world_frame;
      else if (!frame.attached_to.empty())
        frame.attached = find(frame.scope, frame.attached_to, "<child>", frame.line, whose, report);
    } else if (frame.kind == FrameKind::frame) {
      frame.attached = frame.attached_to.empty()
                           ? model
                           : find(frame.scope, frame.attached_to, "attached_to", frame.line, whose, report);
    }
  }
  for (std::size_t i = 1; i < frames_.size(); ++i) {
    Frame& frame = frames_[i];
    frame.X_parent = frame.pose.pose;
    frame.parent = frame.pose.relative_to.empty() ? default_parent(frame)
                                                  : find(frame.scope, frame.pose.relative_to, "relative_to",
                                                         frame.pose.line, subject(int(i)), report);
    if (frame.parent == none) frame.parent = scopes_[std::size_t(frame.scope)].model;
  }
}

// Follows `next` from every frame; where that comes back to itself, it is cut.
void Frames::break_cycles(int Frame::* next, const char* what, const char* code, Report& report) {
  std::vector<int> walk(frames_.size(), 0);  // number of the walk that visited each frame; 0: not yet
  walk[world_frame] = -1;
  for (std::size_t start = 1; start < frames_.size(); ++start) {
    int i = int(start), last = none;
    while (i != none && walk[std::size_t(i)] == 0) {
      walk[std::size_t(i)] = int(start);
      last = i;
      i = frames_[std::size_t(i)].*next;
    }
    if (i == none || walk[std::size_t(i)] != int(start)) continue;
    std::string path = in_quotes(frames_[std::size_t(i)].name);
    int shown = 0;
    for (int j = frames_[std::size_t(i)].*next; j != i; j = frames_[std::size_t(j)].*next)
      if (++shown <= 8) path += " → " + in_quotes(frames_[std::size_t(j)].name);
    Frame& frame = frames_[std::size_t(last)];
    const int line = frame.pose.line > 0 ? frame.pose.line : frame.line;
    report.add(Severity::error, code, line, subject(last),
               std::string(what) + " leads back to itself: " + path + (shown > 8 ? " → …" : "") + " → " +
                   in_quotes(frames_[std::size_t(i)].name),
               "give one of them relative to, or attached to, something else");
    // A pose that was relative to what it was attached to is not reported again.
    const int model = scopes_[std::size_t(frame.scope)].model;
    if (next == &Frame::attached && frame.parent == frame.attached) frame.parent = model == last ? none : model;
    frame.*next = none;
  }
}

// Where a frame inside a model is placed, instead of the model's own, the model's pose is that of this frame times its
// inverse pose in the model. Inner models come after outer ones, and first here.
void Frames::apply_placement_frames(Report& report) {
  for (std::size_t i = frames_.size(); i-- > 1;) {
    Frame& model = frames_[i];
    if (model.placement_frame.empty()) continue;
    const int placed = find(model.inner, model.placement_frame, "placement_frame", model.line, subject(int(i)), report);
    if (placed == none) continue;
    Pose<double> X;
    int at = placed;
    for (; at != none && at != int(i) && at != world_frame; at = frames_[std::size_t(at)].parent)
      X = frames_[std::size_t(at)].X_parent * X;
    if (at == int(i) && !is_identity(X)) model.X_parent = model.X_parent * inverse(X);
  }
}

void Frames::find_poses() {
  std::vector<bool> known(frames_.size(), false);
  known[world_frame] = true;
  std::vector<int> path;
  for (std::size_t start = 1; start < frames_.size(); ++start) {
    for (int i = int(start); !known[std::size_t(i)]; i = frames_[std::size_t(i)].parent) path.push_back(i);
    for (; !path.empty(); path.pop_back()) {
      const int i = path.back();
      Frame& frame = frames_[std::size_t(i)];
      const Frame& parent = frames_[std::size_t(frame.parent)];
      known[std::size_t(i)] = true;
      const bool is_top = frame.kind == FrameKind::model && frame.scope == world_scope;
      frame.top = is_top ? i : parent.top;
      if (is_top)
        frame.X_parent = in_world(frame.parent) * frame.X_parent, frame.parent = world_frame;
      else
        frame.X_top = is_identity(parent.X_top) ? frame.X_parent : parent.X_top * frame.X_parent;
    }
  }
}

void Frames::find_links() {
  std::vector<int> path;
  for (std::size_t start = 1; start < frames_.size(); ++start) {
    int i = int(start);
    while (i != none && frames_[std::size_t(i)].link == none && frames_[std::size_t(i)].kind != FrameKind::link) {
      path.push_back(i);
      i = frames_[std::size_t(i)].attached;
    }
    const int link = i == none                                         ? none
                     : frames_[std::size_t(i)].kind == FrameKind::link ? i
                                                                       : frames_[std::size_t(i)].link;
    for (; !path.empty(); path.pop_back()) frames_[std::size_t(path.back())].link = link;
    if (frames_[start].kind == FrameKind::link) frames_[start].link = int(start);
  }
}

void Frames::resolve(Report& report) {
  find_parents(report);
  break_cycles(&Frame::attached, "what it is attached to", "frame-attachment-cycle", report);
  break_cycles(&Frame::parent, "what its pose is relative to", "frame-cycle", report);
  for (std::size_t i = 1; i < frames_.size(); ++i)
    if (frames_[i].parent == none) frames_[i].parent = world_frame;
  apply_placement_frames(report);
  find_poses();
  find_links();
}

Pose<double> Frames::in_world(int frame) const {
  const Frame& f = frames_[std::size_t(frame)];
  if (f.top == world_frame) return f.X_top;
  const Pose<double>& X_W = frames_[std::size_t(f.top)].X_parent;
  return is_identity(X_W) ? f.X_top : X_W * f.X_top;
}

Pose<double> Frames::pose(int a, int b) const {
  if (a == b) return {};
  const Frame &from = frames_[std::size_t(a)], &to = frames_[std::size_t(b)];
  // What is written in the file stays exact where it can.
  if (to.parent == a) return to.X_parent;
  const bool same_top = from.top == to.top;
  const Pose<double> X_a = same_top ? from.X_top : in_world(a), X_b = same_top ? to.X_top : in_world(b);
  return is_identity(X_a) ? X_b : inverse(X_a) * X_b;
}

}  // namespace lissom::io::sdf
