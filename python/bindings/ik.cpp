// Inverse kinematics of positions, one robot at a time: targets, options, results, Solver.
#include "ik.h"

#include "lissom/api/state.h"
#include "lissom/ik/closed_loops.h"

namespace lissom::python {

using namespace nb::literals;

Vec3<double> weights(const char* name, nb::handle object) {
  if (!PyFloat_Check(object.ptr()) && !PyLong_Check(object.ptr())) return vec3(name, object);
  const double w = PyFloat_AsDouble(object.ptr());
  return {w, w, w};
}

Eigen::VectorXd start_of(const Model& model, nb::handle q0) {
  return q0.is_none() ? neutral(model) : vector("q0", q0, model.nq());
}

ik::Target to_target(const Model& model, const BoundTarget& t) {
  const bool of_all = t.kind == ik::TargetKind::center_of_mass;
  return {.kind = t.kind,
          .of = of_all ? world_frame : frame_of(model, t.of),
          .pose = t.pose,
          .in = frame_of(model, t.in),
          .point = t.point,
          .axis = t.axis,
          .linear_weight = t.linear_weight,
          .angular_weight = t.angular_weight};
}

namespace {

auto option_fields() {
  using O = ik::Options;
  return std::tuple{
      Field{"tolerance", &O::tolerance,
            "How closely a target has to be met: a Tolerance, or one number for meters and radians."},
      Field{"starts", &O::starts, "At most; the first is the given configuration, the others are random."},
      Field{"iterations", &O::iterations, "Of each start, at most."},
      Field{"seed", &O::seed, "The same seed gives the same result."},
      Field{"prefer", &O::prefer,
            "'first': the first solution found; 'nearest' (to posture) and 'central' (farthest from limits) try all "
            "starts."},
      Field{"posture", &O::posture, "For prefer='nearest', (nq,); empty: the given configuration."},
      Field{"stop", &O::stop,
            "stop(starts) is asked before each further start; if it returns True, the search ends with what it has "
            "found."}};
}

struct BoundExtraRows {
  int count = 0;
  double tolerance = 1e-6;
  nb::object evaluate = nb::none();
  bool loops = false;  // the closed loops of the model, instead of `evaluate`

