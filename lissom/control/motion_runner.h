#pragma once
// Executes a motion plan, tick by tick: a finite-state machine that moves the targets of a whole-body controller from
// one static posture to the next, as Bouyarmane and Kheddar do. The phases of each stage are
//   releasing   contacts to be released are unloaded;
//   moving      center of mass, posture and limbs follow minimum-jerk trajectories to their targets;
//   landing     limbs move along the normal of the surface until they are on it, and become contacts;
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
  /// The clearances of the plan, and those between links that can meet; in the order of Tick::clearances.
  const std::vector<Clearance>& clearances() const { return clearances_; }
  /// Target of the center of mass at this tick.
  Vec3<double> desired_com() const { return com_now_; }
  /// Target of the posture task at this tick, and its velocity.
  const Eigen::VectorXd& desired_q() { return controller_[posture_].target; }
  const Eigen::VectorXd& desired_v() { return controller_[posture_].velocity; }
  /// Index of the stage in the plan; the number of stages when the plan is done.
  std::size_t stage_index() const { return stage_; }
  /// q of the posture in which the plan begins.
  Eigen::VectorXd start() const { return plan_.posture(plan_.start); }
  /// Height of the center of mass above its contacts at the start, m: the size of the robot.
  double height() const { return height_; }
  /// Tolerance of the center of mass in this stage, m.
  double tolerance() const;

  /// Where a limb is to be at this tick: at its contact, or on its way.
  struct LimbTarget {
    const std::string* frame = nullptr;
    FrameId id;
    Pose<double> placement;
    bool point = false;    ///< only its position counts
    bool contact = false;  ///< it is a contact, to which it is fixed
    double radius = 0;     ///< m, of a ball, which may have rolled by about as much
  };
  /// Appends the targets of all limbs that have one.
  void limb_targets(std::vector<LimbTarget>& to) const;

 private:
  // A frame that is a contact, a moving limb, or both at different times.
  struct Limb {
    std::string frame;
    FrameId id;
    TaskId<FrameTask> task{};
    ContactId contact{};
    bool point = false;         // it has a ball, or too few joints for an orientation: only its position is moved
    bool partial = false;       // a face on too few joints: its orientation is followed as far as it can be
    Pose<double> placement{};   // of its contact, while it has one
    Pose<double> from{}, to{};  // placements between which it moves
    Vec3<double> up{0, 0, 1};   // direction of its lift
    double lift = 0, radius = 0;
    // While landing: speed towards the surface and distance from it, filtered; for how long it has been at rest, s.
    double speed = 0, distance = 0, stopped = 0;
    bool moving = false, touch = false, landed = false;
  };
  Limb& limb(const std::string& name);
  const Stage& stage() const { return plan_.stages[stage_]; }
  void add_tasks();
  Pose<double> placement_of(const Contact& contact);
  void add_contact(Contact contact);
  void add_limb_tasks();
  void add_clearances();
  void begin_stage();
  void begin_moves();
  void begin_move(Limb& limb, const LimbMove& move);
  Vec3<double> com_target();
  void enter(Phase next);
  void fail(const std::string& why);
  void proceed();
  void set_targets(double elapsed);
  void set_limb_target(Limb& limb, double elapsed);
  void begin_landing();
  void begin_settling();
  void land(Limb& limb);
  bool settled();

  Model model_;
  MotionPlan plan_;
  WholeBody controller_;
  RobotSnapshot robot_;  // as sensed in this tick; the controller reads it, too
  std::vector<Limb> limbs_;
  std::vector<Clearance> clearances_;
  TaskId<CenterOfMassTask> com_;
  TaskId<PostureTask> posture_;
  TaskId<FrameTask> base_;
  int base_q_ = -1;
  double step_;
  double height_ = 0, size_ = 1;  // size_: relative to the robot for which lengths and speeds were chosen
  MotionGains gains_;             // resolved
  double com_error_ = 0;          // m, filtered, while settling
  Vec3<double> com_velocity_ = {0, 0, 0};
  std::size_t stage_ = 0;
  Phase phase_ = Phase::holding;
  double time_ = 0, phase_began_ = 0;
  Vec3<double> com_from_, com_to_, com_now_;
  std::vector<Vec3<double>> posture_com_;  // of each stage that has a posture, in this posture
  Eigen::VectorXd q_from_, q_to_, displacement_, q_now_;
  std::vector<Transition> transitions_;
  std::string failure_;
  int bad_ticks_ = 0;
};
/// The name of a phase.
const char* to_string(MotionRunner::Phase phase);

}  // namespace lissom::control
