// Tasks, limits and options of whole-body control.
#include "whole_body.h"

namespace lissom::python {

namespace {

#define POSITION_FIELDS(T, rows)                                                    \
  Field{"target", &T::target, rows}, Field{"velocity", &T::velocity, rows}, Field { \
    "acceleration", &T::acceleration, rows                                          \
  }
#define GAIN_FIELDS(T)                                                                                           \
  Field{"stiffness", &T::stiffness, "1/s²"}, Field{"damping", &T::damping, "1/s; critical (-1): 2 √stiffness."}, \
      Field{"weight", &T::weight, "Of its squared error, against those of other tasks."},                        \
      Field{"priority", &T::priority, "0 is met first, strictly."},                                              \
      Field{"name", &T::name, "For reports; may be empty."}

void bind_motion_tasks(nb::module_& m) {
  using P = control::PointTask;
  bind_record<P>(
      m, "PointTask",
      "Position of a point of a frame, relative to the frame relative_to: target, velocity, acceleration and axes are "
      "in its coordinates.",
      std::tuple{Field{"frame", &P::frame, "Of the robot."},
                 Field{"point", &P::point, "In the frame's coordinates, m."}, POSITION_FIELDS(P, "(3,)"),
                 Field{"relative_to", &P::relative_to, "A frame; empty: the world."},
                 Field{"axes", &P::axes, "Weights of the axes; 0 leaves an axis free."}, GAIN_FIELDS(P)});
  using F = control::FrameTask;
  bind_record<F>(m, "FrameTask",
                 "Position and orientation of a frame, or single axes of either. Target, velocity and acceleration are "
                 "in coordinates of relative_to.",
                 std::tuple{Field{"frame", &F::frame, "Of the robot."}, Field{"target", &F::target, "4 × 4"},
                            Field{"velocity", &F::velocity, "Linear and angular, (6,)."},
                            Field{"acceleration", &F::acceleration, "(6,)"},
                            Field{"relative_to", &F::relative_to, "A frame; empty: the world."},
                            Field{"linear", &F::linear, "Weights of the axes of the target; 0 leaves an axis free."},
                            Field{"angular", &F::angular, "Weights of the axes of the target; 0 leaves an axis free."},
                            GAIN_FIELDS(F)});
  using C = control::CenterOfMassTask;
  bind_record<C>(m, "CenterOfMassTask", "Position of the center of mass, along the world's axes.",
                 std::tuple{POSITION_FIELDS(C, "(3,)"),
                            Field{"axes", &C::axes, "Weights of the axes; 0 leaves an axis free."}, GAIN_FIELDS(C)});
  using G = control::GazeTask;
  bind_record<G>(
      m, "GazeTask",
      "Direction of an axis of a frame, which is to point from the frame's origin at a position in the world.",
      std::tuple{Field{"frame", &G::frame, "Of the robot."}, Field{"axis", &G::axis, "In the frame's coordinates."},
                 Field{"target", &G::target, "In the world, m."}, GAIN_FIELDS(G)});
}

void bind_whole_tasks(nb::module_& m) {
  using M = control::MomentumTask;
  bind_record<M>(
      m, "MomentumTask",
      "Momentum, linear and angular about the center of mass, along the world's axes. Its desired rate is rate + "
      "damping (target - momentum).",
      std::tuple{Field{"target", &M::target, "(6,), N s and N m s."}, Field{"rate", &M::rate, "(6,)"},
                 Field{"linear", &M::linear, "Weights of the axes."},
                 Field{"angular", &M::angular, "Weights of the axes."}, Field{"damping", &M::damping, "1/s"},
                 Field{"weight", &M::weight, "Of its squared error, against those of other tasks."},
                 Field{"priority", &M::priority, "0 is met first, strictly."},
                 Field{"name", &M::name, "For reports; may be empty."}});
  using P = control::PostureTask;
  bind_record<P>(
      m, "PostureTask", "Configuration of all joints; free joints take part only if `base` is set.",
      std::tuple{
          Field{"target", &P::target, "(nq,); empty: neutral."}, Field{"velocity", &P::velocity, "(nv,); empty: zero."},
          Field{"acceleration", &P::acceleration, "(nv,); empty: zero."},
          Field{"joint_weights", &P::joint_weights, "(nv,), or empty."},
          Field{"joint_stiffness", &P::joint_stiffness, "(nv,), or empty; an element above 0 replaces stiffness."},
          Field{"base", &P::base, "Whether the base is held, too."}, GAIN_FIELDS(P)});
  using T = control::TorqueTask;
  bind_record<T>(
      m, "TorqueTask",
      "Torques of the motors. It couples forces and accelerations in the cost, which takes computation time.",
      std::tuple{Field{"target", &T::target, "(nv,), N m, N; empty: zero."},
                 Field{"weight", &T::weight, "Of its squared error, against those of other tasks."},
                 Field{"name", &T::name, "For reports; may be empty."}});
  using F = control::ForceTask;
  bind_record<F>(m, "ForceTask", "Force of a contact, along the world's axes.",
                 std::tuple{Field{"contact", &F::contact, "Its name."}, Field{"target", &F::target, "N"},
                            Field{"axes", &F::axes, "Weights of the axes."},
                            Field{"weight", &F::weight, "Of its squared error, against those of other tasks."},
                            Field{"name", &F::name, "For reports; may be empty."}});
}

}  // namespace

void bind_tasks(nb::module_& m) {
  using namespace nb::literals;
  m.attr("critical") = control::critical;
  bind_motion_tasks(m);
  bind_whole_tasks(m);
  using C = Capsule;
  bind_record<C>(m, "Capsule", "A line segment with a radius, in coordinates of its frame.",
                 std::tuple{Field{"frame", &C::frame, "Of the robot."}, Field{"from_", &C::from, "m"},
                            Field{"to", &C::to, "m"}, Field{"radius", &C::radius, "m"}});
  m.def(
      "bounding_capsule",
      [](const BoundModel& model, const std::string& link) { return bounding_capsule(model, link); }, "robot"_a,
      "link"_a, "A capsule around the collision shapes of a link (without meshes).");
  using K = control::Clearance;
  bind_record<K>(
      m, "Clearance",
      "A pair of capsules, fixed to links, that keep a distance: the speed with which they approach is "
      "limited below `influence_distance`.",
      std::tuple{Field{"a", &K::a, "A Capsule."}, Field{"b", &K::b, "The other."},
                 Field{"min_distance", &K::min_distance, "m"}, Field{"influence_distance", &K::influence_distance, "m"},
                 Field{"max_approach_speed", &K::max_approach_speed,
                       "Allowed speed of approach at `influence_distance`, m/s."},
                 Field{"weight", &K::weight, "Of the soft row."},
                 Field{"name", &K::name, "Empty: those of its frames."}});
  using J = control::JointLimits;
  bind_record<J>(
      m, "JointLimits",
      "Which joint limits are kept, and how: a joint may move only so fast that it can still be stopped before its "
      "limit.",
      std::tuple{Field{"positions", &J::positions, "Whether they are kept."},
                 Field{"velocities", &J::velocities, "Whether they are kept."},
                 Field{"braking", &J::braking, "Deceleration, rad/s², m/s²."}, Field{"horizon", &J::horizon, "s"},
                 Field{"acceleration", &J::acceleration, "Maximum of every joint, rad/s², m/s²."},
                 Field{"margin", &J::margin, "Kept from position limits, rad, m."}});
  using P = control::PassiveForces;
  bind_record<P>(m, "PassiveForces", "Which forces of the joints themselves a controller knows, and compensates.",
                 std::tuple{Field{"damping", &P::damping, "Whether it does."},
                            Field{"dry_friction", &P::dry_friction, "Whether it does."},
                            Field{"springs", &P::springs, "Whether it does."},
                            Field{"friction_speed", &P::friction_speed,
                                  "Dry friction is compensated in full at this speed and above, in proportion below, "
                                  "rad/s, m/s."}});
  bind_record<control::WholeBodyOptions>(m, "WholeBodyOptions",
                                         "Options of a WholeBody, which also takes them as keyword arguments.",
                                         whole_body_fields());
}

}  // namespace lissom::python
