#include "lissom/control/self_clearance.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "lissom/api/kinematics.h"
#include "lissom/api/state.h"
#include "lissom/math/random.h"
#include "lissom/tree/tree.h"

namespace lissom::control {

namespace {

constexpr double nearly_touching = .02;   // m: capsules nearer than this in a posture are drawn so
constexpr double sampling_reserve = .03;  // m: random configurations do not find the nearest one
constexpr int sampled_configurations = 1000;

struct Part {
  Capsule capsule;
  FrameId frame;
  int body = 0;
  Vec3<double> from{0, 0, 0}, to{0, 0, 0};  // in the world
};
struct Pair {
  std::size_t a, b;
  double in_postures = 1e9, anywhere = 1e9;  // m, smallest distances
};

std::vector<Part> parts_of(const Model& model) {
  std::vector<Part> parts;
  const CollisionGeometry geometry(model);
  for (const auto& link : model.links()) {
    const auto has = [&](const auto& s) { return s.body != 0 && s.link == link.name && is_primitive(s.shape); };
    if (std::ranges::any_of(geometry.shapes(), has))
      parts.push_back({bounding_capsule(model, link.name), model.frame(link.name), link.body});
  }
  return parts;
}

// Bodies that are joined directly, or by bodies without shapes.
std::vector<Pair> separate_pairs(const Model& model, const std::vector<Part>& parts) {
  const auto& bodies = model.tree<double>().bodies;
  std::vector<bool> has_shape(bodies.size(), false);
  for (const auto& p : parts) has_shape[std::size_t(p.body)] = true;
  const auto up = [&](int body) {
    do body = bodies[std::size_t(body)].parent;
    while (body > 0 && !has_shape[std::size_t(body)]);
    return body;
  };
  std::vector<Pair> pairs;
  for (std::size_t a = 0; a < parts.size(); ++a)
    for (std::size_t b = a + 1; b < parts.size(); ++b) {
      const int first = parts[a].body, second = parts[b].body;
      if (first != second && up(first) != second && up(second) != first) pairs.push_back({a, b});
    }
  return pairs;
}

double distance(const Part& a, const Part& b) {
  const auto [s, t] = nearest_points(a.from, a.to, b.from, b.to);
  const auto d = a.from + s * (a.to - a.from) - b.from - t * (b.to - b.from);
  return std::sqrt(dot(d, d)) - a.capsule.radius - b.capsule.radius;
}

void place(const Model& model, Workspace& work, const Eigen::VectorXd& q, std::vector<Part>& parts) {
  forward_kinematics(model, work, q);
  for (auto& p : parts) {
    const auto X = placement(model, work, p.frame);
    p.from = X * p.capsule.from, p.to = X * p.capsule.to;
  }
}

// Joints with a position of their own anywhere within their limits; the others, and the base, as they are.
void sample(const Model& model, std::mt19937_64& random, Eigen::VectorXd& q) {
  for (const auto& joint : model.joints()) {
    if (!joint_traits(joint.type).is_flat()) continue;
    for (int i = joint.q_index; i < joint.q_index + joint.nq; ++i) {
      const double pi = std::numbers::pi;
      const double low = std::max(model.lower()[std::size_t(i)], -pi),
                   high = std::min(model.upper()[std::size_t(i)], pi);
      q[i] = low + uniform01(random()) * (high - low);
    }
  }
}

}  // namespace

std::vector<Clearance> self_clearances(const Model& model, const std::vector<Eigen::VectorXd>& postures) {
  auto parts = parts_of(model);
  auto pairs = separate_pairs(model, parts);
  Workspace work(model);
  for (const auto& q : postures) {
    place(model, work, q, parts);
    for (auto& p : pairs) p.in_postures = std::min(p.in_postures, distance(parts[p.a], parts[p.b]));
  }
  std::erase_if(pairs, [](const Pair& p) { return p.in_postures < nearly_touching; });
  std::mt19937_64 random(1);
  Eigen::VectorXd q = postures.empty() ? neutral(model) : postures.front();
  for (int i = 0; i < sampled_configurations; ++i) {
    sample(model, random, q);
    place(model, work, q, parts);
    for (auto& p : pairs) p.anywhere = std::min(p.anywhere, distance(parts[p.a], parts[p.b]));
  }
  std::vector<Clearance> clearances;
  for (const auto& p : pairs) {
    Clearance c{.a = parts[p.a].capsule, .b = parts[p.b].capsule};
    if (p.anywhere > c.influence_distance + sampling_reserve) continue;
    c.influence_distance = std::min(c.influence_distance, p.in_postures);
    c.skip_while_far = true;
    clearances.push_back(std::move(c));
  }
  return clearances;
}

}  // namespace lissom::control
