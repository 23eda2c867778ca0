// What a world is made of: rigid bodies, robots, fixed shapes.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "lissom/geometry/collision_geometry.h"
#include "lissom/model/arguments.h"
#include "lissom/model/text.h"
#include "lissom/tree/tree.h"
#include "lissom/world/collider_of.h"
#include "lissom/world/impl.h"
#include "lissom/world/rigid_body_unit.h"

namespace lissom {

RigidBody RigidBody::homogeneous(std::string name, const Shape& shape, double mass) {
  RigidBody body;
  body.name = std::move(name);
  body.mass = mass;
  Geometry geometry;
  geometry.shape = shape;
  body.shapes.push_back(geometry);
  const double r = shape.radius, l = shape.length, m = mass;
  const auto& s = shape.size;
  switch (shape.kind) {
    case Shape::Kind::box:
      body.inertia = {m / 12 * (s.y * s.y + s.z * s.z), 0, 0,
                      m / 12 * (s.x * s.x + s.z * s.z), 0, m / 12 * (s.x * s.x + s.y * s.y)};
      return body;
    case Shape::Kind::sphere:
      body.inertia = {.4 * m * r * r, 0, 0, .4 * m * r * r, 0, .4 * m * r * r};
      return body;
    case Shape::Kind::cylinder:
      body.inertia = {m / 12 * (3 * r * r + l * l), 0, 0, m / 12 * (3 * r * r + l * l), 0, .5 * m * r * r};
      return body;
    case Shape::Kind::ellipsoid:
      body.inertia = {m / 5 * (s.y * s.y + s.z * s.z), 0, 0,
                      m / 5 * (s.x * s.x + s.z * s.z), 0, m / 5 * (s.x * s.x + s.y * s.y)};
      return body;
    case Shape::Kind::capsule: {
      // A cylinder and two half spheres, whose centers of mass lie 3/8 r from their flat sides.
      const double ball = 4. / 3 * r, volume = l + ball, cylinder = m * l / volume, balls = m * ball / volume;
      const double across = cylinder * (r * r / 4 + l * l / 12) + balls * (.4 * r * r + .25 * l * l + .375 * r * l);
      const double along = .5 * cylinder * r * r + .4 * balls * r * r;
      body.inertia = {across, 0, 0, across, 0, along};
      return body;
    }
    case Shape::Kind::plane:
    case Shape::Kind::mesh:
    case Shape::Kind::height_field:
      break;
  }
  throw Error("RigidBody::homogeneous: the shape of " + in_quotes(body.name) +
              " is a mesh, a plane or a height field, expected a box, sphere, cylinder, capsule or ellipsoid");
}

int World::add(const RigidBody& body) {
  auto& w = *impl_;
  if (!(body.mass > 0 && std::isfinite(body.mass)))
    throw Error("World::add: the mass of " + in_quotes(body.name) + " is " + to_text(body.mass) +
                " kg, expected a positive number");
  const int unit = int(w.units.size());
  const int owner = w.add_owner(body.name, unit);
  const Pose<double> of_com{body.pose.R, body.pose * body.com};
  auto made = std::make_unique<worlds::RigidBodyUnit>(body.name, body.mass, body.inertia, of_com, w.options.gravity);
  made->euler = w.is_euler();
  const auto& omega = body.angular_velocity;
  const auto own = transpose_times(body.pose.R, omega);
  made->v << body.velocity.x, body.velocity.y, body.velocity.z, own.x, own.y, own.z;
  w.units.push_back(std::move(made));
  w.com_of_unit.push_back(body.com);
  for (const auto& g : body.shapes) {
    Pose<double> in_body = g.origin;
    in_body.p = in_body.p - body.com;
    w.colliders.push_back({Collider(g.shape, body.rounding), unit, 0, owner, body.name, in_body});
  }
  return unit;
}

// The shapes of a robot's links.
void World::Impl::add_colliders(const std::string& name, const Model& robot, int unit, int owner) {
  const CollisionGeometry geometry(robot);
  int unread = 0;
  for (const auto& s : geometry.shapes()) {
    const int of = s.body == 0 ? worlds::fixed_unit : unit;
    const int surface = material(robot, s.contact_material);
    if (auto collider = worlds::collider_of(s.shape))
      colliders.push_back({*std::move(collider), of, s.body, owner, name + "/" + s.link, s.in_body, surface, s.name,
                           s.contact_group, s.contact_mask});
    else
      ++unread;
  }
  if (unread > 0)
    notes.push_back(in_quotes(name) + ": " + std::to_string(unread) +
                    " collision meshes have no file that could be read, or no volume; they touch nothing");
}

// Surfaces that are alike share one, whatever their names are.
int World::Impl::material(const Model& robot, const std::string& name) {
  if (name.empty()) return -1;
  const auto& wanted = robot.contact_material(name);
  for (std::size_t i = 0; i < materials.size(); ++i)
    if (materials[i].friction == wanted.friction && materials[i].restitution == wanted.restitution) return int(i);
  materials.push_back(wanted);
  return int(materials.size()) - 1;
}

// Bodies without mass between two joints belong to the joint.
int World::Impl::parent_with_mass(const Model& robot, int body) {
  const auto& bodies = robot.tree<double>().bodies;
  const auto has_mass = [&](int i) {
    return std::ranges::any_of(robot.links(), [&](const Link& link) { return link.body == i && link.mass > 0; });
  };
  int parent = bodies[std::size_t(body)].parent;
  while (parent > 0 && !has_mass(parent)) parent = bodies[std::size_t(parent)].parent;
  return parent;
}

// Neighbors in the tree do not touch each other, since their shapes overlap at the joint; nor do links that the file
// excludes, or shapes that are in no group of the other's mask, unless the file names the pair. What overlaps where the
// robot starts could never part. A body that floats has no neighbor there, and the world of a file, such as its floor,
// is none.
void World::Impl::exclude_neighbors(const std::string& name, const Model& robot, const RobotSettings& settings,
                                    std::size_t first, const worlds::Unit& unit) {
  std::vector<int> parents(std::size_t(robot.body_count()) + 1, -1);
  for (int i = 1; i <= robot.body_count(); ++i) parents[std::size_t(i)] = parent_with_mass(robot, i);
  for (const auto& joint : robot.joints())
    if (joint.type == JointType::free) parents[std::size_t(joint.body)] = -1;
  std::set<std::string> grounds;
  for (const auto& root : robot.description().roots)
    if (root.is_ground) grounds.insert(name + "/" + root.link);
  std::set<std::pair<std::string, std::string>> listed;
  for (const auto& pair : robot.description().contact_exclusions) {
    listed.insert({name + "/" + pair.a, name + "/" + pair.b});
    listed.insert({name + "/" + pair.b, name + "/" + pair.a});
  }
  std::map<std::pair<std::string, std::string>, std::optional<double>> pairs_of_file;  // their friction
  for (const auto& pair : robot.description().contact_pairs) pairs_of_file[std::minmax(pair.a, pair.b)] = pair.friction;
  std::set<std::string> overlapping;
  for (std::size_t a = first; a < colliders.size(); ++a)
    for (std::size_t b = first; b < a; ++b) {
      const auto &A = colliders[a], &B = colliders[b];
      if (A.body == B.body) continue;
      const bool own = !grounds.contains(A.link) && !grounds.contains(B.link);
      const bool neighbors = parents[std::size_t(A.body)] == B.body || parents[std::size_t(B.body)] == A.body;
      const bool meet = (A.contact_group & B.contact_mask) || (B.contact_group & A.contact_mask);
      const auto pair = pairs_of_file.empty() ? pairs_of_file.end() : pairs_of_file.find(std::minmax(A.shape, B.shape));
      const bool named = pair != pairs_of_file.end();
      if ((own && !settings.self_collision) ||
          (!named && ((own && neighbors) || !meet || listed.contains({A.link, B.link})))) {
        excluded.insert({b, a});
        continue;
      }
      if (named && pair->second) pair_frictions[{b, a}] = *pair->second;
      const auto pose = [&](const worlds::PlacedCollider& c) {
        return c.unit == worlds::fixed_unit ? c.in_body : unit.pose(c.body) * c.in_body;
      };
      points.clear();
      collide(A.collider, pose(A), B.collider, pose(B), 0, points);
      if (std::ranges::none_of(points, [&](const auto& p) { return p.gap < -options.allowed_overlap; })) continue;
      excluded.insert({b, a});
      overlapping.insert(in_quotes(A.link) + " and " + in_quotes(B.link));
    }
  for (const auto& pair : overlapping)
    notes.push_back(pair + " overlap where the robot starts; they do not touch each other in this world");
}

int World::add(const std::string& name, const Model& robot, const Eigen::VectorXd& q, const RobotSettings& settings) {
  auto& w = *impl_;
  expect_size(("World::add: q of " + in_quotes(name)).c_str(), q.size(), robot.nq());
  const int unit = int(w.units.size());
  auto made = std::make_unique<worlds::RobotUnit>(name, robot, settings, w.options);
  made->euler = w.is_euler();
  made->q = q;
  made->update_poses();
  made->begin(1e-3);  // throws where the mass matrix is singular
  const int owner = w.add_owner(name, unit);
  w.units.push_back(std::move(made));
  w.com_of_unit.push_back({0, 0, 0});
  const auto first = w.colliders.size();
  w.add_colliders(name, robot, unit, owner);
  if (const auto count = robot.springs().size(); count > 0)
    w.notes.push_back(in_quotes(name) + ": " + std::to_string(count) + " springs between frames do not act in worlds");
  w.exclude_neighbors(name, robot, settings, first, *w.units.back());
  return unit;
}

void World::add_fixed(const std::string& name, const Shape& shape, const Pose<double>& pose, double rounding) {
  const Collider collider(shape, rounding);  // throws before anything has changed
  const int owner = impl_->add_owner(name, worlds::fixed_unit);
  impl_->colliders.push_back({collider, worlds::fixed_unit, 0, owner, name, pose});
}

void World::add_ground(const std::string& name) {
  const int owner = impl_->add_owner(name, worlds::fixed_unit);
  impl_->colliders.push_back({Collider::plane(), worlds::fixed_unit, 0, owner, name, {}});
}

}  // namespace lissom
