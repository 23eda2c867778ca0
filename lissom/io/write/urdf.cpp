// Writes URDF. What it cannot say is written as extensions of joints and shapes, and in one element <lissom>.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "lissom/io/type_names.h"
#include "lissom/io/write/extras.h"
#include "lissom/io/write/materials.h"
#include "lissom/io/write/meshes.h"
#include "lissom/io/write/prepare.h"
#include "lissom/io/write/xml_output.h"
#include "lissom/model/interpretation.h"
#include "lissom/model/text.h"

namespace lissom::io::write {
namespace {

// Programs require a limit where there is none; a limit of this size is none (docs/urdf.md).
constexpr double no_urdf_limit = 1e16;

class UrdfWriter {
 public:
  UrdfWriter(const Description& description, const WriteOptions& options)
      : d_(prepared(description, options)),
        losses_(description, Format::urdf, options),
        meshes_(Format::urdf, options, losses_) {}

  WriteResult run() {
    replace_joints();
    join_roots();
    pugi::xml_document document;
    auto declaration = document.append_child(pugi::node_declaration);
    put(declaration, "version", "1.0"), put(declaration, "encoding", "utf-8");
    auto robot = add(document, "robot");
    put(robot, "name", d_.name.empty() ? "robot" : d_.name);
    if (d_.name.empty()) losses_.replaced("robot-name", 0, "robot", "the robot has no name", "it is called 'robot'");
    for (const auto& link : d_.links) write_link(link, robot);
    for (const auto& joint : d_.joints) write_joint(joint, robot);
    for (const auto& frame : d_.frames) write_frame(frame, robot);
    collect_rest();
    if (losses_.extensions()) write_extras(extras_, robot);
    return {text_of(document), losses_.take(), meshes_.take(), losses_.not_read()};
  }

 private:
  // Other programs refuse a file with joint types that URDF does not have.
  void replace_joints() {
    const auto actuators = d_.actuators;
    const auto postures = d_.postures;
    extras_.joined = split_joints(d_, [&](const JointDescription& joint) {
      if (!format_name(joint.type, urdf_type_names).empty()) return false;
      losses_.replaced("joint-type", joint.line, joint_subject(joint.name),
                       "its type is " + std::string(lissom::to_string(joint.type)) + ", which URDF does not have",
                       joint_traits(joint.type).has_pitch ? "it is a revolute joint, and a prismatic one that mimics it"
                       : joint.type == JointType::spherical
                           ? "it is three revolute joints, with other coordinates; lissom reads a spherical joint"
                       : split_parts(joint.type).size() == 2
                           ? "it is two joints, with a link without mass between them"
                           : "it is several joints, with links without mass between them");
      return true;
    });
    for (const auto& whole : extras_.joined) {
      if (!joint_traits(whole.type).has_pitch) continue;
      const auto slide = std::ranges::find(d_.joints, whole.parts[1], &JointDescription::name);
      slide->mimic = Mimic{whole.parts[0], whole.pitch, 0};
      std::erase_if(d_.couplings, [&](const JointCoupling& c) { return c.joint == slide->name; });
    }
    for (const auto& joint : d_.joints)
      for (const auto& whole : extras_.joined)
        if (std::ranges::find(whole.parts, joint.name) != whole.parts.end() && joint.name != whole.parts.back())
          added_links_.insert(joint.child);
    // Those are in <lissom>, for the joints as they are.
    d_.actuators = actuators, d_.postures = postures;
  }

  // The link that is the world itself, if the robot has one.
  const std::string* world_link() const {
    for (const auto& root : d_.roots)
      if (root.is_ground && root.base == Base::fixed && root.link == "world" && is_identity(root.placement))
        return &root.link;
    return nullptr;
  }
  // Whether a posture, which is written for lissom, says where the free base of a root starts.
  bool starts_by_posture(const RootDescription& root, const std::vector<JointDescription>& base_joints) const {
    const auto joint = std::ranges::find(base_joints, root.link, &JointDescription::child);
    if (joint == base_joints.end() || !losses_.extensions()) return false;
    return std::ranges::any_of(d_.postures, [&](const PostureDescription& posture) {
      return (posture.name == "initial" || posture.name == "qpos0") &&
             std::ranges::any_of(posture.positions,
                                 [&](const auto& position) { return position.joint == joint->name; });
    });
  }

