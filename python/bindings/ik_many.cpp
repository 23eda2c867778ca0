// Inverse kinematics of many poses, and of velocities.
#include "ik.h"
#include "lissom/api/state.h"
#include "lissom/ik/batch.h"
#include "lissom/ik/velocity.h"

namespace lissom::python {

using namespace nb::literals;

// Frames by name; `at` is None (the origin of the frame), a frame, or (frame, position).
struct BoundVelocityTask {
  std::string of = {};
  SpatialVector velocity = {{0, 0, 0}, {0, 0, 0}};
  nb::object at = nb::none();
  std::string in = {};
  Vec3<double> linear_weight = {1, 1, 1}, angular_weight = {1, 1, 1};
  int priority = 0;
  bool center_of_mass = false;
};
template <>
inline constexpr bool fields_in_place<BoundVelocityTask> = true;
LISSOM_PYTHON_TYPE(nb::object, "Any")

namespace {

struct IkBatch {
  Model model;
  ik::TargetKind kind;
  ik::Batch batch;
  InUse in_use;
  IkBatch(const Model& m, const ik::Target& target, int threads)
      : model(m), kind(target.kind), batch(m, target, threads) {}
};

struct IkBatchResult {
  nb::object q, status, solved, distance, angle, iterations, starts;
};

nb::object numpy() {
  return nb::module_::import_("numpy");
}

// The poses with their last axes as one: (…, 16), (…, 9) for rotations, or (…, 3) for positions.
nb::object flat_poses(const IkBatch& self, nb::handle poses, long& length) {
  const nb::object array = real_array("poses", poses);
  auto* const a = reinterpret_cast<PyArrayObject*>(array.ptr());
  const int axes = PyArray_NDIM(a);
  const bool rotation = self.kind == ik::TargetKind::orientation,
             position = !rotation && self.kind != ik::TargetKind::pose;
  const auto ends_with = [&](long m, long n) {
    return axes >= 2 && PyArray_DIM(a, axes - 2) == m && PyArray_DIM(a, axes - 1) == n;
  };
  int keep = axes - 2;
  if (ends_with(4, 4))
    length = 16;
  else if (rotation && ends_with(3, 3))
    length = 9;
  else if (position && axes >= 1 && PyArray_DIM(a, axes - 1) == 3)
    length = 3, keep = axes - 1;
  else
    throw Error("poses has shape " + shape_text({reinterpret_cast<const long*>(PyArray_DIMS(a)), std::size_t(axes)}) +
                ", expected (…, 4, 4)" +
                (rotation   ? " or (…, 3, 3)"
                 : position ? " or (…, 3)"
                            : ""));
  nb::list shape;
  for (int i = 0; i < keep; ++i) shape.append(PyArray_DIM(a, i));
  shape.append(length);
  return array.attr("reshape")(nb::tuple(shape));
}

Pose<double> pose_of(const double* x, long length) {
  Pose<double> X{identity3<double>(), {0, 0, 0}};
  if (length == 3) return X.p = {x[0], x[1], x[2]}, X;
  const long n = length == 16 ? 4 : 3;
  X.R = {x[0], x[1], x[2], x[n], x[n + 1], x[n + 2], x[2 * n], x[2 * n + 1], x[2 * n + 2]};
  if (n == 4) X.p = {x[3], x[7], x[11]};
  return X;
}

// An exception in a thread of the batch ends the other searches, and is passed on when they have ended.
class StopInThreads {
 public:
  explicit StopInThreads(std::function<bool(int)>& stop) {
    if (!stop) return;
    stop = [this, user = std::move(stop)](int starts) {
      if (failed_) return true;
      try {
        return user(starts);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = std::current_exception();
        return failed_ = true;
      }
    };
  }
  void rethrow() {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  std::exception_ptr error_;
};

void solve_rows(IkBatch& self, const Call& call, long length, ik::Options& options,
                std::vector<ik::Batch::Report>& reports, nb::handle progress) {
  StopInThreads stop(options.stop);
  const long nq = self.model.nq();
  in_pieces(
      call.rows(), 4096,
      [&](long first, long count) {
        std::vector<Pose<double>> poses;
        for (long i = first; i < first + count; ++i) poses.push_back(pose_of(call.row<double>(0, i), length));
        const bool one = call.row<double>(1, 1) == call.row<double>(1, 0);
        batch::Rows<double> from(one ? 1 : count, nq);
        for (long i = 0; i < from.rows(); ++i) from.row(i) = call.vector(1, first + i).transpose();
        Eigen::Map<batch::Rows<double>> q(call.result_data<double>() + first * nq, count, nq);
        self.batch.solve(poses, from, q, std::span(reports).subspan(std::size_t(first), std::size_t(count)), options);
        stop.rethrow();
      },
      progress);
}

// One value of each report, in an array of the leading shape.
template <class T, class F>
nb::object collect(const Call& call, const std::vector<ik::Batch::Report>& reports, const char* type, const F& value) {
  nb::list shape;
  for (const long n : call.leading()) shape.append(n);
  nb::object array = numpy().attr("empty")(nb::tuple(shape), type);
  T* const data = static_cast<T*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(array.ptr())));
  for (std::size_t i = 0; i < reports.size(); ++i) data[i] = value(reports[i]);
  return array;
}

IkBatchResult solve_many(IkBatch& self, nb::handle poses, nb::handle q0, nb::handle options, nb::handle progress,
                         const nb::kwargs& fields) {
  const auto taken = self.in_use.take("Batch");
  auto o = ik_options(options, fields);
  long length = 0;
  Call call;
  const nb::object flat = flat_poses(self, poses, length);
  call.read("poses", flat, length);
  call.read("q0", q0.is_none() ? to_numpy(neutral(self.model)) : nb::borrow(q0), self.model.nq());
  call.resolve();
  call.compute_in_double();
  if (length == 16)
    for (long i = 0; i < call.rows(); ++i) {
      const double* const x = call.row<double>(0, i) + 12;
      if (x[0] != 0 || x[1] != 0 || x[2] != 0 || x[3] != 1)
        throw Error("poses[" + std::to_string(i) + "] is not a homogeneous matrix: its last row is not 0, 0, 0, 1");
    }
  call.result(nb::none(), {self.model.nq()});
  std::vector<ik::Batch::Report> reports(std::size_t(call.rows()));
  solve_rows(self, call, length, o, reports, progress);
  using R = ik::Batch::Report;
  IkBatchResult result;
  const nb::object codes =
      collect<std::int64_t>(call, reports, "int64", [](const R& r) { return std::int64_t(r.status); });
  result.status = numpy().attr("array")(nb::make_tuple("solved", "closest", "stopped"))[codes];
  result.solved = nb::object(codes.attr("__eq__")(0));
  result.distance = collect<double>(call, reports, "float64", [](const R& r) { return r.distance; });
  result.angle = collect<double>(call, reports, "float64", [](const R& r) { return r.angle; });
  result.iterations =
      collect<std::int64_t>(call, reports, "int64", [](const R& r) { return std::int64_t(r.iterations); });
  result.starts = collect<std::int64_t>(call, reports, "int64", [](const R& r) { return std::int64_t(r.starts); });
  result.q = call.finish();
  return result;
}

// (row, why) of every pose that was not met; the row is counted over all leading axes.
nb::list failures(const IkBatchResult& result) {
  nb::list list;
  const auto flat = [](const nb::object& x) { return numpy().attr("ravel")(x); };
  const nb::object status = flat(result.status), distance = flat(result.distance), angle = flat(result.angle);
  for (const auto row : numpy().attr("flatnonzero")(numpy().attr("not_equal")(status, "solved"))) {
    char text[96];
    std::snprintf(text, sizeof text, ": %.4g m and %.4g rad from the target", nb::cast<double>(distance[row]),
                  nb::cast<double>(angle[row]));
    list.append(nb::make_tuple(nb::int_(row), nb::cast<std::string>(nb::str(status[row])) + text));
  }
  return list;
}

struct BoundVelocitySolver {
  Model model;
  ik::VelocitySolver solver;
  InUse in_use;
  BoundVelocitySolver(const Model& m, int tasks) : model(m), solver(m, tasks) {}
};

auto velocity_options() {
  using O = ik::VelocityOptions;
  return std::tuple{
      Field{"damping", &O::damping, "λ ≥ 0, against large velocities near singularities."},
      Field{"joint_weights", &O::joint_weights, "The cost of moving each joint, (nv,), positive; empty: all 1."},
      Field{"desired", &O::desired, "v, (nv,), followed in the null space of the tasks; empty: 0."},
      Field{"velocity_limits", &O::velocity_limits, "Keep |v| within the model's limits."},
      Field{"hold", &O::hold,
            "Time for which v will be applied, s: no joint then passes a position limit. 0: position limits are "
            "ignored."}};
}

Point at_point(const Model& model, const BoundVelocityTask& task) {
  if (task.at.is_none()) return {frame_of(model, task.of), {0, 0, 0}};
  if (nb::isinstance<nb::tuple>(task.at) && nb::len(task.at) == 2)
    return {frame(model, nb::object(task.at[0]), "at"), vec3("at", nb::object(task.at[1]))};
  return {frame(model, task.at, "at"), {0, 0, 0}};
}

ik::VelocityResult solve_velocity(BoundVelocitySolver& self, nb::handle q, nb::handle tasks, nb::handle options,
                                  const nb::kwargs& fields) {
  const auto taken = self.in_use.take("VelocitySolver");
  const Eigen::VectorXd at = vector("q", q, self.model.nq());
  std::vector<ik::VelocityTask> all;
  for (const auto& t : list_of<BoundVelocityTask>("tasks", tasks, "VelocityTask"))
    all.push_back({.of = frame_of(self.model, t.of),
                   .velocity = t.velocity,
                   .at = at_point(self.model, t),
                   .in = frame_of(self.model, t.in),
                   .linear_weight = t.linear_weight,
                   .angular_weight = t.angular_weight,
                   .priority = t.priority,
                   .center_of_mass = t.center_of_mass});
  const auto o = options_of<ik::VelocityOptions>("VelocityOptions", options, fields, velocity_options());
  const nb::gil_scoped_release release;
  return self.solver.solve(at, all, o);
}

void bind_batch(nb::module_& m) {
  using R = IkBatchResult;
  bind_record<R>(m, "BatchResult", "The results for many poses; their leading axes are those of the poses and of q0.",
                 std::tuple{Field{"q", &R::q, "(…, nq), within the joint limits."},
                            Field{"status", &R::status, "(…,), 'solved', 'closest' or 'stopped'."},
                            Field{"solved", &R::solved, "(…,), bool."},
                            Field{"distance", &R::distance, "(…,), remaining error, m."},
                            Field{"angle", &R::angle, "(…,), remaining error, rad."},
                            Field{"iterations", &R::iterations, "(…,)"}, Field{"starts", &R::starts, "(…,)"}})
      .def_prop_ro("failures", &failures, nb::sig("def failures(self) -> list[tuple[int, str]]"),
                   "(row, why) of every pose that was not met.");
  nb::class_<IkBatch>(m, "Batch",
                      "Inverse kinematics for many poses of one target, on several threads. The result for a pose "
                      "depends on that pose alone. target: a Target, or the name of a frame, whose whole pose is then "
                      "meant. threads: 0: as many as the machine has.")
      .def(
          "__init__",
          [](IkBatch* self, const BoundModel& model, nb::handle target, int threads) {
            BoundTarget pose_of_frame;
            if (nb::isinstance<BoundTarget>(target))
              pose_of_frame = nb::cast<BoundTarget>(target);
            else
              pose_of_frame.of = frame_name("target", target);
            new (self) IkBatch(model, to_target(model, pose_of_frame), threads);
          },
          "robot"_a, "target"_a, "threads"_a = 0,
          nb::sig("def __init__(self, robot: lissom._core.Model, target: Target | str, threads: int = 0) -> None"))
      .def_prop_ro("threads", [](const IkBatch& self) { return self.batch.threads(); })
      .def_prop_ro(
          "lanes", [](const IkBatch& self) { return self.batch.lanes(); }, "Searches that a thread runs side by side.")
      .def("solve", &solve_many, "poses"_a, "q0"_a = nb::none(), "options"_a = nb::none(), "progress"_a = nb::none(),
           "fields"_a,
           nb::sig("def solve(self, poses: ArrayLike, q0: ArrayLike | None = None, options: Options | None = None, "
                   "progress: Callable[[int, int], Any] | None = None, **fields: Any) -> BatchResult"),
           "Solves for each of the poses, (…, 4, 4), which replace the target's own; (…, 3) positions for targets of "
           "kind 'position', 'look_at' and 'center_of_mass', "
           "(…, 3, 3) for 'orientation'. q0: (nq,), or one for each pose, (…, nq); None: the neutral configuration. "
           "progress(done, total) is called several times a second. Options as of Solver.solve().");
  m.attr("BatchSolver") = m.attr("Batch");
}

void bind_velocities(nb::module_& m) {
  using T = BoundVelocityTask;
  bind_record<T>(
      m, "VelocityTask", "The desired velocity of a frame, or of the center of mass.",
      std::tuple{
          Field{"of", &T::of, "Name of a frame."},
          Field{"velocity", &T::velocity,
                "Desired, linear and angular, (6,), m/s and rad/s, of the frame's particle that is at `at`."},
          Field{"at", &T::at, "None: the frame's own origin; a frame, whose origin is meant; or (frame, position)."},
          Field{"in_", &T::in, "Velocity and weights are along the axes of this frame; empty: the world."},
          Field{"linear_weight", &T::linear_weight, "0 leaves an axis free."},
          Field{"angular_weight", &T::angular_weight, "0 leaves an axis free."},
          Field{"priority", &T::priority, "0 is met first, strictly."},
          Field{"center_of_mass", &T::center_of_mass,
                "The linear velocity is that of the center of mass; the angular one is ignored."}});
  m.def(
      "at_origin",
      [](nb::handle of, nb::handle velocity, int priority) {
        return BoundVelocityTask{
            .of = frame_name("of", of), .velocity = spatial_vector("velocity", velocity), .priority = priority};
      },
      "of"_a, "velocity"_a, "priority"_a = 0,
      nb::sig("def at_origin(of: str, velocity: ArrayLike, priority: int = 0) -> VelocityTask"),
      "The velocity, (6,), of a frame at its own origin, along the world's axes.");
  bind_record<ik::VelocityOptions>(m, "VelocityOptions",
                                   "Options of VelocitySolver.solve(), which also takes them as keyword arguments.",
                                   velocity_options());
  using R = ik::VelocityResult;
  bind_record<R>(
      m, "VelocityResult", "The result of VelocitySolver.solve().",
      std::tuple{Field{"v", &R::v, "(nv,)"}, Field{"residuals", &R::residuals, "|W (J v - ẋ)| of each task."},
                 Field{"limited", &R::limited, "Number of elements of v that were fixed at a bound."}});
  nb::class_<BoundVelocitySolver>(m, "VelocitySolver",
                                  "Inverse kinematics of velocities: v = argmin Σ |W (J v - ẋ)|² + λ² |w v|², within "
                                  "the limits, with strict priorities.")
      .def(
          "__init__",
          [](BoundVelocitySolver* self, const BoundModel& model) { new (self) BoundVelocitySolver(model, 4); },
          "robot"_a)
      .def("solve", &solve_velocity, "q"_a, "tasks"_a, "options"_a = nb::none(), "fields"_a,
           nb::sig("def solve(self, q: ArrayLike, tasks: VelocityTask | Iterable[VelocityTask], options: "
                   "VelocityOptions | None = None, **fields: Any) -> VelocityResult"),
           "The v, (nv,), that comes nearest to what the tasks ask for at q, (nq,). Options (damping, joint_weights, "
           "desired, velocity_limits, hold) are keyword arguments, or a VelocityOptions.");
}

}  // namespace

void bind_ik_many(nb::module_& m) {
  bind_batch(m);
  bind_velocities(m);
}

}  // namespace lissom::python