  // (Each solver gets its own: closed loops have buffers.)
  ik::ExtraRows make(const Model& model) const {
    if (loops) return ik::closed_loops(model, closures(model), tolerance);
    const auto rows = [f = function(evaluate), n = count](const Model& m, Workspace&, const VectorIn& q,
                                                          Eigen::Ref<Eigen::VectorXd> residual,
                                                          Eigen::Ref<Matrix> jacobian) {
      const nb::gil_scoped_acquire acquire;
      const nb::object result = (*f)(to_numpy(q));
      if (!nb::isinstance<nb::tuple>(result) || nb::len(result) != 2) {
        PyErr_Format(PyExc_TypeError, "evaluate(q) of ExtraRows returned a %s, expected a tuple (residual, jacobian)",
                     type_of(result).c_str());
        throw nb::python_error();
      }
      residual = vector("residual of evaluate(q)", nb::object(result[0]), n);
      jacobian = matrix("jacobian of evaluate(q)", nb::object(result[1]), n, m.nv());
      if (!residual.allFinite() || !jacobian.allFinite())
        throw Error("evaluate(q) of ExtraRows returned NaN or an infinite number");
    };
    return {.count = count, .evaluate = rows, .tolerance = tolerance};
  }
};

struct IkSolver {
  Model model;
  ik::Solver solver;
  InUse in_use;
  IkSolver(const Model& m, std::vector<ik::Target> targets, ik::ExtraRows extra,
           const std::vector<std::string>& locked = {})
      : model(m), solver(m, std::move(targets), std::move(extra), locked) {}
};

std::vector<ik::Target> targets_of(const Model& model, nb::handle targets) {
  std::vector<ik::Target> all;
  for (const auto& t : list_of<BoundTarget>("targets", targets, "Target")) all.push_back(to_target(model, t));
  return all;
}

void make_solver(IkSolver* self, const BoundModel& model, nb::handle targets, const BoundExtraRows* extra,
                 const std::vector<std::string>& locked) {
  new (self) IkSolver(model, targets_of(model, targets), extra ? extra->make(model) : ik::ExtraRows{}, locked);
}

// Calls f(from, options) without the GIL, with `stop` watching for Ctrl-C as well.
template <class F>
auto search(IkSolver& self, nb::handle q0, nb::handle options, const nb::kwargs& by_name, const F& f) {
  const auto taken = self.in_use.take("Solver");
  auto o = ik_options(options, by_name);
  const Eigen::VectorXd from = start_of(self.model, q0);
  SignalWatch watch;
  o.stop = [&watch, user = std::move(o.stop)](int starts) {
    watch.check();
    return user && user(starts);
  };
  const nb::gil_scoped_release release;
  return f(from, o);
}

ik::Result solve(IkSolver& self, nb::handle q0, nb::handle options, const nb::kwargs& by_name) {
  return search(self, q0, options, by_name,
                [&](const auto& from, const auto& o) -> ik::Result { return self.solver.solve(from, o); });
}
std::vector<ik::Result> solve_all(IkSolver& self, nb::handle q0, nb::handle options, const nb::kwargs& by_name) {
  return search(self, q0, options, by_name,
                [&](const auto& from, const auto& o) { return self.solver.solve_all(from, o); });
}

void expect_target(const IkSolver& self, long target) {
  const auto n = long(self.solver.targets().size());
  if (target < 0 || target >= n)
    throw Error("target is " + std::to_string(target) + ", expected 0 to " + std::to_string(n - 1));
}

void bind_records(nb::module_& m) {
  bind_record<ik::Tolerance>(
      m, "Tolerance", "How closely a target has to be met.",
      std::tuple{Field{"position", &ik::Tolerance::position, "m"}, Field{"angle", &ik::Tolerance::angle, "rad"}});
  bind_record<ik::Residual>(
      m, "Residual", "The remaining error of a target, unweighted, over the axes that are not left free.",
      std::tuple{Field{"distance", &ik::Residual::distance, "m"}, Field{"angle", &ik::Residual::angle, "rad"}});
  bind_record<ik::Options>(m, "Options", "Options of a search. Functions also take them as keyword arguments.",
                           option_fields());
  using R = ik::Result;
  bind_record<R>(
      m, "Result", "The result of a search.",
      std::tuple{Field{"status", &R::status,
                       "'solved': every target is met within its tolerance; 'closest': no start met them, q is the "
                       "best minimum that was found; 'stopped': the same, before a minimum was reached."},
                 Field{"q", &R::q, "The configuration, (nq,), always within the joint limits."},
                 Field{"residuals", &R::residuals, "Of each target."},
                 Field{"extra_residual", &R::extra_residual, "Norm of the residuals of the extra rows."},
                 Field{"error", &R::error, "The minimized cost: the root of the weighted sum of squares."},
                 Field{"iterations", &R::iterations, "Of all starts together."},
                 Field{"starts", &R::starts, "That were tried."}});
}

BoundTarget made(ik::TargetKind kind, nb::handle of, nb::handle in) {
  BoundTarget t;
  t.kind = kind;
  if (!of.is_none()) t.of = frame_name("of", of);
  t.in = frame_name("in_", in);
  return t;
}

void bind_directed_targets(nb::module_& m) {
  using Kind = ik::TargetKind;
  m.def(
      "point",
      [](nb::handle of, nb::handle at, nb::handle p, nb::handle in, nb::handle linear) {
        auto t = made(Kind::position, of, in);
        return t.point = vec3("point", at), t.pose.p = vec3("p", p), t.linear_weight = weights("linear_weight", linear),
               t;
      },
      "of"_a, "point"_a, "p"_a, "in_"_a = "", "linear_weight"_a = 1.0,
      nb::sig("def point(of: str, point: ArrayLike, p: ArrayLike, in_: str = '', linear_weight: float | ArrayLike = "
              "1.0) -> Target"),
      "A point of the frame `of`, in its coordinates, is at p; both (3,), m.");
  m.def(
      "look_at",
      [](nb::handle of, nb::handle axis, nb::handle p, nb::handle in, nb::handle angular) {
        auto t = made(Kind::look_at, of, in);
        return t.axis = vec3("axis", axis), t.pose.p = vec3("p", p),
               t.angular_weight = weights("angular_weight", angular), t;
      },
      "of"_a, "axis"_a, "p"_a, "in_"_a = "", "angular_weight"_a = 1.0,
      nb::sig("def look_at(of: str, axis: ArrayLike, p: ArrayLike, in_: str = '', angular_weight: float | ArrayLike = "
              "1.0) -> Target"),
      "An axis of the frame `of`, through its origin, points at p; both (3,).");
  m.def(
      "center_of_mass",
      [](nb::handle p, nb::handle in, nb::handle linear) {
        auto t = made(Kind::center_of_mass, nb::none(), in);
        return t.pose.p = vec3("p", p), t.linear_weight = weights("linear_weight", linear), t;
      },
      "p"_a, "in_"_a = "", "linear_weight"_a = 1.0,
      nb::sig("def center_of_mass(p: ArrayLike, in_: str = '', linear_weight: float | ArrayLike = 1.0) -> Target"),
      "The center of mass of the robot is at p, (3,), m; linear_weight=(1, 1, 0) leaves its height free.");
}

void bind_targets(nb::module_& m) {
  using T = BoundTarget;
  using Kind = ik::TargetKind;
  bind_record<T>(
      m, "Target",
      "One target: a frame `of`, or the center of mass, has a pose in coordinates of the frame in_. The functions of "
      "this module make the usual ones.",
      std::tuple{
          Field{"kind", &T::kind, ""}, Field{"of", &T::of, "Name of a frame."},
          Field{"pose", &T::pose, "Desired, 4 × 4; its position for all kinds but 'orientation'."},
          Field{"in_", &T::in,
                "Name of the frame in whose coordinates the pose is given, which may be a part of the robot; empty: "
                "the world."},
          Field{"point", &T::point, "Of the frame, in its coordinates, m: is brought to the position, or looks at it."},
          Field{"axis", &T::axis, "For 'look_at': an axis of the frame that points at the position."},
          Field{"linear_weight", &T::linear_weight, "Weights of the axes of in_; 0 leaves an axis free."},
          Field{"angular_weight", &T::angular_weight,
                "Weights of the axes of the target pose; 0 leaves an axis free."}});
  m.def(
      "position",
      [](nb::handle of, nb::handle p, nb::handle in, nb::handle linear) {
        auto t = made(Kind::position, of, in);
        return t.pose.p = vec3("p", p), t.linear_weight = weights("linear_weight", linear), t;
      },
      "of"_a, "p"_a, "in_"_a = "", "linear_weight"_a = 1.0,
      nb::sig("def position(of: str, p: ArrayLike, in_: str = '', linear_weight: float | ArrayLike = 1.0) -> Target"),
      "The origin of the frame `of` is at p, (3,), m, in coordinates of in_ (default: the world).");
  m.def(
      "orientation",
      [](nb::handle of, nb::handle R, nb::handle in, nb::handle angular) {
        auto t = made(Kind::orientation, of, in);
        return t.pose.R = mat3("R", R), t.angular_weight = weights("angular_weight", angular), t;
      },
      "of"_a, "R"_a, "in_"_a = "", "angular_weight"_a = 1.0,
      nb::sig(
          "def orientation(of: str, R: ArrayLike, in_: str = '', angular_weight: float | ArrayLike = 1.0) -> Target"),
      "The frame `of` has the orientation R, a rotation matrix, 3 × 3.");
  m.def(
      "pose",
      [](nb::handle of, nb::handle X, nb::handle in, nb::handle linear, nb::handle angular) {
        auto t = made(Kind::pose, of, in);
        t.linear_weight = weights("linear_weight", linear), t.angular_weight = weights("angular_weight", angular);
        return t.pose = pose("X", X), t;
      },
      "of"_a, "X"_a, "in_"_a = "", "linear_weight"_a = 1.0, "angular_weight"_a = 1.0,
      nb::sig("def pose(of: str, X: ArrayLike, in_: str = '', linear_weight: float | ArrayLike = 1.0, angular_weight: "
              "float | ArrayLike = 1.0) -> Target"),
      "The frame `of` has the pose X, 4 × 4.");
  bind_directed_targets(m);
}

void bind_extra(nb::module_& m) {
  nb::class_<BoundExtraRows>(m, "ExtraRows",
                             "Other equations that have to hold: evaluate(q) returns (residual, jacobian) of shapes "
                             "(count,) and (count, nv); the residual shall be 0, its norm at most `tolerance`.")
      .def(
          "__init__",
          [](BoundExtraRows* self, int count, nb::object evaluate, double tolerance) {
            if (!PyCallable_Check(evaluate.ptr())) {
              PyErr_Format(PyExc_TypeError, "evaluate is %R, expected a function", evaluate.ptr());
              throw nb::python_error();
            }
            new (self) BoundExtraRows{count, tolerance, std::move(evaluate), false};
          },
          "count"_a, "evaluate"_a, "tolerance"_a = 1e-6,
          nb::sig("def __init__(self, count: int, evaluate: Callable[[NDArray[np.float64]], tuple[ArrayLike, "
                  "ArrayLike]], tolerance: float = 1e-6) -> None"))
      .def_ro("count", &BoundExtraRows::count)
      .def_ro("tolerance", &BoundExtraRows::tolerance)
      .def_ro("evaluate", &BoundExtraRows::evaluate)
      .def("__repr__", [](const BoundExtraRows& self) {
        return "ExtraRows(count=" + std::to_string(self.count) + (self.loops ? ", closed loops)" : ")");
      });
  m.def(
      "closed_loops",
      [](const BoundModel& model, double tolerance) {
        const auto rows = ik::closed_loops(model, closures(model), tolerance);
        return BoundExtraRows{rows.count, tolerance, nb::none(), true};
      },
      "robot"_a, "tolerance"_a = 1e-8,
      "The closed loops of the robot as extra rows of a Solver: they stay closed in its solutions.");
}

}  // namespace

ik::Options ik_options(nb::handle options, const nb::kwargs& by_name) {
  nb::kwargs fields = nb::steal<nb::kwargs>(PyDict_Copy(by_name.ptr()));
  if (fields.contains("tolerance")) {
    const nb::object given = fields["tolerance"];
    if (PyFloat_Check(given.ptr()) || PyLong_Check(given.ptr())) {
      const double x = PyFloat_AsDouble(given.ptr());
      fields["tolerance"] = nb::cast(ik::Tolerance{x, x});
    }
  }
  if (fields.contains("posture") && nb::object(fields["posture"]).is_none())
    PyDict_DelItemString(fields.ptr(), "posture");
  auto o = options_of<ik::Options>("Options", options, fields, option_fields());
  if (!o.stop) return o;
  const auto callable = function(nb::cast(o.stop));
  o.stop = [callable](int starts) {
    const nb::gil_scoped_acquire acquire;
    return truth("stop", (*callable)(starts));
  };
  return o;
}

void bind_ik(nb::module_& module) {
  nb::module_ m = module.def_submodule("ik", "Inverse kinematics.");
  bind_records(m);
  bind_targets(m);
  bind_extra(m);
  constexpr const char* doc =
      "Searches from the configuration q0, (nq,); None: the neutral one. Joints that move no target keep their "
      "positions. "
      "Options (starts, seed, tolerance, prefer, posture, iterations, stop) are keyword arguments, or an Options.";
  nb::class_<IkSolver>(
      m, "Solver",
      "Inverse kinematics of positions for one robot: finds a configuration within the joint limits that meets all "
      "targets, or the one with the smallest error. The same seed gives the same result.")
      .def("__init__", &make_solver, "robot"_a, "targets"_a, "extra"_a.none() = nb::none(),
           "locked"_a = std::vector<std::string>{},
           nb::sig("def __init__(self, robot: lissom._core.Model, targets: Target | Iterable[Target], extra: ExtraRows "
                   "| None = None, locked: Sequence[str] = ()) -> None"),
           "The joints in `locked`, by name, keep their positions.")
      .def("solve", &solve, "q0"_a = nb::none(), "options"_a = nb::none(), "fields"_a,
           nb::sig(
               "def solve(self, q0: ArrayLike | None = None, options: Options | None = None, **fields: Any) -> Result"),
           doc)
      .def("solve_all", &solve_all, "q0"_a = nb::none(), "options"_a = nb::none(), "fields"_a,
           nb::sig("def solve_all(self, q0: ArrayLike | None = None, options: Options | None = None, **fields: Any) -> "
                   "list[Result]"),
           "All distinct solutions that the starts find, the preferred one first; if none is found, only the closest "
           "configuration. Arguments as of solve().")
      .def(
          "set_target_pose",
          [](IkSolver& self, long target, nb::handle X) {
            const auto taken = self.in_use.take("Solver");
            expect_target(self, target);
            self.solver.set_target_pose(std::size_t(target), pose("pose", X));
          },
          "target"_a, "pose"_a, nb::sig("def set_target_pose(self, target: int, pose: ArrayLike) -> None"),
          "Changes the pose, 4 × 4, of the target with this index.")
      .def(
          "set_weights",
          [](IkSolver& self, long target, nb::handle linear, nb::handle angular) {
            const auto taken = self.in_use.take("Solver");
            expect_target(self, target);
            self.solver.set_weights(std::size_t(target), weights("linear", linear), weights("angular", angular));
          },
          "target"_a, "linear"_a, "angular"_a,
          nb::sig("def set_weights(self, target: int, linear: float | ArrayLike, angular: float | ArrayLike) -> None"),
          "Changes the weights of the target with this index.");
  m.def(
      "solve",
      [](const BoundModel& model, nb::handle targets, nb::handle q0, const BoundExtraRows* extra, nb::handle options,
         const nb::kwargs& fields) {
        IkSolver solver(model, targets_of(model, targets), extra ? extra->make(model) : ik::ExtraRows{});
        return solve(solver, q0, options, fields);
      },
      "robot"_a, "targets"_a, "q0"_a = nb::none(), "extra"_a.none() = nb::none(), "options"_a = nb::none(), "fields"_a,
      nb::sig("def solve(robot: lissom._core.Model, targets: Target | Iterable[Target], q0: ArrayLike | None = None, "
              "extra: ExtraRows | None = None, options: Options | None = None, **fields: Any) -> Result"),
      "A configuration that meets all targets, by a Solver made for this call.");
  bind_ik_pull(m);
  bind_ik_many(m);
}

}  // namespace lissom::python
