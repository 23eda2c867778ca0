// Quadratic programs.
#include "calls.h"
#include "lissom/qp/solver.h"

LISSOM_ENUM(lissom::qp::Status, "optimal", "elastic", "infeasible", "limit", "invalid")
LISSOM_ENUM(lissom::qp::Part, "equality", "row", "bound")

namespace lissom::python {

using namespace nb::literals;

// A solution that stays as it is: its vectors are its own.
struct QpSolution {
  qp::Status status = qp::Status::invalid;
  std::string reason = {};
  Eigen::VectorXd x = {};
  double objective = 0;
  Eigen::VectorXd equality_multipliers = {}, row_multipliers = {}, bound_multipliers = {};
  std::vector<qp::Conflict> conflicts = {};
  int iterations = 0;
  bool redone = false;
  double stationarity = 0, equality_error = 0, row_error = 0;
};
LISSOM_PYTHON_TYPE(qp::Conflict, "Conflict")

namespace {

auto option_fields() {
  using O = qp::Options;
  return std::tuple{
      Field{"warm", &O::warm, "Start from the rows active in the last optimal solution, if the sizes are the same."},
      Field{"elastic", &O::elastic,
            "Solve the smallest relaxation of infeasible problems; otherwise only report them."},
      Field{"prove", &O::prove,
            "False: problems that the search finds infeasible are reported at once, without the proof and without x of "
            "the smallest violation."},
      Field{"max_iterations", &O::max_iterations,
            "Of the whole solve; 0: ten times the number of rows and variables, plus 100."},
      Field{"stationarity_tolerance", &O::stationarity_tolerance, "Relative."},
      Field{"equality_tolerance", &O::equality_tolerance, "Relative to the norm of the row if that is more than 1."},
      Field{"row_tolerance", &O::row_tolerance, "Relative to the norm of the row if that is more than 1."}};
}

auto name_fields() {
  using N = qp::Names;
  return std::tuple{Field{"equalities", &N::equalities, ""}, Field{"rows", &N::rows, ""},
                    Field{"variables", &N::variables, ""},   Field{"equality_units", &N::equality_units, ""},
                    Field{"row_units", &N::row_units, ""},   Field{"variable_units", &N::variable_units, ""}};
}

// The data of a problem, as arrays that stay alive.
struct Data {
  Matrix H, A, C;
  Eigen::VectorXd g, b, l, u, lx, ux, weight;
  std::vector<int> blocks;
  qp::Problem problem() const {
    return {
        .H = H, .g = g, .A = A, .b = b, .C = C, .l = l, .u = u, .lx = lx, .ux = ux, .weight = weight, .blocks = blocks};
  }
  qp::Sizes sizes() const { return {int(g.size()), int(A.rows()), int(C.rows())}; }
};

// A matrix with n columns; None has no rows. Sparse matrices of SciPy say what they are by toarray().
Matrix dense(const char* name, nb::handle object, long rows, long columns) {
  if (object.is_none()) return Matrix(0, columns);
  if (nb::hasattr(object, "toarray")) return matrix(name, object.attr("toarray")(), rows, columns);
  return matrix(name, object, rows, columns);
}

// n elements; a number stands for all of them, None for `otherwise`.
Eigen::VectorXd bounds(const char* name, nb::handle object, long n, double otherwise) {
  if (object.is_none()) return Eigen::VectorXd::Constant(n, otherwise);
  if (PyFloat_Check(object.ptr()) || PyLong_Check(object.ptr()))
    return Eigen::VectorXd::Constant(n, PyFloat_AsDouble(object.ptr()));
  return vector(name, object, n);
}

void expect_together(const char* name, nb::handle object, const char* of, nb::handle matrix) {
  if (matrix.is_none() && !object.is_none()) throw Error(std::string(name) + " is given without " + of);
}

Data read(nb::handle H, nb::handle g, nb::handle A, nb::handle b, nb::handle C, nb::handle l, nb::handle u,
          nb::handle lx, nb::handle ux, nb::handle weight, nb::handle blocks) {
  Data d;
  d.g = vector("g", g);
  const long n = d.g.size();
  if (H.is_none()) throw Error("H is None, expected a matrix of shape " + shape_text(std::array{n, n}));
  d.H = dense("H", H, n, n);
  d.A = dense("A", A, -1, n);
  expect_together("b", b, "A", A);
  if (b.is_none() && !A.is_none())
    throw Error("b is None, expected the right-hand side of A x = b, " + std::to_string(d.A.rows()) + " elements");
  d.b = b.is_none() ? Eigen::VectorXd() : vector("b", b, d.A.rows());
  d.C = dense("C", C, -1, n);
  expect_together("l", l, "C", C), expect_together("u", u, "C", C), expect_together("weight", weight, "C", C);
  constexpr double infinite = std::numeric_limits<double>::infinity();
  d.l = bounds("l", l, d.C.rows(), -infinite), d.u = bounds("u", u, d.C.rows(), infinite);
  d.lx = bounds("lx", lx, n, -infinite), d.ux = bounds("ux", ux, n, infinite);
  if (!weight.is_none()) d.weight = bounds("weight", weight, d.C.rows(), 0);
  if (!blocks.is_none()) d.blocks = nb::cast<std::vector<int>>(blocks);
  return d;
}

QpSolution copy_of(const qp::Solution& s) {
  return {s.status,
          s.reason,
          s.x,
          s.objective,
          s.equality_multipliers,
          s.row_multipliers,
          s.bound_multipliers,
          s.conflicts,
          s.iterations,
          s.redone,
          s.stationarity,
          s.equality_error,
          s.row_error};
}

// Memory grows with the problems; a new solver starts cold.
class QpSolver {
 public:
  explicit QpSolver(const qp::Sizes& sizes) : sizes_(sizes) {
    if (sizes.variables < 0 || sizes.equalities < 0 || sizes.rows < 0)
      throw Error("a size is negative, expected 0 or more");
    if (sizes.variables > 0) solver_.emplace(sizes);
  }
  QpSolution solve(const Data& data, const qp::Options& options) {
    const auto taken = in_use_.take("Solver");
    const nb::gil_scoped_release release;
    const auto need = data.sizes();
    if (!solver_ || need.variables > sizes_.variables || need.equalities > sizes_.equalities ||
        need.rows > sizes_.rows) {
      sizes_ = {std::max(sizes_.variables, need.variables), std::max(sizes_.equalities, need.equalities),
                std::max(sizes_.rows, need.rows)};
      solver_.emplace(sizes_);
    }
    return copy_of(solver_->solve(data.problem(), options));
  }
  void forget() {
    const auto taken = in_use_.take("Solver");
    if (solver_) solver_->forget();
  }

