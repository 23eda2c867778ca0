#include "lissom/ik/search_space.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lissom/spatial/quaternion.h"
#include "lissom/tree/coupling.h"
#include "lissom/tree/tree.h"

namespace lissom::ik {
namespace {

constexpr double pi = std::numbers::pi;

// The degrees of freedom of the model that move a body of a target, `of` or `in`.
std::vector<bool> movers(const Model& model, std::span<const TargetRows<double>> targets) {
  const auto& tree = model.tree<double>();
  std::vector<bool> full(std::size_t(tree.nv), false), moves(std::size_t(model.nv()), false);
  for (const auto& target : targets)
    for (int body : {target.of, target.in})
      for (; body != world; body = tree.bodies[std::size_t(body)].parent) {
        const auto& b = tree.bodies[std::size_t(body)];
        std::fill_n(full.begin() + b.v, b.dofs, true);
      }
  const auto& coupling = model.coupling<double>();
  for (const auto& segment : coupling.v_segments)
    for (int k = 0; k < segment.count; ++k) moves[std::size_t(segment.from + k)] = full[std::size_t(segment.to + k)];
  for (const auto& f : coupling.followers)
    if (full[std::size_t(f.v_to)]) moves[std::size_t(f.v_from)] = true;
  if (coupling.trivial()) moves = full;
  return moves;
}

Quaternion<double> quaternion_at(const double* q, int at, SearchSpace::Lane lane) {
  return {q[lane(at)], q[lane(at + 1)], q[lane(at + 2)], q[lane(at + 3)]};
}
void put(double* q, int at, SearchSpace::Lane lane, const Quaternion<double>& a) {
  q[lane(at)] = a.w, q[lane(at + 1)] = a.x, q[lane(at + 2)] = a.y, q[lane(at + 3)] = a.z;
}

// The range of random values of a coordinate.
std::pair<double, double> random_range(const Coordinate& c, double middle) {
  const bool from = std::isfinite(c.lower), to = std::isfinite(c.upper);
  if (from && to) return {c.lower, c.upper};
  if (from) return {c.lower, c.lower + 2 * c.reach};
  if (to) return {c.upper - 2 * c.reach, c.upper};
  return {middle - c.reach, middle + c.reach};
}

}  // namespace

std::uint64_t Random::next() {
  std::uint64_t x = state_ += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

SearchSpace::SearchSpace(const Model& model, std::span<const TargetRows<double>> targets, bool everything,
                         const std::vector<bool>& locked) {
  const auto all = std::ranges::any_of(targets, [](const auto& t) { return t.kind == TargetKind::center_of_mass; });
  auto moves = movers(model, targets);
  if (all || everything) std::fill(moves.begin(), moves.end(), true);
  std::vector<bool> leads(model.joints().size(), false);
  for (const auto& joint : model.joints())
    if (joint.follows) leads[std::size_t(joint.follows->joint)] = true;
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const auto& joint = model.joints()[j];
    if (joint.nv == 0 || (!locked.empty() && locked[j])) continue;
    // The coordinates of a joint are taken all or not at all, because they belong together.
    const auto first = moves.begin() + joint.v_index;
    if (std::find(first, first + joint.nv, true) != first + joint.nv) add_joint(model, joint, leads);
  }
  take_limits_of_followers(model);
}

void SearchSpace::add_joint(const Model& model, const Joint& joint, const std::vector<bool>& leads) {
  const int column = columns();
  for (int k = 0; k < joint.nv; ++k) index_.push_back(joint.v_index + k);
  const bool leader = leads[std::size_t(&joint - model.joints().data())];
  const auto& traits = joint_traits(joint.type);
  const int plain = traits.has_quaternion() ? traits.quaternion() : joint.nv;
  for (int k = 0; k < plain; ++k) {
    const auto at = std::size_t(joint.q_index + k);
    coordinates_.push_back({column + k, joint.q_index + k, model.lower()[at], model.upper()[at],
                            traits.is_angle(k) ? pi : 1, traits.q[std::size_t(k)].periodic && !leader});
  }
  if (traits.has_quaternion()) balls_.push_back({column + plain, joint.q_index + plain});
  if (traits.manifold == ManifoldKind::se3) positions_.push_back({column, joint.q_index + 3, false});
  if (traits.manifold == ManifoldKind::se2) positions_.push_back({column, joint.q_index + 2, true});
}

// A leader moves only as far as the limits of all its followers allow.
void SearchSpace::take_limits_of_followers(const Model& model) {
  for (const auto& joint : model.joints()) {
    if (!joint.follows || joint.lower.empty() || joint.follows->ratio == 0) continue;
    const int q = model.joints()[std::size_t(joint.follows->joint)].q_index;
    const auto c = std::ranges::find(coordinates_, q, &Coordinate::q);
    if (c == coordinates_.end()) continue;
    double low = (joint.lower[0] - joint.follows->offset) / joint.follows->ratio;
    double high = (joint.upper[0] - joint.follows->offset) / joint.follows->ratio;
    if (low > high) std::swap(low, high);
    // If the limits of leader and followers contradict each other, only the leader's own are used.
    if (std::max(low, c->lower) > std::min(high, c->upper)) continue;
    c->lower = std::max(low, c->lower), c->upper = std::min(high, c->upper);
  }
}

void SearchSpace::rotate_columns(const double* q, double* J, int height, Lane at) const {
  for (const auto& c : positions_) {
    // v_child = Rᵀ ṗ, so columns along ṗ are J_v Rᵀ.
    Mat3<double> R;
    if (c.planar) {
      const double angle = q[at(c.rotation)];
      R = {std::cos(angle), -std::sin(angle), 0, std::sin(angle), std::cos(angle), 0, 0, 0, 1};
    } else {
      R = matrix(quaternion_at(q, c.rotation, at));
    }
    const int x = c.column * height, y = x + height, z = c.planar ? x : y + height;
    for (int r = 0; r < height; ++r) {
      const Vec3<double> row{J[at(x + r)], J[at(y + r)], c.planar ? 0 : J[at(z + r)]};
      const auto rotated = R * row;
      if (!c.planar) J[at(z + r)] = rotated.z;
      J[at(x + r)] = rotated.x, J[at(y + r)] = rotated.y;
    }
  }
}

void SearchSpace::bounds(const double* q, double* lower, double* upper, Lane at) const {
  for (const auto& c : coordinates_) {
    lower[at(c.column)] = c.lower - q[at(c.q)];
    upper[at(c.column)] = c.upper - q[at(c.q)];
  }
  for (const auto& ball : balls_)
    for (int k = 0; k < 3; ++k) {
      lower[at(ball.column + k)] = -pi;
      upper[at(ball.column + k)] = pi;
    }
}

void SearchSpace::move(const double* q, const double* step, double* moved, Lane at) const {
  for (const auto& c : coordinates_) moved[at(c.q)] = std::clamp(q[at(c.q)] + step[at(c.column)], c.lower, c.upper);
  for (const auto& ball : balls_) {
    const Vec3<double> phi{step[at(ball.column)], step[at(ball.column + 1)], step[at(ball.column + 2)]};
    put(moved, ball.q, at, normalized(quaternion_at(q, ball.q, at) * exponential(phi)));
  }
}

void SearchSpace::bring_inside(double* q) const {
  for (const auto& c : coordinates_) q[c.q] = std::clamp(q[c.q], c.lower, c.upper);
}

void SearchSpace::draw(Random random, const double* middle, double* q) const {
  for (const auto& c : coordinates_) {
    const auto [low, high] = random_range(c, middle[c.q]);
    q[c.q] = std::clamp(random.uniform(low, high), c.lower, c.upper);
  }
  for (const auto& ball : balls_) {
    // A uniform random rotation (Shoemake, 1992).
    const double u = random.uniform(0, 1), a = random.uniform(0, 2 * pi), b = random.uniform(0, 2 * pi);
    const double r = std::sqrt(1 - u), s = std::sqrt(u);
    put(q, ball.q, {0, 1}, {s * std::cos(b), r * std::sin(a), r * std::cos(a), s * std::sin(b)});
  }
}

void SearchSpace::unwind(const double* posture, double* q) const {
  for (const auto& c : coordinates_) {
    if (!c.periodic) continue;
    const double most = std::floor((c.upper - q[c.q]) / (2 * pi)), least = std::ceil((c.lower - q[c.q]) / (2 * pi));
    const double revolutions =
        std::clamp(std::round((posture[c.q] - q[c.q]) / (2 * pi)), std::min(least, 0.0), std::max(most, 0.0));
    const double unwound = q[c.q] + 2 * pi * revolutions;
    if (unwound >= c.lower && unwound <= c.upper) q[c.q] = unwound;
  }
}

double SearchSpace::distance_squared(const double* a, const double* b, bool as_is) const {
  double sum = 0;
  for (const auto& c : coordinates_) {
    const double difference = b[c.q] - a[c.q];
    const double d = c.periodic && !as_is ? std::remainder(difference, 2 * pi) : difference;
    sum += d * d;
  }
  for (const auto& ball : balls_) {
    const auto phi = logarithm(conjugate(quaternion_at(a, ball.q, {0, 1})) * quaternion_at(b, ball.q, {0, 1}));
    sum += dot(phi, phi);
  }
  return sum;
}

double SearchSpace::relative_distance_to_limits(const double* q) const {
  double least = 1;
  for (const auto& c : coordinates_)
    if (std::isfinite(c.lower) && std::isfinite(c.upper) && c.upper > c.lower)
      least = std::min(least, 2 * std::min(q[c.q] - c.lower, c.upper - q[c.q]) / (c.upper - c.lower));
  return least;
}

}  // namespace lissom::ik
