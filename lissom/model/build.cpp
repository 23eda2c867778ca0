// Builds bodies from a description. Links that are fixed to each other become one body; a universal joint becomes two
// revolute ones, a cylindrical joint a prismatic and a revolute one, with a massless body between.
#include <algorithm>
#include <cmath>
#include <stack>
#include <unordered_map>

#include "lissom/model/assembly.h"
#include "lissom/model/axes.h"
#include "lissom/model/interpretation.h"
#include "lissom/model/text.h"
#include "lissom/model/validate.h"

namespace lissom {
namespace {

// The angle between n and ± the coordinate axis a, in radians (for small angles).
double angle_to_axis(const Vec3<double>& n, int a) {
  const double e[3] = {n.x, n.y, n.z};
  return std::hypot(e[(a + 1) % 3], e[(a + 2) % 3]);
}

// The rotation about coordinate axis a.
Mat3<double> rotation_about(int a, double sin, double cos) {
  double e[3][3] = {};
  const int b = (a + 1) % 3, c = (a + 2) % 3;
  e[a][a] = 1;
  e[b][b] = e[c][c] = cos;
  e[c][b] = sin, e[b][c] = -sin;
  return {e[0][0], e[0][1], e[0][2], e[1][0], e[1][1], e[1][2], e[2][0], e[2][1], e[2][2]};
}

class Assembler {
 public:
  Assembler(const Description& description, const BuildOptions& options)
      : description_(description), options_(options), base_joints_(description, options.base) {
    assembly_.tree.bodies.push_back(massless_body(world));
    assembly_.tree.bodies[world].inertia = {};
    assembly_.tree.gravity = description.gravity;
    assembly_.joint_of_body.push_back(-1);
    assembly_.frames.push_back({inertial_frame_name(description), world, {}});
    assembly_.links.resize(description.links.size());
  }

  Assembly run() {
    index_names();
    for (int link = 0; link < int(description_.links.size()); ++link)
      if (base_joints_.is_root(link)) walk_from(link);
    for (std::size_t i = 0; i < assembly_.links.size(); ++i) {
      const auto& link = assembly_.links[i];
      assembly_.frames.push_back({link.name, link.body, link.placement});
      assembly_.tree.bodies[std::size_t(link.body)].inertia +=
          inertia_about_origin(description_.links[i], link.placement);
    }
    for (const auto& frame : description_.frames) {
      const auto& link = assembly_.links[std::size_t(link_of_.at(frame.link))];
      assembly_.frames.push_back({frame.name, link.body, link.placement * frame.origin});
    }
    return std::move(assembly_);
  }

 private:
  void index_names() {
    joints_below_.resize(description_.links.size());
    for (std::size_t i = 0; i < description_.links.size(); ++i) link_of_[description_.links[i].name] = int(i);
    for (std::size_t j = 0; j < description_.joints.size(); ++j)
      joints_below_[std::size_t(link_of_.at(description_.joints[j].parent))].push_back(int(j));
  }

  // Depth first, children in the order of the file; the explicit stack allows chains of any length.
  void walk_from(int root) {
    attach_root(root);
    std::stack<int> waiting;
    const auto push_children = [&](int link) {
      const auto& below = joints_below_[std::size_t(link)];
      for (auto j = below.rbegin(); j != below.rend(); ++j) waiting.push(*j);
    };
    push_children(root);
    while (!waiting.empty()) {
      const auto& joint = description_.joints[std::size_t(waiting.top())];
      waiting.pop();
      const int child = link_of_.at(joint.child);
      attach(joint, assembly_.links[std::size_t(link_of_.at(joint.parent))], child);
      push_children(child);
    }
  }

  void attach_root(int root) {
    const auto& link = description_.links[std::size_t(root)];
    const JointDescription base = base_joints_.of(root);
    if (base.type == JointType::fixed)
      assembly_.links[std::size_t(root)] = {link.name, world, base.origin, -1, link.mass};
    else
      attach(base, {base.parent, world, {}, -1, 0}, root);
  }

