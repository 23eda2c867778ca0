#include "lissom/sim/contact_world.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lissom/geometry/collide.h"
#include "lissom/geometry/collision_geometry.h"
#include "lissom/model/text.h"
#include "lissom/spatial/quaternion.h"

namespace lissom::sim {

namespace {

constexpr double covered = 1e-6;        // m: a point this near to a shape lies on it
constexpr double patch_margin = .25;    // m, around the points of a contact
constexpr double patch_thickness = .1;  // m

// A fixed contact holds where the robot is; its placement may differ from that by this, m and rad.
constexpr double grip_tolerance = 1e-3;

Shape half_space() {
  Shape shape;
  shape.kind = Shape::Kind::plane;
  return shape;
}

bool is_level(const Pose<double>& X) {
  return std::hypot(X.R.xz, X.R.yz) < 1e-12 && X.R.zz > 0;
}

World::Options options(const Model& model, double max_friction) {
  World::Options o;
  o.default_properties.friction = std::min(o.default_properties.friction, max_friction);
  o.audit = true;
  o.gravity = model.gravity();
  return o;
}

}  // namespace

Geometry sphere_at(const Vec3<double>& point, double radius) {
  Geometry g;
  g.origin.p = point;
  g.shape.kind = Shape::Kind::sphere;
  g.shape.radius = radius;
  return g;
}

ContactWorld::ContactWorld(const Model& model, std::vector<Contact> contacts, const Eigen::VectorXd& q,
                           const Eigen::VectorXd& v, const std::vector<Patch>& patches,
                           const std::vector<FixedShape>& surroundings, double max_friction)
    : world_(options(model, max_friction)) {
  for (auto& contact : contacts) contact.friction = std::min(contact.friction, max_friction);
  add_faces(model, std::move(contacts));
  for (const auto& patch : patches) floor_ = std::min(floor_, patch.surface.p.z);
  // Pushes are part of the world's tau, so the effort limits are the caller's.
  world_.add(robot, gripping(model, q), q, {.effort_limits = false, .self_collision = false});
  world_.v(robot) = v;
  world_.add_fixed(ground_name, half_space(), {});
  if (floor_ < 0) world_.add_fixed(floor_name, half_space(), {.p = {0, 0, floor_}});
  for (const auto& fixed : surroundings) world_.add_fixed(fixed.name, fixed.shape, fixed.pose, fixed.rounding);
  add_links(model);
  add_points(model);
  add_patches();
  add_further_patches(patches);
  set_friction();
}

void ContactWorld::add_faces(const Model& model, std::vector<Contact> contacts) {
  for (auto& contact : contacts) {
    const ContactRows rows(model, std::move(contact));
    const bool grip = rows.contact.kind == ContactKind::fixed;
    auto surface = rows.contact.placement.value_or(Pose<double>{});
    // The placement of a ball is that of its center.
    if (rows.contact.placement) surface.p -= rows.contact.radius * column_z(surface.R);
    const bool in_world = rows.against == world_frame;
    const bool patch = !grip && (!in_world || !is_level(surface) || std::abs(surface.p.z) > covered);
    if (in_world && !grip) floor_ = std::min(floor_, surface.p.z);
    faces_.push_back({.name = rows.name,
                      .frame = rows.frame,
                      .against = rows.against,
                      .body = model.frame_at(rows.frame).body,
                      .has_patch = patch,
                      .surface = surface,
                      .points = grip ? std::vector<Vec3<double>>{} : rows.points,
                      .friction = rows.contact.friction,
                      .radius = rows.contact.radius,
                      .grip_row = grip ? 0 : -1});
    if (grip && !rows.contact.placement) faces_.back().surface.p.x = std::numeric_limits<double>::quiet_NaN();
  }
}

// The robot without shapes, since the world gets them one link at a time, each with a name of its own; with a loop for
// each fixed contact, between the frame and what it holds on to.
Model ContactWorld::gripping(const Model& model, const Eigen::VectorXd& q) {
  auto description = model.description();
  for (auto& link : description.links) link.collisions.clear();
  description.contact_pairs.clear();
  int rows = 0;
  for (const auto& loop : model.loops()) rows += loop.row_count();
  Workspace work(model);
  forward_kinematics(model, work, q);
  for (auto& face : faces_) {
    if (face.grip_row < 0) continue;
    const auto at = inverse(placement(model, work, face.against)) * placement(model, work, face.frame);
    if (std::isnan(face.surface.p.x)) face.surface = at;
    const auto off = inverse(face.surface) * at;
    const auto rotation = logarithm(quaternion(off.R));
    if (std::sqrt(dot(off.p, off.p)) > grip_tolerance || std::sqrt(dot(rotation, rotation)) > grip_tolerance)
      throw Error("contact " + in_quotes(face.name) + " is fixed, but the robot starts " +
                  to_text(std::sqrt(dot(off.p, off.p))) + " m and " + to_text(std::sqrt(dot(rotation, rotation))) +
                  " rad from its placement, expected less than " + to_text(grip_tolerance) +
                  "; start where it holds, or leave the placement out");
    LoopDescription loop;
    loop.name = "grip of " + face.name;
    loop.a = {model.frame_at(face.against).name, face.surface};
    loop.b = {model.frame_at(face.frame).name, {}};
    loop.axes = {.along = {true, true, true}, .about = {true, true, true}};
    description.loops.push_back(loop);
    face.grip_row = rows;
    rows += 6;
  }
  return build(description, model.options());
}

void ContactWorld::add_links(const Model& model) {
  const CollisionGeometry geometry(model);
  std::map<std::string, std::pair<FrameId, std::vector<Geometry>>> links;
  for (const auto& s : geometry.shapes()) {
    if (!is_primitive(s.shape)) continue;
    auto& [frame, shapes] = links[s.link];
    frame = s.frame;
    Geometry g;
    g.origin = s.in_link, g.shape = s.shape;
    shapes.push_back(g);
  }
  for (const auto& [link, placed] : links) {
    const auto name = std::string(robot) + "/" + link;
    world_.attach(name, robot, placed.first, placed.second);
    for (const auto& [other, part] : parts_) world_.exclude(name, other);
    const int body = model.frame_at(placed.first).body;
    parts_[name] = {body, -1, link};
    const bool on_ground =
        std::ranges::any_of(faces_, [&](const Face& face) { return face.body == body && !face.has_patch; });
    if (floor_ < 0) world_.exclude(name, on_ground ? floor_name : ground_name);
  }
}

// Points of contacts, or balls, that no shape of their body covers.
void ContactWorld::add_points(const Model& model) {
  const CollisionGeometry geometry(model);
  for (std::size_t i = 0; i < faces_.size(); ++i) {
    const auto& face = faces_[i];
    const auto& frame = model.frame_at(face.frame);
    std::vector<Geometry> points;
    for (const auto& point : face.points) {
      bool is_covered = false;
      for (const auto* s : geometry.of_body(face.body))
        is_covered =
            is_covered ||
            (is_primitive(s->shape) && s->shape.kind != Shape::Kind::plane &&
             distance(Collider::sphere(0), {.p = frame.placement * point}, Collider(s->shape), s->in_body).distance <
                 covered - face.radius);
      if (face.has_patch || !is_covered) points.push_back(sphere_at(point, face.radius));
    }
    if (points.empty()) continue;
    const auto name = "points of " + std::to_string(i) + " " + face.name;
    world_.attach(name, robot, face.frame, points);
    for (const auto& [other, part] : parts_) world_.exclude(name, other);
    parts_[name] = {face.body, int(i), {}};
    if (face.has_patch) world_.exclude(name, ground_name);
    if (floor_ < 0) world_.exclude(name, floor_name);
  }
}

void ContactWorld::add_patches() {
  for (std::size_t i = 0; i < faces_.size(); ++i) {
    const auto& face = faces_[i];
    if (!face.has_patch) continue;
    double reach = patch_margin;
    for (const auto& p : face.points) reach = std::max(reach, std::hypot(p.x, p.y) + patch_margin);
    Geometry g;
    g.shape.kind = Shape::Kind::box;
    g.shape.size = {2 * reach, 2 * reach, patch_thickness};
    g.origin = face.surface * Pose<double>{.p = {0, 0, -.5 * patch_thickness}};
    const auto name = "patch of " + std::to_string(i) + " " + face.name;
    world_.attach(name, robot, face.against, {g});
    world_.exclude(name, ground_name);
    if (floor_ < 0) world_.exclude(name, floor_name);
    for (const auto& [other, part] : parts_)
      if (part.face != int(i)) world_.exclude(name, other);
    for (const auto& [other, k] : patches_) world_.exclude(name, other);
    patches_[name] = int(i);
  }
}

// Contacts of one body with the ground share its shapes: the smallest of their frictions acts.
void ContactWorld::set_friction() {
  for (const auto& [name, part] : parts_) {
    double friction = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < faces_.size(); ++i)
      if (part.face == int(i) || (part.face < 0 && part.body == faces_[i].body && !faces_[i].has_patch))
        friction = std::min(friction, faces_[i].friction);
    if (std::isfinite(friction)) world_.set_properties(name, "", {.friction = friction});
  }
}

