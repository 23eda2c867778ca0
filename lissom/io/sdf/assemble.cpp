// From the links and joints of a file to trees: which joints belong to a tree, which close loops, and where the roots
// are.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "lissom/io/sdf/parts.h"
#include "lissom/model/text.h"
#include "lissom/spatial/rotation_checks.h"

namespace lissom::io::sdf {
namespace {

// Sets of vertices that are connected.
class Components {
 public:
  explicit Components(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  int of(int i) {
    while (parent_[std::size_t(i)] != i) i = parent_[std::size_t(i)] = parent_[std::size_t(parent_[std::size_t(i)])];
    return i;
  }
  // Returns false if they are connected already.
  bool connect(int a, int b) {
    a = of(a), b = of(b);
    parent_[std::size_t(a)] = b;
    return a != b;
  }

 private:
  std::vector<int> parent_;
};

enum class Role { none, forward, reversed, closing };

PerDof swapped(const PerDof& figure) {
  return figure.count() == 2 ? PerDof(std::span<const double>(std::array{figure[1], figure[0]})) : figure;
}

// A joint from its child to its parent, with the same coordinates where that is possible.
void reverse(JointDescription& joint, const Element& element) {
  joint.axis = -joint.axis, joint.axis2 = -joint.axis2;
  const bool keeps_q = joint.type != JointType::universal && joint.type != JointType::spherical;
  if (joint.type == JointType::universal) {
    std::swap(joint.axis, joint.axis2);
    std::ranges::reverse(joint.lower), std::ranges::reverse(joint.upper);
    for (PerDof* figure : {&joint.velocity_limit, &joint.effort_limit, &joint.damping, &joint.dry_friction,
                           &joint.spring_stiffness, &joint.spring_rest})
      *figure = swapped(*figure);
  }
  element.say(keeps_q ? Severity::note : Severity::warning, "joint-reversed",
              "its child is moved by another joint, or is the world: it moves its parent instead" +
                  std::string(keeps_q ? "" : ", and its coordinates are those of the opposite motion"),
              "none needed; exchange parent and child to have it as it is written");
}

class Assembly {
 public:
  explicit Assembly(Reading& reading) : reading_(reading), frames_(reading.frames), out_(reading.description) {}

  void run() {
    for (const Part& part : reading_.joints) joints_.push_back(read_joint(part, reading_));
    find_grounds();
    choose_tree();
    add_links();
    for (std::size_t j = 0; j < joints_.size(); ++j) add_joint(j);
    add_gearboxes(joints_, reading_);
    add_frames();
    add_world();
    add_initial_posture();
  }

 private:
  bool is_static(int link) const { return frames_.scope(frames_[link].scope).is_static; }
  bool is_ground(int link) const { return link == world_frame || ground_[std::size_t(link)]; }

  // What is static beside robots that move is scenery.
  void find_grounds() {
    std::size_t count = 1;
    bool any_moves = false;
    for (const Part& link : reading_.links)
      count = std::max(count, std::size_t(link.frame) + 1), any_moves = any_moves || !is_static(link.frame);
    ground_.assign(count, false);
    if (any_moves)
      for (const Part& link : reading_.links) ground_[std::size_t(link.frame)] = is_static(link.frame);
  }

  void choose_tree() {
    roles_.assign(joints_.size(), Role::none);
    Components components(ground_.size());
    for (const Part& link : reading_.links)
      if (is_ground(link.frame)) components.connect(link.frame, world_frame);
    moved_by_.assign(ground_.size(), none);
    // First those joints whose child has no other, in the order of the file; then others that connect two trees. Screws
    // come before all, because they cannot close a loop.
    enum class Stage { screws, first, others };
    for (const Stage stage : {Stage::screws, Stage::first, Stage::others})
      for (std::size_t j = 0; j < joints_.size(); ++j) {
        const FileJoint& joint = joints_[j];
        if (roles_[j] != Role::none || (stage == Stage::screws && joint.joint.type != JointType::helical)) continue;
        if (!is_usable(joint, stage == Stage::first) || (stage != Stage::others && joint.closes_loop)) continue;
        const bool free_child = !is_ground(joint.child) && moved_by_[std::size_t(joint.child)] == none;
        if (stage == Stage::first && !free_child) continue;
        if (components.connect(joint.parent, joint.child)) {
          roles_[j] = Role::forward;
          if (stage != Stage::others && free_child) moved_by_[std::size_t(joint.child)] = int(j);
        } else if (stage == Stage::others) {
          roles_[j] = Role::closing;
        }
      }
    orient();
  }

