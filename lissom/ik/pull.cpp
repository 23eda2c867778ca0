#include "lissom/ik/pull.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "lissom/api/kinematics.h"
#include "lissom/ik/checks.h"

namespace lissom::ik {
namespace {

// What is closer is as good as there: a tenth of a pixel.
constexpr double near_enough = 1e-4;
// Weight of what must hold against that of the pull, which may be out of reach.
constexpr double firm = 100;

// The joints between a frame and the world that have degrees of freedom, or follow one that has, nearest first.
std::vector<std::string> joints_towards_world(const Model& model, FrameId frame) {
  std::vector<std::string> path;
  int body = model.frame_at(frame).body;
  while (body != 0) {
    const auto joint = std::ranges::find_if(
        model.joints(), [&](const Joint& j) { return j.body == body && j.type != JointType::fixed; });
    if (joint == model.joints().end()) break;
    path.push_back(joint->name);
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
  std::vector<FrameId> pinned;
  bool loops;
  Workspace work;
  std::vector<Stage> stages;
  std::vector<Pose<double>> before;
  bool pinned_once = false;
  Result result;
  Options options;

  Impl(const Model& m, FrameId frame, const Vec3<double>& point, std::vector<FrameId> pins, const ExtraRows& extra)
      : model(m), of(frame), pinned(std::move(pins)), loops(extra.count > 0), work(m), before(pinned.size()) {
    options.starts = 1;
    options.iterations = 60;
    options.tolerance = {near_enough, near_enough};
    check(m, ik::point(frame, point, {0, 0, 0}), {"of"});
    for (const auto pin : pinned) static_cast<void>(m.frame_at(pin, "pinned"));
    const auto path = joints_towards_world(m, frame);
    std::set<std::string> moved_by_pinned;
    for (const auto pin : pinned)
      for (auto& name : joints_towards_world(m, pin)) moved_by_pinned.insert(name);
    std::set<std::string> free;
    for (std::size_t k = 0; k < path.size(); ++k) {
      free.insert(path[k]);
      // A joint that moves a pinned frame needs the pinned limb to give way. Closed loops need all joints.
      const bool moves_pinned = moved_by_pinned.contains(path[k]);
      if (moves_pinned) free.insert(moved_by_pinned.begin(), moved_by_pinned.end());
      if (loops && k + 1 < path.size()) continue;
      // A follower moves with its leader: the same stage again.
      if (m.joint(path[k]).nv == 0 && !m.joint(path[k]).follows && k + 1 < path.size()) continue;
      stages.push_back({solver(point, free, moves_pinned, extra), int(k) + 1, moves_pinned});
    }
    result.q.resize(m.nq());
  }

  Solver solver(const Vec3<double>& point, const std::set<std::string>& free, bool moves_pinned,
                const ExtraRows& extra) const {
    std::vector<Target> targets{ik::point(of, point, {0, 0, 0})};
    if (moves_pinned)
      for (const auto pin : pinned) {
        auto target = pose(pin, {});
        target.linear_weight = target.angular_weight = {firm, firm, firm};
        targets.push_back(target);
      }
    // Names of followers stand for their leaders.
    std::set<std::string> leaders;
    for (const auto& name : free) {
      const auto& joint = model.joint(name);
      leaders.insert(joint.follows ? model.joints()[std::size_t(joint.follows->joint)].name : name);
    }
    std::vector<std::string> locked;
    if (!loops)
      for (const auto& joint : model.joints())
        if (joint.nv > 0 && !leaders.contains(joint.name)) locked.push_back(joint.name);
    return {model, targets, extra, locked};
  }

  // Pinned frames keep the place of the first call, so that they do not creep from call to call, unless q was moved by
  // someone else meanwhile.
  void pin() {
    for (std::size_t i = 0; i < pinned.size(); ++i) {
      const auto here = placement(model, work, pinned[i]);
      const auto moved = inverse(before[i]) * here;
      const double turned = 3 - moved.R.xx - moved.R.yy - moved.R.zz;  // 2 - 2 cos(angle)
      if (!pinned_once || dot(moved.p, moved.p) > 1e-6 || turned > 1e-6) before[i] = here;
    }
    pinned_once = true;
  }

  // One pull with nothing but the joints of a stage.
  void advance(Stage& stage, const Vec3<double>& to) {
    stage.solver.set_target_pose(0, {identity3<double>(), to});
    for (std::size_t i = 0; stage.moves_pinned && i < pinned.size(); ++i)
      stage.solver.set_target_pose(i + 1, before[i]);
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
  w.result.q = q, w.result.joints = 0, w.result.slip = 0;
  forward_kinematics(w.model, w.work, q);
  w.pin();
  const auto at = [&] {
    const auto X = placement(w.model, w.work, w.of);
    return w.stages.empty() ? X.p : X * w.stages[0].solver.targets()[0].point;
  };
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
  for (std::size_t i = 0; i < w.pinned.size(); ++i) {
    const auto d = placement(w.model, w.work, w.pinned[i]).p - w.before[i].p;
    w.result.slip = std::max(w.result.slip, std::sqrt(dot(d, d)));
  }
  const auto left = to - at();
  w.result.distance = std::sqrt(dot(left, left));
  return w.result;
}

}  // namespace lissom::ik
