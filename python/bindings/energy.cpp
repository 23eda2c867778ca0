#include "energy.h"

namespace lissom::python {

void bind_work(nb::module_& m) {
  using W = Work;
  bind_result<W>(
      m, "Work",
      "Work in J, or power in W, of everything that changes the energy of a system besides gravity and springs.",
      std::tuple{
          Field{"motors", &W::motors, "Of motors: tau and servos."},
          Field{"damping", &W::damping, "Of dampers and dry friction."},
          Field{"pushes", &W::pushes, "Of pushes, and other forces from outside."},
          Field{"forces", &W::forces, "Of force laws."},
          Field{"loops", &W::loops,
                "Of closed loops: constraint forces, and the projection onto closed states; ideally 0."},
          Field{"limits", &W::limits, "Of joint limits, which only take energy."},
          Field{"friction", &W::friction,
                "Of contacts along their tangents, and of torsional and rolling friction: only takes energy."},
          Field{"impacts", &W::impacts, "Of contacts along their normals, and of what strikes: only take energy."},
          Field{"overlaps", &W::overlaps, "Of displacements that remove deep overlaps."}})
      .def("sum", &W::sum);
}

std::string work_text(const EnergyFigures& figures) {
  const auto number = [](double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", x);
    return std::string(text);
  };
  std::string text;
  for (std::size_t i = 0; i < std::size(Work::members); ++i)
    if (const double joules = figures.work.*Work::members[i]; joules != 0)
      text += std::string(Work::names[i]) + " " + number(joules) + " J, ";
  return text + "unexplained " + number(figures.unexplained_energy) + " J";
}

}  // namespace lissom::python