  bool is_usable(const FileJoint& joint, bool first) {
    if (joint.is_gearbox || joint.parent == none || joint.child == none) return false;
    if (joint.parent == joint.child) {
      if (first)
        reading_.report.add(Severity::error, "joint-self", joint.joint.line, frames_.subject(joint.frame),
                            "its parent and its child are the same link", "connect two different links");
      return false;
    }
    if (!is_ground(joint.parent) || !is_ground(joint.child)) return true;
    if (first)
      reading_.report.count(Severity::note, "static-joint", joint.joint.line, frames_.subject(joint.frame),
                            "it connects what is static, and does not move", "none needed");
    return false;
  }

  // From the roots outward; joints that lead the other way are reversed.
  void orient() {
    std::vector<std::vector<std::size_t>> at(ground_.size());
    for (std::size_t j = 0; j < joints_.size(); ++j)
      if (roles_[j] == Role::forward)
        at[std::size_t(joints_[j].parent)].push_back(j), at[std::size_t(joints_[j].child)].push_back(j);
    std::vector<bool> reached(ground_.size(), false);
    const auto walk = [&](int root) {
      std::vector<int> waiting{root};
      reached[std::size_t(root)] = true;
      while (!waiting.empty()) {
        const int link = waiting.back();
        waiting.pop_back();
        for (const std::size_t j : at[std::size_t(link)]) {
          const bool forward = joints_[j].parent == link;
          const int other = forward ? joints_[j].child : joints_[j].parent;
          if (reached[std::size_t(other)]) continue;
          if (!forward) roles_[j] = Role::reversed;
          reached[std::size_t(other)] = true;
          waiting.push_back(other);
        }
      }
    };
    walk(world_frame);
    for (const Part& link : reading_.links)
      if (is_ground(link.frame)) walk(link.frame);
    for (const Part& link : reading_.links)
      if (!reached[std::size_t(link.frame)] && moved_by_[std::size_t(link.frame)] == none) {
        roots_.push_back(link.frame);
        walk(link.frame);
      }
  }

  void add_links() {
    for (const Part& part : reading_.links) {
      LinkDescription link = read_link(part, reading_);
      if (is_ground(part.frame)) {
        reading_.report.count(Severity::note, "static-scenery", link.line, frames_.subject(part.frame),
                              "the link is static, and part of the scenery: it never moves, and its mass is left out",
                              "none needed", "scenery");
        link.mass = 0, link.com = {0, 0, 0}, link.inertia = {0, 0, 0, 0, 0, 0};
        out_.roots.push_back({link.name, Base::fixed, frames_.in_world(part.frame), link.line, true});
      }
      out_.links.push_back(std::move(link));
    }
    for (const int root : roots_) {
      const Base base = is_static(root) ? Base::fixed : Base::free;
      out_.roots.push_back({frames_[root].name, base, frames_.in_world(root), frames_[root].line});
    }
  }

  void add_joint(std::size_t j) {
    const FileJoint& joint = joints_[j];
    if (roles_[j] == Role::closing) return add_loop(joint, reading_);
    if (roles_[j] == Role::none) return;
    JointDescription result = joint.joint;
    int parent = joint.parent, child = joint.child;
    if (roles_[j] == Role::reversed) {
      const std::string subject = frames_.subject(joint.frame);
      reverse(result, reading_.element(reading_.joints[j].node, subject));
      std::swap(parent, child);
    }
    uses_world_ = uses_world_ || parent == world_frame;
    place(result, joint.frame, parent, child);
  }

  // Adds a joint between two links. Where its axis does not pass through the origin of the child's frame, it moves a
  // link without mass, to which the child is fixed.
  void place(JointDescription& joint, int frame, int parent, int child) {
    const Pose<double> X_CJ = frames_.pose(child, frame);
    joint.axis = X_CJ.R * joint.axis, joint.axis2 = X_CJ.R * joint.axis2;
    joint.parent = frames_[parent].name;
    joint.child = frames_[child].name;
    joint.origin = frames_.pose(parent, child);
    const Vec3<double> arm = passes_through(joint, X_CJ.p);
    constexpr double rounding = 1e-13;
    if (std::hypot(arm.x, arm.y, arm.z) <= rounding * std::max(1., std::hypot(X_CJ.p.x, X_CJ.p.y, X_CJ.p.z)))
      return out_.joints.push_back(std::move(joint));
    const std::string local = joint.name.substr(joint.name.rfind(':') + 1);
    LinkDescription between;
    between.name = joint.child + "/" + local;
    between.line = joint.line;
    between.connects_joints = true;
    JointDescription rest;
    rest.name = joint.name + "/" + joint.child.substr(joint.child.rfind(':') + 1);
    rest.parent = between.name;
    rest.child = joint.child;
    rest.origin.p = -X_CJ.p;
    rest.line = joint.line;
    joint.child = between.name;
    joint.origin = joint.origin * Pose<double>{identity3<double>(), X_CJ.p};
    out_.links.push_back(std::move(between));
    out_.joints.push_back(std::move(joint));
    out_.joints.push_back(std::move(rest));
  }

