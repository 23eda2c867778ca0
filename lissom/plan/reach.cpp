#include "lissom/plan/reach.h"

#include <algorithm>
#include <cmath>

#include "lissom/api/kinematics.h"
#include "lissom/tree/tree.h"

namespace lissom::plan {

namespace {

constexpr double stride_part = .37;   // of the length between two feet
constexpr double wider_stance = 1.2;  // of the distance of two feet at the start

// How far a joint can move its link along its axis, m.
double travel(const Model& model, int body) {
  double most = 0;
  for (const auto& joint : model.joints()) {
    if (joint.type != JointType::prismatic || model.frame_at(model.frame(joint.child)).body != body) continue;
    most = std::max(std::abs(model.lower()[std::size_t(joint.q_index)]),
                    std::abs(model.upper()[std::size_t(joint.q_index)]));
  }
  return std::isfinite(most) ? most : 1e3;
}

}  // namespace

Reach::Reach(const Model& model, const PlanProblem& problem) : limbs_(problem.limbs) {
  const auto& limbs = problem.limbs;
  Workspace work(model);
  forward_kinematics(model, work, problem.start);
  const auto& bodies = model.tree<double>().bodies;
  const auto path = [&](int limb) {  // bodies from the limb's to the root
    std::vector<int> all;
    for (int b = model.frame_at(model.frame(limbs[std::size_t(limb)].frame)).body; b > 0;
         b = bodies[std::size_t(b)].parent)
      all.push_back(b);
    return all;
  };
  const int n = int(limbs.size());
  max_distance_.assign(std::size_t(n), std::vector<double>(std::size_t(n), 0));
  max_stride_ = max_distance_;
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b) {
      if (a == b) continue;
      const auto first = path(a), second = path(b);
      double sum = 0;
      for (const auto* side : {&first, &second}) {
        const auto& other = side == &first ? second : first;
        for (const int body : *side) {
          if (std::find(other.begin(), other.end(), body) != other.end()) break;
          sum += norm(bodies[std::size_t(body)].origin) + travel(model, body);
        }
      }
      for (const int limb : {a, b})
        sum += norm(model.frame_at(model.frame(limbs[std::size_t(limb)].frame)).placement.p);
      max_distance_[std::size_t(a)][std::size_t(b)] = sum;
      const auto apart = placement(model, work, model.frame(limbs[std::size_t(a)].frame)).p -
                         placement(model, work, model.frame(limbs[std::size_t(b)].frame)).p;
      max_stride_[std::size_t(a)][std::size_t(b)] =
          std::max(stride_part * sum, wider_stance * std::hypot(apart.x, apart.y));
    }
}

bool Reach::allows(const std::vector<Placement>& contacts) const {
  for (std::size_t i = 0; i < contacts.size(); ++i)
    for (std::size_t k = i + 1; k < contacts.size(); ++k) {
      const auto apart = contacts[i].pose.p - contacts[k].pose.p;
      const auto a = std::size_t(contacts[i].limb), b = std::size_t(contacts[k].limb);
      const bool feet = limbs_[a].foot && limbs_[b].foot;
      if (norm(apart) > max_distance_[a][b] || (feet && std::hypot(apart.x, apart.y) > max_stride_[a][b])) return false;
    }
  return true;
}

}  // namespace lissom::plan
