#include "lissom/api/compare_robots.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

#include "lissom/api/robot_differences.h"
#include "lissom/io/write/xml_output.h"
#include "lissom/model/axes.h"
#include "lissom/model/interpretation.h"
#include "lissom/model/text.h"

namespace lissom {
namespace {

std::vector<double> list(const Vec3<double>& v) {
  return {v.x, v.y, v.z};
}
std::vector<double> list(const Sym3<double>& m) {
  return {m.xx, m.xy, m.xz, m.yy, m.yz, m.zz};
}
std::vector<double> list(const PerDof& values, int count) {
  std::vector<double> all;
  for (int k = 0; k < count; ++k) all.push_back(values[k]);
  return all;
}
// A robot with what the comparison looks up.
class Robot {
 public:
  explicit Robot(const Description& description) : d(description) {
    for (const auto& link : d.links) links[link.name] = &link;
    for (const auto& joint : d.joints) above[joint.child] = &joint;
    for (const auto& joint : d.joints) {
      const bool named = joint.type != JointType::fixed;
      if (named) joints[joint.name] = &joint;
      const auto parent = links.find(joint.parent);
      if (parent != links.end() && parent->second->connects_joints) below[joint.parent] = &joint;
    }
    for (const auto& link : d.links) {
      mass = std::max(mass, link.mass), inertia = std::max(inertia, norm_of(list(link.inertia)));
      length = std::max(length, norm_of(list(placement(link.name).p)));
    }
  }

  // Pose of a link at q = 0.
  const Pose<double>& placement(const std::string& link) {
    std::vector<const JointDescription*> path;
    std::string at = link;
    for (; !placements.contains(at) && above.contains(at); at = above[at]->parent) path.push_back(above[at]);
    if (!placements.contains(at)) {
      const auto root = std::ranges::find(d.roots, at, &RootDescription::link);
      const bool fixed = root != d.roots.end() && root->base == Base::fixed;
      placements[at] = fixed ? root->placement : Pose<double>{};
    }
    for (; !path.empty(); path.pop_back())
      placements[path.back()->child] = placements[path.back()->parent] * path.back()->origin;
    return placements[link];
  }
  // The links that a joint connects, without those that connect several joints.
  std::string parent(const JointDescription& joint) {
    std::string name = joint.parent;
    while (links[name]->connects_joints && above.contains(name)) name = above[name]->parent;
    return is_world_link(d, name) ? "world" : name;
  }
  std::string child(const JointDescription& joint) {
    std::string name = joint.child;
    while (links[name]->connects_joints && below.contains(name)) name = below[name]->child;
    return name;
  }

  const Description& d;
  std::map<std::string, const LinkDescription*> links;
  std::map<std::string, const JointDescription*> joints, above, below;
  std::map<std::string, Pose<double>> placements;
  double mass = 0, inertia = 0, length = 0;
};

class Comparison {
 public:
  Comparison(const Description& a, const Description& b, RobotDifferences& found) : a_(a), b_(b), found_(found) {
    mass_ = std::max(a_.mass, b_.mass), inertia_ = std::max(a_.inertia, b_.inertia);
    length_ = std::max({a_.length, b_.length, 1e-3});
  }

  void run() {
    found_.vectors("robot", "gravity", list(a_.d.gravity), list(b_.d.gravity), 10, "m/s²");
    links();
    frames();
    joints();
    loops();
    others();
  }
  double length() const { return length_; }

 private:
  // Calls f for each pair with the same name; reports the others.
  template <class T, class F>
  void each(const char* kind, const std::vector<T>& a, const std::vector<T>& b, F f) {
    std::map<std::string, const T*> in_b;
    for (const T& one : b) in_b[one.name] = &one;
    for (const T& one : a) {
      const auto subject = kind + (" " + in_quotes(one.name));
      const auto other = in_b.find(one.name);
      if (other == in_b.end()) {
        found_.missing(subject, false);
        continue;
      }
      f(subject, one, *other->second);
      in_b.erase(other);
    }
    for (const auto& [name, one] : in_b) found_.missing(kind + (" " + in_quotes(name)), true);
  }

