// A point of a robot that is pulled.
#include "ik.h"
#include "lissom/ik/closed_loops.h"
#include "lissom/ik/pull.h"

namespace lissom::python {

using namespace nb::literals;

namespace {

struct IkPull {
  Model model;
  ik::Pull pull;
  InUse in_use;
  IkPull(const Model& m, FrameId of, const Vec3<double>& point, std::vector<FrameId> pinned, const ik::ExtraRows& loops)
      : model(m), pull(m, of, point, std::move(pinned), loops) {}
};

void make_pull(IkPull* self, const BoundModel& model, const std::string& of, nb::handle point,
               const std::vector<std::string>& pinned) {
  std::vector<FrameId> frames;
  for (const auto& name : pinned) frames.push_back(model.frame(name));
  const auto closed = closures(model);
  new (self) IkPull(model, model.frame(of), vec3("point", point), std::move(frames),
                    closed.empty() ? ik::ExtraRows{} : ik::closed_loops(model, closed));
}

nb::tuple solve(IkPull& self, nb::handle q, nb::handle to) {
  const auto taken = self.in_use.take("Pull");
  const Eigen::VectorXd from = vector("q", q, self.model.nq());
  const auto& found = self.pull.solve(from, vec3("to", to));
  return nb::make_tuple(to_numpy(found.q), found.distance);
}

}  // namespace

void bind_ik_pull(nb::module_& m) {
  nb::class_<IkPull>(
      m, "Pull",
      "Pulls a point of a robot to a place, as one would with a finger: the joints nearest to the point give way "
      "first, "
      "and those farther away only as far as these do not reach; the base moves last. Pinned frames stay where they "
      "are in the configuration that solve() is given, and in calls that go on from its result; closed loops stay "
      "closed.")
      .def("__init__", &make_pull, "robot"_a, "of"_a, "point"_a, "pinned"_a = std::vector<std::string>{},
           nb::sig("def __init__(self, robot: lissom._core.Model, of: str, point: ArrayLike, pinned: Sequence[str] = "
                   "()) -> None"),
           "The point, (3,) in m, in the frame `of`; pinned: names of frames.")
      .def("solve", &solve, "q"_a, "to"_a,
           nb::sig("def solve(self, q: ArrayLike, to: ArrayLike) -> tuple[NDArray[np.float64], float]"),
           "The configuration near q, (nq,), within the joint limits, in which the point is at `to`, (3,) in m in the "
           "world, or as near as it can get; and the distance that is left, m.");
}

}  // namespace lissom::python