  // What of p, the joint's origin in the child's frame, matters: with zero, the joint may be at the child's origin.
  static Vec3<double> passes_through(const JointDescription& joint, const Vec3<double>& p) {
    const double length = std::hypot(joint.axis.x, joint.axis.y, joint.axis.z);
    switch (joint.type) {
      case JointType::fixed:
      case JointType::prismatic:
        return {0, 0, 0};
      case JointType::revolute:
      case JointType::continuous:
      case JointType::helical:
        return length > 0 ? (1 / length) * cross(joint.axis, p) : Vec3<double>{0, 0, 0};
      default:
        return p;
    }
  }

  void add_frames() {
    for (const Part& part : reading_.named_frames) {
      const Frame& frame = frames_[part.frame];
      if (frame.link == none) {
        // If what it is attached to is unknown, that has been reported.
        int last = part.frame;
        while (frames_[last].attached != none) last = frames_[last].attached;
        if (frames_[last].kind == FrameKind::model)
          reading_.report.add(Severity::error, "frame-unattached", frame.line, frames_.subject(part.frame),
                              "it is attached to a model without a link", "attach it to a link");
        continue;
      }
      uses_world_ = uses_world_ || frame.link == world_frame;
      out_.frames.push_back({frame.name, frames_[frame.link].name, frames_.pose(frame.link, part.frame), frame.line});
    }
  }

  void add_world() {
    if (!uses_world_) return;
    LinkDescription world;
    world.name = "world";
    out_.links.insert(out_.links.begin(), std::move(world));
    out_.roots.insert(out_.roots.begin(), {"world", Base::fixed, {}, 0, true});
  }

  // Where robots and joints are at the beginning, if that is not where all coordinates are zero.
  void add_initial_posture() {
    PostureDescription posture;
    posture.name = "initial";
    const bool taken = std::ranges::any_of(joints_, [](const FileJoint& j) { return j.joint.name == "base"; });
    bool any = false;
    for (const int root : roots_) {
      if (is_static(root)) continue;
      const Pose<double> X = frames_.in_world(root);
      const auto r = quaternion_of(X.R);
      any = any || X.p.x != 0 || X.p.y != 0 || X.p.z != 0 || std::abs(r.w) < 1;
      posture.positions.push_back({roots_.size() == 1 && !taken ? "base" : "base:" + frames_[root].name,
                                   {X.p.x, X.p.y, X.p.z, r.w, r.x, r.y, r.z}});
      if (posture.line == 0) posture.line = frames_[root].line;
    }
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      const auto [first, second] = joints_[j].initial_position;
      const int nq = joint_traits(joints_[j].joint.type).nq();
      if ((first == 0 && second == 0) || (roles_[j] != Role::forward && roles_[j] != Role::reversed)) continue;
      any = true;
      if (nq == 1) posture.positions.push_back({joints_[j].joint.name, {first}});
      // The axes of a universal joint that is reversed are in the other order, too.
      if (nq == 2 && roles_[j] == Role::forward) posture.positions.push_back({joints_[j].joint.name, {first, second}});
      if (nq == 2 && roles_[j] == Role::reversed) posture.positions.push_back({joints_[j].joint.name, {second, first}});
    }
    if (any) out_.postures.push_back(std::move(posture));
  }

  Reading& reading_;
  const Frames& frames_;
  Description& out_;
  std::vector<FileJoint> joints_;
  std::vector<Role> roles_;
  std::vector<bool> ground_;   // for each frame of a link: it never moves
  std::vector<int> moved_by_;  // for each frame of a link: the joint that has it as child
  std::vector<int> roots_;
  bool uses_world_ = false;
};

}  // namespace

void assemble(Reading& reading) {
  Assembly(reading).run();
}

}  // namespace lissom::io::sdf
