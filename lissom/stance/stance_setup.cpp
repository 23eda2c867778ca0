#include "lissom/stance/stance_setup.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lissom/api/state.h"
#include "lissom/constraints/actuation.h"
#include "lissom/model/arguments.h"
#include "lissom/model/text.h"
#include "lissom/spatial/quaternion.h"
#include "lissom/spatial/rotation_checks.h"

namespace lissom::stance {

namespace {

// Spheres that cover the collision shapes of all moving links: corners with radius 0, and centers with a radius.
std::vector<GroundPoint> ground_points_of(const CollisionGeometry& geometry) {
  std::vector<GroundPoint> all;
  for (const auto& s : geometry.shapes()) {
    if (s.body == 0) continue;
    for (const auto& [center, radius] : covering_spheres(s.shape)) all.push_back({s.frame, s.in_link * center, radius});
  }
  return all;
}

// Moves points towards their middle, by at most three quarters of the distance.
std::vector<Vec3<double>> moved_inward(std::vector<Vec3<double>> points, double by) {
  Vec3<double> middle(0, 0, 0);
  for (const auto& p : points) middle += (1 / double(points.size())) * p;
  double smallest = std::numeric_limits<double>::infinity();  // distance of an edge from the middle
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto a = points[i] - middle, along = points[(i + 1) % points.size()] - points[i];
    smallest = std::min(smallest, std::abs(cross(a, along).z) / std::max(1e-9, std::hypot(along.x, along.y)));
  }
  scale_about_mean(points, std::max(.25, 1 - by / smallest));
  return points;
}

void expect(bool good, const char* name, double value, const char* expected) {
  if (!good) throw Error(std::string("stance: ") + name + " is " + to_text(value) + ", expected " + expected);
}

void check(const Model& model, const StanceProblem& p) {
  if (!(model.mass() > 0))
    throw Error("stance: the robot has no mass, so that nothing has to be balanced; give its links mass and inertia");
  if (p.contacts.empty()) throw Error("stance: no contacts; name the frames that touch the ground, such as soles");
  expect(p.com_margin >= 0 && std::isfinite(p.com_margin), "com_margin", p.com_margin, "0 or more");
  expect(p.torque_fraction > 0 && std::isfinite(p.torque_fraction), "torque_fraction", p.torque_fraction,
         "a positive number");
  expect(p.clearance >= 0 && std::isfinite(p.clearance), "clearance", p.clearance, "0 or more");
  expect(p.starts >= 1, "starts", p.starts, "1 or more");
  expect(!p.ground || std::isfinite(*p.ground), "ground", p.ground.value_or(0), "a finite height");
  if (p.com && !(std::isfinite(p.com->x) && std::isfinite(p.com->y) && (std::isfinite(p.com->z) || !p.com_height)))
    throw Error("stance: com is not finite");
  if (p.start.size() > 0) {
    expect_size("stance: start", p.start.size(), model.nq());
    expect_finite("stance: start", p.start.data(), p.start.size());
  }
  if (p.from.size() == 0) return;
  expect_size("stance: from", p.from.size(), model.nq());
  expect_finite("stance: from", p.from.data(), p.from.size());
  for (const int i : model.quaternions())
    if (const double norm = p.from.segment<4>(i).norm(); std::abs(norm - 1) > 1e-3)
      throw Error("stance: quaternion " + Argument("from").element(i, 4) + " has norm " + to_text(norm) +
                  ", expected 1; call normalize(model, from)");
}

}  // namespace

Mat3<double> leveled(const Mat3<double>& R) {
  const Vec3<double> z(R.xz, R.yz, R.zz);
  if (z.z < -1 + 1e-9) return R * Mat3<double>(1, 0, 0, 0, -1, 0, 0, 0, -1);
  const auto half_rotation = normalized(Quaternion<double>{1 + z.z, z.y, -z.x, 0});  // about z × up
  return matrix(half_rotation) * R;
}

