#include "lissom/io/extras.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "lissom/files/data_uri.h"
#include "lissom/io/urdf/parts.h"
#include "lissom/model/interpretation.h"
#include "lissom/model/loop_axes.h"
#include "lissom/model/printable.h"
#include "lissom/model/text.h"

namespace lissom::io {
namespace {

constexpr std::string_view no_foreign_tags[] = {""};

std::string name_in(const Element& element, const char* attribute = "name") {
  return std::string(element.text(attribute));
}

template <class T>
T* named(std::vector<T>& list, std::string_view name) {
  const auto found = std::ranges::find(list, name, &T::name);
  return found == list.end() ? nullptr : &*found;
}

std::vector<double> list_in(const Element& element, const char* attribute) {
  NumberList n;
  if (!element.numbers(attribute, n, Infinity::accept)) return {};
  return {n.value.begin(), n.value.begin() + std::ptrdiff_t(std::min(n.count, NumberList::max_count))};
}

void set(const Element& element, const char* attribute, PerDof& value) {
  if (!element.has(attribute)) return;
  if (const auto list = list_in(element, attribute); !list.empty())
    value = list.size() == 1 ? PerDof(list[0]) : PerDof(list);
}
void set(const Element& element, const char* attribute, double& value) {
  value = element.number(attribute, Infinity::accept).value_or(value);
}

AttachmentDescription read_attachment(const Element& element, const char* which) {
  const Element end = element.child(which);
  if (!end) {
    element.error("missing-element", "<" + std::string(element.tag()) + "> has no <" + which + ">",
                  "add <" + std::string(which) + " frame=\"…\" xyz=\"…\" rpy=\"…\"/>");
    return {};
  }
  end.expect({"frame", "xyz", "rpy"}, {});
  return {name_in(end, "frame"), urdf::read_pose(end)};
}

class Extras {
 public:
  explicit Extras(Description& description) : d_(description) {}

  void read(const Element& top) {
    for (const pugi::xml_node node : top.children()) {
      if (node.type() != pugi::node_element) continue;
      const Element element(node, top.report(), top.subject());
      const auto* known = std::ranges::find(tags, element.tag(), &Tag::name);
      if (known != std::end(tags))
        (this->*known->read)(element);
      else
        element.warning("unknown-tag", "<" + printable(element.tag()) + "> in <lissom> is unknown and ignored",
                        "correct the spelling, or remove it");
    }
  }

 private:
  struct Tag {
    std::string_view name;
    void (Extras::*read)(const Element&);
  };
  static const Tag tags[22];

