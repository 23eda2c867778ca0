#pragma once
// The energy of runs: the same attributes in the reports of all of them.
#include "lissom/world/energy_audit.h"
#include "results.h"

namespace lissom::python {

LISSOM_PYTHON_TYPE(Work, "Work")

/// The fields of EnergyFigures, of a report that is derived from it.
template <class R>
auto energy_fields() {
  const auto of = [](const char* name, auto member, const char* doc) {
    return Field<R, std::remove_cvref_t<decltype(std::declval<R>().*member)>>{name, member, doc};
  };
  return std::tuple{
      of("energy_before", &R::energy_before, "Kinetic and potential, J."),
      of("energy_after", &R::energy_after, "J"),
      of("min_energy", &R::min_energy, "J"),
      of("max_energy", &R::max_energy, "J"),
      of("work", &R::work, "Of everything that acts, J."),
      of("unexplained_energy", &R::unexplained_energy,
         "energy_after - energy_before - work.sum(): the error of the integrator, J."),
      of("appeared_energy", &R::appeared_energy,
         "The largest rise, between two readings, of the unexplained energy, of the work of closed loops and of what "
         "can only take energy but gave some, J: energy from nowhere."),
      of("appeared_from", &R::appeared_from, "The time of the first of these readings, s."),
      of("appeared_until", &R::appeared_until, "The time of the second one, s."),
      of("energy_from_nowhere", &R::energy_from_nowhere,
         "Whether more appeared than the method may leave: one of the warnings says so, and the motion is not to be "
         "trusted."),
      of("warnings", &R::warnings, "What casts doubt on the run.")};
}

/// The class Work.
void bind_work(nb::module_& m);
/// "motors 1.5 J, friction -0.3 J, unexplained 1e-09 J": without those that did none.
std::string work_text(const EnergyFigures& figures);

}  // namespace lissom::python