StanceSetup::StanceSetup(const Model& m, const StanceProblem& p)
    : model(m), problem(p), geometry(model), robot(model), collisions(model, geometry, problem) {
  check(model, problem);
  for (const auto& c : problem.contacts) add_contact(c);
  set_limits();
  weight = std::max(1e-3, lissom::weight(model));
  for (std::size_t k = 0; k < contacts.size(); ++k) variables += variables_of(k);
  generalized_forces.setZero(model.nv(), variables);
  if (problem.ground) ground_points = ground_points_of(geometry);
  const auto touches = [&](const GroundPoint& point) {
    const auto body = [&](FrameId f) { return model.frames()[std::size_t(f.index)].body; };
    return std::any_of(contacts.begin(), contacts.end(),
                       [&](const auto& c) { return body(c.frame) == body(point.frame); });
  };
  for (const auto& point : ground_points)
    if (touches(point)) own_points.push_back(point);
  std::erase_if(ground_points, touches);
  choose_from();
  free_placements();
  evaluate(from);
}

// A contact for which nobody gave a kind is taken as a point. That is meant if it is the center of a sphere.
void StanceSetup::remark_point(const StanceContact& c, FrameId frame) {
  if (sphere_around(model, geometry, frame) > 0) return;
  const auto shapes = geometry.of_body(model.frames()[std::size_t(frame.index)].body);
  const bool meshes = std::any_of(shapes.begin(), shapes.end(), [](const auto* s) { return !is_primitive(s->shape); });
  remarks.push_back("contact " + in_quotes(c.frame) + " is taken as a point, because " +
                    (shapes.empty() ? "its body has no collision shape"
                     : meshes       ? "its body has meshes, whose faces are not known"
                                    : "no collision box of its body has a face in the plane z = 0 of the frame") +
                    "; give the corners of its face if it has one (StanceContact::points, --points)");
}

void StanceSetup::add_contact(const StanceContact& c) {
  const auto frame = model.frame(c.frame);
  const auto bad = [&](const std::string& what) { return Error("contact " + in_quotes(c.frame) + ": " + what); };
  for (const auto& other : contacts)
    if (other.frame == frame) throw bad("it is listed twice");
  const bool face = c.points.empty() ? !find_contact_polygon(model, geometry, frame).empty() : c.points.size() >= 3;
  const auto kind = c.kind.value_or(face ? ContactKind::surface : ContactKind::point);
  if (!c.kind && !face && c.points.empty()) remark_point(c, frame);
  if (kind == ContactKind::sliding) throw bad("kind is sliding, expected surface, point or fixed");
  const double radius = c.radius.value_or(c.points.empty() ? sphere_around(model, geometry, frame) : 0);
  // With stiffness 1 and no damping, `desired` of the rows is the displacement back to the placement.
  contacts.emplace_back(model, Contact{.frame = c.frame,
                                       .kind = kind,
                                       .points = c.points,
                                       .placement = c.placement,
                                       .friction = c.friction,
                                       .radius = kind == ContactKind::point ? radius : 0,
                                       .stiffness = 1,
                                       .damping = 0});
  if (c.placement &&
      !(std::isfinite(c.placement->p.x) && std::isfinite(c.placement->p.y) && std::isfinite(c.placement->p.z)))
    throw bad("placement.p is not finite");
  if (c.placement && !is_rotation(c.placement->R)) throw bad("placement.R is not a rotation matrix");
  if (!(c.min_normal_force >= 0) || !(c.max_normal_force >= c.min_normal_force))
    throw bad("its normal force is to be between " + to_text(c.min_normal_force) + " and " +
              to_text(c.max_normal_force) + " N, expected 0 ≤ min ≤ max");
  if (c.on >= int(problem.obstacles.size()))
    throw bad("it is on obstacle " + std::to_string(c.on) + ", which does not exist");
  if (c.polygon && c.polygon->corners.size() < 3)
    throw bad("its polygon has " + std::to_string(c.polygon->corners.size()) + " corners, expected three or more");
  floating.push_back(!c.placement);
  corners.push_back(contacts.back().points);
  inner.push_back(kind == ContactKind::surface ? moved_inward(corners.back(), problem.com_margin) : corners.back());
  const auto& points = corners.back();
  const bool surface = kind == ContactKind::surface;
  if (surface && std::any_of(points.begin(), points.end(), [&](auto& p) { return std::abs(p.z - points[0].z) > 2e-3; }))
    throw bad("its points have different z, expected corners of a face parallel to the plane z = 0 of the frame");
  heights.push_back(problem.ground.value_or(0) + (kind == ContactKind::point ? radius : surface ? -points[0].z : 0));
}

