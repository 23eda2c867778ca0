// Configurations as points of a manifold, postures from files, steps of many robots.
#include "lissom/api/postures.h"
#include "lissom/api/state.h"
#include "quantity.h"

namespace lissom::python {

using namespace nb::literals;

namespace {

nb::object integrate_states(const BoundModel& model, nb::handle q, nb::handle v, double dt, nb::handle out) {
  Call call;
  call.read("q", q, model.nq());
  call.read("v", v, model.nv());
  call.resolve();
  call.compute_in_double();
  call.result(out, {model.nq()});
  for_rows(model, call.rows(), [&](Workspace&, long i) {
    integrate(model, call.vector(0, i), call.vector(1, i), dt,
              Eigen::Map<Eigen::VectorXd>(call.result_data<double>() + i * model.nq(), model.nq()));
  });
  return call.finish();
}

nb::object difference_of(const BoundModel& model, nb::handle q0, nb::handle q1, nb::handle out) {
  Call call;
  call.read("q0", q0, model.nq());
  call.read("q1", q1, model.nq());
  call.resolve();
  call.compute_in_double();
  call.result(out, {model.nv()});
  for_rows(model, call.rows(), [&](Workspace&, long i) {
    difference(model, call.vector(0, i), call.vector(1, i),
               Eigen::Map<Eigen::VectorXd>(call.result_data<double>() + i * model.nv(), model.nv()));
  });
  return call.finish();
}

// t has one number for each row: an axis of length 1 is put behind its own.
nb::object interpolate_between(const BoundModel& model, nb::handle q0, nb::handle q1, nb::handle t, nb::handle out) {
  Call call;
  call.read("q0", q0, model.nq());
  call.read("q1", q1, model.nq());
  const nb::object times = real_array("t", t);
  call.read("t", nb::module_::import_("numpy").attr("expand_dims")(times, -1), 1);
  call.resolve();
  call.compute_in_double();
  call.result(out, {model.nq()});
  for_rows(model, call.rows(), [&](Workspace&, long i) {
    Eigen::Map<Eigen::VectorXd>(call.result_data<double>() + i * model.nq(), model.nq()) =
        interpolate(model, call.vector(0, i), call.vector(1, i), *call.row<double>(2, i));
  });
  return call.finish();
}

nb::object normalize_quaternions(const BoundModel& model, nb::handle q, nb::handle out) {
  Call call;
  call.read("q", q, model.nq());
  call.resolve();
  call.compute_in_double();
  call.result(out, {model.nq()});
  for_rows(model, call.rows(), [&](Workspace&, long i) {
    normalize(model, call.vector(0, i),
              Eigen::Map<Eigen::VectorXd>(call.result_data<double>() + i * model.nq(), model.nq()));
  });
  return call.finish();
}

nb::object random_states(const BoundModel& model, std::uint64_t seed, nb::handle count) {
  if (count.is_none()) return to_numpy(random_configuration(model, seed));
  const long n = nb::cast<long>(count);
  if (n < 0) throw Error("count is " + std::to_string(n) + ", expected 0 or more");
  nb::object q = new_array(std::array{n, long(model.nq())});
  double* const data = data_of(q);
  for_rows(model, n, [&](Workspace&, long i) {
    random_configuration(model, seed + std::uint64_t(i),
                         Eigen::Map<Eigen::VectorXd>(data + i * model.nq(), model.nq()));
  });
  return q;
}

template <class S>
std::vector<batch::FailedRow> step_rows(const BoundModel& model, const Call& call, const std::vector<FrameId>& frames,
                                        double dt) {
  const auto lease = model.batch_workspace<S>(call.rows());
  std::vector<batch::FailedRow> failed;
  in_pieces(call.rows(), std::max(1024L, 1'000'000L / std::max(1, model.nv())), [&](long first, long count) {
    using Rows = Eigen::Map<batch::Rows<S>>;
    using RowsConst = Eigen::Map<const batch::Rows<S>, 0, Eigen::OuterStride<>>;
    std::vector<batch::ExternalForces<S>> external;
    for (std::size_t k = 0; k < frames.size(); ++k)
      external.push_back({frames[k], call.input<S>(3 + int(k), first, count)});
    Rows q(const_cast<S*>(call.row<S>(0, first)), count, model.nq()),
        v(const_cast<S*>(call.row<S>(1, first)), count, model.nv());
    const long stride = count > 1 ? call.row<S>(2, 1) - call.row<S>(2, 0) : model.nv();
    // (A stride of 0, one tau for all robots, is more than Eigen::Ref takes: it is written out.)
    batch::Rows<S> wide;
    if (stride == 0)
      wide = RowsConst(call.row<S>(2, 0), 1, model.nv(), Eigen::OuterStride<>(model.nv())).replicate(count, 1);
    const RowsConst tau(stride ? call.row<S>(2, first) : wide.data(), count, model.nv(),
                        Eigen::OuterStride<>(stride ? stride : model.nv()));
    for (auto& row : batch::step<S>(model, *lease, q, v, tau, S(dt), external))
      failed.push_back({row.row + first, std::move(row.what)});
  });
  return failed;
}

nb::list step_in_place(const BoundModel& model, nb::handle q, nb::handle v, nb::handle tau, double dt,
                       nb::handle external) {
  expect_in_place("q", q, model.nq());
  expect_in_place("v", v, model.nv());
  const auto type_of = [](nb::handle x) { return PyArray_TYPE(reinterpret_cast<PyArrayObject*>(x.ptr())); };
  if (type_of(q) != type_of(v)) throw Error("q and v have different types, expected both float64 or both float32");
  const auto numpy = nb::module_::import_("numpy");
  const nb::object same_type = q.attr("dtype");
  Call call;
  call.read("q", q, model.nq());
  call.read("v", v, model.nv());
  call.read("tau", numpy.attr("asarray")(real_array("tau", tau), same_type), model.nv());
  nb::dict forces;
  if (!external.is_none())
    for (const auto [key, wrench] : nb::cast<nb::dict>(external))
      forces[key] = numpy.attr("asarray")(real_array("external", wrench), same_type);
  const auto frames = read_external(model, forces, call);
  call.resolve();
  if (nb::len(q) != std::size_t(call.rows()) || nb::len(v) != std::size_t(call.rows()))
    throw Error("q and v have " + std::to_string(nb::len(q)) + " and " + std::to_string(nb::len(v)) +
                " rows, expected " + std::to_string(call.rows()) + " in both");
  const auto failed =
      call.single_precision() ? step_rows<float>(model, call, frames, dt) : step_rows<double>(model, call, frames, dt);
  nb::list list;
  for (const auto& row : failed) list.append(nb::make_tuple(row.row, row.what));
  return list;
}

}  // namespace

void expect_in_place(const char* name, nb::handle array, long n) {
  const bool good = PyArray_Check(array.ptr()) && [&] {
    auto* const a = reinterpret_cast<PyArrayObject*>(array.ptr());
    const int type = PyArray_TYPE(a), axes = PyArray_NDIM(a);
    return (type == NPY_DOUBLE || type == NPY_FLOAT) && PyArray_ISBEHAVED(a) && PyArray_IS_C_CONTIGUOUS(a) &&
           axes == 2 && PyArray_DIM(a, 1) == n;
  }();
  if (!good)
    throw Error(std::string(name) +
                " is changed in place, so it must be a NumPy array of float64 or float32, contiguous, writable, of "
                "shape (robots, " +
                std::to_string(n) + ")");
}

void bind_states(nb::class_<BoundModel>& m) {
  m.def(
      "neutral", [](const BoundModel& model) { return to_numpy(neutral(model)); },
      nb::sig("def neutral(self) -> NDArray[np.float64]"),
      "The configuration with all elements zero and quaternions (1, 0, 0, 0); an element whose limits exclude zero is "
      "at the nearer limit.");
  m.def("random_configuration", &random_states, "seed"_a = 0, "count"_a = nb::none(),
        nb::sig("def random_configuration(self, seed: int = 0, count: int | None = None) -> NDArray[np.float64]"),
        "A random configuration within the limits, (nq,); with count, that many, (count, nq), of the seeds seed, seed "
        "+ 1, …");
  m.def("integrate", &integrate_states, "q"_a, "v"_a, "dt"_a = 1.0, "out"_a = nb::none(),
        nb::sig("def integrate(self, q: ArrayLike, v: ArrayLike, dt: float = 1.0, out: Any = None) -> NDArray[Any]"),
        "The configuration, (…, nq), that constant v reaches from q in the time dt (s).");
  m.def("difference", &difference_of, "q0"_a, "q1"_a, "out"_a = nb::none(),
        nb::sig("def difference(self, q0: ArrayLike, q1: ArrayLike, out: Any = None) -> NDArray[Any]"),
        "The v, (…, nv), that takes q0 to q1 in unit time: integrate(q0, difference(q0, q1)) = q1.");
  m.def("interpolate", &interpolate_between, "q0"_a, "q1"_a, "t"_a, "out"_a = nb::none(),
        nb::sig("def interpolate(self, q0: ArrayLike, q1: ArrayLike, t: ArrayLike, out: Any = None) -> NDArray[Any]"),
        "The configuration between q0 (t = 0) and q1 (t = 1), with constant velocity. t is a number, or an array of "
        "leading shape.");
  m.def("normalize", &normalize_quaternions, "q"_a, "out"_a = nb::none(),
        nb::sig("def normalize(self, q: ArrayLike, out: Any = None) -> NDArray[Any]"),
        "q with its quaternions scaled to norm 1.");
  m.def("step", &step_in_place, "q"_a, "v"_a, "tau"_a, "dt"_a, "external"_a = nb::none(),
        nb::sig("def step(self, q: NDArray[Any], v: NDArray[Any], tau: ArrayLike, dt: float, external: Mapping[str, "
                "ArrayLike] | None = None) -> list[tuple[int, str]]"),
        "A step of the semi-implicit Euler method for many robots, in place: v += dt · forward_dynamics, then q = "
        "integrate(q, v, dt).\n\n"
        "q, v: (robots, nq) and (robots, nv), changed. Returns the robots that could not be moved, as (row, why); "
        "their rows stay as they were.");
  m.def(
      "read_posture",
      [](const BoundModel& model, const std::string& path) { return to_numpy(read_posture(model, path)); },
      "file_and_name"_a, nb::sig("def read_posture(self, file_and_name: str) -> NDArray[np.float64]"),
      "One posture of a JSON file: 'humanoid.json#handstand', or the file alone if it has only one.");
  m.def(
      "read_postures",
      [](const BoundModel& model, const std::string& path) {
        nb::dict all;
        for (const auto& [name, q] : read_postures(model, path)) all[name.c_str()] = to_numpy(q);
        return all;
      },
      "path"_a, nb::sig("def read_postures(self, path: str) -> dict[str, NDArray[np.float64]]"),
      "All postures of a JSON file, by name.");
}

}  // namespace lissom::python
