#pragma once
// Executes a motion plan, tick by tick: a finite-state machine that moves the targets of a whole-body controller from
// one static posture to the next, as Bouyarmane and Kheddar do. The phases of each stage are
//   releasing   contacts to be released are unloaded;
//   moving      center of mass, posture and limbs follow minimum-jerk trajectories to their targets;
//   landing     limbs move down until they are on the ground, and become contacts;
//   settling    the targets are constant until the center of mass is close to its target and slow;
//   holding     the targets are constant for a given time.
#include "lissom/control/motion_plan.h"
#include "lissom/control/whole_body.h"

namespace lissom::control {

/// Executes one motion plan.
class MotionRunner {
 public:
  /// Error if a posture, contact or frame of the plan is unknown.
  MotionRunner(const Model& model, MotionPlan plan, const WholeBodyOptions& options = {});

  /// Solves one tick for the sensed state. After the last stage the targets stay constant.
  const Tick& advance(const VectorIn& q, const VectorIn& v);

  enum class Phase { releasing, moving, landing, settling, holding, done, failed };
  Phase phase() const { return phase_; }
  bool done() const { return phase_ == Phase::done; }
  bool failed() const { return phase_ == Phase::failed; }
  /// Stage, phase, time and reason; empty unless failed.
  const std::string& failure() const { return failure_; }
  double time() const { return time_; }

  /// When a phase of a stage was entered.
  struct Transition {
    double time;
    std::string stage, phase;
  };
  const std::vector<Transition>& transitions() const { return transitions_; }

  /// The controller that it drives, to which more tasks may be added.
  WholeBody& controller() { return controller_; }
  const MotionPlan& plan() const { return plan_; }
  /// Target of the center of mass at this tick.
  Vec3<double> desired_com() const { return com_now_; }
  /// Target of the posture task at this tick, and its velocity.
  const Eigen::VectorXd& desired_q() { return controller_[posture_].target; }
  const Eigen::VectorXd& desired_v() { return controller_[posture_].velocity; }
  /// Index of the stage in the plan; the number of stages when the plan is done.
  std::size_t stage_index() const { return stage_; }
  /// q of the posture in which the plan begins.
  Eigen::VectorXd start() const { return plan_.posture(plan_.start); }

 private:
  // A frame that is a contact, a moving limb, or both at different times.
  struct Limb {
    std::string frame;
    FrameId id;
    TaskId<FrameTask> task{};
    ContactId contact{};
    Pose<double> placement{};      // of its contact, while it has one
    Pose<double> from{}, to{};     // placements between which it moves
    double lift = 0, stopped = 0;  // stopped: for how long it has been at rest while landing, s
    bool moving = false, touch = false, landed = false;
  };
  Limb& limb(const std::string& name);
  const Stage& stage() const { return plan_.stages[stage_]; }
  void shrink_support(Contact& contact, FrameId frame) const;
  void add_tasks();
  void begin_stage();
  void begin_moves();
  Vec3<double> com_target();
  void enter(Phase next);
  void fail(const std::string& why);
  const Workspace& sensed();
  void proceed();
  void set_targets(double elapsed);
  void set_limb_target(Limb& limb, double elapsed);
  void land(Limb& limb);
  bool settled() const;

  Model model_;
  MotionPlan plan_;
  WholeBody controller_;
  Workspace work_;          // at the sensed state q_, v_ if placed_
  Workspace posture_work_;  // at target postures
  std::vector<Limb> limbs_;
  TaskId<CenterOfMassTask> com_;
  TaskId<PostureTask> posture_;
  TaskId<FrameTask> base_;
  int base_q_ = -1;
  double step_;
  std::size_t stage_ = 0;
  Phase phase_ = Phase::holding;
  double time_ = 0, phase_began_ = 0;
  Vec3<double> com_from_, com_to_, com_now_;
  Eigen::VectorXd q_from_, q_to_, displacement_, q_now_, q_, v_;
  bool placed_ = true;
  std::vector<Transition> transitions_;
  std::string failure_;
  int bad_ticks_ = 0;
};
const char* to_string(MotionRunner::Phase phase);

}  // namespace lissom::control
