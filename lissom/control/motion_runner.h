#pragma once
// Carries out a motion, tick by tick: a finite-state machine that leads the tasks of a whole-body controller from one
// static posture to the next, as Bouyarmane and Kheddar do. In each stage
//   releasing   contacts that go lose their force;
//   moving      centre of mass, posture and limbs go to where they shall be, at rest at both ends, with the least jerk;
//   landing     limbs come down until they are on the ground, and become contacts;
//   settling    until the centre of mass is there and slow;
//   holding     for a time.
#include "lissom/control/motion.h"
#include "lissom/control/whole_body.h"

namespace lissom::control {

class MotionRunner {
 public:
  // Error where a posture, contact or frame of the motion is unknown.
  MotionRunner(const Model& model, Motion motion, const WholeBodyOptions& options = {});

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
  const Motion& motion() const { return motion_; }
  Vec3<double> wanted_com() const { return com_now_; }
  Eigen::VectorXd start() const { return motion_.posture(motion_.start); }

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
  const Stage& stage() const { return motion_.stages[stage_]; }
  void lean_inside(Contact& contact, FrameId frame) const;
  void add_tasks();
  void begin_stage();
  void begin_moves();
  Vec3<double> wanted_end();
  void go_on(Phase next);
  void fail(const std::string& why);
  void proceed();
  void lead(double elapsed);
  void lead_limb(Limb& limb, double elapsed);
  void land(Limb& limb);
  bool settled() const;

  Model model_;
  Motion motion_;
  WholeBody controller_;
  Workspace work_;  // at what is sensed
  Workspace plan_;  // at postures to come
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
  Eigen::VectorXd q_from_, q_to_, way_, q_now_;
  std::vector<Transition> transitions_;
  std::string failure_;
  int bad_ticks_ = 0;
};
const char* to_string(MotionRunner::Phase phase);

}  // namespace lissom::control
