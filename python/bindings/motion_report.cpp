// How runs of motions went.
#include "energy.h"
#include "html.h"
#include "motion.h"

namespace lissom::python {

using Transition = control::MotionRunner::Transition;
LISSOM_PYTHON_TYPE(Transition, "Transition")
LISSOM_PYTHON_TYPE(control::ContactReport, "ContactReport")
LISSOM_PYTHON_TYPE(control::MotorReport, "MotorReport")
LISSOM_PYTHON_TYPE(control::ClearanceReport, "ClearanceReport")
LISSOM_PYTHON_TYPE(control::LimbReport, "LimbReport")
LISSOM_PYTHON_TYPE(control::ConflictReport, "ConflictReport")

namespace {

void bind_part_reports(nb::module_& m) {
  bind_record<Transition>(
      m, "Transition", "When a phase of a stage was entered.",
      std::tuple{Field{"time", &Transition::time, "s"}, Field{"stage", &Transition::stage, "Its name."},
                 Field{"phase", &Transition::phase, "Of the stage."}});
  using C = control::ContactReport;
  bind_record<C>(
      m, "ContactReport", "A contact's extremes over a run.",
      std::tuple{
          Field{"name", &C::name, "Of the contact."}, Field{"max_normal", &C::max_normal, "On the simulated robot, N."},
          Field{"planned_friction_use", &C::planned_friction_use, "Of the controller's forces, at most 1."},
          Field{"friction_use", &C::friction_use,
                "On the simulated robot, while it carries more than 5 % of the weight; more than 1 where it slipped."},
          Field{"light_friction_use", &C::light_friction_use, "The same while it carries less."},
          Field{"slip", &C::slip, "m"},
          Field{"loaded_slip", &C::loaded_slip, "While it carries more than 5 % of the weight, m."}});
  using M = control::MotorReport;
  bind_record<M>(
      m, "MotorReport", "A motor's extremes over a run.",
      std::tuple{Field{"joint", &M::joint, "That it drives."},
                 Field{"max_torque", &M::max_torque, "The largest that was asked for, before clamping, N m."},
                 Field{"limit", &M::limit, "N m"},
                 Field{"nearest_limit", &M::nearest_limit,
                       "Smallest distance from a position limit, rad, m; negative beyond it."},
                 Field{"max_velocity", &M::max_velocity, "Of the simulated robot, rad/s, m/s."},
                 Field{"velocity_limit", &M::velocity_limit, "rad/s, m/s"},
                 Field{"saturated", &M::saturated, "When its torque was first at the limit, s; negative: never."}});
  using K = control::ClearanceReport;
  bind_record<K>(m, "ClearanceReport", "A clearance's extremes over a run.",
                 std::tuple{Field{"name", &K::name, "Of the two links."}, Field{"min_distance", &K::min_distance, "m"},
                            Field{"required", &K::required, "m"},
                            Field{"influence_distance", &K::influence_distance, "Below which it takes part, m."},
                            Field{"automatic", &K::automatic, "The plan does not name it: two links that can meet."}});
  using L = control::LimbReport;
  bind_record<L>(m, "LimbReport", "A limb at the ends of holds, on the simulated robot.",
                 std::tuple{Field{"frame", &L::frame, "Of the limb."},
                            Field{"distance", &L::distance, "The largest, from its target, m."},
                            Field{"angle", &L::angle, "The largest, of limbs that are turned, rad."},
                            Field{"stage", &L::stage, "Where the distance was largest."}});
  using X = control::ConflictReport;
  bind_record<X>(m, "ConflictReport",
                 "Constraints of one kind that were relaxed in elastic ticks: the torques of all joints, and so on.",
                 std::tuple{Field{"name", &X::name, "Of the constraint that was relaxed most."},
                            Field{"unit", &X::unit, "Of amount."},
                            Field{"amount", &X::amount, "The largest; negative: below a lower limit."},
                            Field{"first", &X::first, "When one of them was first relaxed, s."},
                            Field{"last", &X::last, "When one of them was last relaxed, s."},
                            Field{"ticks", &X::ticks, "In how many ticks."},
                            Field{"names", &X::names, "Of all of them, in the order in which they appeared."}});
}

void bind_summary(nb::class_<control::MotionReport>& report) {
  using R = control::MotionReport;
  nb::delattr(report, "__repr__");  // The one of records would be too long.
  report
      .def_prop_ro(
          "max_friction_use", [](const R& r) { return r.max_friction_use(); },
          "Largest |tangent| / (friction · normal) of all contacts.")
      .def_prop_ro(
          "max_slip", [](const R& r) { return r.max_slip(); }, "m")
      .def_prop_ro(
          "max_loaded_slip", [](const R& r) { return r.max_loaded_slip(); }, "Under more than 5 % of the weight, m.")
      .def_prop_ro(
          "max_torque_use", [](const R& r) { return r.max_torque_use(); }, "|torque| / limit.")
      .def("_repr_html_", &motion_html, "A table of motors, contacts and clearances, for notebooks.")
      .def("__repr__", [](const R& r) {
        char text[160];
        std::snprintf(text, sizeof text, "%s, %.3f s, %ld ticks, torque use %.2f, friction use %.2f)",
                      r.succeeded ? "succeeded" : "failed", r.seconds, r.ticks, r.max_torque_use(),
                      r.max_friction_use());
        return "MotionReport(" + std::string(text).insert(r.succeeded ? 9 : 6, r.succeeded ? "" : ": " + r.failure);
      });
}

void bind_motion_report(nb::module_& m) {
  using R = control::MotionReport;
  auto report = bind_record<R>(
      m, "MotionReport", "How a run went.",
      std::tuple_cat(
          std::tuple{
              Field{"succeeded", &R::succeeded, "It ended as the motion wants it."},
              Field{"stopped", &R::stopped, "stop() ended the run."},
              Field{"failure", &R::failure, "Why it failed; empty if it succeeded."},
              Field{"seconds", &R::seconds, "Simulated time, s."},
              Field{"ticks", &R::ticks, "Of the controller."},
              Field{"elastic_ticks", &R::elastic_ticks, "In which constraints were relaxed."},
              Field{"failed_ticks", &R::failed_ticks, "Without a solution."},
              Field{"tick_median", &R::tick_median, "µs, dynamics included."},
              Field{"tick_p99", &R::tick_p99, "µs"},
              Field{"tick_max", &R::tick_max, "µs"},
              Field{"max_com_error", &R::max_com_error, "Distance of the center of mass from its target, m."},
              Field{"hold_com_error", &R::hold_com_error, "The same at the ends of holds, m."},
              Field{"hold_posture_error", &R::hold_posture_error, "Of a joint, at the ends of holds, rad, m."},
              Field{"hold_posture_joint", &R::hold_posture_joint, "The joint with that error."},
              Field{"max_hold_com_error", &R::max_hold_com_error,
                    "The same all the time of holds, but for pushes and the second after them, m."},
              Field{"max_hold_posture_error", &R::max_hold_posture_error, "Of a joint, in the same time, rad, m."},
              Field{"max_tracking_error", &R::max_tracking_error,
                    "With servos: how far a joint was from the position of its reference at most; from its velocity, "
                    "where servos follow velocities alone."},
              Field{"tracking_joint", &R::tracking_joint, "The joint with that error."},
              Field{"tracking_unit", &R::tracking_unit, "Of that error."},
              Field{"first_elastic", &R::first_elastic, "When a tick was first elastic, s; negative: never."},
              Field{"elastic_median", &R::elastic_median, "Of elastic ticks, µs."},
              Field{"elastic_max", &R::elastic_max, "Of elastic ticks, µs."},
              Field{"misses", &R::misses, "What was not as the motion wants it, in words."},
              Field{"limbs", &R::limbs, "At the ends of holds."},
              Field{"conflicts", &R::conflicts, "One for each cause, in the order in which they appeared."},
              Field{"contacts", &R::contacts, "A list of ContactReport."},
              Field{"motors", &R::motors, "A list of MotorReport."},
              Field{"clearances", &R::clearances,
                    "Those of the plan, and of other pairs of links those that came near."},
              Field{"watched_pairs", &R::watched_pairs, "Pairs of links that can meet, besides those of the plan."},
              Field{"transitions", &R::transitions, "When each phase of each stage began."}},
          energy_fields<R>()));
  bind_summary(report);
}

}  // namespace

void bind_reports(nb::module_& m) {
  bind_part_reports(m);
  bind_motion_report(m);
}

}  // namespace lissom::python