// Files write effort limits of 0 where nobody knew them.
void StanceSetup::remark_passive() {
  std::vector<const Joint*> found;
  for (const auto& joint : model.joints())
    if (joint.nv > 0 && joint.type != JointType::free && joint.effort_limit[0] == 0) found.push_back(&joint);
  if (found.empty()) return;
  remarks.push_back("joint " + in_quotes(found[0]->name) +
                    (found.size() > 1 ? " and " + std::to_string(found.size() - 1) + " more have" : " has") +
                    " an effort limit of 0, and no motor therefore; give the real limit, or leave it out");
}

void StanceSetup::set_limits() {
  auto found = actuation(model);
  motors = std::move(found.motors), passive = std::move(found.passive);
  remark_passive();
  int roots = 0;
  for (const auto& joint : model.joints())
    if (model.is_root_joint(joint)) ++roots, needs_balance = joint.type == JointType::free;
  needs_balance = needs_balance && roots == 1;
  limits.resize(Eigen::Index(motors.size()));
  for (std::size_t k = 0; k < motors.size(); ++k)
    limits[Eigen::Index(k)] = problem.torque_fraction * model.effort_limit()[std::size_t(motors[k])];
}

void StanceSetup::choose_from() {
  if (problem.from.size() > 0) {
    from = normalize(model, problem.from);
    for (int i = 0; i < from.size(); ++i)
      from[i] = std::clamp(from[i], model.lower()[std::size_t(i)], model.upper()[std::size_t(i)]);
    return;
  }
  from = neutral(model);
  const auto base = std::find_if(model.joints().begin(), model.joints().end(),
                                 [](const Joint& j) { return j.type == JointType::free; });
  if (base == model.joints().end()) return;
  robot.update(from, Eigen::VectorXd::Zero(model.nv()));
  Vec3<double> up(0, 0, 0);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const auto now = robot.placement(contacts[k].frame).p;
    const auto& placement = contacts[k].contact.placement;
    const auto wanted = placement ? placement->p : Vec3<double>(now.x, now.y, heights[k]);
    up += (1 / double(contacts.size())) * (wanted - now);
  }
  from[base->q_index] += up.x, from[base->q_index + 1] += up.y, from[base->q_index + 2] += up.z;
}

// A contact that floats is level, at the height of the ground, where its frame is.
void StanceSetup::place_on_ground(std::size_t k) {
  auto& c = contacts[k];
  const auto X = robot.placement(c.frame);
  c.placement = {leveled(X.R), X.p};
  if (c.contact.kind == ContactKind::point) {
    c.placement.p = X * c.points[0] - c.placement.R * c.points[0];
    c.placement.p.z = heights[k] - (c.placement.R * c.points[0]).z;
  } else {
    c.placement.p.z = heights[k];
  }
}

// The same on a polygon, inside of its edges.
void StanceSetup::place_on_polygon(std::size_t k) {
  auto& c = contacts[k];
  const auto& on = *polygon(k);
  const auto X = inverse(on.pose) * robot.placement(c.frame);
  const double height = heights[k] - problem.ground.value_or(0);
  Pose<double> placed{leveled(X.R), X.p};
  if (c.contact.kind == ContactKind::point) {
    placed.p = X * c.points[0] - placed.R * c.points[0];
    placed.p.z = height - (placed.R * c.points[0]).z;
  } else {
    placed.p.z = height;
  }
  placed.p += shift_inside(on, placed, corners[k]);
  c.placement = on.pose * placed;
}