  void attach(const JointDescription& description, const Link& parent, int child) {
    const auto& link = description_.links[std::size_t(child)];
    auto X_BJ = parent.placement * description.origin;  // pose of the joint in the parent's body
    const int joint = int(assembly_.joints.size());
    Joint record = joint_record(description);
    int body = parent.body;
    if (description.type != JointType::fixed) {
      const auto first = assembly_.tree.bodies.size();
      body = add_bodies(description, parent.body, X_BJ);
      align_with_child_axes(assembly_.tree.bodies[std::size_t(body)], X_BJ, child);
      for (auto b = first; b < assembly_.tree.bodies.size(); ++b) assembly_.joint_of_body.push_back(joint);
    }
    record.body = body;
    record.nq = assembly_.tree.nq - record.q_index;
    record.nv = assembly_.tree.nv - record.v_index;
    assembly_.joints.push_back(std::move(record));
    assembly_.links[std::size_t(child)] = {link.name, body, X_BJ, joint, link.mass};
  }

  // A body's frame may be rotated about its own joint's axis at no cost. It is rotated if axes of the next joints then
  // become coordinate axes. X_BL is the pose of the link in its body.
  void align_with_child_axes(const Body<double>& body, Pose<double>& X_BL, int link) {
    if (!is_revolute(body.kind)) return;
    const int a = rotation_axis(body.kind);
    std::vector<Vec3<double>> axes;
    collect_axes(link, X_BL.R, axes);
    const auto coordinate_axes = [&](const Mat3<double>& rotation) {
      return std::ranges::count_if(axes,
                                   [&](const Vec3<double>& n) { return is_coordinate_axis(transpose(rotation) * n); });
    };
    auto best = rotation_about(a, 0, 1);
    auto most = coordinate_axes(best);
    RotatedFrame<double> chosen{body.q, 0, 1};
    for (const auto& n : axes) {
      const double e[3] = {n.x, n.y, n.z}, y = e[(a + 2) % 3], x = e[(a + 1) % 3], length = std::hypot(x, y);
      if (length < 0.5) continue;
      const auto rotation = rotation_about(a, y / length, x / length);
      if (const auto count = coordinate_axes(rotation); count > most) {
        best = rotation, most = count;
        chosen = {body.q, y / length, x / length};
      }
    }
    if (chosen.sin == 0 && chosen.cos == 1) return;
    X_BL.R = transpose(best) * X_BL.R;
    assembly_.tree.rotated_frames.push_back(chosen);
  }
  // Axes of the joints whose parent is the link, or a link fixed to it, in the frame of its body.
  void collect_axes(int link, const Mat3<double>& R_BL, std::vector<Vec3<double>>& axes) const {
    std::vector<std::pair<int, Mat3<double>>> waiting{{link, R_BL}};
    while (!waiting.empty()) {
      const auto [from, R] = waiting.back();
      waiting.pop_back();
      for (const int j : joints_below_[std::size_t(from)]) {
        const auto& joint = description_.joints[std::size_t(j)];
        const auto R_BJ = R * joint.origin.R;
        if (joint.type == JointType::fixed)
          waiting.emplace_back(link_of_.at(joint.child), R_BJ);
        else if (joint_traits(joint.type).axes > 0)
          axes.push_back(unit(R_BJ * joint.axis));
      }
    }
  }
  bool is_coordinate_axis(const Vec3<double>& n) const {
    for (int a = 0; a < 3; ++a)
      if (angle_to_axis(n, a) <= options_.axis_tolerance) return true;
    return false;
  }

  Joint joint_record(const JointDescription& d) const {
    Joint j;
    j.name = d.name, j.type = d.type, j.parent = d.parent, j.child = d.child;
    j.q_index = assembly_.tree.nq, j.v_index = assembly_.tree.nv;
    PositionRange range = position_range(d);
    j.lower = std::move(range.lower), j.upper = std::move(range.upper);
    j.velocity_limit = magnitude_limit(d.velocity_limit), j.effort_limit = magnitude_limit(d.effort_limit);
    j.armature = d.armature, j.damping = d.damping, j.dry_friction = d.dry_friction;
    j.spring_stiffness = d.spring_stiffness, j.spring_rest = d.spring_rest;
    return j;
  }

  // Adds the bodies that a joint moves. X_BJ is the pose of the joint in the parent's body on entry, in the new body on
  // return.
  int add_bodies(const JointDescription& joint, int parent, Pose<double>& X_BJ) {
    refuse_armature(joint);
    const auto& traits = joint_traits(joint.type);
    if (traits.kind) return add_whole(*traits.kind, joint, parent, X_BJ);
    for (const JointPart& part : traits.parts) parent = add_revolute_or_prismatic(part, joint, parent, X_BJ);
    return parent;
  }