  // A URDF has one root.
  void join_roots() {
    const auto roots = roots_of(d_);
    if (roots.size() < 2) return;
    const BaseJoints joints(d_, Base::file);
    const std::string* ground = world_link();
    std::vector<JointDescription> added;
    for (int i = 0; i < int(d_.links.size()); ++i)
      if (joints.is_root(i) && (!ground || d_.links[std::size_t(i)].name != *ground)) added.push_back(joints.of(i));
    const std::string name = ground ? *ground : added[0].parent;
    losses_.replaced("several-roots", d_.links[0].line, "robot", "there are " + counted(roots.size(), "root link"),
                     "joints connect them to " + std::string(ground ? "the" : "an added") + " link " + in_quotes(name));
    for (auto& joint : added) joint.parent = name;
    for (const auto& root : d_.roots)
      if (root.base == Base::free && !is_identity(root.placement) && !starts_by_posture(root, added))
        losses_.lost("root-placement", root.line, link_subject(root.link), "the free base starts at some place",
                     "it starts at the origin");
    if (!ground) {
      LinkDescription link;
      link.name = name;
      d_.links.insert(d_.links.begin(), std::move(link));
    }
    d_.joints.insert(d_.joints.begin(), added.begin(), added.end());
    d_.roots.clear();
  }

  void write_link(const LinkDescription& link, pugi::xml_node robot) {
    auto node = add(robot, "link");
    put(node, "name", link.name);
    if (link.connects_joints) {
      extras_.connecting_links.push_back(link.name);
      if (!added_links_.contains(link.name))
        losses_.replaced("several-joints", link.line, link_subject(link.name),
                         "a body has several joints, or one that is not at its origin, which URDF cannot say",
                         "links without mass connect them");
    }
    if (!is_massless(link)) {
      auto inertial = add(node, "inertial");
      write_origin({identity3<double>(), link.com}, inertial);
      put(add(inertial, "mass"), "value", link.mass);
      auto inertia = add(inertial, "inertia");
      const auto& I = link.inertia;
      put(inertia, "ixx", I.xx), put(inertia, "ixy", I.xy), put(inertia, "ixz", I.xz);
      put(inertia, "iyy", I.yy), put(inertia, "iyz", I.yz), put(inertia, "izz", I.zz);
    }
    for (const auto& visual : link.visuals) write_geometry(visual, "visual", link, node);
    for (const auto& collision : link.collisions) write_geometry(collision, "collision", link, node);
  }

  static void write_origin(const Pose<double>& X, pugi::xml_node parent) {
    if (is_identity(X)) return;
    auto node = add(parent, "origin");
    put(node, "xyz", X.p), put(node, "rpy", rpy_of(X.R));
  }

  void write_geometry(const Geometry& geometry, const char* tag, const LinkDescription& link, pugi::xml_node parent) {
    const auto subject = link_subject(link.name);
    const bool collides = std::string_view(tag) == "collision";
    if (collides && geometry.has_contact_groups())
      losses_.extended("contact-group", geometry.line, subject, "a collision has a contact group or mask");
    const auto kind = geometry.shape.kind;
    if (kind == Shape::Kind::capsule || kind == Shape::Kind::ellipsoid || kind == Shape::Kind::plane ||
        kind == Shape::Kind::height_field) {
      const auto& list = collides ? link.collisions : link.visuals;
      extras_.shapes.push_back({link.name, collides, std::size_t(&geometry - list.data()), geometry});
      losses_.extended("shape", geometry.line, subject,
                       kind == Shape::Kind::capsule     ? "a shape is a capsule"
                       : kind == Shape::Kind::ellipsoid ? "a shape is an ellipsoid"
                                                        : "a shape is a plane");
      return;
    }
    pugi::xml_document shape;
    if (!write_shape(geometry, collides, subject, shape)) return;
    auto node = add(parent, tag);
    if (!geometry.name.empty()) put(node, "name", geometry.name);
    write_origin(geometry.origin, node);
    add(node, "geometry").append_copy(shape.first_child());
    if (!geometry.material) return;
    if (collides)
      losses_.lost("collision-material", geometry.line, subject, "a collision has a color");
    else
      write_material(*geometry.material, node);
  }