void StanceSetup::evaluate(const Eigen::VectorXd& q) {
  robot.update(q, Eigen::VectorXd::Zero(model.nv()));
  int column = 0;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    auto& c = contacts[k];
    if (floating[k]) {
      polygon(k) ? place_on_polygon(k) : place_on_ground(k);
      c.placed = true;
    }
    const bool point = c.contact.kind == ContactKind::point;
    c.rows = floating[k] ? point ? std::vector<int>{2} : std::vector<int>{2, 3, 4}
             : point ? std::vector<int>{0, 1, 2}
                         : std::vector<int>{0, 1, 2, 3, 4, 5};
    c.evaluate(robot);
    if (variables_of(k) == 0) continue;
    generalized_forces.middleCols(column, c.variables()) = c.generalized_forces;
    column += c.variables();
  }
  collisions.evaluate(robot);
}

bool StanceSetup::is_bounded(std::size_t k) const {
  const auto& c = problem.contacts[k];
  return c.carries && contacts[k].contact.kind != ContactKind::fixed &&
         (c.min_normal_force > 0 || std::isfinite(c.max_normal_force));
}

void StanceSetup::fix_placements() {
  for (std::size_t k = 0; k < contacts.size(); ++k) floating[k] = false, contacts[k].points = corners[k];
  evaluate(robot.q);
}
void StanceSetup::free_placements() {
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    floating[k] = !contacts[k].contact.placement;
    contacts[k].points = floating[k] ? inner[k] : corners[k];
  }
}

std::vector<ExternalForce> StanceSetup::external(const Eigen::VectorXd& forces) const {
  std::vector<ExternalForce> all;
  int at = 0;
  const auto next = [&](const Mat3<double>& R) {
    const auto f = R * Vec3<double>(weight * forces[at], weight * forces[at + 1], weight * forces[at + 2]);
    at += 3;
    return f;
  };
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const auto& c = contacts[k];
    if (!problem.contacts[k].carries) continue;
    if (c.contact.kind == ContactKind::fixed) {
      const auto force = next(c.placement.R), torque = next(c.placement.R);
      all.push_back({.on = c.frame, .force = force, .torque = torque, .at = {c.frame, {0, 0, 0}}});
      continue;
    }
    // A ball touches below its center, wherever that is on the ball.
    const auto below = c.contact.radius * transpose_times(robot.placement(c.frame).R, column_z(c.placement.R));
    for (const auto& p : c.points)
      all.push_back({.on = c.frame, .force = next(c.placement.R), .at = {c.frame, p - below}});
  }
  return all;
}

std::vector<ik::Target> StanceSetup::targets() const {
  std::vector<ik::Target> all;
  for (const auto& c : contacts)
    all.push_back(c.contact.kind == ContactKind::point ? ik::point(c.frame, c.points[0], c.placement * c.points[0])
                                                       : ik::pose(c.frame, c.placement));
  if (problem.com) all.push_back(ik::center_of_mass(*problem.com));
  if (problem.com && !problem.com_height) all.back().pose.p.z = 0, all.back().linear_weight.z = 0;
  return all;
}

void StanceSetup::set_targets(ik::Solver& solver) const {
  const auto all = targets();
  for (std::size_t k = 0; k < all.size(); ++k) {
    solver.set_target_pose(k, all[k].pose);
    const bool floats = k < contacts.size() && floating[k];
    const bool slides = floats && !polygon(k);  // on a polygon it is brought to the nearest place
    solver.set_weights(k, slides ? Vec3<double>(0, 0, 1) : all[k].linear_weight,
                       floats ? Vec3<double>(1, 1, 0) : all[k].angular_weight);
  }
}

}  // namespace lissom::stance
