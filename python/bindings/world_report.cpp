// The report of a run of a world.
#include "lissom/model/text.h"
#include "scene_runs.h"

namespace lissom::python {

namespace {

std::string text_of(const WorldReport& r) {
  const auto number = [](double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", x);
    return std::string(text);
  };
  std::string text = "WorldReport(" + number(r.seconds) + " s in " + std::to_string(r.steps) + " steps, computed in " +
                     number(r.wall_seconds) + " s" + (r.stopped ? ", stopped" : "");
  text += "\n  energy " + number(r.energy_before) + " J → " + number(r.energy_after) + " J";
  if (r.work.sum() != 0) text += "\n  work " + work_text(r);
  text += "\n  contacts " + std::to_string(r.contacts) + " at the end, at most " + std::to_string(r.max_contacts) +
          "; steps with impacts " + std::to_string(r.impacts);
  text +=
      "\n  residual at most " + number(r.max_residual) + " m/s; steps not converged " + std::to_string(r.not_converged);
  text += "\n  overlap at most " + number(r.max_overlap) + " m";
  if (!r.slips.empty())
    text += "\n  " + r.slips[0].a + " slid on " + r.slips[0].b + " by " + number(r.slips[0].distance) + " m" +
            (r.slips.size() > 1 ? ", and others" : "");
  for (const auto& warning : r.warnings) text += "\n  warning: " + warning;
  return text + ")";
}

}  // namespace

void bind_world_report(nb::module_& m) {
  using S = scenes::Report::Slip;
  bind_result<S>(
      m, "Slip", "How two parts of a world have slid on each other, where there is friction between them.",
      std::tuple{Field{"a", &S::a, "Name of a part, or of a link ('robot/link')."}, Field{"b", &S::b, "The other."},
                 Field{"distance", &S::distance, "m"}, Field{"max_speed", &S::max_speed, "m/s"}});
  using R = WorldReport;
  const auto of = [](const char* name, auto member, const char* doc) {
    return Field<R, std::remove_cvref_t<decltype(std::declval<R>().*member)>>{name, member, doc};
  };
  bind_result<R>(
      m, "WorldReport", "What happened in a run of a world: energy, momentum, contacts, warnings.",
      std::tuple_cat(
          std::tuple{of("seconds", &R::seconds, "Simulated time, s."),
                     of("wall_seconds", &R::wall_seconds, "Time of the computation, s."),
                     of("steps", &R::steps, "Of the world."),
                     of("momentum_before", &R::momentum_at_begin,
                        "Linear, then angular about the world's origin, (6,), kg m/s and kg m²/s."),
                     of("momentum_after", &R::momentum_at_end, "The same at the end."),
                     of("contacts", &R::contacts, "At the end."), of("max_contacts", &R::max_contacts, "In any step."),
                     of("impacts", &R::impacts, "Steps with an impact."),
                     of("max_residual", &R::max_residual, "Largest violation of the contact laws, m/s."),
                     of("max_residual_time", &R::max_residual_time, "s"),
                     of("not_converged", &R::not_converged, "Steps."),
                     of("worst_row", &R::worst_row, "Of the one of these steps with the largest residual."),
                     of("worst_row_time", &R::worst_row_time, "When that was, s."),
                     of("max_overlap", &R::max_overlap, "Of parts that press on each other, m."),
                     of("overlap_a", &R::overlap_a, "One of these parts."),
                     of("overlap_b", &R::overlap_b, "The other."), of("slips", &R::slips, "The longest first."),
                     of("stopped", &R::stopped, "Whether `stop` ended the run before its time.")},
          energy_fields<R>()),
      &text_of);
}

}  // namespace lissom::python
