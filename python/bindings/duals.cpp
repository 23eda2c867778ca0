// Dual numbers as numbers of Python: what a chart that is a Python function computes with.
#include "charts.h"
#include "dual_functions.h"

namespace lissom::python {

using namespace nb::literals;

namespace {

template <class D>
void bind_arithmetic(nb::class_<D>& c) {
  c.def("__add__", [](const D& a, const D& b) { return a + b; }, nb::is_operator());
  c.def("__add__", [](const D& a, double b) { return a + D(b); }, nb::is_operator());
  c.def("__radd__", [](const D& a, double b) { return D(b) + a; }, nb::is_operator());
  c.def("__sub__", [](const D& a, const D& b) { return a - b; }, nb::is_operator());
  c.def("__sub__", [](const D& a, double b) { return a - D(b); }, nb::is_operator());
  c.def("__rsub__", [](const D& a, double b) { return D(b) - a; }, nb::is_operator());
  c.def("__mul__", [](const D& a, const D& b) { return a * b; }, nb::is_operator());
  c.def("__mul__", [](const D& a, double b) { return a * D(b); }, nb::is_operator());
  c.def("__rmul__", [](const D& a, double b) { return D(b) * a; }, nb::is_operator());
  c.def("__truediv__", [](const D& a, const D& b) { return a / b; }, nb::is_operator());
  c.def("__truediv__", [](const D& a, double b) { return a / D(b); }, nb::is_operator());
  c.def("__rtruediv__", [](const D& a, double b) { return D(b) / a; }, nb::is_operator());
  c.def("__pow__", [](const D& a, const D& n) { return power(a, n); }, nb::is_operator());
  c.def("__pow__", [](const D& a, double n) { return power(a, n); }, nb::is_operator());
  c.def("__rpow__", [](const D& n, double a) { return power(D(a), n); }, nb::is_operator());
  c.def("__neg__", [](const D& a) { return -a; });
  c.def("__pos__", [](const D& a) { return a; });
  c.def("__abs__", [](const D& a) { return value_of_dual(a) < 0 ? -a : a; });
}

// By their values, so that a chart may branch.
template <class D>
void bind_comparisons(nb::class_<D>& c) {
#define LISSOM_COMPARISON(name, op)                                                                            \
  c.def(name, [](const D& a, const D& b) { return value_of_dual(a) op value_of_dual(b); }, nb::is_operator()); \
  c.def(name, [](const D& a, double b) { return value_of_dual(a) op b; }, nb::is_operator());
  LISSOM_COMPARISON("__lt__", <)
  LISSOM_COMPARISON("__le__", <=)
  LISSOM_COMPARISON("__gt__", >)
  LISSOM_COMPARISON("__ge__", >=)
  LISSOM_COMPARISON("__eq__", ==)
  LISSOM_COMPARISON("__ne__", !=)
#undef LISSOM_COMPARISON
  c.def("__hash__", [](const D& a) { return nb::hash(nb::float_(value_of_dual(a))); });
  c.def("__bool__", [](const D& a) { return value_of_dual(a) != 0; });
}

// Under the names by which NumPy's functions find them.
template <class D>
void bind_functions(nb::class_<D>& c) {
  c.def("sin", [](const D& x) { return sine(x); }).def("cos", [](const D& x) { return cosine(x); });
  c.def("tan", [](const D& x) { return tangent(x); }).def("sqrt", [](const D& x) { return square_root(x); });
  c.def("exp", [](const D& x) { return exponential(x); }).def("log", [](const D& x) { return logarithm(x); });
  c.def("arcsin", [](const D& x) { return arc_sine(x); }).def("arccos", [](const D& x) { return arc_cosine(x); });
  c.def("arctan", [](const D& x) { return arc_tangent(x); });
  c.def("arctan2", [](const D& y, const D& x) { return arc_tangent2(y, x); }, "x"_a);
  c.def("arctan2", [](const D& y, double x) { return arc_tangent2(y, D(x)); }, "x"_a);
  c.def("hypot", [](const D& x, const D& y) { return square_root(x * x + y * y); }, "y"_a);
  c.def("hypot", [](const D& x, double y) { return square_root(x * x + D(y * y)); }, "y"_a);
  c.def("sinh", [](const D& x) { return hyperbolic_sine(x); });
  c.def("cosh", [](const D& x) { return hyperbolic_cosine(x); });
  c.def("tanh", [](const D& x) { return hyperbolic_tangent(x); });
  c.def("conjugate", [](const D& x) { return x; });
  // math.sin(x) asks for a float, which would silently lose the derivative.
  c.def("__float__", [](const D&) -> double {
    PyErr_SetString(
        PyExc_TypeError,
        "a dual number is no float, because a float has no derivative; use NumPy's functions (np.sin, np.sqrt) "
        "instead of those of math, and no float(…)");
    throw nb::python_error();
  });
}

template <class T>
void bind_dual(nb::module_& m, const char* name, const char* doc) {
  using D = Dual<T>;
  nb::class_<D> c(m, name, doc);
  c.def(nb::init<T, T>(), "value"_a, "slope"_a = T(0.0));
  c.def_ro("value", &D::value, "The value.").def_ro("slope", &D::slope, "The derivative in one direction.");
  bind_arithmetic(c);
  bind_comparisons(c);
  bind_functions(c);
  c.def("__repr__", [name](nb::handle self) {
    return std::string(name) + "(" + nb::cast<std::string>(nb::repr(self.attr("value"))) + ", " +
           nb::cast<std::string>(nb::repr(self.attr("slope"))) + ")";
  });
  c.def("__getstate__", [](const D& self) { return std::pair(self.value, self.slope); });
  c.def("__setstate__", [](D& self, const std::pair<T, T>& state) { new (&self) D(state.first, state.second); });
}

}  // namespace

void bind_duals(nb::module_& m) {
  bind_dual<double>(
      m, "Dual",
      "A dual number value + slope · ε, ε² = 0: a function of it gives its value and, exactly, its derivative in one "
      "direction. It mixes with floats; NumPy's sin, cos, tan, sqrt, exp, log, arcsin, arccos, arctan, arctan2, "
      "hypot, sinh, cosh and tanh take it, alone or in object arrays.");
  bind_dual<Dual<double>>(m, "Dual2",
                          "A dual number whose value and slope are dual numbers (Dual), for second derivatives.");
}

}  // namespace lissom::python