  static bool is_scenery(const LinkDescription& link, const Description& d) {
    const auto root = std::ranges::find(d.roots, link.name, &RootDescription::link);
    return root != d.roots.end() && root->is_ground && is_massless(link);
  }
  // Scenery of one file may be a link in the other one that is fixed to the world.
  static std::vector<LinkDescription> counted_links(const Description& d, const Description& other) {
    std::vector<LinkDescription> links;
    std::set<std::string_view> scenery;
    for (const auto* const one : {&d, &other})
      for (const auto& link : one->links)
        if (is_scenery(link, *one)) scenery.insert(link.name);
    for (const auto& link : d.links)
      if (!link.connects_joints && !is_world_link(d, link.name) &&
          !(scenery.contains(link.name) && is_massless(link))) {
        links.push_back(link);
        links.back().visuals.clear(), links.back().collisions.clear();
      }
    return links;
  }
  void links() {
    each("link", counted_links(a_.d, b_.d), counted_links(b_.d, a_.d),
         [&](const std::string& subject, const LinkDescription& a, const LinkDescription& b) {
           ++found_.result().names;
           found_.numbers(subject, "mass", a.mass, b.mass, mass_, "kg");
           if (std::max(a.mass, b.mass) > 1e-3 * found_.tolerance() * mass_)
             found_.vectors(subject, "center of mass", list(a.com), list(b.com), 1e3 * length_, "m");
           found_.vectors(subject, "inertia", list(a.inertia), list(b.inertia), inertia_, "kg m²");
         });
  }
  void frames() {
    each("frame", a_.d.frames, b_.d.frames,
         [&](const std::string& subject, const FrameDescription& a, const FrameDescription& b) {
           ++found_.result().names;
           (void)subject, (void)a, (void)b;  // their placements are compared in random states
         });
  }

  static std::string type_of(const JointDescription& joint) {
    if (joint.type == JointType::revolute && position_range(joint).lower.empty()) return "continuous";
    return to_string(joint.type);
  }
  // A free joint between what never moves and a link is the same under another name.
  static std::vector<JointDescription> counted_joints(const Robot& robot) {
    std::vector<JointDescription> joints;
    for (const auto& joint : robot.d.joints)
      if (joint.type != JointType::fixed && !(joint.type == JointType::free && is_static(robot.d, joint.parent)))
        joints.push_back(joint);
    return joints;
  }
  void joints() {
    each("joint", counted_joints(a_), counted_joints(b_),
         [&](const std::string& subject, const JointDescription& a, const JointDescription& b) {
           ++found_.result().names;
           joint(subject, a, b);
         });
  }
  void joint(const std::string& subject, const JointDescription& a, const JointDescription& b) {
    const auto type_a = type_of(a), type_b = type_of(b);
    found_.words(subject, "type", type_a, type_b);
    found_.words(subject, "parent", a_.parent(a), b_.parent(b));
    found_.words(subject, "child", a_.child(a), b_.child(b));
    if (type_a != type_b) return;
    const JointTraits& traits = joint_traits(a.type);
    const auto axis = [&](Robot& robot, const JointDescription& joint, const Vec3<double>& n) {
      const auto R = transpose(robot.placement(robot.child(joint)).R) * robot.placement(joint.child).R;
      return list(R * unit(n));
    };
    if (traits.axes > 0) found_.vectors(subject, "axis", axis(a_, a, a.axis), axis(b_, b, b.axis), 1e3);
    if (traits.axes > 1) found_.vectors(subject, "second axis", axis(a_, a, a.axis2), axis(b_, b, b.axis2), 1e3);
    if (traits.has_pitch) found_.numbers(subject, "pitch", a.pitch, b.pitch, length_, "m/rad");
    const auto range_a = position_range(a), range_b = position_range(b);
    found_.vectors(subject, "lower limit", range_a.lower, range_b.lower, 1);
    found_.vectors(subject, "upper limit", range_a.upper, range_b.upper, 1);
    const auto figure = [&](const char* name, const PerDof& x, const PerDof& y) {
      found_.vectors(subject, name, list(x, traits.nv()), list(y, traits.nv()), 0);
    };
    figure("velocity limit", magnitude_limit(a.velocity_limit), magnitude_limit(b.velocity_limit));
    figure("effort limit", magnitude_limit(a.effort_limit), magnitude_limit(b.effort_limit));
    figure("damping", a.damping, b.damping), figure("dry friction", a.dry_friction, b.dry_friction);
    figure("armature", a.armature, b.armature), figure("spring stiffness", a.spring_stiffness, b.spring_stiffness);
    if (!(a.spring_stiffness == 0)) figure("spring rest position", a.spring_rest, b.spring_rest);
    const auto leader = [](const JointDescription& j) { return j.mimic ? j.mimic->joint : std::string("none"); };
    found_.words(subject, "mimics", leader(a), leader(b));
    if (!a.mimic || !b.mimic) return;
    found_.numbers(subject, "ratio of its mimic", a.mimic->ratio, b.mimic->ratio, 1);
    found_.numbers(subject, "offset of its mimic", a.mimic->offset, b.mimic->offset, 1);
  }

