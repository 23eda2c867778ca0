#pragma once
// Walks: from the sensed state of a robot to torques, tick by tick. Footsteps are planned ahead (gait.h); the divergent
// component of motion ξ follows from them (dcm.h) and is controlled by the center of pressure; a whole-body controller
// realizes the acceleration of the center of mass and the paths of the feet. If ξ is not where it should be, footholds
// and times of steps are adapted (step_adaptation.h); a standing robot steps when ξ leaves its support.
//
//   walking::Walker walker(model, q, {{.frame = "left_sole"}, {.frame = "right_sole"}}, {.steps = 8, .speed = .3});
//   while (!walker.done()) robot->sense(q, v), robot->step(walker.advance(q, v).torques);
//
// docs/walking.md has the method. advance() allocates nothing.
#include "lissom/control/motion_runner.h"
#include "lissom/walking/gait.h"
#include "lissom/walking/step_adaptation.h"
#include "lissom/walking/support_polygon.h"
#include "lissom/walking/swing_path.h"

namespace lissom::walking {

/// Weights and gains; frequencies are in terms of ω = √(g / height of the center of mass).
struct WalkerGains {
  double dcm_gain = 2;  ///< the center of pressure moves by this · the error of ξ; more than 1
  double com_weight = 10000, foot_weight = 100, base_weight = 10, posture_weight = .2, upper_weight = 2;
  double foot_frequency = 7, base_frequency = 8, posture_frequency = 1.8, upper_frequency = 4, height_frequency = 3;
  double momentum_weight = 16, momentum_damping = 1.5;  ///< weight: of the rate over (mass · height²)
  double hip_reach = .02;  ///< how far outside the support the center of pressure may be asked for, over the height
  double friction_factor = .8;  ///< fraction of a contact's friction that the controller uses
  double support_scale = .9;    ///< factor by which soles are scaled about their middle
  double ramp = .08;            ///< of contacts that are made or released, in terms of 1/ω
};

/// A controller that walks: footsteps, balance and the whole-body controller. It belongs to one caller at a time.
class Walker {
 public:
  /// The robot stands at q on all feet. Error if a frame is unknown, or the gait does not fit the robot.
  Walker(const Model& model, const Eigen::VectorXd& q, const std::vector<Contact>& feet, const GaitOptions& options,
         const control::WholeBodyOptions& whole_body = {}, const WalkerGains& gains = {});

  /// Solves one tick for the sensed state.
  const control::Tick& advance(const VectorIn& q, const VectorIn& v);

  enum class Phase { standing, transfer, swing, done };
  Phase phase() const { return phase_; }
  /// It has made all steps, and has come to rest.
  bool done() const { return phase_ == Phase::done; }
  double time() const { return time_; }
  /// Steps that were made: those of the plan, and capture steps, which a standing robot made or which were added after
  /// the last step of the plan.
  int steps() const { return planned_done_; }
  int capture_steps() const { return captures_; }
  /// Steps whose foothold or time was adapted by more than a tenth of the foot's reach or of its time.
  int adapted_steps() const { return adapted_; }

  const FootstepPlan& plan() const { return plan_; }
  /// Where each leg stands at first, and where it stands or could stand after each planned step.
  struct Footstep {
    int leg = 0;
    Foothold at;
  };
  std::vector<Footstep> grounds() const;
  control::WholeBody& controller() { return controller_; }
  /// What about the robot makes walking hard, or impossible.
  const std::vector<std::string>& remarks() const { return remarks_; }
  double omega() const { return omega_; }
  Vec2 dcm() const { return dcm_; }
  Vec2 desired_dcm() const { return dcm_plan_.dcm(0); }
  /// Distance of ξ from its reference, m.
  double dcm_error() const { return (dcm() - desired_dcm()).norm(); }

  /// A leg and where it stands or goes.
  struct Leg {
    std::string frame;
    FrameId id;
    ContactKind kind = ContactKind::surface;
    control::ContactId contact;
    control::TaskId<control::FrameTask> path;
    int joints = 6;
    FrameId hip, ankle;                    ///< of its first and last joint; a ball foot is its own ankle
    double length = 0;                     ///< m, of the leg when it is stretched, from hip to ankle
    Vec3<double> ankle_offset{0, 0, 0};    ///< from the foot, along its heading
    Vec2 offset = Vec2::Zero();            ///< from the middle of all feet, along the heading
    double yaw_offset = 0, clearance = 0;  ///< clearance: height of the frame above the ground on which it stands
    std::vector<Vec2> points;              ///< of its face, scaled, in the frame
    Vec2 sole = Vec2::Zero();              ///< half of its length and width
    Foothold stands;                       ///< where it stands, or stood last
    Foothold target;                       ///< where it lands next, as adapted
    Foothold aim;                          ///< where it should have landed last; where it stood at first
    bool swings = false, landed = true;
    double sunk = 0;  ///< m, how far it was lowered to find the ground
    SwingPath swing;
  };
  const std::vector<Leg>& legs() const { return legs_; }
  /// Appends where the feet are that stand.
  void limb_targets(std::vector<control::MotionRunner::LimbTarget>& to) const;

