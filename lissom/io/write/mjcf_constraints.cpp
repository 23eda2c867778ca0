#include <cmath>

#include "lissom/io/write/mjcf_writer.h"
#include "lissom/io/write/prepare.h"
#include "lissom/io/write/xml_output.h"
#include "lissom/model/text.h"

namespace lissom::io::write {
namespace {

constexpr LoopAxes ball_axes{.along = {true, true, true}};
constexpr LoopAxes weld_axes{.along = {true, true, true}, .about = {true, true, true}};

// The axis about which a hinge may rotate; -1 if the loop is none.
int hinge_axis(const LoopAxes& axes) {
  if (axes.along != ball_axes.along || axes.count() != 5) return -1;
  for (int i = 0; i < 3; ++i)
    if (!axes.about[std::size_t(i)]) return i;
  return -1;
}

}  // namespace

// A site for an end of a loop, on which only the equality stands.
std::string MjcfWriter::end_site(const std::string& name, const AttachmentDescription& end,
                                 const Vec3<double>& offset) {
  const auto place = tree_->place(end);
  auto site = add(place.node ? bodies_.at(place.node->link->name) : bodies_.at(""), "site");
  put(site, "name", name);
  put_mjcf_pose(site, {place.pose.R, place.pose * offset});
  extras_.helper_frames.push_back(name);
  return name;
}

// Keeps the points at this offset, in the frames of both ends, together.
void MjcfWriter::write_connect(const LoopDescription& loop, const std::string& name, const Vec3<double>& offset,
                               Node equality) {
  const auto a = tree_->place(loop.a), b = tree_->place(loop.b);
  auto node = add(equality, "connect");
  put(node, "name", name);
  elements_["equality " + in_quotes(name)] = node;
  const auto world = [&](const BodyTree::Place& place) {
    return (place.node ? tree_->in_world(*place.node) * place.pose : place.pose) * offset;
  };
  constexpr double rounding = 1e-13;
  const bool floats =
      a.node && b.node && !(a.node->is_static && b.node->is_static) && (a.node->is_static || b.node->is_static);
  if (!floats && length(world(a) - world(b)) <= rounding * (1 + length(world(a)))) {
    put(node, "body1", a.node ? body_name(a.node->link->name) : "world");
    put(node, "body2", b.node ? body_name(b.node->link->name) : "world");
    put(node, "anchor", a.pose * offset);
    return;
  }
  put(node, "site1", end_site(name + "/a", loop.a, offset)), put(node, "site2", end_site(name + "/b", loop.b, offset));
}

void MjcfWriter::write_weld(const LoopDescription& loop, Node equality) {
  const auto a = tree_->place(loop.a), b = tree_->place(loop.b);
  auto node = add(equality, "weld");
  put(node, "name", loop.name);
  elements_["equality " + in_quotes(loop.name)] = node;
  put(node, "body1", a.node ? body_name(a.node->link->name) : "world");
  put(node, "body2", b.node ? body_name(b.node->link->name) : "world");
  const auto& held = b.pose.p;
  if (held.x != 0 || held.y != 0 || held.z != 0) put(node, "anchor", held);
  put(node, "relpose", numbers_text(a.pose.p) + " " + quaternion_text((a.pose * inverse(b.pose)).R));
}

// Where an end of a loop is in the world at MuJoCo's qpos0: at zero, but what floats is where it starts.
Vec3<double> MjcfWriter::point_at_start(const AttachmentDescription& end) const {
  const auto place = tree_->place(end);
  if (!place.node) return place.pose.p;
  const BodyNode* top = place.node;  // that floats
  while (top->parent >= 0 && (top->joints.empty() || top->joints[0].joint->type != JointType::free))
    top = &tree_->nodes()[std::size_t(top->parent)];
  const bool floats = !top->joints.empty() && top->joints[0].joint->type == JointType::free;
  const Pose<double> X = tree_->in_world(*place.node) * place.pose;
  if (!floats) return X.p;
  const Pose<double> T = tree_->in_world(*top);
  return T * starting_pose(d_, top->joints[0].joint->name) * inverse(T) * X.p;
}

// A tendon between two sites, and an equality that keeps its length.
void MjcfWriter::write_rod(const LoopDescription& loop, Node equality) {
  auto mujoco = equality.parent();
  auto section = mujoco.child("tendon");
  if (!section) section = mujoco.insert_child_before("tendon", equality);
  auto tendon = add(section, "spatial");
  std::string name = loop.name;
  while (elements_.contains("tendon " + in_quotes(name))) name += '_';
  put(tendon, "name", name);
  elements_["tendon " + in_quotes(name)] = tendon;
  put(add(tendon, "site"), "site", end_site(loop.name + "/a", loop.a, {0, 0, 0}));
  put(add(tendon, "site"), "site", end_site(loop.name + "/b", loop.b, {0, 0, 0}));
  const double at_start = length(point_at_start(loop.a) - point_at_start(loop.b));
  auto node = add(equality, "tendon");
  put(node, "name", loop.name), put(node, "tendon1", name);
  put(node, "polycoef", loop.length.value_or(at_start) - at_start);
  elements_["equality " + in_quotes(loop.name)] = node;
  losses_.replaced("loop-rod", loop.line, "loop " + in_quotes(loop.name), "it is a rod, which is no equality of MJCF",
                   "it is a tendon between two sites, and an equality of its length");
  extras_.helper_loops.push_back(loop.name);  // it comes back as it was
  extras_.rest.loops.push_back(loop);
}

// Returns false if MuJoCo has no such constraint.
bool MjcfWriter::write_loop(const LoopDescription& loop, Node equality) {
  const std::string subject = "loop " + in_quotes(loop.name);
  if (loop.kind == LoopKind::distance) {
    write_rod(loop, equality);
    return true;
  }
  if (loop.axes == ball_axes) {
    write_connect(loop, loop.name, {0, 0, 0}, equality);
    return true;
  }
  if (loop.axes == weld_axes) {
    write_weld(loop, equality);
    return true;
  }
  const int axis = hinge_axis(loop.axes);
  if (axis < 0) return false;
  // Two points of the axis stay together.
  constexpr double distance = 0.1;  // m
  Vec3<double> along{0, 0, 0};
  (axis == 0 ? along.x : axis == 1 ? along.y : along.z) = distance;
  losses_.replaced("loop-hinge", loop.line, subject, "it is a hinge, which is no equality of MJCF",
                   "two points of its axis stay together");
  write_connect(loop, loop.name + "/1", {0, 0, 0}, equality);
  write_connect(loop, loop.name + "/2", along, equality);
  extras_.helper_loops.push_back(loop.name + "/1"), extras_.helper_loops.push_back(loop.name + "/2");
  extras_.rest.loops.push_back(loop);
  return true;
}

void MjcfWriter::write_equalities(Node mujoco) {
  bodies_[""] = mujoco.child("worldbody");
  auto equality = add(mujoco, "equality");
  for (const auto& loop : d_.loops)
    if (!write_loop(loop, equality)) {
      extras_.rest.loops.push_back(loop);
      losses_.extended("loop", loop.line, "loop " + in_quotes(loop.name), "it holds some axes, and others not");
    }
  for (const auto& c : d_.couplings) {
    constexpr std::size_t max_coefficients = 5;
    if (c.coefficients.size() > max_coefficients) {
      extras_.rest.couplings.push_back(c);
      losses_.extended("coupling", c.line, "coupling " + in_quotes(c.name), "its polynomial has a degree above 4");
      continue;
    }
    auto node = add(equality, "joint");
    put(node, "name", c.name), put(node, "joint1", c.joint);
    if (!c.of.empty()) put(node, "joint2", c.of);
    auto k = c.coefficients;
    k.resize(max_coefficients, 0);
    put(node, "polycoef", numbers_text(k));
    elements_["equality " + in_quotes(c.name)] = node;
  }
  extras_.rest.springs = d_.springs;
  if (!equality.first_child()) mujoco.remove_child(equality);
}

void MjcfWriter::write_contacts(Node mujoco) {
  auto contact = add(mujoco, "contact");
  for (const auto& pair : d_.contact_pairs) {
    const auto known = [&](const std::string& geom) { return taken_geom_names_.contains(geom); };
    if (!known(pair.a) || !known(pair.b)) {
      extras_.rest.contact_pairs.push_back(pair);
      losses_.extended("contact-pair", pair.line, "contact pair " + in_quotes(pair.name),
                       "one of its geometries is not written");
      continue;
    }
    auto node = add(contact, "pair");
    if (!pair.name.empty()) put(node, "name", pair.name);
    put(node, "geom1", pair.a), put(node, "geom2", pair.b);
    if (pair.friction) put(node, "friction", *pair.friction);
    elements_["pair " + in_quotes(pair.name)] = node;
  }
  for (const auto& e : d_.contact_exclusions) {
    auto node = add(contact, "exclude");
    if (!e.name.empty()) put(node, "name", e.name);
    put(node, "body1", body_name(e.a)), put(node, "body2", body_name(e.b));
  }
  if (!contact.first_child()) mujoco.remove_child(contact);
}

}  // namespace lissom::io::write