  void root(const Element& e) {
    e.expect({"link", "base", "ground", "xyz", "rpy"}, {});
    const auto base = e.text("base");
    if (base != "fixed" && base != "free")
      e.error("root-base", "the base is " + in_quotes(base) + ", expected fixed or free", "write one of them");
    d_.roots.push_back({name_in(e, "link"), base == "free" ? Base::free : Base::fixed, urdf::read_pose(e), e.line(),
                        e.text("ground") == "true"});
  }
  void gravity(const Element& e) {
    e.expect({"xyz"}, {});
    NumberList n;
    if (e.numbers("xyz", 3, n)) d_.gravity = {n.value[0], n.value[1], n.value[2]};
  }
  void time_step(const Element& e) {
    e.expect({"value"}, {});
    if (const auto h = e.number("value")) d_.time_step = h;
  }
  void loop(const Element& e) {
    e.expect({"name", "axes", "length", "kind"}, {"a", "b"});
    LoopDescription loop{name_in(e), read_attachment(e, "a"), read_attachment(e, "b")};
    loop.line = e.line();
    loop.length = e.number("length");
    loop.kind = e.text("kind") == "distance" ? LoopKind::distance : LoopKind::axes;
    if (e.has("axes")) try {
        loop.axes = loop_axes(e.text("axes"));
      } catch (const Error& error) {
        e.error("loop-axes", error.what(), "write, for example, xyz or xyz rx ry");
      }
    d_.loops.push_back(std::move(loop));
  }
  void coupling(const Element& e) {
    e.expect({"name", "joint", "of", "coefficients"}, {});
    JointCoupling c{name_in(e), name_in(e, "joint"), name_in(e, "of"), list_in(e, "coefficients"), e.line()};
    d_.couplings.push_back(std::move(c));
  }
  void spring(const Element& e) {
    e.expect({"name", "stiffness", "damping", "rest"}, {"a", "b"});
    SpringDescription s{name_in(e), read_attachment(e, "a"), read_attachment(e, "b")};
    s.line = e.line();
    set(e, "stiffness", s.stiffness), set(e, "damping", s.damping), set(e, "rest", s.rest);
    d_.springs.push_back(std::move(s));
  }
  void tendon(const Element& e) {
    e.expect({"name", "lower", "upper", "stiffness", "rest", "damping", "friction", "armature"}, {"term"});
    TendonDescription t;
    t.name = name_in(e), t.line = e.line();
    set(e, "lower", t.lower), set(e, "upper", t.upper), set(e, "stiffness", t.stiffness), set(e, "rest", t.rest);
    set(e, "damping", t.damping), set(e, "friction", t.dry_friction), set(e, "armature", t.armature);
    for (const pugi::xml_node node : e.children())
      if (std::string_view(node.name()) == "term") {
        const Element term(node, e.report(), e.subject());
        t.terms.push_back({name_in(term, "joint"), term.number("coefficient").value_or(1)});
      }
    d_.tendons.push_back(std::move(t));
  }
  void actuator(const Element& e) {
    using Kind = ActuatorDescription::Kind;
    e.expect({"name", "joint", "tendon", "component", "kind", "gear", "gain", "bias", "min_command", "max_command",
              "min_force", "max_force"},
             {});
    ActuatorDescription a;
    a.name = name_in(e), a.joint = name_in(e, "joint"), a.tendon = name_in(e, "tendon"), a.line = e.line();
    const double component = e.number("component").value_or(0);
    a.component = component >= 0 && component < 6 ? int(component) : -1;
    const auto kind = e.text("kind");
    a.kind = kind == "position"   ? Kind::position
             : kind == "velocity" ? Kind::velocity
             : kind == "general"  ? Kind::general
                                  : Kind::motor;
    set(e, "gear", a.gear), set(e, "gain", a.gain);
    NumberList n;
    if (e.has("bias") && e.numbers("bias", 3, n)) a.bias = {n.value[0], n.value[1], n.value[2]};
    set(e, "min_command", a.min_command), set(e, "max_command", a.max_command);
    set(e, "min_force", a.min_force), set(e, "max_force", a.max_force);
    d_.actuators.push_back(std::move(a));
  }
  // The format may say a part of it.
  void posture(const Element& e) {
    e.expect({"name"}, {"joint"});
    auto* p = named(d_.postures, e.text("name"));
    if (!p) p = &d_.postures.emplace_back(PostureDescription{name_in(e), {}, e.line()});
    std::set<std::string, std::less<>> said;
    for (const auto& position : p->positions) said.insert(position.joint);
    for (const pugi::xml_node node : e.children())
      if (const Element joint(node, e.report(), e.subject());
          joint.tag() == "joint" && !said.contains(joint.text("name")))
        p->positions.push_back({name_in(joint), list_in(joint, "q")});
  }
  void contact_material(const Element& e) {
    e.expect({"name", "friction", "restitution"}, {});
    ContactMaterial m{name_in(e), 1, 0, e.line()};
    set(e, "friction", m.friction), set(e, "restitution", m.restitution);
    if (!named(d_.contact_materials, m.name)) d_.contact_materials.push_back(std::move(m));
  }
  void surface(const Element& e) {
    e.expect({"link", "collision", "material", "group", "mask"}, {});
    auto* const link = named(d_.links, e.text("link"));
    const double index = e.number("collision").value_or(0);
    if (!link || !(index >= 0 && index < double(link->collisions.size())))
      return missing(e, "collision of link", "link");
    Geometry& collision = link->collisions[std::size_t(index)];
    if (e.has("material")) collision.contact_material = name_in(e, "material");
    const auto bits = [&](const char* name, int& x) {
      const double given = e.number(name).value_or(x);
      if (std::abs(given) <= std::numeric_limits<int>::max()) x = int(given);
    };
    bits("group", collision.contact_group), bits("mask", collision.contact_mask);
  }
  // A visual or collision with a shape that the format does not have.
  void shape(const Element& e) {
    e.expect(
        {"link", "of", "at", "name", "kind", "radius", "length", "size", "heights", "xyz", "rpy", "material", "rgba"},
        {});
    auto* const link = named(d_.links, e.text("link"));
    if (!link) return missing(e, "link", "link");
    Geometry geometry;
    geometry.name = name_in(e), geometry.line = e.line(), geometry.origin = urdf::read_pose(e);
    const auto kind = e.text("kind");
    Shape& s = geometry.shape;
    s.kind = kind == "capsule" ? Shape::Kind::capsule : kind == "plane" ? Shape::Kind::plane : Shape::Kind::ellipsoid;
    if (kind == "height_field") {
      if (!is_data_uri(e.text("heights"))) return missing(e, "heights", "heights");
      s.kind = Shape::Kind::height_field;
      s.file = s.path = e.text("heights");
    }
    set(e, "radius", s.radius), set(e, "length", s.length);
    NumberList n;
    if (e.has("size") && e.numbers("size", 3, n)) s.size = {n.value[0], n.value[1], n.value[2]};
    if (e.has("rgba") && e.numbers("rgba", 4, n))
      geometry.material = Material{name_in(e, "material"), {n.value[0], n.value[1], n.value[2], n.value[3]}, ""};
    auto& list = e.text("of") == "collision" ? link->collisions : link->visuals;
    const double at = e.number("at").value_or(0);
    const auto index = std::min(list.size(), at > 0 && at < 1e6 ? std::size_t(at) : 0);
    list.insert(list.begin() + std::ptrdiff_t(index), std::move(geometry));
  }
  void exclusion(const Element& e) {
    e.expect({"name", "a", "b"}, {});
    d_.contact_exclusions.push_back({name_in(e), name_in(e, "a"), name_in(e, "b"), e.line()});
  }
  void pair(const Element& e) {
    e.expect({"name", "a", "b", "friction"}, {});
    d_.contact_pairs.push_back({name_in(e), name_in(e, "a"), name_in(e, "b"), e.number("friction"), e.line()});
  }
  void kept(const Element& e) {
    e.expect({"subject", "name", "value"}, {});
    d_.kept.push_back({name_in(e, "subject"), name_in(e), name_in(e, "value"), e.line()});
  }
  void link(const Element& e) {
    e.expect({"name", "connects_joints", "mass", "com", "inertia"}, {});
    auto* const link = named(d_.links, e.text("name"));
    if (!link) return missing(e, "link");
    if (e.text("connects_joints") == "true") link->connects_joints = true;
    if (e.has("mass")) inertia(e, *link);
  }
  // The format wants a little more mass or inertia. If the file has much more, someone has changed it.
  static void inertia(const Element& e, LinkDescription& link) {
    NumberList c, n;
    const auto mass = e.number("mass");
    if (!mass || !e.numbers("com", 3, c) || !e.numbers("inertia", 6, n)) return;
    const auto& I = link.inertia;
    const std::array moments{I.xx, I.xy, I.xz, I.yy, I.yz, I.zz};
    constexpr double little = 1e-12;
    bool is_near = std::abs(link.mass - *mass) < little;
    for (std::size_t i = 0; i < moments.size(); ++i) is_near = is_near && std::abs(moments[i] - n.value[i]) < little;
    if (!is_near)
      return e.warning(
          "extension-stale",
          "the inertia of link " + in_quotes(link.name) + " is not the one that <link> in <lissom> replaces; it stays",
          "remove <link> from <lissom>");
    link.mass = *mass, link.com = {c.value[0], c.value[1], c.value[2]};
    link.inertia = {n.value[0], n.value[1], n.value[2], n.value[3], n.value[4], n.value[5]};
  }
  void name(const Element& e) {
    e.expect({"kind", "written", "name"}, {});
    const std::string from = name_in(e, "written"), to = name_in(e);
    const auto kind = e.text("kind");
    const auto change = [&](std::string& text) {
      if (text == from) text = to;
    };
    if (kind == "joint") {
      for (auto& joint : d_.joints) {
        change(joint.name);
        if (joint.mimic) change(joint.mimic->joint);
      }
      for (auto& posture : d_.postures)
        for (auto& position : posture.positions) change(position.joint);
      return;
    }
    for (auto& link : d_.links) change(link.name);
    for (auto& frame : d_.frames) change(frame.name), change(frame.link);
    for (auto& joint : d_.joints) change(joint.parent), change(joint.child);
    for (auto& root : d_.roots) change(root.link);
    for (auto& loop : d_.loops) change(loop.a.frame), change(loop.b.frame);
  }
  void helper(const Element& e) {
    e.expect({"frame", "loop"}, {});
    if (e.has("frame")) std::erase_if(d_.frames, [&](const auto& f) { return f.name == e.text("frame"); });
    if (e.has("loop")) std::erase_if(d_.loops, [&](const auto& loop) { return loop.name == e.text("loop"); });
  }
  void joint(const Element& e) {
    e.expect({"name", "type", "pitch", "velocity_limit", "effort_limit", "damping", "friction", "armature",
              "spring_stiffness", "spring_reference"},
             {"part"});
    if (e.peek("part")) return joined(e);
    auto* const joint = named(d_.joints, e.text("name"));
    if (!joint) return missing(e, "joint");
    set(e, "velocity_limit", joint->velocity_limit), set(e, "effort_limit", joint->effort_limit);
    set(e, "damping", joint->damping), set(e, "friction", joint->dry_friction), set(e, "armature", joint->armature);
    set(e, "spring_stiffness", joint->spring_stiffness), set(e, "spring_reference", joint->spring_rest);
  }
  void joined(const Element& e) {
    const auto* type = std::ranges::find(joint_types, e.text("type"), &JointTraits::name);
    JoinedJoint whole{
        name_in(e), type == std::end(joint_types) ? JointType::fixed : type->type, {}, e.number("pitch").value_or(0)};
    for (const pugi::xml_node node : e.children())
      if (std::string_view(node.name()) == "part")
        whole.parts.push_back(name_in(Element(node, e.report(), e.subject()), "joint"));
    if (!join(whole, d_))
      e.warning("joint-parts",
                "the parts of joint " + in_quotes(e.text("name")) + " are not a " + printable(e.text("type")) +
                    " joint; they stay separate",
                "remove this element if they are meant to be");
  }
  void fixed_joint(const Element& e) {
    e.expect({"name", "child"}, {});
    const auto found = std::ranges::find_if(d_.joints, [&](const JointDescription& joint) {
      return joint.type == JointType::fixed && joint.child == e.text("child");
    });
    if (found == d_.joints.end()) return missing(e, "fixed joint above", "child");
    if (!named(d_.joints, e.text("name"))) found->name = name_in(e);
  }
  // A link that floats without a joint, such as those of SDF.
  void free_joint(const Element& e) {
    e.expect({"name", "parent", "child", "xyz", "rpy"}, {});
    JointDescription joint;
    joint.name = name_in(e), joint.type = JointType::free, joint.line = e.line();
    joint.parent = name_in(e, "parent"), joint.child = name_in(e, "child");
    joint.origin = urdf::read_pose(e);
    const auto root = std::ranges::find(d_.roots, joint.child, &RootDescription::link);
    if (root == d_.roots.end() || root->base != Base::free) return missing(e, "floating link", "child");
    const BaseJoints before(d_, Base::file);
    const auto child = std::ranges::find(d_.links, joint.child, &LinkDescription::name);
    const std::string old = before.of(int(child - d_.links.begin())).name;
    for (auto& posture : d_.postures)
      for (auto& position : posture.positions)
        if (position.joint == old) position.joint = joint.name;
    d_.roots.erase(root);
    if (!named(d_.links, joint.parent)) {
      LinkDescription world;
      world.name = joint.parent;
      d_.links.insert(d_.links.begin(), std::move(world));
      d_.roots.push_back({joint.parent, Base::fixed, {}, 0, true});
    }
    d_.joints.push_back(std::move(joint));
  }
  // A coupling that was written in place of a mimic joint.
  void mimic(const Element& e) {
    e.expect({"coupling"}, {});
    auto* const c = named(d_.couplings, e.text("coupling"));
    auto* const follower = c ? named(d_.joints, c->joint) : nullptr;
    if (!follower || c->coefficients.size() > 2 || c->of.empty()) return missing(e, "linear coupling", "coupling");
    auto k = c->coefficients;
    k.resize(2, 0);
    follower->mimic = Mimic{c->of, k[1], k[0]};
    d_.couplings.erase(d_.couplings.begin() + (c - d_.couplings.data()));
  }
  void missing(const Element& e, const char* what, const char* attribute = "name") {
    e.warning("extension-stale",
              "<" + printable(e.tag()) + "> in <lissom> is about the " + what + " " + in_quotes(e.text(attribute)) +
                  ", which is not in the file; it is ignored",
              "correct the name, or remove it");
  }