  // The link that an end of a loop or spring is on, and where.
  static std::pair<std::string, Pose<double>> end(const Robot& robot, const AttachmentDescription& attachment) {
    const auto& d = robot.d;
    const auto frame = std::ranges::find(d.frames, attachment.frame, &FrameDescription::name);
    if (frame != d.frames.end()) return {frame->link, frame->origin * attachment.placement};
    const bool on_link = robot.links.contains(attachment.frame);
    return {on_link ? attachment.frame : "world", attachment.placement};
  }
  enum class Ends { points, frames, relative };
  template <class T>
  void ends(const std::string& subject, const T& a, const T& b, Ends which) {
    auto [a_of_a, X_a] = end(a_, a.a);
    auto [a_of_b, X_b] = end(a_, a.b);
    auto [b_of_a, Y_a] = end(b_, b.a);
    auto [b_of_b, Y_b] = end(b_, b.b);
    found_.words(subject, "link of end a", a_of_a, b_of_a);
    found_.words(subject, "link of end b", a_of_b, b_of_b);
    // A weld holds the two links relative to each other.
    if (which == Ends::relative) X_a = X_a * inverse(X_b), Y_a = Y_a * inverse(Y_b), X_b = Y_b = {};
    if (which == Ends::points) X_a.R = X_b.R = Y_a.R = Y_b.R = identity3<double>();
    const auto compare = [&](const char* name, const Pose<double>& X, const Pose<double>& Y) {
      const double distance = RobotDifferences::distance(X, Y, length_);
      if (distance > found_.tolerance())
        found_.add({subject, name, values_text(list(X.p), list(Y.p)), values_text(list(Y.p), list(X.p)), distance});
    };
    compare("placement of end a", X_a, Y_a);
    compare("placement of end b", X_b, Y_b);
  }
  static bool is_ball(const LoopAxes& axes) { return axes == LoopAxes{.along = {true, true, true}}; }
  void loops() {
    each("loop", a_.d.loops, b_.d.loops,
         [&](const std::string& subject, const LoopDescription& a, const LoopDescription& b) {
           const auto kind = [](const LoopDescription& loop) {
             if (loop.kind == LoopKind::distance) return std::string("distance");
             std::string axes;
             for (std::size_t i = 0; i < 6; ++i)
               if (i < 3 ? loop.axes.along[i] : loop.axes.about[i - 3])
                 axes += std::string(i < 3 ? "" : " r") + "xyz"[i % 3];
             return axes;
           };
           found_.words(subject, "axes", kind(a), kind(b));
           const bool points = a.kind == LoopKind::distance || is_ball(a.axes);
           ends(subject, a, b, points ? Ends::points : a.axes.count() == 6 ? Ends::relative : Ends::frames);
           if (a.length || b.length)
             found_.numbers(subject, "length", a.length.value_or(0), b.length.value_or(0), length_, "m");
         });
  }