  void write_material(const Material& material, pugi::xml_node visual) {
    auto node = add(visual, "material");
    put(node, "name", names_.name(material));
    const auto& c = material.color;
    put(add(node, "color"), "rgba", numbers_text(std::array{c.r, c.g, c.b, c.a}));
    if (!material.texture.empty()) put(add(node, "texture"), "filename", material.texture);
  }

  // Returns false if there is nothing to write.
  bool write_shape(const Geometry& geometry, bool collides, const std::string& subject, pugi::xml_node parent) {
    const Shape& shape = geometry.shape;
    switch (shape.kind) {
      case Shape::Kind::box:
        put(add(parent, "box"), "size", shape.size);
        return true;
      case Shape::Kind::sphere:
        put(add(parent, "sphere"), "radius", shape.radius);
        return true;
      case Shape::Kind::cylinder: {
        auto node = add(parent, "cylinder");
        put(node, "radius", shape.radius), put(node, "length", shape.length);
        return true;
      }
      case Shape::Kind::mesh: {
        const auto mesh = meshes_.reference(geometry, collides, subject);
        if (!mesh) return false;
        auto node = add(parent, "mesh");
        put(node, "filename", mesh->file);
        if (mesh->scale.x != 1 || mesh->scale.y != 1 || mesh->scale.z != 1) put(node, "scale", mesh->scale);
        return true;
      }
      default:
        return false;  // in <lissom>
    }
  }

  // URDF's name of a joint type. A revolute joint without limits is a continuous one.
  static std::string_view type_name(const JointDescription& joint) {
    const bool continuous = joint.type == JointType::revolute && !is_limited(joint);
    return format_name(continuous ? JointType::continuous : joint.type, urdf_type_names);
  }

  void write_joint(const JointDescription& joint, pugi::xml_node robot) {
    const JointTraits& traits = joint_traits(joint.type);
    auto node = add(robot, "joint");
    joints_[joint_subject(joint.name)] = node;
    put(node, "name", joint.name), put(node, "type", type_name(joint));
    write_origin(joint.origin, node);
    put(add(node, "parent"), "link", joint.parent);
    put(add(node, "child"), "link", joint.child);
    if (traits.axes > 0) put(add(node, "axis"), "xyz", joint.axis);
    if (traits.nv() == 0) return;
    write_limits(joint, node);
    write_dynamics(joint, node);
    if (!joint.mimic) return;
    auto mimic = add(node, "mimic");
    put(mimic, "joint", joint.mimic->joint);
    put_unless(1, mimic, "multiplier", joint.mimic->ratio), put_unless(0, mimic, "offset", joint.mimic->offset);
  }

  static std::vector<double> written(std::vector<double> limits, double none) {
    for (double& x : limits)
      if (std::isinf(x)) x = none;
    return limits;
  }
  void write_limits(const JointDescription& joint, pugi::xml_node parent) {
    const auto range = position_range(joint);
    const bool unlimited = range.lower.empty() && range.upper.empty();
    const bool required = joint_traits(joint.type).is_slider() || (joint.type == JointType::revolute && !unlimited);
    const PerDof effort = magnitude_limit(joint.effort_limit), velocity = magnitude_limit(joint.velocity_limit);
    const bool free_of_both = effort == JointDescription::unlimited && velocity == JointDescription::unlimited;
    if (free_of_both && unlimited && !required) return;
    auto node = add(parent, "limit");
    const auto nq = std::size_t(joint_traits(joint.type).nq());
    if (!unlimited || required) {
      auto lower = joint.lower, upper = joint.upper;
      lower.resize(nq, -JointDescription::unlimited), upper.resize(nq, JointDescription::unlimited);
      put(node, "lower", numbers_text(written(lower, -no_urdf_limit)));
      put(node, "upper", numbers_text(written(upper, no_urdf_limit)));
    }
    const auto figure = [](const PerDof& limit) {
      return numbers_text(written({limit.values().begin(), limit.values().end()}, no_urdf_limit));
    };
    put(node, "effort", figure(effort)), put(node, "velocity", figure(velocity));
  }

