// verify(): all formulations at the same random states.
#include "lissom/formulations/verify.h"

#include <chrono>

#include "formulations.h"
#include "html.h"

namespace lissom::python {

using namespace nb::literals;
using namespace formulations;

namespace {

// Between states and formulations: Ctrl-C raises KeyboardInterrupt, `stop` may end it. After each state `progress`
// hears how many are done.
VerifyReport run(const BoundModel& model, const std::map<std::string, std::string>& charts, const std::string& chart,
                 int states, std::uint64_t seed, double min_inverse_condition, nb::handle stop, nb::handle progress) {
  VerifyOptions options{
      .charts = charts, .chart = chart, .states = states, .seed = seed, .min_inverse_condition = min_inverse_condition};
  int told = -1;
  options.stop = [&](int done) {
    const nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!progress.is_none() && done != told) progress(told = done);
    if (stop.is_none()) return false;
    const nb::object answer = stop(done);
    const int truth = PyObject_IsTrue(answer.ptr());
    if (truth < 0) throw nb::python_error();
    return truth != 0;
  };
  return without_gil([&] { return verify(model, options); });
}

VerifyReport verify_model(const BoundModel& model, nb::handle charts, const std::string& chart, int states,
                          std::uint64_t seed, double min_inverse_condition, nb::handle stop, nb::handle progress) {
  std::map<std::string, std::string> by_joint;
  for (const auto [joint, name] : mapping("charts", charts, "{joint: name of a built-in chart}")) {
    if (!PyUnicode_Check(joint.ptr()) || !PyUnicode_Check(name.ptr())) {
      PyErr_Format(PyExc_TypeError, "charts has %R: %R, expected {joint: name of a built-in chart}", joint.ptr(),
                   name.ptr());
      throw nb::python_error();
    }
    by_joint[nb::cast<std::string>(joint)] = nb::cast<std::string>(name);
  }
  return run(model, by_joint, chart, states, seed, min_inverse_condition, stop, progress);
}

std::string short_number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", x);
  return text;
}

std::string text(const Comparison& c) {
  std::string s = c.quantity + ": " + std::to_string(c.formulations.size()) +
                  " formulations, largest relative disagreement " + short_number(c.max_disagreement);
  if (!c.first.empty())
    s += " between " + c.first + " and " + c.second + (c.joint.empty() ? "" : ", at " + c.joint) + ", seed " +
         std::to_string(c.seed);
  return s;
}
std::string text(const VerifyReport& r) {
  std::string s = "VerifyReport: " + std::to_string(r.compared) + " of " + std::to_string(r.states) +
                  " states compared, largest relative disagreement " + short_number(r.max_disagreement());
  for (const auto& c : r.comparisons) s += "\n  " + text(c);
  for (const auto& remark : r.remarks) s += "\n  remark: " + remark;
  return s;
}

nb::object disagreement(const Comparison& c) {
  const long n = long(c.formulations.size());
  return to_numpy(c.disagreement.data(), std::array{n, n});
}

}  // namespace

void bind_verify(nb::module_& m) {
  nb::class_<Comparison>(m, "Comparison", "One quantity, computed by several formulations.")
      .def_ro("quantity", &Comparison::quantity, "'accelerations', 'joint forces', 'mass matrix'.")
      .def_ro("formulations", &Comparison::formulations)
      .def_prop_ro("disagreement", &disagreement, nb::sig("def disagreement(self) -> NDArray[np.float64]"),
                   "The largest relative disagreement of each pair, (formulations, formulations).")
      .def_ro("max_disagreement", &Comparison::max_disagreement)
      .def_ro("first", &Comparison::first, "One of the two formulations that disagree most.")
      .def_ro("second", &Comparison::second, "The other.")
      .def_ro("seed", &Comparison::seed, "verify() with this seed and one state reproduces it.")
      .def_ro("joint", &Comparison::joint, "The joint at which they disagree most.")
      .def("__repr__", [](const Comparison& c) { return "Comparison(" + text(c) + ")"; });
  nb::class_<VerifyReport>(m, "VerifyReport", "What verify() found.")
      .def_prop_ro(
          "comparisons", [](const VerifyReport& r) { return r.comparisons; },
          nb::sig("def comparisons(self) -> list[Comparison]"), "One for each quantity.")
      .def_ro("states", &VerifyReport::states, "Number of states.")
      .def_ro("compared", &VerifyReport::compared, "Number of states that were compared.")
      .def_ro("remarks", &VerifyReport::remarks, "What was left out, and why.")
      .def_prop_ro("max_disagreement", &VerifyReport::max_disagreement, "Over all comparisons.")
      .def("__repr__", [](const VerifyReport& r) { return text(r); })
      .def("_repr_html_", &verify_html, "A table of the comparisons, for notebooks.");
  m.def("verify", &verify_model, "model"_a, nb::kw_only(), "charts"_a = nb::none(), "chart"_a = VerifyOptions{}.chart,
        "states"_a = VerifyOptions{}.states, "seed"_a = VerifyOptions{}.seed,
        "min_inverse_condition"_a = VerifyOptions{}.min_inverse_condition, "stop"_a = nb::none(),
        "progress"_a = nb::none(),
        nb::sig("def verify(model: Model, *, charts: Mapping[str, str] | None = None, chart: str = 'quaternion', "
                "states: int = 20, seed: int = 1, min_inverse_condition: float = 0.001, stop: Callable[[int], bool] | "
                "None = None, progress: Callable[[int], Any] | None = None) -> VerifyReport"),
        "Evaluates all formulations of the equations of motion at the same random states, and reports how far any two "
        "of them disagree, and where.\n\n"
        "charts: of free and spherical joints, {joint: name}; `chart` for the others.\n"
        "min_inverse_condition: states at which a chart is nearer to its singularity are not compared; a remark says "
        "so.\n"
        "stop: asked before each state, and in between, with the number of states done; if true, the report is about "
        "those.\n"
        "progress: told that number whenever it changes.");
}

void bind_formulations(nb::module_& m) {
  nb::module_ f = m.def_submodule(
      "formulations",
      "The classical formulations of the equations of motion, which verify each other and the fast algorithms.");
  bind_mechanism(f);
  bind_charted(f);
  bind_equations(f);
  bind_conversions(f);
  bind_blocks(f);
  bind_conventions(f);
  bind_verify(f);
  m.attr("verify") = f.attr("verify");
}

}  // namespace lissom::python
