#include "random_tree.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include "lissom/spatial/quaternion.h"

namespace lissom::test {

Eigen::VectorXd Random::vector(int n, double reach) {
  Eigen::VectorXd x(n);
  for (int i = 0; i < n; ++i) x[i] = uniform(-reach, reach);
  return x;
}
Mat3<double> Random::rotation() {
  const double pi = std::numbers::pi, u = uniform(0, 1), a = uniform(0, 2 * pi), b = uniform(0, 2 * pi);
  const double r = std::sqrt(1 - u), s = std::sqrt(u);
  return matrix(Quaternion<double>{s * std::cos(b), r * std::sin(a), r * std::cos(a), s * std::sin(b)});
}
Pose<double> Random::pose() {
  Pose<double> X;
  if (chance(0.8)) X.p = vec3(0.5);
  if (chance(0.3)) X.R = rotation();
  if (chance(0.3)) {  // multiples of 90°
    const Mat3<double> x{1, 0, 0, 0, 0, -1, 0, 1, 0}, y{0, 0, 1, 0, 1, 0, -1, 0, 0};
    for (int k = integer(0, 3); k > 0; --k) X.R = X.R * x;
    for (int k = integer(0, 3); k > 0; --k) X.R = X.R * y;
  }
  return X;
}
Vec3<double> Random::axis() {
  if (chance(0.5)) {
    const double sign = chance(0.5) ? 1 : -1;
    const int a = integer(0, 2);
    return {a == 0 ? sign : 0, a == 1 ? sign : 0, a == 2 ? sign : 0};
  }
  return column_z(rotation());
}

LinkDescription random_link(const std::string& name, Random& random) {
  LinkDescription link;
  link.name = name;
  link.mass = random.uniform(0.3, 3);
  link.com = random.vec3(0.3);
  // A solid ellipsoid's second moments keep the triangle inequality.
  const double x = random.uniform(0.005, 0.1), y = random.uniform(0.005, 0.1), z = random.uniform(0.005, 0.1);
  link.inertia = congruence(random.rotation(),
                            Sym3<double>(link.mass * (y + z), 0, 0, link.mass * (x + z), 0, link.mass * (x + y)));
  return link;
}

namespace {

const std::vector<JointType> moving = [] {
  std::vector<JointType> types;
  for (const auto& traits : joint_types)
    if (traits.nv() > 0) types.push_back(traits.type);
  return types;
}();

JointDescription random_joint(int number, const Description& d, JointType type, Random& random) {
  JointDescription joint;
  joint.name = "joint" + std::to_string(number);
  joint.type = type;
  const int links = int(d.links.size());
  // Chains more often than stars.
  const int parent = random.chance(0.6) ? links - 1 : random.integer(0, links - 1);
  joint.parent = d.links[std::size_t(parent)].name;
  joint.child = "link" + std::to_string(number);
  joint.origin = random.pose();
  joint.axis = random.axis();
  joint.axis2 = joint.axis;
  while (std::abs(dot(joint.axis, joint.axis2)) > 0.7) joint.axis2 = random.axis();
  if (joint_traits(type).has_pitch) joint.pitch = random.uniform(-0.3, 0.3);
  return joint;
}

void add_mimics(Description& d, double fraction, Random& random) {
  std::vector<std::size_t> single;
  for (std::size_t j = 0; j < d.joints.size(); ++j)
    if (joint_traits(d.joints[j].type).may_mimic()) single.push_back(j);
  // Each may follow those that come before it in a shuffled order: no cycles, but chains, up and down the tree.
  for (std::size_t i = single.size(); i > 1; --i)
    std::swap(single[i - 1], single[std::size_t(random.integer(0, int(i) - 1))]);
  for (std::size_t i = 1; i < single.size(); ++i) {
    if (!random.chance(fraction)) continue;
    const auto leader = single[std::size_t(random.integer(0, int(i) - 1))];
    const double ratio = random.uniform(0.3, 1.5) * (random.chance(0.5) ? 1 : -1);
    d.joints[single[i]].mimic = Mimic{d.joints[leader].name, ratio, random.uniform(-0.5, 0.5)};
  }
}

}  // namespace

Description random_description(std::uint64_t seed, const TreeOptions& options) {
  Random random(seed);
  const auto& types = options.types.empty() ? moving : options.types;
  Description d;
  d.name = "random" + std::to_string(seed);
  d.gravity = random.chance(0.5) ? Vec3<double>{0, 0, -9.81} : random.vec3(10);
  d.links.push_back(random_link("link0", random));
  const int joints = random.integer(options.min_joints, options.max_joints);
  for (int i = 1; i <= joints; ++i) {
    const bool fixed = options.fixed_links && i > 1 && random.chance(0.15);
    const bool root = !fixed && options.several_roots && i > 1 && random.chance(0.05);
    auto joint = random_joint(
        i, d, fixed ? JointType::fixed : types[std::size_t(random.integer(0, int(types.size()) - 1))], random);
    d.links.push_back(random_link(joint.child, random));
    if (fixed && random.chance(0.3)) d.links.back().mass = 0, d.links.back().inertia = {0, 0, 0, 0, 0, 0};
    if (root) continue;
    if (joint_traits(joint.type).takes_armature && random.chance(options.armature))
      joint.armature = random.uniform(0.01, 1);
    if (options.frames && random.chance(0.3))
      d.frames.push_back({"frame" + std::to_string(i), joint.child, random.pose(), 0});
    d.joints.push_back(std::move(joint));
  }
  if (options.mimic > 0) add_mimics(d, options.mimic, random);
  return d;
}

Case random_case(std::uint64_t seed, const TreeOptions& options) {
  Random random(~seed);
  auto description = random_description(seed, options);
  BuildOptions how;
  how.base = random.chance(0.5) ? Base::fixed : random.chance(0.7) ? Base::free : Base::planar;
  auto model = build(description, how);
  Workspace work(model);
  auto q = random_configuration(model, random.seed());
  const int nv = model.nv();
  auto v = random.vector(nv, 1), a = random.vector(nv, 1), tau = random.vector(nv, 5);
  return {seed,         std::move(description), how,          std::move(model), std::move(work),
          std::move(q), std::move(v),           std::move(a), std::move(tau)};
}

int number_of_trees(int quick) {
  const char* const wanted = std::getenv("LISSOM_LONG");
  return wanted && std::string(wanted) != "0" && *wanted ? 100 * quick : quick;
}

void for_each_tree(const TreeOptions& options, const std::function<void(Case&)>& property, int quick) {
  for (int seed = 1; seed <= number_of_trees(quick); ++seed) {
    auto one = random_case(std::uint64_t(seed), options);
    SCOPED_TRACE("random robot, seed " + std::to_string(seed) + ", nv = " + std::to_string(one.model.nv()));
    property(one);
    if (::testing::Test::HasFailure()) return;
  }
}

Eigen::VectorXd rate_of_q(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  Eigen::VectorXd rate = Eigen::VectorXd::Zero(model.nq());
  const auto quaternion_rate = [&](int at, const Vec3<double>& w) {
    const auto r = Quaternion<double>{q[at], q[at + 1], q[at + 2], q[at + 3]} * Quaternion<double>{0, w.x, w.y, w.z};
    rate.segment<4>(at) << 0.5 * r.w, 0.5 * r.x, 0.5 * r.y, 0.5 * r.z;
  };
  for (const auto& j : model.joints()) {
    if (j.nq == 0) continue;
    switch (j.type) {
      case JointType::spherical:
        quaternion_rate(j.q_index, {v[j.v_index], v[j.v_index + 1], v[j.v_index + 2]});
        break;
      case JointType::free: {
        const auto x = matrix(q[j.q_index + 3], q[j.q_index + 4], q[j.q_index + 5], q[j.q_index + 6]) *
                       Vec3(v[j.v_index], v[j.v_index + 1], v[j.v_index + 2]);
        rate.segment<3>(j.q_index) << x.x, x.y, x.z;
        quaternion_rate(j.q_index + 3, {v[j.v_index + 3], v[j.v_index + 4], v[j.v_index + 5]});
        break;
      }
      case JointType::planar: {
        const double c = std::cos(q[j.q_index + 2]), s = std::sin(q[j.q_index + 2]);
        rate.segment<3>(j.q_index) << c * v[j.v_index] - s * v[j.v_index + 1], s * v[j.v_index] + c * v[j.v_index + 1],
            v[j.v_index + 2];
        break;
      }
      default:
        rate.segment(j.q_index, j.nq) = v.segment(j.v_index, j.nv);
    }
  }
  return rate;
}

}  // namespace lissom::test