  void others() {
    each("coupling", a_.d.couplings, b_.d.couplings,
         [&](const std::string& subject, const JointCoupling& a, const JointCoupling& b) {
           found_.words(subject, "joints", a.joint + " of " + a.of, b.joint + " of " + b.of);
           auto x = a.coefficients, y = b.coefficients;
           x.resize(std::max(x.size(), y.size())), y.resize(x.size());
           found_.vectors(subject, "coefficients", x, y, 1);
         });
    each("spring", a_.d.springs, b_.d.springs,
         [&](const std::string& subject, const SpringDescription& a, const SpringDescription& b) {
           ends(subject, a, b, Ends::points);
           found_.vectors(subject, "stiffness, damping, rest length", {a.stiffness, a.damping, a.rest},
                          {b.stiffness, b.damping, b.rest}, 1);
         });
    each("tendon", a_.d.tendons, b_.d.tendons,
         [&](const std::string& subject, const TendonDescription& a, const TendonDescription& b) {
           tendon(subject, a, b);
         });
    each("actuator", a_.d.actuators, b_.d.actuators,
         [&](const std::string& subject, const ActuatorDescription& a, const ActuatorDescription& b) {
           found_.words(subject, "drives", a.joint + a.tendon, b.joint + b.tendon);
           found_.numbers(subject, "component", a.component, b.component, 0);
           found_.vectors(subject, "gear, gain, bias", {a.gear, a.gain, a.bias[0], a.bias[1], a.bias[2]},
                          {b.gear, b.gain, b.bias[0], b.bias[1], b.bias[2]}, 1);
           found_.vectors(subject, "command and force ranges", {a.min_command, a.max_command, a.min_force, a.max_force},
                          {b.min_command, b.max_command, b.min_force, b.max_force}, 1);
         });
  }
  void tendon(const std::string& subject, const TendonDescription& a, const TendonDescription& b) {
    const auto terms = [](const TendonDescription& t) {
      std::map<std::string, double> sum;
      for (const auto& term : t.terms) sum[term.joint] += term.coefficient;
      std::pair<std::string, std::vector<double>> result;
      for (const auto& [joint, coefficient] : sum) {
        result.first += (result.first.empty() ? "" : ", ") + joint;
        result.second.push_back(coefficient);
      }
      return result;
    };
    const auto x = terms(a), y = terms(b);
    found_.words(subject, "joints", x.first, y.first);
    found_.vectors(subject, "coefficients", x.second, y.second, 1);
    found_.vectors(subject, "limits, stiffness, rest, damping, friction, armature",
                   {a.lower, a.upper, a.stiffness, a.rest, a.damping, a.dry_friction, a.armature},
                   {b.lower, b.upper, b.stiffness, b.rest, b.damping, b.dry_friction, b.armature}, 1);
  }

  Robot a_, b_;
  RobotDifferences& found_;
  double mass_ = 0, inertia_ = 0, length_ = 0;
};

}  // namespace

RobotComparison compare_robots(const Description& a, const Description& b, const CompareRobotsOptions& options) {
  RobotComparison result;
  RobotDifferences found(options.tolerance, result);
  Comparison comparison(a, b, found);
  comparison.run();
  compare_motion(a, b, comparison.length(), options, found);
  std::ranges::stable_sort(result.differences, std::greater{}, &RobotDifference::difference);
  result.same = result.differences.empty();
  return result;
}

std::string to_sentence(const RobotComparison& comparison) {
  if (comparison.same)
    return "they describe the same robot: " + counted(std::size_t(comparison.names), "name") +
           " compared, and the motion in " + counted(std::size_t(comparison.states), "random state");
  const auto& worst = comparison.differences[0];
  return "they differ in " + counted(comparison.differences.size(), "place") +
         "; the largest difference: " + worst.subject + ": " + worst.property + ": " + worst.a + " and " + worst.b;
}

}  // namespace lissom