  int add_revolute_or_prismatic(const JointPart& part, const JointDescription& joint, int parent, Pose<double>& X_BJ) {
    constexpr double rounding = 1e-14;  // rad, of products of rotations; such axes are what the file says
    const bool rotates = part.type == JointType::revolute;
    const auto n = unit(X_BJ.R * direction_of(joint, part.along));
    auto body = new_body(rotates ? JointKind::revolute : JointKind::prismatic, joint, parent, X_BJ);
    const double e[3] = {n.x, n.y, n.z};
    for (int a = 0; a < 3; ++a)
      if (const double angle = angle_to_axis(n, a); angle <= options_.axis_tolerance || angle == 0) {
        body.kind = rotates ? revolute_about[a] : prismatic_along[a];
        body.sign = e[a] > 0 ? 1 : -1;
        if (angle > rounding) ++assembly_.snapped_axes, assembly_.max_snap = std::max(assembly_.max_snap, angle);
        return push(body, 1, 1, X_BJ);
      }
    body.tilt = rotation_from_z_to(n);
    return push(body, 1, 1, X_BJ);
  }

  // Adds a joint with a class of its own. If it has an axis, that is z of its frame. With one degree of freedom, how
  // the frame is rotated about z is free; otherwise its x and y are those of the coordinates.
  int add_whole(JointKind kind, const JointDescription& joint, int parent, Pose<double>& X_BJ) {
    const auto& traits = joint_traits(joint.type);
    const auto& R = X_BJ.R;
    const auto& p = X_BJ.p;
    const bool is_identity = R.xx == 1 && R.yy == 1 && R.zz == 1 && p.x == 0 && p.y == 0 && p.z == 0;
    if (!is_identity) kind = kind_if_displaced(kind);
    if (joint.armature != 0) kind = kind_with_rotor(kind);
    auto body = new_body(kind, joint, parent, X_BJ);
    if (traits.axes == 0)
      body.tilt = R;
    else if (traits.nv() == 1)
      body.tilt = rotation_from_z_to(unit(R * joint.axis));
    else
      body.tilt = R * rotation_from_z_to(unit(joint.axis));
    if (traits.has_pitch) body.translation_per_q = joint.pitch;
    return push(body, traits.nq(), traits.nv(), X_BJ);
  }

  static void refuse_armature(const JointDescription& joint) {
    if (joint.armature != 0 && !joint_traits(joint.type).takes_armature)
      throw Error("joint '" + joint.name + "' has armature " + to_text(joint.armature) + ", expected 0 for a " +
                  to_string(joint.type) +
                  " joint, which has no motor; give the inertia to the child link, or use joints with one degree of "
                  "freedom");
  }

  Body<double> massless_body(int parent) const {
    Body<double> body{};
    body.parent = parent;
    body.sign = 1;
    body.rotation_per_q = 1;
    body.tilt = identity3<double>();
    body.origin = {0, 0, 0};
    body.inertia = {0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
    return body;
  }
  Body<double> new_body(JointKind kind, const JointDescription& joint, int parent, const Pose<double>& X_BJ) const {
    auto body = massless_body(parent);
    body.kind = kind;
    body.armature = joint.armature;
    body.origin = X_BJ.p;
    return body;
  }
  // The new body's frame has its origin at the joint; body.tilt is its orientation in the parent's frame.
  int push(Body<double> body, int nq, int nv, Pose<double>& X_BJ) {
    auto& tree = assembly_.tree;
    body.index = int(tree.bodies.size());
    body.q = tree.nq, body.v = tree.nv, body.dofs = nv;
    tree.nq += nq, tree.nv += nv;
    X_BJ = {transpose(body.tilt) * X_BJ.R, {0, 0, 0}};
    tree.bodies.push_back(body);
    return body.index;
  }

  const Description& description_;
  const BuildOptions& options_;
  BaseJoints base_joints_;
  Assembly assembly_;
  std::unordered_map<std::string, int> link_of_;
  std::vector<std::vector<int>> joints_below_;
};

}  // namespace

Model build(const Description& description, const BuildOptions& options) {
  auto findings = validate(description, options);
  if (std::ranges::any_of(findings, [](const Diagnostic& d) { return d.severity == Severity::error; }))
    throw Error(std::move(findings));
  if (!(options.axis_tolerance >= 0 && options.axis_tolerance <= 1e-6))
    throw Error("axis_tolerance is " + to_text(options.axis_tolerance) + " rad, expected 0 to 1e-6 rad");
  const auto released = without_mounts(description, options.base);
  const Description& d = released ? *released : description;
  return Model(layout(Assembler(d, options).run(), d, options));
}

}  // namespace lissom
