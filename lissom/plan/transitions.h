#pragma once
// Static postures for the changes of a plan: before a limb leaves, while it is in the air, and when it touches again.
// Not for users.
#include "lissom/geometry/collision_geometry.h"
#include "lissom/plan/headroom.h"

namespace lissom::plan {

// A stance of the search: contacts, in the order of limbs, and a posture.
struct Stand {
  std::vector<Placement> contacts;
  Eigen::VectorXd q;
};
// The steps from one stance to the next; empty if there is none, and `why` says so.
struct Passage {
  std::vector<PlanStep> steps;
  std::string why;
  long stances = 0;  // postures that were sought
};

class Transitions {
 public:
  Transitions(const Model& model, const PlanProblem& problem);

  Passage release(const Stand& from, int limb) const;
  Passage touch(const Stand& from, const Placement& to) const;
  // Finds out which of the things overhead make the robot use its hands. `standing` is on its feet.
  void judge_headroom(const Stand& standing);
  bool crawls() const { return crawl_.has_value(); }
  const Headroom& headroom() const { return headroom_; }
  // To the last posture on the same contacts, over postures in between.
  Passage settle(const Stand& from) const;
  // Where the limb's frame is in a posture; that of a ball is level, along the heading of the base.
  Pose<double> at(const Eigen::VectorXd& q, int limb) const;
  // The joints of the first posture, with the base of q.
  Eigen::VectorXd nominal(const Eigen::VectorXd& q) const;

 private:
  // A limb that carries nothing: on a surface, or in the air.
  struct Light {
    int limb;
    Pose<double> pose;
    int surface = -1;  // -1: in the air
  };
  struct PostureHints {
    const Eigen::VectorXd &reference, &start;
    int starts = 1;  // a posture from elsewhere could not be gone to
  };
  std::optional<Eigen::VectorXd> posture(const std::vector<Placement>& carrying, const std::optional<Light>& light,
                                         const Eigen::VectorXd& reference, const Eigen::VectorXd& start,
                                         Passage& passage) const;
  std::optional<Eigen::VectorXd> posture_below(const std::optional<StanceObstacle>& ceiling,
                                               const std::vector<Placement>& carrying,
                                               const std::optional<Light>& light, const PostureHints& hints,
                                               Passage& passage) const;
  void find_crawl(const Stand& standing, double ceiling);
  Eigen::VectorXd crawl_at(const std::vector<Placement>& contacts) const;
  bool is_foot(int limb) const { return problem_.limbs[std::size_t(limb)].foot; }
  // The steps from `from` on, with postures in between where the straight way between two of them hits something;
  // none if that does not help.
  void connect(const Eigen::VectorXd& from, Passage& passage) const;
  bool insert_between(const Eigen::VectorXd& from, const PlanStep& to, std::vector<PlanStep>& steps, Passage& passage,
                      int depth) const;
  bool is_clear(const Eigen::VectorXd& from, const PlanStep& to) const;
  StanceContact contact(int limb, const Pose<double>& pose, int surface) const;
  Eigen::VectorXd reference(const std::vector<Placement>& contacts, const Eigen::VectorXd& q) const;
  Vec3<double> up(int surface) const;

  const Model& model_;
  const PlanProblem& problem_;
  CollisionGeometry geometry_;
  Headroom headroom_;
  struct Link {
    std::string name;
    int limb = -1;  // that it belongs to; -1: the body, or the rest of an arm or leg
  };
  std::vector<Link> links_;                        // with collision shapes
  std::optional<Eigen::VectorXd> crawl_;           // on hands and feet, if something overhead makes that necessary
  std::vector<std::vector<Vec3<double>>> points_;  // of limbs, moved inward
};

}  // namespace lissom::plan
