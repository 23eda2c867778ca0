#include "lissom/io/write/extras.h"

#include <array>
#include <sstream>

#include "lissom/io/write/xml_output.h"

namespace lissom::io::write {
namespace {

constexpr double no_bound = JointDescription::unlimited;

std::string axes_text(const LoopAxes& axes) {
  std::string text;
  for (std::size_t i = 0; i < 3; ++i)
    if (axes.along[i]) text += "xyz"[i];
  for (std::size_t i = 0; i < 3; ++i)
    if (axes.about[i]) text += std::string(text.empty() ? "r" : " r") + "xyz"[i];
  return text;
}

void write_end(pugi::xml_node parent, const char* tag, const AttachmentDescription& end) {
  auto node = add(parent, tag);
  put(node, "frame", end.frame);
  put_pose(node, end.placement);
}

void write_loops(const Description& d, pugi::xml_node top) {
  for (const auto& loop : d.loops) {
    auto node = add(top, "loop");
    put(node, "name", loop.name);
    if (loop.kind == LoopKind::distance) put(node, "kind", "distance");
    if (loop.kind == LoopKind::axes) put(node, "axes", axes_text(loop.axes));
    if (loop.length) put(node, "length", *loop.length);
    write_end(node, "a", loop.a);
    write_end(node, "b", loop.b);
  }
  for (const auto& c : d.couplings) {
    auto node = add(top, "coupling");
    put(node, "name", c.name), put(node, "joint", c.joint);
    if (!c.of.empty()) put(node, "of", c.of);
    put(node, "coefficients", numbers_text(c.coefficients));
  }
  for (const auto& s : d.springs) {
    auto node = add(top, "spring");
    put(node, "name", s.name), put(node, "stiffness", s.stiffness);
    put_unless(0, node, "damping", s.damping);
    put(node, "rest", s.rest);
    write_end(node, "a", s.a);
    write_end(node, "b", s.b);
  }
}

const char* kind_text(ActuatorDescription::Kind kind) {
  using Kind = ActuatorDescription::Kind;
  return kind == Kind::position ? "position" : kind == Kind::velocity ? "velocity" : "general";
}

void write_drives(const Description& d, pugi::xml_node top) {
  for (const auto& t : d.tendons) {
    auto node = add(top, "tendon");
    put(node, "name", t.name);
    put_unless(-no_bound, node, "lower", t.lower), put_unless(no_bound, node, "upper", t.upper);
    put_unless(0, node, "stiffness", t.stiffness), put_unless(0, node, "rest", t.rest);
    put_unless(0, node, "damping", t.damping), put_unless(0, node, "friction", t.dry_friction);
    put_unless(0, node, "armature", t.armature);
    for (const auto& term : t.terms) {
      auto child = add(node, "term");
      put(child, "joint", term.joint), put(child, "coefficient", term.coefficient);
    }
  }
  for (const auto& a : d.actuators) {
    auto node = add(top, "actuator");
    put(node, "name", a.name);
    if (a.tendon.empty()) put(node, "joint", a.joint);
    if (!a.tendon.empty()) put(node, "tendon", a.tendon);
    put_unless(0, node, "component", a.component);
    if (a.kind != ActuatorDescription::Kind::motor) put(node, "kind", kind_text(a.kind));
    put_unless(1, node, "gear", a.gear), put_unless(1, node, "gain", a.gain);
    if (a.bias[0] != 0 || a.bias[1] != 0 || a.bias[2] != 0) put(node, "bias", numbers_text(a.bias));
    put_unless(-no_bound, node, "min_command", a.min_command);
    put_unless(no_bound, node, "max_command", a.max_command);
    put_unless(-no_bound, node, "min_force", a.min_force), put_unless(no_bound, node, "max_force", a.max_force);
  }
  for (const auto& p : d.postures) {
    auto node = add(top, "posture");
    put(node, "name", p.name);
    for (const auto& position : p.positions) {
      auto child = add(node, "joint");
      put(child, "name", position.joint), put(child, "q", numbers_text(position.q));
    }
  }
}

void write_contacts(const Description& d, pugi::xml_node top) {
  for (const auto& m : d.contact_materials) {
    auto node = add(top, "contact_material");
    put(node, "name", m.name), put(node, "friction", m.friction);
    put_unless(0, node, "restitution", m.restitution);
  }
  for (const auto& link : d.links)
    for (std::size_t i = 0; i < link.collisions.size(); ++i) {
      const Geometry& collision = link.collisions[i];
      if (collision.contact_material.empty() && !collision.has_contact_groups()) continue;
      auto node = add(top, "surface");
      put(node, "link", link.name), put(node, "collision", double(i));
      if (!collision.contact_material.empty()) put(node, "material", collision.contact_material);
      if (!collision.has_contact_groups()) continue;
      put(node, "group", double(collision.contact_group)), put(node, "mask", double(collision.contact_mask));
    }
  for (const auto& e : d.contact_exclusions) {
    auto node = add(top, "contact_exclusion");
    if (!e.name.empty()) put(node, "name", e.name);
    put(node, "a", e.a), put(node, "b", e.b);
  }
  for (const auto& pair : d.contact_pairs) {
    auto node = add(top, "contact_pair");
    if (!pair.name.empty()) put(node, "name", pair.name);
    put(node, "a", pair.a), put(node, "b", pair.b);
    if (pair.friction) put(node, "friction", *pair.friction);
  }
  for (const auto& k : d.kept) {
    auto node = add(top, "kept");
    put(node, "subject", k.subject), put(node, "value", k.value);
    if (!k.name.empty()) put(node, "name", k.name);
  }
}

void write_shapes(const Extras& extras, pugi::xml_node top) {
  for (const auto& one : extras.shapes) {
    const Geometry& geometry = one.geometry;
    const Shape& shape = geometry.shape;
    auto node = add(top, "shape");
    put(node, "link", one.link), put(node, "of", one.collides ? "collision" : "visual"),
        put(node, "at", double(one.index));
    if (!geometry.name.empty()) put(node, "name", geometry.name);
    if (shape.kind == Shape::Kind::capsule) {
      put(node, "kind", "capsule"), put(node, "radius", shape.radius), put(node, "length", shape.length);
    } else if (shape.kind == Shape::Kind::height_field) {
      put(node, "kind", "height_field"), put(node, "size", shape.size), put(node, "length", shape.length);
      put(node, "heights", shape.file);
    } else {
      put(node, "kind", shape.kind == Shape::Kind::plane ? "plane" : "ellipsoid"), put(node, "size", shape.size);
    }
    put_pose(node, geometry.origin);
    if (!geometry.material) continue;
    const auto& c = geometry.material->color;
    put(node, "material", geometry.material->name), put(node, "rgba", numbers_text(std::array{c.r, c.g, c.b, c.a}));
  }
}

// What is about links and joints of the file comes first: the rest refers to them.
void write_corrections(const Extras& extras, pugi::xml_node top) {
  for (const auto& name : extras.names) {
    auto node = add(top, "name");
    put(node, "kind", name.kind), put(node, "written", name.written), put(node, "name", name.name);
  }
  for (const auto& name : extras.connecting_links) {
    auto node = add(top, "link");
    put(node, "name", name), put(node, "connects_joints", "true");
  }
  for (const auto& link : extras.link_figures) {
    auto node = add(top, "link");
    const auto& I = link.inertia;
    put(node, "name", link.link), put(node, "mass", link.mass), put(node, "com", link.com);
    put(node, "inertia", numbers_text(std::array{I.xx, I.xy, I.xz, I.yy, I.yz, I.zz}));
  }
  for (const auto& name : extras.helper_frames) put(add(top, "helper"), "frame", name);
  for (const auto& name : extras.helper_loops) put(add(top, "helper"), "loop", name);
  for (const auto& fixed : extras.fixed_joints) {
    auto node = add(top, "fixed_joint");
    put(node, "child", fixed.child), put(node, "name", fixed.name);
  }
  for (const auto& joint : extras.free_joints) {
    auto node = add(top, "free_joint");
    put(node, "name", joint.name), put(node, "parent", joint.parent), put(node, "child", joint.child);
    put_pose(node, joint.origin);
  }
  for (const auto& figure : extras.joint_figures) {
    auto node = add(top, "joint");
    put(node, "name", figure.joint), put(node, figure.name, figure.values);
  }
  for (const auto& coupling : extras.mimics) put(add(top, "mimic"), "coupling", coupling);
  for (const auto& whole : extras.joined) {
    auto node = add(top, "joint");
    put(node, "name", whole.name), put(node, "type", lissom::to_string(whole.type));
    if (joint_traits(whole.type).has_pitch) put(node, "pitch", whole.pitch);
    for (const auto& part : whole.parts) put(add(node, "part"), "joint", part);
  }
}

}  // namespace

void write_extras(const Extras& extras, pugi::xml_node parent, const char* tag) {
  auto top = add(parent, tag);
  const Description& d = extras.rest;
  write_corrections(extras, top);
  write_shapes(extras, top);
  for (const auto& root : d.roots) {
    auto node = add(top, "root");
    put(node, "link", root.link), put(node, "base", root.base == Base::free ? "free" : "fixed");
    if (root.is_ground) put(node, "ground", "true");
    put_pose(node, root.placement);
  }
  if (extras.gravity) put(add(top, "gravity"), "xyz", d.gravity);
  if (d.time_step) put(add(top, "time_step"), "value", *d.time_step);
  write_loops(d, top);
  write_drives(d, top);
  write_contacts(d, top);
  if (!top.first_child()) parent.remove_child(top);
}

std::string extras_text(const Extras& extras) {
  pugi::xml_document document;
  write_extras(extras, document);
  if (!document.first_child()) return {};
  std::ostringstream text;
  document.save(text, "", pugi::format_raw | pugi::format_no_declaration, pugi::encoding_utf8);
  return text.str();
}

}  // namespace lissom::io::write
