#include "charts.h"

#include <mutex>
#include <set>

#include "lissom/spatial/rotation_checks.h"
#include "records.h"

namespace lissom::python {

using namespace nb::literals;

namespace {

[[noreturn]] void type_error(const std::string& text) {
  PyErr_SetString(PyExc_TypeError, text.c_str());
  throw nb::python_error();
}

struct PythonChart;
// All charts of Python functions. A function refers to the globals of its module, and these to the chart: to end this
// circle, the functions are forgotten when the interpreter ends. (Only used with the GIL, or this lock.)
std::mutex charts_mutex;
std::set<PythonChart*> python_charts;

// A chart whose ρ and C are Python functions. Its functions may be called without the GIL; exceptions of the Python
// functions pass through as they are.
struct PythonChart : Chart::Impl {
  nb::object rho, C;

  PythonChart(std::string its_name, int its_size, int its_constraints, nb::object r, nb::object c)
      : rho(std::move(r)), C(std::move(c)) {
    name = std::move(its_name), size = its_size, constraints = its_constraints;
    const std::lock_guard lock(charts_mutex);
    python_charts.insert(this);
  }
  ~PythonChart() override {
    {
      const std::lock_guard lock(charts_mutex);
      python_charts.erase(this);
    }
    const nb::gil_scoped_acquire acquire;
    rho.reset();
    C.reset();
  }

  Mat3<double> rotation(const double* theta) const override {
    const auto R = evaluated(theta);
    std::vector<double> off(static_cast<std::size_t>(constraints));
    constraint(theta, off.data());
    const bool on_the_chart = std::ranges::all_of(off, [](double c) { return std::abs(c) < 1e-9; });
    if (on_the_chart && !is_rotation(R)) {
      const nb::gil_scoped_acquire acquire;
      throw Error("rho of chart '" + name + "' returns no rotation matrix for theta = " +
                  short_repr(to_numpy(std::span(theta, std::size_t(size)))) + ", but " + short_repr(to_numpy(R)));
    }
    return R;
  }
  Mat3<Chart::First> rotation(const Chart::First* theta) const override { return evaluated(theta); }
  Mat3<Chart::Second> rotation(const Chart::Second* theta) const override { return evaluated(theta); }
  void constraint(const double* theta, double* out) const override { constrain(theta, out); }
  void constraint(const Chart::First* theta, Chart::First* out) const override { constrain(theta, out); }
  void constraint(const Chart::Second* theta, Chart::Second* out) const override { constrain(theta, out); }
  Chart::Vector coordinates(const Mat3<double>& R) const override { return solve_for_coordinates(*this, R); }

