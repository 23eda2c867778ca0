// Many worlds at once.
#include "lissom/world/world_batch.h"

#include <chrono>

#include "worlds.h"

namespace lissom::python {

using namespace nb::literals;

namespace {

struct BoundWorldBatch {
  std::shared_ptr<WorldBatch> batch;
  std::shared_ptr<OneCaller> in_use = std::make_shared<OneCaller>();
  std::vector<StepReport> reports = {};  // of the last call, in which Ctrl-C was looked for between pieces
  std::shared_ptr<const scenes::Scene> prototype = {};  // of copies of one world
  std::vector<std::shared_ptr<WorldParts>> parts = {};  // of each row; of copies, once somebody has asked for it
};
using B = BoundWorldBatch;
using Failures = std::vector<std::pair<long, std::string>>;

Failures to_pairs(const std::vector<batch::FailedRow>& rows) {
  Failures all;
  for (const auto& row : rows) all.emplace_back(row.row, row.what);
  return all;
}

void make(B* self, nb::handle worlds, long count, nb::handle threads) {
  const int n = threads.is_none() ? batch_threads() : nb::cast<int>(threads);
  if (nb::isinstance<BoundWorld>(worlds)) {
    auto& prototype = nb::cast<BoundWorld&>(worlds);
    const OneCaller::Scope use(*prototype.in_use, "World");
    const nb::gil_scoped_release release;
    new (self) B{std::make_shared<WorldBatch>(*prototype.world, count, n)};
    self->prototype = std::make_shared<scenes::Scene>(prototype.parts->scene);
  } else if (PyCallable_Check(worlds.ptr())) {
    std::vector<std::shared_ptr<WorldParts>> parts;
    const auto world_of = [&](long row) {
      const nb::object made = worlds(row);
      if (!nb::isinstance<BoundWorld>(made)) {
        PyErr_Format(PyExc_TypeError, "world(%ld) is %R, expected a World", row, made.ptr());
        throw nb::python_error();
      }
      const auto& one = nb::cast<const BoundWorld&>(made);
      parts.push_back(std::make_shared<WorldParts>(one.parts->scene));
      return one.world->clone();
    };
    new (self) B{std::make_shared<WorldBatch>(count, world_of, n)};
    self->parts = std::move(parts);
  } else {
    PyErr_Format(PyExc_TypeError, "world is %R, expected a World, or a function of the row that returns one",
                 worlds.ptr());
    throw nb::python_error();
  }
  self->reports.resize(std::size_t(count));
  self->parts.resize(std::size_t(count));
}

BoundWorld world_at(B& self, long row) {
  const OneCaller::Scope use(*self.in_use, "WorldBatch");
  const long n = self.batch->size(), at = row < 0 ? row + n : row;
  if (at < 0 || at >= n) {
    PyErr_Format(PyExc_IndexError, "row %ld of %ld worlds", row, n);
    throw nb::python_error();
  }
  auto& parts = self.parts[std::size_t(at)];
  if (!parts) parts = std::make_shared<WorldParts>(*self.prototype);
  return {std::shared_ptr<World>(self.batch, &self.batch->world(at)), self.in_use, parts};
}

Failures step(B& self, double h, long count, nb::handle progress) {
  if (count < 0) throw Error("count is " + std::to_string(count) + ", expected 0 or more steps");
  const OneCaller::Scope use(*self.in_use, "WorldBatch");
  std::fill(self.reports.begin(), self.reports.end(), StepReport{});
  std::vector<batch::FailedRow> failed;
  // All worlds are at the same time when Ctrl-C is noticed, several times a second. Pieces are as long as that allows,
  // since a world whose memory is in the cache already takes its next step faster.
  using Clock = std::chrono::steady_clock;
  constexpr double piece_seconds = .2;
  PieceProgress told(count, progress);
  for (long done = 0, steps = 0, next = 1; done < count; done += steps) {
    if (done > 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
    told.tell(done);
    const nb::gil_scoped_release release;
    const auto start = Clock::now();
    steps = std::min(next, count - done);
    const auto latest = self.batch->step(h, int(steps));
    failed.insert(failed.end(), latest.begin(), latest.end());
    for (std::size_t i = 0; i < self.reports.size(); ++i)
      self.reports[i] = combined(self.reports[i], self.batch->reports()[i]);
    const double each = std::chrono::duration<double>(Clock::now() - start).count() / double(steps);
    next = std::clamp(long(piece_seconds / std::max(each, 1e-9)), 1L, 10'000L);
  }
  told.end();
  std::ranges::sort(failed, {}, &batch::FailedRow::row);
  return to_pairs(failed);
}

nb::object reports(B& self) {
  const OneCaller::Scope use(*self.in_use, "WorldBatch");
  nb::list fields;
  for (const char* const name : {"contacts", "sweeps", "factorizations"}) fields.append(nb::make_tuple(name, "i4"));
  fields.append(nb::make_tuple("residual", "f8"));
  for (const char* const name : {"impact", "moved_apart", "converged"}) fields.append(nb::make_tuple(name, "?"));
  const nb::object array = structured_array(long(self.reports.size()), fields);
  const auto column = [&](const char* name, auto member) {
    nb::list values;
    for (const auto& report : self.reports) values.append(nb::cast(report.*member));
    array[nb::str(name)] = values;
  };
  column("contacts", &StepReport::contacts), column("sweeps", &StepReport::sweeps);
  column("factorizations", &StepReport::factorizations), column("residual", &StepReport::residual);
  column("impact", &StepReport::impact), column("moved_apart", &StepReport::moved_apart);
  column("converged", &StepReport::converged);
  return array;
}

// One value for each world, or one for all.
Eigen::VectorXd by_row(const char* name, nb::handle values, long n) {
  const auto array = nb::module_::import_("numpy").attr("asarray")(values);
  if (nb::cast<int>(array.attr("ndim")) == 0) return Eigen::VectorXd::Constant(n, nb::cast<double>(nb::float_(array)));
  return vector(name, array, n);
}
// One row for each world; one vector is the same for all.
WorldBatch::Rows rows_of(const char* name, nb::handle values) {
  const nb::object array = real_array(name, values);
  if (nb::cast<int>(array.attr("ndim")) == 1) return vector(name, array).transpose();
  return matrix(name, array);
}

void scale_masses(B& self, nb::handle mass, nb::handle inertia) {
  const OneCaller::Scope use(*self.in_use, "WorldBatch");
  const long n = self.batch->size();
  std::vector<MassFactorRows> factors;
  for (const auto& f : named_factors(mass, inertia)) {
    const auto text = "mass['" + f.name + "']", other = "inertia['" + f.name + "']";
    factors.push_back(
        {.name = f.name,
         .mass = f.mass.is_none() ? Eigen::VectorXd(Eigen::VectorXd::Ones(n)) : by_row(text.c_str(), f.mass, n)});
    if (!f.inertia.is_none()) factors.back().inertia = by_row(other.c_str(), f.inertia, n);
  }
  const nb::gil_scoped_release release;
  self.batch->scale_masses(factors);
}

void set_servos(B& self, const std::string& robot, nb::handle stiffness, nb::handle damping, nb::handle q_target,
                nb::handle v_target) {
  const OneCaller::Scope use(*self.in_use, "WorldBatch");
  ServoRows servos{rows_of("stiffness", stiffness), rows_of("damping", damping), rows_of("q_target", q_target), {}};
  servos.v_target = v_target.is_none() ? WorldBatch::Rows(WorldBatch::Rows::Zero(1, servos.damping.cols()))
                                       : rows_of("v_target", v_target);
  const nb::gil_scoped_release release;
  self.batch->set_servos(robot, servos);
}

using Read = WorldBatch::Rows (WorldBatch::*)(const std::string&) const;
template <Read read>
nb::object rows(B& self, const std::string& name) {
  const OneCaller::Scope use(*self.in_use, "WorldBatch");
  return to_numpy((self.batch.get()->*read)(name));
}
using Write = void (WorldBatch::*)(const std::string&, const WorldBatch::RowsIn&);
template <Write write>
void set_rows(B& self, const std::string& name, nb::handle values, const char* what) {
  const auto given = rows_of(what, values);
  const OneCaller::Scope use(*self.in_use, "WorldBatch");
  (self.batch.get()->*write)(name, given);
}

void bind_rows(nb::class_<B>& c) {
#define LISSOM_BATCH_ROWS(member, shape)                                                                               \
  c.def(#member, &rows<&WorldBatch::member>, "name"_a,                                                                 \
        nb::sig("def " #member "(self, name: str) -> NDArray[np.float64]"), "A copy, one row for each world, " shape); \
  c.def(                                                                                                               \
      "set_" #member,                                                                                                  \
      [](B& self, const std::string& name, nb::handle value) {                                                         \
        set_rows<&WorldBatch::set_##member>(self, name, value, #member);                                               \
      },                                                                                                               \
      "name"_a, #member##_a, nb::sig("def set_" #member "(self, name: str, " #member ": ArrayLike) -> None"),          \
      "From one row for each world, or one vector for all of them.");
  LISSOM_BATCH_ROWS(q, "(worlds, nq).")
  LISSOM_BATCH_ROWS(v, "(worlds, nv).")
  LISSOM_BATCH_ROWS(tau, "(worlds, nv).")
#undef LISSOM_BATCH_ROWS
  c.def("contact_force", &rows<&WorldBatch::contact_force>, "name"_a,
        nb::sig("def contact_force(self, name: str) -> NDArray[np.float64]"),
        "The sum of the contact forces on a body, a fixed shape or a link ('robot/link'), (worlds, 3), N.");
  c.def("motor_torques", &rows<&WorldBatch::motor_torques>, "robot"_a,
        nb::sig("def motor_torques(self, robot: str) -> NDArray[np.float64]"),
        "Torques of a robot's motors in the last step, (worlds, nv).");
}

void bind_parameters(nb::class_<B>& c) {
  c.def("scale_masses", &scale_masses, "mass"_a, "inertia"_a = nb::none(),
        nb::sig(
            "def scale_masses(self, mass: Mapping[str, ArrayLike], inertia: Mapping[str, ArrayLike] | None = None) -> "
            "None"),
        "Multiplies masses and moments of inertia of bodies, robots and links ('robot/link'), by name, with one factor "
        "for "
        "each world.");
  c.def(
      "set_friction",
      [](B& self, const std::string& a, const std::string& b, nb::handle friction) {
        const OneCaller::Scope use(*self.in_use, "WorldBatch");
        self.batch->set_friction(a, b, by_row("friction", friction, self.batch->size()));
      },
      "a"_a, "b"_a, "friction"_a, nb::sig("def set_friction(self, a: str, b: str, friction: ArrayLike) -> None"),
      "Coulomb's coefficient of a pair of names, one for each world; what else is known of the pair stays.");
  c.def("set_servos", &set_servos, "robot"_a, "stiffness"_a, "damping"_a, "q_target"_a, "v_target"_a = nb::none(),
        nb::sig(
            "def set_servos(self, robot: str, stiffness: ArrayLike, damping: ArrayLike, q_target: ArrayLike, v_target: "
            "ArrayLike | None = None) -> None"),
        "Servos as those of a World, with one row for each world, or one vector for all of them.");
}

}  // namespace

void bind_world_batch(nb::module_& m) {
  nb::class_<B> c(
      m, "WorldBatch",
      "Many worlds at once, on threads. Each moves with the same bits as it would alone. world: a World, of "
      "which copies are made, or a function of the row that returns one. threads: None takes what "
      "set_threads() says. It belongs to one caller at a time.\n\n"
      "    batch = lissom.WorldBatch(world, 1000)\n"
      "    batch.scale_masses({'box': rng.uniform(.8, 1.2, 1000)})\n    failed = batch.step(1e-3, 500)");
  c.def("__init__", &make, "world"_a, "count"_a, "threads"_a = nb::none(),
        nb::sig("def __init__(self, world: World | Callable[[int], World], count: int, threads: int | None = None) -> "
                "None"));
  bind_parameters(c);
  bind_rows(c);
  c.def("step", &step, "h"_a, "count"_a = 1, "progress"_a = nb::none(),
        nb::sig("def step(self, h: float, count: int = 1, progress: Callable[[int, int], Any] | None = None) -> "
                "list[tuple[int, str]]"),
        "Advances every world by count steps of h seconds. A world whose step fails stops before that step, keeps the "
        "state in which that step found it, and is left out from then on. Returns (row, why) of those that stopped in "
        "this call. progress(done, count) is called several times a second.");
  c.def_prop_ro(
      "failures",
      [](B& self) {
        const OneCaller::Scope use(*self.in_use, "WorldBatch");
        return to_pairs(self.batch->failures());
      },
      "(row, why) of all worlds that have stopped.");
  c.def(
      "resume",
      [](B& self, long row) {
        const OneCaller::Scope use(*self.in_use, "WorldBatch");
        self.batch->resume(row);
      },
      "row"_a, "Lets a world that has stopped take part again; its state should have been set to a good one before.");
  c.def_prop_ro("reports", &reports, nb::sig("def reports(self) -> NDArray[Any]"),
                "StepReports of the last call as a structured array, one element for each world.");
  c.def_prop_ro("threads", [](const B& self) { return self.batch->threads(); }, "That step() uses.");
  c.def("__len__", [](const B& self) { return self.batch->size(); });
  c.def("__getitem__", &world_at, "row"_a, nb::sig("def __getitem__(self, row: int, /) -> World"),
        "The world of a row itself, not a copy.");
  c.def("__repr__", [](const B& self) {
    return "WorldBatch(" + std::to_string(self.batch->size()) +
           " worlds, threads=" + std::to_string(self.batch->threads()) + ")";
  });
}

}  // namespace lissom::python