  void write_dynamics(const JointDescription& joint, pugi::xml_node parent) {
    pugi::xml_document holder;
    auto node = add(holder, "dynamics");
    put_unless(0, node, "damping", joint.damping), put_unless(0, node, "friction", joint.dry_friction);
    const auto beyond = [&](const char* code, const char* name, const char* what, const PerDof& values) {
      if (values == 0) return;
      losses_.extended(code, joint.line, joint_subject(joint.name), std::string("it has ") + what);
      if (losses_.extensions()) put(node, name, values);
    };
    beyond("armature", "armature", "armature", joint.armature);
    beyond("joint-spring", "spring_stiffness", "a spring", joint.spring_stiffness);
    if (!(joint.spring_stiffness == 0))
      beyond("joint-spring", "spring_reference", "a spring that rests elsewhere than at 0", joint.spring_rest);
    if (!node.first_attribute()) return;
    // urdfdom refuses the element without any of these.
    if (!node.attribute("damping") && !node.attribute("friction")) put(node, "damping", 0.0);
    parent.append_copy(node);
  }

  void write_frame(const FrameDescription& frame, pugi::xml_node robot) {
    losses_.extended("frame", frame.line, "frame " + in_quotes(frame.name), "it is a named frame");
    if (!losses_.extensions()) return;
    auto node = add(robot, "frame");
    put(node, "name", frame.name), put(node, "link", frame.link);
    put_pose(node, frame.origin);
  }

  // What URDF's reader has kept goes back to where it was. Returns false if it is of another format.
  bool write_kept(const KeptAttribute& kept) {
    const auto slash = kept.name.find('/');
    const std::string tag = kept.name.substr(0, slash);
    const auto joint = joints_.find(kept.subject);
    if ((tag != "calibration" && tag != "safety_controller") || slash == std::string::npos || joint == joints_.end())
      return false;
    auto node = joint->second.child(tag.c_str());
    if (!node) node = add(joint->second, tag.c_str());
    put(node, kept.name.substr(slash + 1).c_str(), kept.value);
    return true;
  }

  // Everything else is in <lissom>.
  void collect_rest() {
    const auto subject = [](const char* what, const std::string& name) { return what + (" " + in_quotes(name)); };
    const auto all = [&](const char* code, const char* what, const auto& list) {
      for (const auto& one : list)
        losses_.extended(code, one.line, subject(what, one.name), "it is " + with_article(what));
    };
    all("loop", "loop", d_.loops), all("coupling", "coupling", d_.couplings), all("spring", "spring", d_.springs);
    all("tendon", "tendon", d_.tendons), all("actuator", "actuator", d_.actuators);
    all("posture", "posture", d_.postures), all("contact-material", "contact material", d_.contact_materials);
    all("contact-exclusion", "contact exclusion", d_.contact_exclusions);
    all("contact-pair", "contact pair", d_.contact_pairs);
    std::erase_if(d_.kept, [&](const KeptAttribute& k) { return write_kept(k); });
    for (const auto& k : d_.kept) losses_.unused(k.line, k.subject, k.name);
    for (const auto& root : d_.roots)
      if (root.base == Base::free || !is_identity(root.placement))
        losses_.extended("root", root.line, link_subject(root.link),
                         root.base == Base::free ? "it is a free base" : "it is fixed at a place in the world");
    const auto& g = d_.gravity;
    const Description usual;
    extras_.gravity = g.x != usual.gravity.x || g.y != usual.gravity.y || g.z != usual.gravity.z;
    if (extras_.gravity) losses_.extended("gravity", 0, "robot", "the gravity is " + numbers_text(g) + " m/s²");
    if (d_.time_step) losses_.extended("time-step", 0, "robot", "it has a time step");
    extras_.rest = d_;
  }

  Description d_;
  Losses losses_;
  MeshFiles meshes_;
  MaterialNames names_;
  Extras extras_;
  std::set<std::string> added_links_;             // of joints that are replaced
  std::map<std::string, pugi::xml_node> joints_;  // "joint 'knee'"
};

}  // namespace

WriteResult write_urdf(const Description& description, const WriteOptions& options) {
  return UrdfWriter(description, options).run();
}

}  // namespace lissom::io::write
