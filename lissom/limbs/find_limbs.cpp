// Finds the limbs of a robot that stands upright, x forward.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "lissom/limbs/body_tree.h"
#include "lissom/limbs/names.h"

namespace lissom::limbs {

namespace {

constexpr double off_plane = .015;  // of the robot's size: a joint that is farther from the sagittal plane is at a side
constexpr double nearly_lowest = .2;  // of the robot's height: how far above the lowest end another leg may end
constexpr double min_leg = .2;        // of the robot's height: how long a leg is at least
constexpr double min_clearance = .1;  // of the legs' length: how far the trunk is above their ends

struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double x) { low = std::min(low, x), high = std::max(high, x); }
  double size() const { return high - low; }
  double middle() const { return (low + high) / 2; }
};

class Finder {
 public:
  explicit Finder(const BodyTree& tree) : tree_(tree) {}

  Limbs run() {
    measure();
    if (tree_.root() == 0) return without("it has no moving part");
    grow_trunk();
    for (const int b : found_.trunk)
      for (const int child : tree_.body(b).children)
        if (!in_trunk(child)) limbs_.push_back(limb(child));
    choose_legs();
    return found_;
  }

 private:
  Limbs without(const std::string& why) {
    found_.why_no_legs = why;
    return found_;
  }

  void measure() {
    Extent x, y, z;
    for (const int b : tree_.subtree(tree_.root())) {
      const auto& body = tree_.body(b);
      x.add(body.joint_at.x), y.add(body.joint_at.y), z.add(body.joint_at.z), z.add(body.lowest);
    }
    size_ = std::max({x.size(), y.size(), z.size(), 1e-6});
    height_ = std::max(z.size(), .3 * size_);
    // The base's frame lies in the sagittal plane of most robots; in that of all others, limbs are mirrored.
    const double base = tree_.body(tree_.root()).joint_at.y;
    found_.plane = std::abs(y.middle() - base) < .1 * size_ ? base : y.middle();
  }

  // Bit 1: something in the subtree is on the left; bit 2: on the right.
  int sides(int first) const {
    int result = 0;
    for (const int b : tree_.subtree(first)) {
      const double y = tree_.body(b).joint_at.y - found_.plane;
      if (y > off_plane * size_) result |= 1;
      if (y < -off_plane * size_) result |= 2;
    }
    return result;
  }
  bool in_trunk(int b) const { return std::ranges::find(found_.trunk, b) != found_.trunk.end(); }

  // From the root on, whatever has both sides, or neither.
  void grow_trunk() {
    found_.trunk = {tree_.root()};
    for (std::size_t k = 0; k < found_.trunk.size(); ++k)
      for (const int child : tree_.body(found_.trunk[k]).children)
        if (const int s = sides(child); s == 0 || s == 3) found_.trunk.push_back(child);
  }

  Limb limb(int first) const {
    Limb l;
    l.first = l.end = first;
    l.side = sides(first) == 1 ? 1 : -1;
    l.lowest = std::numeric_limits<double>::infinity();
    for (const int b : tree_.subtree(first)) l.lowest = std::min(l.lowest, tree_.body(b).lowest);
    return l;
  }

  // Length along the joints from the first body to the end, and on to the end's lowest point.
  double length(const Limb& l) const {
    double sum = std::max(0.0, tree_.body(l.end).joint_at.z - tree_.body(l.end).lowest);
    for (int b = l.end; b != l.first; b = tree_.body(b).parent) {
      const auto d = tree_.body(b).joint_at - tree_.body(tree_.body(b).parent).joint_at;
      sum += std::sqrt(dot(d, d));
    }
    return sum;
  }
  int moving_joints(const Limb& l) const { return int(tree_.joints_to(l.end, tree_.body(l.first).parent).size()); }

  // The end of a leg: of the bodies that reach down as far as any, the one with the largest footprint. Those with a
  // shape of their own are preferred to rods; where none has one, the last counts.
  int lowest_end(const Limb& l) const {
    int best = l.first;
    double best_score = -1;
    const double near = l.lowest + .03 * height_;
    for (const int b : tree_.subtree(l.first)) {
      const auto& body = tree_.body(b);
      if (body.lowest > near) continue;
      Extent x, y;
      for (const auto& core : body.shape.cores) {
        const auto p = body.pose * core.at;
        if (p.z - core.radius > near) continue;
        // Only the part of a ball below that height counts: a shin's thick capsule is no wider there than a foot.
        const double above = std::clamp(p.z - near, 0.0, core.radius);
        const double radius = std::sqrt(core.radius * core.radius - above * above);
        x.add(p.x - radius), x.add(p.x + radius), y.add(p.y - radius), y.add(p.y + radius);
      }
      const double area = x.size() < 0 ? 0 : (x.size() + .01) * (y.size() + .01);
      const int depth = int(tree_.joints_to(b, tree_.body(l.first).parent).size());
      const double score =
          (area > 0 && body.shape.source == ShapeSource::collision ? 1e3 : 0) + 10 * area + 1e-3 * depth;
      if (score > best_score) best_score = score, best = b;
    }
    return best;
  }