 private:
  qp::Sizes sizes_;
  std::optional<qp::Solver> solver_;
  InUse in_use_;
};

std::string describe(const QpSolution& self, const qp::Names& names) {
  qp::Solution s;
  s.status = self.status, s.reason = self.reason.c_str(), s.conflicts = self.conflicts;
  return qp::describe(s, names);
}

void bind_records(nb::module_& m) {
  bind_record<qp::Options>(m, "Options", "Options of a solve. Functions also take them as keyword arguments.",
                           option_fields());
  using C = qp::Conflict;
  bind_record<C>(
      m, "Conflict", "A violated constraint.",
      std::tuple{Field{"part", &C::part, "A row of A x = b, a row of l ≤ C x ≤ u, or the bounds of a variable."},
                 Field{"index", &C::index, ""},
                 Field{"amount", &C::amount,
                       "A x - b, or how far C x or x is above (+) its upper or below (-) its lower bound."}});
  using N = qp::Names;
  bind_record<N>(m, "Names",
                 "Names and units of rows and variables, for describe(). Those without a name are numbered.",
                 name_fields());
  using S = QpSolution;
  bind_record<S>(
      m, "Solution",
      "The solution of a problem. The multipliers balance the gradient: H x + g = Aᵀ y + Cᵀ z + zx; z is positive or 0 "
      "where a row is at its lower bound, negative or 0 at its upper bound.",
      std::tuple{Field{"status", &S::status,
                       "'optimal'; 'elastic': infeasible, x has the smallest violation and the minimal objective with "
                       "it; 'infeasible': the same with elastic=False; 'limit' and 'invalid': see reason."},
                 Field{"reason", &S::reason, "Of 'limit' and 'invalid'."}, Field{"x", &S::x, "(variables,)"},
                 Field{"objective", &S::objective, "½ xᵀ H x + gᵀ x, without the cost of soft rows."},
                 Field{"equality_multipliers", &S::equality_multipliers, "y"},
                 Field{"row_multipliers", &S::row_multipliers, "z"},
                 Field{"bound_multipliers", &S::bound_multipliers, "zx"},
                 Field{"conflicts", &S::conflicts, "The violated rows, the largest violation first."},
                 Field{"iterations", &S::iterations, "Rows added to or removed from the active set."},
                 Field{"redone", &S::redone, "A first solution was not accurate enough; this is a second one."},
                 Field{"stationarity", &S::stationarity,
                       "Largest element of H x + g - Aᵀ y - Cᵀ z - zx relative to the largest of its terms."},
                 Field{"equality_error", &S::equality_error, "Largest |A x - b|."},
                 Field{"row_error", &S::row_error, "Largest distance of a hard row, or of x, from its bounds."}})
      .def(
          "describe",
          [](const S& self, nb::handle names, const nb::kwargs& fields) {
            return describe(self, options_of<N>("Names", names, fields, name_fields()));
          },
          "names"_a = nb::none(), "fields"_a,
          nb::sig("def describe(self, names: Names | None = None, **fields: Any) -> str"),
          "Status, reason, and a line for each conflict: \"row 'torque left_knee': 3.2 N m above its upper bound\". "
          "Names are a Names, or its fields by name.")
      .def("__str__", [](const S& self) { return describe(self, {}); });
}

#define PROBLEM_ARGUMENTS                                                                                           \
  "H"_a, "g"_a, "A"_a = nb::none(), "b"_a = nb::none(), "C"_a = nb::none(), "l"_a = nb::none(), "u"_a = nb::none(), \
                "lx"_a = nb::none(), "ux"_a = nb::none(), "weight"_a = nb::none(), "blocks"_a = nb::none(),         \
                "options"_a = nb::none(), "fields"_a
#define PROBLEM_SIGNATURE                                                                                          \
  "H: Any, g: ArrayLike, A: Any = None, b: ArrayLike | None = None, C: Any = None, l: float | ArrayLike | None = " \
  "None, u: float | ArrayLike | None = None, "                                                                     \
  "lx: float | ArrayLike | None = None, ux: float | ArrayLike | None = None, weight: float | ArrayLike | None = "  \
  "None, blocks: Sequence[int] | None = None, "                                                                    \
  "options: Options | None = None, **fields: Any) -> Solution"

}  // namespace

void bind_qp(nb::module_& module) {
  nb::module_ m = module.def_submodule("qp", "Quadratic programs.");
  bind_records(m);
  m.attr("unbounded") = qp::unbounded;
  constexpr const char* doc =
      "Minimizes ½ xᵀ H x + gᵀ x subject to A x = b, l ≤ C x ≤ u, lx ≤ x ≤ ux.\n\n"
      "H, A, C: matrices (n, n), (·, n), (·, n), H symmetric and positive semidefinite; arrays, or sparse matrices of "
      "SciPy, which are made dense. "
      "Bounds are vectors, numbers (for all elements), or None (no bound); those of magnitude 1e20 or more count as "
      "infinite. "
      "weight: a weight w > 0 makes a row of C soft: violating it by s costs ½ w s². blocks: sizes of the diagonal "
      "blocks of H; None: they are detected. "
      "Options (warm, elastic, max_iterations, …) are keyword arguments, or an Options. An infeasible problem raises "
      "nothing: see status.";
  nb::class_<QpSolver>(m, "Solver",
                       "Solves problems that resemble each other: each solve starts from the rows that were active in "
                       "the last solution. Memory is for problems up to the given sizes, and grows.")
      .def(
          "__init__",
          [](QpSolver* self, int variables, int equalities, int rows) {
            new (self) QpSolver({variables, equalities, rows});
          },
          "variables"_a = 0, "equalities"_a = 0, "rows"_a = 0)
      .def(
          "solve",
          [](QpSolver& self, nb::handle H, nb::handle g, nb::handle A, nb::handle b, nb::handle C, nb::handle l,
             nb::handle u, nb::handle lx, nb::handle ux, nb::handle weight, nb::handle blocks, nb::handle options,
             const nb::kwargs& fields) {
            return self.solve(read(H, g, A, b, C, l, u, lx, ux, weight, blocks),
                              options_of<qp::Options>("Options", options, fields, option_fields()));
          },
          PROBLEM_ARGUMENTS, nb::sig("def solve(self, " PROBLEM_SIGNATURE), doc)
      .def("forget", &QpSolver::forget, "Discards the warm start: the next problem is solved from a cold start.");
  m.def(
      "solve",
      [](nb::handle H, nb::handle g, nb::handle A, nb::handle b, nb::handle C, nb::handle l, nb::handle u,
         nb::handle lx, nb::handle ux, nb::handle weight, nb::handle blocks, nb::handle options,
         const nb::kwargs& fields) {
        return QpSolver({}).solve(read(H, g, A, b, C, l, u, lx, ux, weight, blocks),
                                  options_of<qp::Options>("Options", options, fields, option_fields()));
      },
      PROBLEM_ARGUMENTS, nb::sig("def solve(" PROBLEM_SIGNATURE), doc);
}

}  // namespace lissom::python
