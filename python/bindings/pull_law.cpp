// Someone who pulls at a robot while it moves.
#include "calls.h"
#include "results.h"
#include "sim_types.h"

namespace lissom::python {

using namespace nb::literals;

namespace {

// A PullSpring, and where PullLaw::Applied acts, with the frame by its name.
struct NamedSpring {
  std::string frame;
  Vec3<double> point{0, 0, 0}, to{0, 0, 0};
  double stiffness = 0, damping = 0;
};
struct AppliedPull {
  std::string frame;
  Vec3<double> at{0, 0, 0}, force{0, 0, 0};
};

void bind_spring(nb::module_& m) {
  using S = NamedSpring;
  bind_result<S>(m, "PullSpring", "A spring and a damper between a point of a robot and a place in the world.",
                 std::tuple{Field{"frame", &S::frame, "That has the point."},
                            Field{"point", &S::point, "In the frame, m."}, Field{"to", &S::to, "In the world, m."},
                            Field{"stiffness", &S::stiffness, "N/m"}, Field{"damping", &S::damping, "N s/m"}});
  m.def(
      "pull_spring",
      [](const BoundModel& model, nb::handle q, nb::handle frame, nb::handle point, nb::handle to, double step) {
        const auto at = vector("q", q, model.nq());
        const std::string name = frame_name("frame", frame);
        const auto s = sim::pull_spring(model, at, frame_of(model, name), vec3("point", point), vec3("to", to), step);
        return NamedSpring{name, s.point, s.to, s.stiffness, s.damping};
      },
      "robot"_a, "q"_a, "frame"_a, "point"_a, "to"_a, "step"_a,
      nb::sig("def pull_spring(robot: lissom.Model, q: ArrayLike, frame: Any, point: ArrayLike, to: ArrayLike, step: "
              "float) -> PullSpring"),
      "A spring whose gains fit the robot at q: a hand can be pulled gently, and the robot by its hand. point: in the "
      "frame, to: in the world, m. Steps of length step, s, stay stable.");
}

}  // namespace

void bind_pull_law(nb::module_& m) {
  bind_spring(m);
  using A = AppliedPull;
  bind_result<A>(
      m, "AppliedPull", "What a PullLaw did when it was asked last.",
      std::tuple{Field{"frame", &A::frame, "At which it pulls."}, Field{"at", &A::at, "The point, in the world, m."},
                 Field{"force", &A::force, "On it, along the world's axes, N."}});
  using P = BoundPull;
  nb::class_<P>(m, "PullLaw",
                "Pulls a point of a robot to a place while it moves, as one pulls it with the mouse: a force for "
                "System.add and for contact_robot(forces=…). The gains are fitted again every 20 ms of simulated "
                "time. Other threads may pull while a run goes on.")
      .def(
          "__init__",
          [](P* self, const BoundModel& model, double step) {
            if (!(step > 0) || !std::isfinite(step))
              throw Error("step is " + nb::cast<std::string>(nb::repr(nb::float_(step))) +
                          " s, expected a positive number");
            new (self) P{std::make_shared<sim::PullLaw>(step), model};
          },
          "robot"_a, "step"_a, nb::sig("def __init__(self, robot: lissom.Model, step: float) -> None"),
          "step: of the simulation, s.")
      .def(
          "pull",
          [](P& self, nb::handle frame, nb::handle point, nb::handle to) {
            const auto on = frame_of(self.model, frame_name("frame", frame));
            const auto from = vec3("point", point), place = vec3("to", to);
            const nb::gil_scoped_release release;
            const std::lock_guard lock(*self.mutex);
            self.law->pull(on, from, place);
          },
          "frame"_a, "point"_a, "to"_a, nb::sig("def pull(self, frame: Any, point: ArrayLike, to: ArrayLike) -> None"),
          "Pulls a point of a frame, in its coordinates, to a place in the world, until the next call or release(). m")
      .def(
          "release",
          [](P& self) {
            const nb::gil_scoped_release release;
            const std::lock_guard lock(*self.mutex);
            self.law->release();
          },
          "Nothing pulls from now on.")
      .def_prop_ro(
          "applied",
          [](P& self) -> std::optional<AppliedPull> {
            const nb::gil_scoped_release release;
            const std::lock_guard lock(*self.mutex);
            const auto& applied = self.law->applied();
            if (!applied) return std::nullopt;
            return AppliedPull{self.model.frame_at(applied->on).name, applied->at, applied->force};
          },
          nb::sig("def applied(self) -> AppliedPull | None"),
          "At the beginning of the last step, or at the last stage of an integrator; None while nothing pulls.");
}

}  // namespace lissom::python
