// The report of a run.
#include "sim_report.h"

namespace lissom::python {

namespace {

// What a person wants to know of a run.
std::string text_of(const RunReport& r) {
  const auto number = [](double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", x);
    return std::string(text);
  };
  std::string text = "Report(" + number(r.seconds) + " s in " + std::to_string(r.steps) + " steps" +
                     (r.integrator.empty() ? "" : " of " + r.integrator) + ", computed in " + number(r.wall_seconds) +
                     " s" + (r.stopped ? ", stopped" : "");
  text += "\n  energy " + number(r.energy_before) + " J → " + number(r.energy_after) + " J";
  text += "\n  work " + work_text(r);
  text += "\n  largest speed " + number(r.max_speed);
  const auto list = [&](const char* what, const auto& names) {
    if (!names.empty()) text += std::string("\n  ") + what;
    for (const auto& name : names) text += (&name == &names.front() ? " " : ", ") + name;
  };
  list("outside of their limits:", r.beyond_limits);
  std::vector<std::string> saturated;
  for (const auto& motor : r.saturated) saturated.push_back(motor.joint);
  list("at their effort limits:", saturated);
  for (const auto& warning : r.warnings) text += "\n  warning: " + warning;
  return text + ")";
}

}  // namespace

void fill(RunReport& report) {
  report.momentum_at_begin = report.momentum_before;
  report.momentum_at_end = report.momentum_after;
  for (const auto& force : report.loop_forces) report.forces_of_loops.push_back({force.name, force.unit, force.max});
}

void bind_report(nb::module_& m) {
  bind_result<BoundLoopForce>(
      m, "LoopForce", "The largest force in a row of closed loops.",
      std::tuple{Field{"name", &BoundLoopForce::name, "Of the loop, and along or about which axis."},
                 Field{"unit", &BoundLoopForce::unit, "N or N m"},
                 Field{"max", &BoundLoopForce::max, "Its largest absolute value."}});
  using S = sim::SaturatedMotor;
  bind_result<S>(m, "SaturatedMotor",
                 "A motor whose controller asked for more than its effort limit, at some readings.",
                 std::tuple{Field{"joint", &S::joint, "That it drives."}, Field{"limit", &S::limit, "N m or N"},
                            Field{"fraction", &S::fraction, "Of the readings."}});
  using R = RunReport;
  const auto of = [](const char* name, auto member, const char* doc) {
    return Field<R, std::remove_cvref_t<decltype(std::declval<R>().*member)>>{name, member, doc};
  };
  bind_result<R>(
      m, "Report", "What a run has done: energy, momentum, limits, warnings.",
      std::tuple_cat(
          std::tuple{
              of("integrator", &R::integrator, "Its name; empty for a robot in contact."),
              of("seconds", &R::seconds, "Simulated time."),
              of("wall_seconds", &R::wall_seconds, "Time of the computation."),
              of("steps", &R::steps, "Of the integrator."),
              of("evaluations", &R::evaluations, "Of the dynamics, or ticks of a SimulatedRobot."),
              of("momentum_before", &R::momentum_at_begin, "Linear, then angular about the center of mass, (6,)."),
              of("momentum_after", &R::momentum_at_end, "The same at the end."),
              of("max_gap", &R::max_gap, "Of closed loops, m or rad."),
              of("loop_forces", &R::forces_of_loops, "One for each row of the closed loops."),
              of("max_speed", &R::max_speed, "Of any degree of freedom."),
              of("beyond_limits", &R::beyond_limits, "Joints outside their position limits at some reading."),
              of("saturated", &R::saturated, "Motors at their effort limits."),
              of("stopped", &R::stopped, "Whether `stop` ended the run before its time.")},
          energy_fields<R>()),
      &text_of);
}

}  // namespace lissom::python
