#include "lissom/scenes/world_model.h"

#include <algorithm>

#include "lissom/model/interpretation.h"
#include "lissom/model/text.h"
#include "lissom/spatial/quaternion.h"

namespace lissom::scenes {
namespace {

// Whether a robot is fixed somewhere else than at the world's origin.
bool is_placed(const Model& model) {
  const auto& d = model.description();
  const BaseJoints bases(d, model.options().base);
  for (std::size_t i = 0; i < d.links.size(); ++i) {
    if (!bases.is_root(int(i))) continue;
    const auto X = bases.of(int(i)).origin;
    if (dot(X.p, X.p) != 0 || X.R.xx + X.R.yy + X.R.zz != 3) return true;
  }
  return false;
}

bool is_alone(const Scene& scene) {
  return scene.robots.size() == 1 && scene.bodies.empty() && scene.fixed.empty() && !is_placed(scene.robots[0].model);
}

Geometry painted(Geometry g, const std::optional<Color>& color) {
  if (color) g.material = Material{"", *color, ""};
  return g;
}

// A fixed shape as a link.
LinkDescription link_of(const SceneFixed& one) {
  LinkDescription link;
  link.name = one.name;
  Geometry g;
  g.shape = one.shape;
  // A plane without end would make everything else small in a picture.
  if (g.shape.kind == Shape::Kind::plane) g.shape.size = {4, 4, 0};
  link.visuals = link.collisions = {painted(g, one.color)};
  return link;
}

JointDescription joint_between(const std::string& name, JointType type, const std::string& parent,
                               const std::string& child, const Pose<double>& origin) {
  JointDescription j;
  j.name = name, j.type = type, j.parent = parent, j.child = child, j.origin = origin;
  return j;
}

// The description of a whole world: a link without mass, which is the world, and everything that hangs on it.
class Combination {
 public:
  explicit Combination(const Scene& scene) {
    all_.name = scene.name;
    all_.gravity = scene.options.gravity;
    LinkDescription root;
    root.name = "scene";
    const auto taken = [&](const std::string& name) {
      return std::ranges::any_of(scene.bodies, [&](const auto& one) { return one.body.name == name; }) ||
             std::ranges::any_of(scene.fixed, [&](const auto& one) { return one.name == name; });
    };
    while (taken(root.name)) root.name += "_";
    root_ = root.name;
    all_.links.push_back(std::move(root));
    for (const auto& one : scene.fixed) add(one);
    for (const auto& one : scene.robots) add(one);
    for (const auto& one : scene.bodies) add(one);
  }
  Description take() { return std::move(all_); }

 private:
  void hang(const std::string& joint, JointType type, const std::string& link, const Pose<double>& origin) {
    all_.joints.push_back(joint_between(joint, type, root_, link, origin));
  }

  void add(const SceneFixed& one) {
    all_.links.push_back(link_of(one));
    hang(one.name, JointType::fixed, one.name, one.pose);
  }

  void add(const SceneBody& one) {
    const auto& body = one.body;
    LinkDescription link;
    link.name = body.name, link.mass = body.mass, link.com = body.com, link.inertia = body.inertia;
    for (const auto& g : body.shapes) link.collisions.push_back(painted(g, one.color));
    link.visuals = link.collisions;
    all_.links.push_back(std::move(link));
    hang(body.name, JointType::free, body.name, {});
  }

  void add(const SceneRobot& robot) {
    const auto& d = robot.model.description();
    const auto prefix = robot.name + "/";
    const auto inertial = inertial_frame_name(d);
    const auto attached = [&](AttachmentDescription end) {
      end.frame = end.frame == inertial ? "world" : prefix + end.frame;
      return end;
    };
    const BaseJoints bases(d, robot.model.options().base);
    for (std::size_t i = 0; i < d.links.size(); ++i) {
      auto link = d.links[i];
      link.name = prefix + link.name;
      all_.links.push_back(std::move(link));
      if (!bases.is_root(int(i))) continue;
      auto joint = bases.of(int(i));
      joint.name = prefix + (joint.name.empty() ? d.links[i].name : joint.name);
      joint.parent = root_, joint.child = prefix + d.links[i].name;
      all_.joints.push_back(std::move(joint));
    }
    for (auto joint : d.joints) {
      joint.name = prefix + joint.name, joint.parent = prefix + joint.parent, joint.child = prefix + joint.child;
      if (joint.mimic) joint.mimic->joint = prefix + joint.mimic->joint;
      all_.joints.push_back(std::move(joint));
    }
    for (auto frame : d.frames) {
      frame.name = prefix + frame.name, frame.link = prefix + frame.link;
      all_.frames.push_back(std::move(frame));
    }
    for (auto loop : d.loops) {
      loop.name = prefix + loop.name, loop.a = attached(loop.a), loop.b = attached(loop.b);
      all_.loops.push_back(std::move(loop));
    }
  }