  Description& d_;
};

const Extras::Tag Extras::tags[22] = {{"root", &Extras::root},
                                      {"gravity", &Extras::gravity},
                                      {"time_step", &Extras::time_step},
                                      {"loop", &Extras::loop},
                                      {"coupling", &Extras::coupling},
                                      {"spring", &Extras::spring},
                                      {"tendon", &Extras::tendon},
                                      {"actuator", &Extras::actuator},
                                      {"posture", &Extras::posture},
                                      {"contact_material", &Extras::contact_material},
                                      {"surface", &Extras::surface},
                                      {"shape", &Extras::shape},
                                      {"contact_exclusion", &Extras::exclusion},
                                      {"contact_pair", &Extras::pair},
                                      {"kept", &Extras::kept},
                                      {"link", &Extras::link},
                                      {"name", &Extras::name},
                                      {"helper", &Extras::helper},
                                      {"joint", &Extras::joint},
                                      {"fixed_joint", &Extras::fixed_joint},
                                      {"free_joint", &Extras::free_joint},
                                      {"mimic", &Extras::mimic}};

}  // namespace

void read_extras(const Element& lissom, Description& description) {
  Extras(description).read(lissom);
}

void read_extras_text(std::string_view text, int line, Description& description, std::vector<Diagnostic>& found) {
  XmlText xml;
  const auto first = found.size();
  parse_xml(text, description.file, {}, xml, found);
  if (xml.root) {
    xml.lines.number_from(line);
    Report report(description.file, xml.lines, no_foreign_tags);
    read_extras(Element(xml.root, report, "extension"), description);
    for (Diagnostic& d : report.take()) found.push_back(std::move(d));
  } else {
    for (auto i = first; i < found.size(); ++i) found[i].line = line;
  }
}

}  // namespace lissom::io