 private:
  // θ as an array: of floats, or of objects, so that expressions on the whole vector work, too.
  template <class T>
  nb::object array_of(const T* theta) const {
    if constexpr (std::is_same_v<T, double>) {
      return to_numpy(std::span(theta, std::size_t(size)));
    } else {
      npy_intp length = size;
      auto array = nb::steal(PyArray_SimpleNew(1, &length, NPY_OBJECT));
      for (int k = 0; k < size; ++k) array[k] = nb::cast(theta[k]);
      return array;
    }
  }
  template <class T>
  T number(nb::handle object, const std::string& where) const {
    if constexpr (!std::is_same_v<T, double>)
      if (nb::isinstance<T>(object)) return nb::cast<T>(object);
    // (Arrays without axes are numbers to NumPy, and hold the dual number inside.)
    if (PyArray_Check(object.ptr()) && nb::cast<int>(object.attr("ndim")) == 0)
      return number<T>(nb::object(object.attr("item")()), where);
    if (!PyFloat_Check(object.ptr()) && !PyIndex_Check(object.ptr()) && !PyArray_IsScalar(object.ptr(), Number))
      type_error(where + " of chart '" + name + "' is " + short_repr(object) + ", expected a number");
    const double x = PyFloat_AsDouble(object.ptr());
    if (PyErr_Occurred()) throw nb::python_error();
    return T(x);
  }
  static nb::list items(nb::handle sequence, std::size_t expected, const std::string& what) {
    if (!PySequence_Check(sequence.ptr()) || PyUnicode_Check(sequence.ptr()))
      type_error(what + ", but " + short_repr(sequence));
    nb::list list(nb::borrow(sequence));
    if (list.size() != expected)
      throw Error(what + ", but has " + std::to_string(list.size()) + " elements where " + std::to_string(expected) +
                  " are expected");
    return list;
  }
  template <class T>
  Mat3<T> evaluated(const T* theta) const {
    const nb::gil_scoped_acquire acquire;
    if (!rho.is_valid()) throw Error("chart '" + name + "' was used while the interpreter ends");
    const nb::object R = rho(array_of(theta));
    const std::string what = "rho of chart '" + name + "' must return a 3 × 3 matrix";
    const nb::list rows = items(R, 3, what);
    std::array<T, 9> e;
    for (std::size_t i = 0; i < 3; ++i) {
      const nb::list row = items(rows[i], 3, what);
      for (std::size_t j = 0; j < 3; ++j)
        e[3 * i + j] = number<T>(row[j], "element (" + std::to_string(i) + ", " + std::to_string(j) + ") of rho");
    }
    return {e[0], e[1], e[2], e[3], e[4], e[5], e[6], e[7], e[8]};
  }
  template <class T>
  void constrain(const T* theta, T* out) const {
    if (constraints == 0) return;
    const nb::gil_scoped_acquire acquire;
    const nb::object value = C(array_of(theta));
    // One constraint may be returned as a number.
    if (constraints == 1 &&
        (!PySequence_Check(value.ptr()) || (PyArray_Check(value.ptr()) && nb::cast<int>(value.attr("ndim")) == 0))) {
      out[0] = number<T>(value, "constraint");
      return;
    }
    const nb::list all =
        items(value, std::size_t(constraints),
              "constraint of chart '" + name + "' must return " + std::to_string(constraints) + " numbers");
    for (int i = 0; i < constraints; ++i)
      out[i] = number<T>(all[std::size_t(i)], "element " + std::to_string(i) + " of constraint");
  }
};

void forget_functions() {
  std::vector<nb::object> functions;  // released after the lock
  const std::lock_guard lock(charts_mutex);
  for (auto* const chart : python_charts) {
    functions.push_back(std::move(chart->rho));
    functions.push_back(std::move(chart->C));
  }
}

Chart python_chart(const std::string& name, int size, nb::object rho, int constraints, nb::object constraint) {
  if (!PyCallable_Check(rho.ptr()))
    type_error("rho of chart '" + name + "' is " + short_repr(rho) + ", expected a function of theta");
  if (constraints > 0 && !PyCallable_Check(constraint.ptr()))
    type_error("constraint of chart '" + name + "' is " + short_repr(constraint) +
               ", expected a function of theta that returns " + std::to_string(constraints) + " numbers");
  if (constraints <= 0 && !constraint.is_none())
    throw Error("constraint of chart '" + name + "' was given, but constraints is " + std::to_string(constraints) +
                ", expected how many numbers it returns");
  const auto built_in = chart_names();
  if (std::ranges::find(built_in, name) != built_in.end())
    throw Error("name is '" + name + "', which is a built-in chart; choose another name");
  // (The library's own function checks the two numbers.)
  custom_chart(
      name, size, [](const auto* theta) { return identity3<std::remove_cvref_t<decltype(*theta)>>(); }, constraints);
  static const bool registered = [] {
    nb::module_::import_("atexit").attr("register")(nb::cpp_function(&forget_functions));
    return true;
  }();
  (void)registered;
  Chart chart(std::make_shared<PythonChart>(name, size, constraints, std::move(rho), std::move(constraint)));
  // What is wrong with the functions is said here rather than at their first use: once with each kind of number.
  Eigen::VectorXd theta(size);
  for (int k = 0; k < size; ++k) theta[k] = 0.1 * (k % 3 + 1);
  chart.rotation(theta);
  chart.rate_map_rate(theta, theta);
  chart.constraint_bias(theta, theta);
  return chart;
}

#define THETA "theta: coordinates, (size,). "
#define FRAME "frame: the axes of the angular velocity, 'world_axes' or 'body_axes'."

void bind_values(nb::class_<Chart>& c) {
  c.def_prop_ro("name", &Chart::name).def_prop_ro("size", &Chart::size, "Number of coordinates θ.");
  c.def_prop_ro("constraints", &Chart::constraints, "Number of constraints between them.");
  c.def(
      "check",
      [](const Chart& self, nb::handle theta, double tolerance) { self.check(vector("theta", theta), tolerance); },
      "theta"_a, "tolerance"_a = 1e-6, nb::sig("def check(self, theta: ArrayLike, tolerance: float = 1e-06) -> None"),
      "Raises an Error if theta has the wrong size, is not finite, or violates the constraints by more than "
      "`tolerance`.");
  c.def(
      "rotation", [](const Chart& self, nb::handle theta) { return self.rotation(vector("theta", theta)); }, "theta"_a,
      nb::sig("def rotation(self, theta: ArrayLike) -> NDArray[np.float64]"),
      "The rotation matrix ρ(θ), 3 × 3. The constraints are not checked here: see check(). " THETA);
  c.def(
      "coordinates", [](const Chart& self, nb::handle R) { return to_numpy(self.coordinates(mat3("R", R))); }, "R"_a,
      nb::sig("def coordinates(self, R: ArrayLike) -> NDArray[np.float64]"),
      "Coordinates of a rotation matrix, (size,). If several give the same R, built-in charts return the smallest "
      "rotation angle, or Euler angles within ±π.");
  c.def(
      "away_from_singularity",
      [](const Chart& self, nb::handle theta) {
        return to_numpy(self.away_from_singularity(vector("theta", theta, self.size())));
      },
      "theta"_a, nb::sig("def away_from_singularity(self, theta: ArrayLike) -> NDArray[np.float64]"),
      "Coordinates of the same rotation, farther from the chart's singularity: a rotation vector longer than π is "
      "replaced by the equivalent shorter one.");
  c.def(
      "constraint",
      [](const Chart& self, nb::handle theta) { return to_numpy(self.constraint(vector("theta", theta))); }, "theta"_a,
      nb::sig("def constraint(self, theta: ArrayLike) -> NDArray[np.float64]"), "C(θ), (constraints,). " THETA);
  c.def(
      "constraint_jacobian",
      [](const Chart& self, nb::handle theta) { return to_numpy(self.constraint_jacobian(vector("theta", theta))); },
      "theta"_a, nb::sig("def constraint_jacobian(self, theta: ArrayLike) -> NDArray[np.float64]"),
      "∂C/∂θ, (constraints, size). " THETA);
  c.def(
      "constraint_bias",
      [](const Chart& self, nb::handle theta, nb::handle rate) {
        return to_numpy(self.constraint_bias(vector("theta", theta), vector("theta_rate", rate)));
      },
      "theta"_a, "theta_rate"_a,
      nb::sig("def constraint_bias(self, theta: ArrayLike, theta_rate: ArrayLike) -> NDArray[np.float64]"),
      "The bias in C̈ = ∂C/∂θ θ̈ + bias, (constraints,). " THETA);
  c.def(
      "inverse_condition",
      [](const Chart& self, nb::handle theta) { return self.inverse_condition(vector("theta", theta)); }, "theta"_a,
      nb::sig("def inverse_condition(self, theta: ArrayLike) -> float"),
      "Smallest over largest singular value of (J; ∂C/∂θ): 1 is well conditioned; 0 is singular, and then no θ̇ gives "
      "some angular velocities. " THETA);
}

void bind_rates(nb::class_<Chart>& c) {
  c.def(
      "rate_map",
      [](const Chart& self, nb::handle theta, ExpressedIn frame) {
        return to_numpy(self.rate_map(vector("theta", theta), frame));
      },
      "theta"_a, "frame"_a = ExpressedIn::world_axes,
      nb::sig("def rate_map(self, theta: ArrayLike, frame: Literal['world_axes', 'body_axes'] = 'world_axes') -> "
              "NDArray[np.float64]"),
      "J with ω = J θ̇, (3, size). " THETA FRAME);
  c.def(
      "rate_map_rate",
      [](const Chart& self, nb::handle theta, nb::handle rate, ExpressedIn frame) {
        return to_numpy(self.rate_map_rate(vector("theta", theta), vector("theta_rate", rate), frame));
      },
      "theta"_a, "theta_rate"_a, "frame"_a = ExpressedIn::world_axes,
      nb::sig("def rate_map_rate(self, theta: ArrayLike, theta_rate: ArrayLike, frame: Literal['world_axes', "
              "'body_axes'] = 'world_axes') -> NDArray[np.float64]"),
      "The time derivative of J, (3, size). " THETA FRAME);
  c.def(
      "rates",
      [](const Chart& self, nb::handle theta, nb::handle omega, ExpressedIn frame) {
        return to_numpy(self.rates(vector("theta", theta), vec3("omega", omega), frame));
      },
      "theta"_a, "omega"_a, "frame"_a = ExpressedIn::world_axes,
      nb::sig("def rates(self, theta: ArrayLike, omega: ArrayLike, frame: Literal['world_axes', 'body_axes'] = "
              "'world_axes') -> NDArray[np.float64]"),
      "The θ̇, (size,), with J θ̇ = ω that satisfies the constraints. Inaccurate if inverse_condition() is near 0. " THETA
      "omega: rad/s, (3,). " FRAME);
  c.def(
      "angular_velocity",
      [](const Chart& self, nb::handle theta, nb::handle rate, ExpressedIn frame) {
        return self.angular_velocity(vector("theta", theta), vector("theta_rate", rate), frame);
      },
      "theta"_a, "theta_rate"_a, "frame"_a = ExpressedIn::world_axes,
      nb::sig("def angular_velocity(self, theta: ArrayLike, theta_rate: ArrayLike, frame: Literal['world_axes', "
              "'body_axes'] = 'world_axes') -> NDArray[np.float64]"),
      "ω = J θ̇, rad/s, (3,). " THETA FRAME);
}

}  // namespace

Chart chart_of(const char* argument, nb::handle object) {
  if (nb::isinstance<Chart>(object)) return nb::cast<Chart>(object);
  if (PyUnicode_Check(object.ptr())) return chart(nb::cast<std::string>(object));
  type_error(std::string(argument) + " is " + short_repr(object) + ", expected the name of a chart, or a Chart");
}

void bind_charts(nb::module_& m) {
  nb::class_<Chart> c(
      m, "Chart",
      "Coordinates θ of a rotation R = ρ(θ) with, if there are more than three, constraints C(θ) = 0 between them. "
      "chart() gives the built-in ones, custom_chart() makes one from your own functions.");
  bind_values(c);
  bind_rates(c);
  c.def("__repr__", [](const Chart& self) {
    return "Chart('" + self.name() + "', size=" + std::to_string(self.size()) +
           ", constraints=" + std::to_string(self.constraints()) + ")";
  });
  c.def("__getstate__", [](const Chart& self) {
    const auto names = chart_names();
    if (std::ranges::find(names, self.name()) == names.end())
      throw Error("chart '" + self.name() +
                  "' is made of Python functions, which are not pickled; only built-in charts are");
    return self.name();
  });
  c.def("__setstate__", [](Chart& self, const std::string& name) { new (&self) Chart(chart(name)); });
  m.def(
      "chart", [](const std::string& name) { return chart(name); }, "name"_a,
      "The built-in chart of this name: 'quaternion', 'exponential', 'roll-pitch-yaw', 'euler-zyx', …; see "
      "chart_names().");
  m.def("chart_names", &chart_names, "The names of all built-in charts.");
  m.def("custom_chart", &python_chart, "name"_a, "size"_a, "rho"_a, "constraints"_a = 0, "constraint"_a = nb::none(),
        nb::sig("def custom_chart(name: str, size: int, rho: Callable[[NDArray[Any]], Any], constraints: int = 0, "
                "constraint: Callable[[NDArray[Any]], Any] | None = None) -> Chart"),
        "A chart of your own, from ρ and its constraint alone; derivatives are computed by dual numbers.\n\n"
        "name: for messages. size: number of coordinates.\n"
        "rho: takes theta, an array of `size` numbers (floats, or dual numbers as objects), and returns the rotation "
        "matrix: 3 × 3 nested lists or an array. "
        "It uses + - * / ** and NumPy's functions (np.sin, not math.sin), and no float(…).\n"
        "constraints, constraint: their number, and a function of theta that returns them; a chart of n coordinates "
        "has n - 3 or more.");
}

}  // namespace lissom::python