  // The end of an arm: the hand, before its fingers.
  int hand_end(const Limb& l) const {
    int end = l.first, named = -1;
    for (int b = l.first;;) {
      end = b;
      if (is_hand(tree_, b)) named = b;
      const auto& children = tree_.body(b).children;
      if (children.size() != 1) break;
      b = children[0];
    }
    return named > 0 ? named : end;
  }

  // A wheel turns about a level axis without limits, and is round about it.
  bool is_wheel(const Limb& l) const {
    const auto& body = tree_.body(l.end);
    const auto& joint = tree_.model().joints()[std::size_t(body.joint)];
    const bool unlimited = joint.lower.empty() || !std::isfinite(joint.lower[0]);
    if (!joint_traits(joint.type).is_hinge() || !unlimited || std::abs(body.axis.z) > .3) return false;
    const auto across = [&](const Vec3<double>& p) {
      const auto d = p - body.joint_at;
      return d - dot(d, body.axis) * body.axis;
    };
    const auto com = across(body.pose * body.com);
    Extent reach;  // of the shape, around the axis
    for (const auto& core : body.shape.cores) {
      const auto d = across(body.pose * core.at);
      reach.add(std::sqrt(dot(d, d)) + core.radius);
    }
    const double off = std::sqrt(dot(com, com));
    return reach.high > 0 ? off < .15 * reach.high && reach.size() < .3 * reach.high : off < .01;
  }

  void choose_legs() {
    Extent ends;
    for (auto& l : limbs_) ends.add(l.lowest);
    double trunk = std::numeric_limits<double>::infinity();
    for (const int b : found_.trunk) trunk = std::min(trunk, tree_.body(b).lowest);
    bool wheels = false;
    for (auto& l : limbs_) {
      Limb leg = l;
      leg.end = lowest_end(leg), leg.length = length(leg);
      const double down = tree_.body(l.first).joint_at.z - l.lowest;
      const bool low = l.lowest < ends.low + nearly_lowest * height_ && down > .2 * leg.length;
      const bool wheel = low && is_wheel(leg);
      wheels = wheels || wheel;
      if (low && !wheel && leg.length > min_leg * height_ && moving_joints(leg) >= 2 &&
          trunk > l.lowest + min_clearance * leg.length) {
        found_.legs.push_back(leg);
      } else {
        l.wheel = wheel;
        add_arm(l);
      }
    }
    found_.on_wheels = wheels;
    // A torso without legs. (Animals have wrists, too, but not on all of their legs.)
    const bool arms = std::ranges::all_of(found_.legs, [&](const Limb& l) { return named_as_arm(tree_, l.first); });
    if (arms)
      for (const auto& l : std::exchange(found_.legs, {})) add_arm(l), found_.legs_are_arms = true;
    explain(wheels, ends, trunk);
    for (auto* list : {&found_.legs, &found_.arms}) sort(*list);
  }

  void add_arm(Limb l) {
    l.end = hand_end(l), l.length = length(l);
    if (moving_joints(l) >= 3 && l.length > .1 * size_ && !l.wheel) found_.arms.push_back(l);
  }

  void explain(bool wheels, const Extent& ends, double trunk) {
    const auto on = [&](int side) {
      return std::ranges::count_if(found_.legs, [&](const Limb& l) { return l.side == side; });
    };
    if (on(1) > 0 && on(1) == on(-1)) return;
    found_.why_no_legs = limbs_.empty()         ? "no limbs leave its trunk to the left and to the right"
                         : wheels               ? "its limbs end in wheels"
                         : found_.legs_are_arms ? "by their names, the limbs that reach down farthest are arms"
                         : trunk <= ends.low    ? "its trunk reaches as low as its limbs"
                         : found_.legs.empty()  ? "none of its limbs reaches down far enough to carry it"
                                                : "its legs are not in pairs: " + std::to_string(on(1)) +
                                                     " on the left, " + std::to_string(on(-1)) + " on the right";
    found_.legs.clear();
  }

  // Front before rear, left before right. Limbs that begin nearly beside each other are a pair.
  void sort(std::vector<Limb>& list) const {
    const auto front = [&](const Limb& l) { return tree_.body(l.first).joint_at.x; };
    std::ranges::sort(list, [&](const Limb& a, const Limb& b) {
      return front(a) > front(b) || (front(a) == front(b) && a.first < b.first);
    });
    for (auto begin = list.begin(); begin != list.end();) {
      const double from = front(*begin);
      const auto end = std::find_if(begin, list.end(), [&](const Limb& l) { return front(l) < from - .02 * size_; });
      std::sort(begin, end, [](const Limb& a, const Limb& b) {
        return a.side > b.side || (a.side == b.side && a.first < b.first);
      });
      begin = end;
    }
  }

  const BodyTree& tree_;
  Limbs found_;
  std::vector<Limb> limbs_;
  double size_ = 1, height_ = 1;
};

}  // namespace

Limbs find_limbs(const BodyTree& tree) {
  return Finder(tree).run();
}

}  // namespace lissom::limbs
