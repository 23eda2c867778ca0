#include "lissom/ik/pull.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "lissom/api/kinematics.h"
#include "lissom/ik/checks.h"
#include "lissom/ik/pins.h"

namespace lissom::ik {
namespace {

// What is closer is as good as there: a tenth of a pixel.
constexpr double near_enough = 1e-4;

// The name of the joint that moves; a follower stands for its leader.
std::string leader(const Model& model, const Joint& joint) {
  return joint.follows ? model.joints()[std::size_t(joint.follows->joint)].name : joint.name;
}

// The joints between a frame and the world that move, nearest first; leaders instead of their followers.
std::vector<std::string> joints_towards_world(const Model& model, FrameId frame) {
  std::vector<std::string> path;
  int body = model.frame_at(frame).body;
  while (body != 0) {
    const auto joint = std::ranges::find_if(
        model.joints(), [&](const Joint& j) { return j.body == body && j.type != JointType::fixed; });
    if (joint == model.joints().end()) break;
    if (const auto name = leader(model, *joint); std::ranges::find(path, name) == path.end()) path.push_back(name);
    body = model.has_link(joint->parent) ? model.link(joint->parent).body : 0;
  }
  return path;
}

}  // namespace

struct Pull::Impl {
  struct Stage {
    Solver solver;
    int joints;
    bool moves_pinned;  // the pinned frames are targets 1, 2, …
  };
  Model model;
  FrameId of;
  Vec3<double> point;
  Pins pins;
  bool loops;
  Workspace work;
  std::vector<Stage> stages;
  Result result;
  Options options;

  Impl(const Model& m, FrameId frame, const Vec3<double>& at, std::vector<FrameId> pinned, const ExtraRows& extra)
      : model(m), of(frame), point(at), pins(m, pinned), loops(extra.count > 0), work(m) {
    options.starts = 1;
    options.iterations = 60;
    options.tolerance = {near_enough, near_enough};
    check(m, ik::point(frame, at, {0, 0, 0}), {"of"});
    result.q.resize(m.nq());
    const auto path = joints_towards_world(m, frame);
    std::set<std::string> move_pinned, free;
    for (const auto pin : pinned)
      for (auto& name : joints_towards_world(m, pin)) move_pinned.insert(name);
    for (std::size_t k = 0; k < path.size(); ++k) {
      free.insert(path[k]);
      // A joint that moves a pinned frame needs the pinned limb to give way. Closed loops need all joints.
      const bool moves_pinned = loops || move_pinned.contains(path[k]);
      if (moves_pinned) free.insert(move_pinned.begin(), move_pinned.end());
      if (loops && k + 1 < path.size()) continue;
      stages.push_back({solver(free, moves_pinned, extra), int(k) + 1, moves_pinned});
    }
  }

  Solver solver(const std::set<std::string>& free, bool moves_pinned, const ExtraRows& extra) const {
    std::vector<Target> targets{ik::point(of, point, {0, 0, 0})};
    if (moves_pinned)
      for (const auto& target : pins.targets()) targets.push_back(target);
    std::vector<std::string> locked;
    for (const auto& joint : model.joints())
      if (!loops && joint.nv > 0 && !free.contains(joint.name)) locked.push_back(joint.name);
    return {model, targets, extra, locked};
  }

  // One pull with nothing but the joints of a stage.
  void advance(Stage& stage, const Vec3<double>& to) {
    stage.solver.set_target_pose(0, {identity3<double>(), to});
    for (std::size_t i = 0; stage.moves_pinned && i < pins.count(); ++i)
      stage.solver.set_target_pose(i + 1, pins.place(i));
    const auto& found = stage.solver.solve(result.q, options);
    if (loops && found.status != Status::solved) return;  // the loops would open
    result.q = found.q;
    result.distance = found.residuals[0].distance;
    result.joints = stage.joints;
  }
};

Pull::Pull(const Model& model, FrameId of, const Vec3<double>& point, std::vector<FrameId> pinned,
           const ExtraRows& loops)
    : impl_(std::make_unique<Impl>(model, of, point, std::move(pinned), loops)) {}
Pull::~Pull() = default;
Pull::Pull(Pull&&) noexcept = default;
Pull& Pull::operator=(Pull&&) noexcept = default;

const Pull::Result& Pull::solve(const VectorIn& q, const Vec3<double>& to) {
  auto& w = *impl_;
  expect_configuration(w.model, q, {"q"});
  check(w.model, ik::point(w.of, w.point, to), {"to"});
  w.result.q = q, w.result.joints = 0;
  forward_kinematics(w.model, w.work, q);
  w.pins.place(w.model, w.work, q);
  const auto at = [&] { return placement(w.model, w.work, w.of) * w.point; };
  const auto from = at();
  // With closed loops a place out of reach would open them: halve the way until it can be reached.
  for (double part = 1; part > .01; part /= 2) {
    const auto place = from + part * (to - from);
    for (auto& stage : w.stages) {
      w.advance(stage, place);
      if (w.result.distance <= near_enough && w.result.joints > 0) break;
    }
    if (!w.loops || w.result.joints > 0) break;
  }
  forward_kinematics(w.model, w.work, w.result.q);
  const auto slip = w.pins.slip(w.model, w.work);
  w.result.slip = slip.distance, w.result.slip_angle = slip.angle;
  w.pins.follow(w.result.q);
  const auto left = to - at();
  w.result.distance = std::sqrt(dot(left, left));
  return w.result;
}

}  // namespace lissom::ik
