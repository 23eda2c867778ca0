#pragma once
// Carries out a motion, tick by tick: a finite-state machine that leads the tasks of a whole-body controller from one
// static posture to the next, as Bouyarmane and Kheddar do. In each stage
//   releasing   contacts that go lose their force;
//   moving      center of mass, posture and limbs go to where they shall be, at rest at both ends, with the least jerk;
//   landing     limbs come down until they are on the ground, and become contacts;
//   settling    until the center of mass is there and slow;
//   holding     for a time.
#include "lissom/control/motion_plan.h"
#include "lissom/control/whole_body.h"

namespace lissom::control {

class MotionRunner {
 public:
  // Error where a posture, contact or frame of the motion is unknown.
  MotionRunner(const Model& model, MotionPlan motion, const WholeBodyOptions& options = {});

  // One tick, from what is sensed. After the last stage, holds on.
  const Tick& advance(const VectorIn& q, const VectorIn& v);

  enum class Phase { releasing, moving, landing, settling, holding, done, failed };
  Phase phase() const { return phase_; }
  bool done() const { return phase_ == Phase::done; }
  bool failed() const { return phase_ == Phase::failed; }
  const std::string& failure() const { return failure_; }
  double time() const { return time_; }

  struct Transition {
    double time;
    std::string stage, what;
  };
  const std::vector<Transition>& transitions() const { return transitions_; }

  WholeBody& controller() { return controller_; }
  const MotionPlan& motion() const { return plan_; }
  Vec3<double> desired_com() const { return com_now_; }
  Eigen::VectorXd start() const { return plan_.posture(plan_.start); }

 private:
  // A frame that may be a contact, a limb on its way, or both.
  struct Limb {
    std::string frame;
    FrameId id;
    TaskId<FrameTask> task{};
    ContactId contact{};
    Pose<double> place{};          // of its contact, as long as it has one
    Pose<double> from{}, to{};     // of its way
    double lift = 0, stopped = 0;  // stopped: for so long, while landing (s)
    bool moving = false, touch = false, landed = false;
  };
  Limb& limb(const std::string& name);
  const Stage& stage() const { return plan_.stages[stage_]; }
  void shrink_support(Contact& contact, FrameId frame) const;
  void add_tasks();
  void begin_stage();
  void begin_moves();
  Vec3<double> desired_end();
  void enter(Phase next);
  void fail(const std::string& why);
  void proceed();
  void set_targets(double elapsed);
  void set_limb_target(Limb& limb, double elapsed);
  void land(Limb& limb);
  bool settled() const;

  Model model_;
  MotionPlan plan_;
  WholeBody controller_;
  Workspace work_;          // at what is sensed
  Workspace posture_work_;  // at postures to come
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
  Eigen::VectorXd q_from_, q_to_, displacement_, q_now_;
  std::vector<Transition> transitions_;
  std::string failure_;
  int bad_ticks_ = 0;
};
const char* to_string(MotionRunner::Phase phase);

}  // namespace lissom::control
