// How a robot passes below what is overhead: whether its feet are enough, and the posture on hands and feet that it
// stays near to.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "lissom/model/axes.h"
#include "lissom/plan/transitions.h"
#include "lissom/spatial/quaternion.h"

namespace lissom::plan {

namespace {

constexpr double height_margin = .04;  // m, by which the posture is lower than it has to be
constexpr int crawl_starts = 8;
// m: hands are in front of the feet by one of these.
constexpr double leads[] = {.6, .5, .7, .4, .3};

}  // namespace

void Transitions::judge_headroom(const Stand& standing) {
  double floor = std::numeric_limits<double>::infinity(), lowest = floor;
  for (const auto& c : standing.contacts) floor = std::min(floor, c.pose.p.z);
  for (std::size_t k = 0; k < headroom_.low().size(); ++k) {
    Passage passage;
    const double height = headroom_.low()[k].height;
    const PostureHints hints{.reference = standing.q, .start = standing.q};
    if (posture_below(half_space_above(floor + height, "ceiling"), standing.contacts, {}, hints, passage)) continue;
    headroom_.set_needs_hands(k);
    lowest = std::min(lowest, height);
  }
  if (std::isfinite(lowest)) find_crawl(standing, floor + lowest - height_margin);
}

// On all feet and hands, which are level, in front of the feet and as far apart as in the first posture.
void Transitions::find_crawl(const Stand& standing, double ceiling) {
  const auto& feet = standing.contacts;
  Vec3<double> middle(0, 0, 0);
  for (const auto& c : feet) middle += (1. / double(feet.size())) * c.pose.p;
  const auto R = feet[0].pose.R;
  for (const double lead : leads) {
    auto all = feet;
    for (int k = 0; k < int(problem_.limbs.size()); ++k) {
      const auto& limb = problem_.limbs[std::size_t(k)];
      if (limb.foot) continue;
      const double beside = dot(at(standing.q, k).p - middle, column_y(R));
      auto p = middle + lead * column_x(R) + beside * column_y(R);
      p.z = feet[0].pose.p.z + limb.radius - (limb.points.empty() ? 0 : limb.points[0].z);
      all.push_back({k, feet[0].surface, {R, p}});
    }
    Passage passage;
    const PostureHints hints{.reference = standing.q, .start = standing.q, .starts = crawl_starts};
    crawl_ = posture_below(half_space_above(ceiling, "ceiling"), all, {}, hints, passage);
    if (crawl_) return;
  }
}

// Moved and turned so that the limbs are about where they shall be.
Eigen::VectorXd Transitions::crawl_at(const std::vector<Placement>& contacts) const {
  Vec3<double> here(0, 0, 0), there(0, 0, 0);
  double yaw_change = 0;
  const double part = 1. / double(contacts.size());
  const auto yaw = [](const Mat3<double>& M) { return std::atan2(M.yx, M.xx); };
  for (const auto& c : contacts) {
    const auto X = at(*crawl_, c.limb);
    here += part * X.p, there += part * c.pose.p;
    yaw_change += part * std::remainder(yaw(c.pose.R) - yaw(X.R), 2 * std::numbers::pi);
  }
  Eigen::VectorXd q = *crawl_;
  const auto R = rotation_rpy(0., 0., yaw_change);
  for (const auto& joint : model_.joints()) {
    if (joint.type != JointType::free) continue;
    auto base = q.segment(joint.q_index, joint.nq);
    const auto p = there + R * (Vec3<double>(base[0], base[1], base[2]) - here);
    const auto turned = quaternion(R) * Quaternion<double>{base[3], base[4], base[5], base[6]};
    base << p.x, p.y, p.z, turned.w, turned.x, turned.y, turned.z;
  }
  return q;
}

}  // namespace lissom::plan