// The contact of a body with the ground whose points are nearest.
int ContactWorld::face_at(const Model& model, const Workspace& work, int body, const Vec3<double>& point) const {
  int nearest = -1;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < faces_.size(); ++i) {
    const auto& face = faces_[i];
    if (face.body != body || face.has_patch) continue;
    const auto X = placement(model, work, face.frame);
    for (const auto& p : face.points) {
      const auto apart = X * p - point;
      if (const double d = dot(apart, apart); d < least) least = d, nearest = int(i);
    }
  }
  return nearest;
}

const std::vector<ContactWorld::Touch>& ContactWorld::touches(const Model& model, const Workspace& work) {
  touches_.clear();
  for (const auto& c : world_.contacts()) {
    const auto a = parts_.find(c.a), b = parts_.find(c.b);
    const bool first = a != parts_.end();
    const auto& [name, part] = first ? *a : *b;
    const int face = part.face >= 0 ? part.face : face_at(model, work, part.body, c.point);
    touches_.push_back({.face = face,
                        .link = part.face >= 0 ? nullptr : &part.link,
                        .other = face >= 0 ? std::string()
                                 : first   ? c.b
                                           : c.a,
                        .point = c.point,
                        .force = first ? c.force : -1. * c.force,
                        .slip = c.slip});
  }
  add_grips(model, work);
  return touches_;
}

// Rows along an axis of `against` carry a force; those about an axis -e carry a torque (LoopRows: the axes j of the
// frame and i of `against` stay perpendicular, and their product w × u is -e where they are).
void ContactWorld::add_grips(const Model& model, const Workspace& work) {
  for (std::size_t i = 0; i < faces_.size(); ++i) {
    const auto& face = faces_[i];
    if (face.grip_row < 0) continue;
    const auto p = world_.loop_forces(robot).segment<6>(face.grip_row);
    const auto axes = placement(model, work, face.against).R * face.surface.R;
    touches_.push_back({.face = int(i),
                        .point = placement(model, work, face.frame).p,
                        .force = axes * Vec3<double>{p[0], p[1], p[2]},
                        .torque = axes * Vec3<double>{-p[3], -p[4], -p[5]}});
  }
}

}  // namespace lissom::sim