  Description all_;
  std::string root_;
};

Model combined(const Scene& scene) {
  return is_alone(scene) ? scene.robots[0].model : build(Combination(scene).take(), {});
}

}  // namespace

WorldModel::WorldModel(const Scene& scene) : model_(combined(scene)), alone_(is_alone(scene)) {
  int q = 0, v = 0;  // robots come first, each with adjacent elements of q, in its own order
  for (const auto& one : scene.robots) {
    parts_.push_back({one.name, true, q, v, one.model.nq(), one.model.nv()});
    q += one.model.nq(), v += one.model.nv();
  }
  for (const auto& one : scene.bodies) {
    parts_.push_back({one.body.name, false, q, v, 7, 6, one.body.com});
    q += 7, v += 6;
  }
  if (q != model_.nq() || v != model_.nv())
    throw Error("the scene " + in_quotes(scene.name) + " has " + std::to_string(v) +
                " degrees of freedom, but as one model " + std::to_string(model_.nv()) +
                "; joints that mimic others are only coupled in scenes");
}

// World has the velocity of a body's center of mass, along the world's axes; a free joint that of its origin, along
// its own.
void WorldModel::read(World& world, Eigen::VectorXd& q, Eigen::VectorXd& v, Eigen::VectorXd& tau) const {
  q.resize(model_.nq()), v.resize(model_.nv());
  tau.setZero(model_.nv());
  for (const auto& part : parts_) {
    if (part.is_robot) {
      q.segment(part.q, part.nq) = world.q(part.name);
      v.segment(part.v, part.nv) = world.v(part.name);
      const auto& motors = world.motor_torques(part.name);
      if (motors.size() == part.nv) tau.segment(part.v, part.nv) = motors;
      continue;
    }
    const auto X = world.pose(part.name);
    const auto& rotation = world.q(part.name);
    const auto& w = world.v(part.name);
    const Vec3<double> omega{w[3], w[4], w[5]};
    const auto linear = transpose_times(X.R, Vec3<double>{w[0], w[1], w[2]}) - cross(omega, part.com);
    q.segment(part.q, 7) << X.p.x, X.p.y, X.p.z, rotation[3], rotation[4], rotation[5], rotation[6];
    v.segment(part.v, 6) << linear.x, linear.y, linear.z, omega.x, omega.y, omega.z;
  }
}

void WorldModel::add_forces(const Eigen::VectorXd& tau, World& world) const {
  for (const auto& part : parts_) {
    if (part.is_robot) {
      world.external(part.name) += tau.segment(part.v, part.nv);
      continue;
    }
    const auto* const x = tau.data() + part.v;
    const Vec3<double> force{x[0], x[1], x[2]}, torque{x[3], x[4], x[5]};
    const auto linear = world.pose(part.name).R * force;
    const auto angular = torque - cross(part.com, force);
    auto& sum = world.tau(part.name);
    sum[0] += linear.x, sum[1] += linear.y, sum[2] += linear.z;
    sum[3] += angular.x, sum[4] += angular.y, sum[5] += angular.z;
  }
}

std::string WorldModel::link(const std::string& contact_name) const {
  const auto name = alone_ && contact_name.starts_with(parts_[0].name + "/")
                        ? contact_name.substr(parts_[0].name.size() + 1)
                        : contact_name;
  return model_.has_link(name) ? name : "";
}

Model with_surroundings(const Model& robot, const std::vector<SceneFixed>& fixed) {
  auto d = robot.description();
  const BaseJoints bases(robot.description(), robot.options().base);
  const auto unused = [&](std::string name) {
    const auto taken = [&] {
      return std::ranges::any_of(d.links, [&](const auto& one) { return one.name == name; }) ||
             std::ranges::any_of(d.joints, [&](const auto& one) { return one.name == name; }) ||
             std::ranges::any_of(d.frames, [&](const auto& one) { return one.name == name; });
    };
    while (taken()) name += "_";
    return name;
  };
  LinkDescription root;
  root.name = unused("scene");
  for (std::size_t i = 0; i < robot.description().links.size(); ++i) {
    if (!bases.is_root(int(i))) continue;
    auto joint = bases.of(int(i));
    joint.parent = root.name;
    d.joints.push_back(std::move(joint));
  }
  d.links.push_back(root);
  d.roots = {{.link = root.name, .is_ground = true}};
  for (const auto& one : fixed) {
    auto link = link_of(one);
    link.name = unused(one.name);
    d.joints.push_back(joint_between(link.name, JointType::fixed, root.name, link.name, one.pose));
    d.links.push_back(std::move(link));
  }
  auto options = robot.options();
  options.base = Base::file;
  return build(d, options);
}

}  // namespace lissom::scenes