 private:
  void add_legs(const std::vector<Contact>& feet);
  void measure(Leg& leg, const std::vector<int>& dofs, const Pose<double>& foot);
  void limit_by_torques(Leg& leg, const std::vector<int>& dofs, const Pose<double>& foot);
  double needed_descent() const;
  void set_offsets();
  void add_tasks(const Eigen::VectorXd& q);
  bool sense(const VectorIn& q, const VectorIn& v);
  void follow_slips();
  void close_support();
  // Phases: walker_steps.cpp.
  void proceed();
  void enter(Phase phase, double seconds);
  void begin_step(double transfer);
  void begin_yaw(double seconds);
  void begin_swing();
  void look_for_ground(Leg& leg, double elapsed);
  void land(Leg& leg);
  void finish_step();
  void stand();
  void rest();
  int capture_group();
  void prepare_capture(int group_index);
  void begin_capture_step(int group_index);
  bool adapts() const { return options_.capture_steps && plan_.groups.size() == 2; }
  const std::vector<int>& group() const;
  bool swinging(int leg) const;
  Foothold foothold(const Foothold& body, int index) const;
  Foothold body_after_step(int step) const;
  Foothold body_of() const;
  Pose<double> standing_pose(const Leg& leg) const;
  // Plans: walker_plan.cpp.
  Vec2 support_center(const std::vector<Foothold>& places, const std::vector<int>& lifted) const;
  Vec2 standing_pressure() const;
  void plan_pressure();
  Vec2 preview_plan(Vec2 p);
  void plan_capture_pressure();
  void plan_captured();
  Vec2 stance_middle(const std::vector<int>& lifted) const;
  void set_capture_offset(const Vec2& sole, StepProblem& p) const;
  static constexpr double min_swing = .85, end_seconds = 1.5;  // in terms of 1/ω; end_seconds: of the last transfer
  // How a foot goes: beside the one that stands, or across it.
  enum class Crossing { none, in_front, behind };
  StepProblem step_problem(const std::vector<int>& lifted, double remaining, Crossing crossing) const;
  StepSolution best_step(const std::vector<int>& lifted, double remaining, Crossing& crossing) const;
  void set_reach(const std::vector<int>& lifted, bool single, Crossing crossing, StepProblem& p) const;
  void adapt();
  // Targets of tasks.
  Vec2 desired_pressure() const;
  void set_targets();
  void set_foot(Leg& leg, double remaining);

  Model model_;
  GaitOptions options_;
  WalkerGains gains_;
  control::WholeBody controller_;
  RobotSnapshot robot_;  // as sensed in this tick; the controller reads it, too
  std::vector<Leg> legs_;
  control::TaskId<control::CenterOfMassTask> com_task_;
  control::TaskId<control::PostureTask> posture_;
  control::TaskId<control::FrameTask> base_;
  FootstepPlan plan_;
  std::vector<int> leg_dofs_;
  std::vector<std::string> remarks_;
  bool soles_stay_level_ = true;  // all legs with soles have ankles that roll
  Mat3<double> base_tilt_;        // orientation of the base relative to the heading of the feet
  double max_foot_speed_ = 2;     // m/s, mean
  double max_joint_speed_ = 100;  // rad/s, of the joints that swing legs
  double step_, mass_ = 0, omega_ = 3, height_ = 0;
  double time_ = 0, phase_began_ = 0, phase_seconds_ = 0;  // of the phase, as adapted
  Phase phase_ = Phase::standing;
  Vec3<double> com_{0, 0, 0}, com_velocity_{0, 0, 0}, filtered_velocity_{0, 0, 0};
  Vec2 dcm_ = Vec2::Zero(), pressure_from_ = Vec2::Zero();
  // By how much the plan was adapted: in earlier steps, and in this one.
  Vec2 shift_ = Vec2::Zero(), delta_ = Vec2::Zero();
  Vec2 capture_pressure_ = Vec2::Zero();
  Crossing crossing_ = Crossing::none;
  double adaptation_ = 0;  // of this step, largest, over the reach
  DcmPlan dcm_plan_;
  int touchdown_segment_ = 0;  // of dcm_plan_, at whose beginning the swinging feet land
  SupportPolygon support_;
  std::vector<Foothold> stands_, preview_;  // of legs: now, and as the plan goes on
  Foothold start_, capture_body_;
  int step_index_ = 0, planned_done_ = 0, captures_ = 0, adapted_ = 0;
  int capture_group_ = -1;  // of a capture step; -1: a step of the plan
  double swing_seconds_ = 0, quiet_ = 0;
  double step_began_ = 0, step_seconds_ = 0, yaw_from_ = 0, yaw_to_ = 0, ground_from_ = 0, ground_to_ = 0;
};
/// The name of a phase.
const char* to_string(Walker::Phase phase);

}  // namespace lissom::walking
