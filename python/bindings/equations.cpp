// Equations in closed form.
#include "lissom/equations.h"

#include "arrays.h"
#include "bound_model.h"
#include "sim_types.h"

LISSOM_ENUM(lissom::SymbolKind, "mass", "inertia", "length", "gravity", "coordinate", "velocity")

namespace lissom::python {

using namespace nb::literals;

namespace {

// "H,C", or a list of names; None: an empty list.
std::vector<std::string> words(const char* name, nb::handle object) {
  std::vector<std::string> list;
  if (object.is_none()) return list;
  std::string text;
  if (!PyUnicode_Check(object.ptr())) {
    if (!nb::try_cast(object, list)) throw Error(std::string(name) + " is not a string or a list of strings");
    return list;
  }
  text = nb::cast<std::string>(object);
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find(',', at), text.size());
    list.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return list;
}

Equations make(const BoundModel& model, nb::handle only, nb::handle frame_of, nb::handle symbols, std::size_t max_terms,
               int digits) {
  EquationOptions options{.only = words("only", only), .digits = digits, .max_terms = max_terms};
  if (!frame_of.is_none()) options.frame = model.frames()[std::size_t(frame(model, frame_of).index)].name;
  std::string groups;
  for (const auto& word : words("symbols", symbols)) groups += (groups.empty() ? "" : ",") + word;
  options.symbols = symbol_groups(symbols.is_none() ? "gravity" : groups);
  options.stop = Interruption(nb::none(), true);  // throws on Ctrl-C
  const nb::gil_scoped_release release;
  return equations(model, options);
}

nb::object value(const ClosedForm& form, nb::handle q, nb::handle v, const nb::kwargs& given) {
  std::map<std::string, double> parameters;
  for (const auto [name, number] : given) parameters[nb::cast<std::string>(name)] = nb::cast<double>(number);
  const auto at = vector("q", q);
  const Eigen::VectorXd rates = v.is_none() ? Eigen::VectorXd::Zero(form.nv()).eval() : vector("v", v);
  return to_numpy(form.evaluate(at, rates, parameters));
}

std::pair<int, int> index(const ClosedForm& form, std::pair<int, int> at) {
  return {at.first < 0 ? at.first + form.rows() : at.first, at.second < 0 ? at.second + form.columns() : at.second};
}

void bind_symbol(nb::module_& m) {
  nb::class_<Symbol>(m, "Symbol", "A symbol of equations in closed form.")
      .def_prop_ro("name", &Symbol::text, "'m1', 'q2'")
      .def_prop_ro("latex", &Symbol::latex, "As LaTeX writes it.")
      .def_ro("kind", &Symbol::kind, "'mass', 'inertia', 'length', 'gravity', 'coordinate' or 'velocity'.")
      .def_ro("meaning", &Symbol::meaning, "In words.")
      .def_ro("unit", &Symbol::unit, "SI.")
      .def_prop_ro(
          "index", [](const Symbol& s) { return s.index < 0 ? std::nullopt : std::optional(s.index); },
          "Of a coordinate in q, of a velocity in v; None for a parameter.")
      .def_prop_ro(
          "value", [](const Symbol& s) { return s.index < 0 ? std::optional(s.value) : std::nullopt; },
          "Of a parameter of this robot, in SI units; None for a coordinate or velocity.")
      .def("__repr__", [](const Symbol& s) { return "<Symbol " + s.text() + ": " + s.meaning + ">"; });
}

void bind_form(nb::module_& m) {
  nb::class_<ClosedForm>(m, "ClosedForm", "A matrix whose entries are closed forms. form[i, j] is the text of one.")
      .def_prop_ro("name", &ClosedForm::name, "'H', 'C', …")
      .def_prop_ro("meaning", &ClosedForm::meaning, "In words.")
      .def_prop_ro(
          "shape", [](const ClosedForm& f) { return std::pair(f.rows(), f.columns()); }, "(rows, columns)")
      .def_prop_ro("term_count", &ClosedForm::term_count, "Of all entries; those of a symmetric matrix count once.")
      .def("text", nb::overload_cast<int>(&ClosedForm::text, nb::const_), "width"_a = 100,
           "As a matrix, or entry by entry where lines would be longer than `width`.")
      .def("latex", nb::overload_cast<>(&ClosedForm::latex, nb::const_), "A line of an align environment.")
      .def("__getitem__",
           [](const ClosedForm& f, std::pair<int, int> at) {
             const auto [i, j] = index(f, at);
             return f.text(i, j);
           })
      .def("__call__", &value, "q"_a, "v"_a = nb::none(), "parameters"_a,
           nb::sig("def __call__(self, q: ArrayLike, v: ArrayLike | None = None, **parameters: float) -> "
                   "NDArray[np.float64]"),
           "Its value at a state, (rows, columns), with the parameters of the robot; keywords replace some of them.")
      .def("__str__", [](const ClosedForm& f) { return f.text(); })
      .def("_repr_latex_", [](const ClosedForm& f) { return "\\begin{align*}\n" + f.latex() + "\n\\end{align*}"; })
      .def("__repr__", [](const ClosedForm& f) {
        return "<ClosedForm " + f.name() + ", " + std::to_string(f.rows()) + " × " + std::to_string(f.columns()) + ">";
      });
}

}  // namespace

void bind_equations(nb::module_& m, nb::class_<BoundModel>& model) {
  bind_symbol(m);
  bind_form(m);
  nb::class_<Equations>(m, "Equations",
                        "The equations of a robot in closed form. print() shows them, notebooks typeset them.")
      .def_prop_ro("forms", &Equations::forms, "All of them, in order.")
      .def_prop_ro("symbols", &Equations::symbols, "Coordinates, velocities, and the parameters that appear.")
      .def("__getitem__", [](const Equations& e, const std::string& name) { return e[name]; })
      .def("text", &Equations::text, "width"_a = 100)
      .def("latex", &Equations::latex, "An align* environment; needs the package amsmath.")
      .def("__str__", [](const Equations& e) { return e.text(); })
      .def("_repr_latex_", [](const Equations& e) {
        // (What comes before sets up amsmath, which notebooks do without.)
        const auto text = e.latex();
        return text.substr(text.find("\\begin{align*}"));
      });
  model.def(
      "equations", &make, "only"_a = nb::none(), "frame"_a = nb::none(), "symbols"_a = nb::none(), "max_terms"_a = 1000,
      "digits"_a = 6,
      nb::sig("def equations(self, only: str | Sequence[str] | None = None, frame: str | int | Frame | None = "
              "None, symbols: str | Sequence[str] | None = None, max_terms: int = 1000, digits: int = 6) -> "
              "Equations"),
      "The equations of a small mechanism in closed form.\n\n"
      "only: 'H' (or 'M') mass matrix, 'C' Coriolis and centrifugal forces, 'G' gravity forces, 'T' and 'U' "
      "energies, 'p', 'R' and 'J' position, orientation and Jacobian of `frame`; None: H, C and G, or with a frame "
      "p and J. symbols: what is printed as symbols: 'masses', 'lengths', 'inertias', 'all' or 'none'; gravity is "
      "one unless it is 'none'. max_terms: longer equations are refused, with an estimate. digits: of decimals.");
}

}  // namespace lissom::python
