#pragma once
// A motion plan followed on paper: which contacts stand in each stage and where, and where the center of mass goes. Not
// for users.
#include "lissom/control/motion_plan.h"

namespace lissom::control {

struct CourseMove {
  const LimbMove* move = nullptr;
  Pose<double> to;
  int contact = -1;  // index of its contact; -1: it has none
};

struct CourseStage {
  const Stage* stage = nullptr;
  std::vector<int> before, standing;     // indices of contacts: at its beginning, and after releasing
  std::vector<Pose<double>> placements;  // of all contacts, at its beginning
  Vec3<double> com_from, com_to;
  Eigen::VectorXd posture;  // q at its end
  std::vector<CourseMove> moves;
};

// All stages. Error if a name is unknown.
std::vector<CourseStage> course_of(const Model& model, const MotionPlan& plan);

// Where a contact stands in a configuration that is given as kinematics: at its own placement, or on level ground.
Pose<double> standing_placement(const Model& model, const Workspace& work, const Contact& contact);

// In how many independent ways the joints of a limb can move a frame relative to a free base, at most 6. A leg of five
// joints, or of seven of which five have parallel axes, cannot turn its sole as it likes.
int mobility(const Model& model, Workspace& work, FrameId frame);

}  // namespace lissom::control
