// Walking, trotting, and steps that recover from pushes: tick by tick with a Walker.
#include "walking.h"

#include "whole_body.h"

namespace lissom::python {

using namespace nb::literals;
using walking::Walker;

namespace {

nb::object to_array(const walking::Vec2& p) {
  return to_numpy(Eigen::VectorXd(p));
}

void bind_options(nb::module_& m) {
  bind_record<walking::GaitOptions>(
      m, "GaitOptions", "What a gait is asked for. A value of 0 is chosen from the robot's size.", gait_fields());
  using G = walking::WalkerGains;
  const auto number = [](const char* name, double G::* member, const char* doc) {
    return Field<G, double>{name, member, doc};
  };
  bind_record<G>(
      m, "WalkerGains",
      "Weights and gains of a walker; frequencies are in terms of ω = √(g / height of the center of mass).",
      std::tuple{
          number("dcm_gain", &G::dcm_gain, "The center of pressure moves by this · the error of ξ; more than 1."),
          number("com_weight", &G::com_weight, ""), number("foot_weight", &G::foot_weight, ""),
          number("base_weight", &G::base_weight, ""), number("posture_weight", &G::posture_weight, ""),
          number("upper_weight", &G::upper_weight, ""), number("foot_frequency", &G::foot_frequency, "ω"),
          number("base_frequency", &G::base_frequency, "ω"), number("posture_frequency", &G::posture_frequency, "ω"),
          number("upper_frequency", &G::upper_frequency, "ω"), number("height_frequency", &G::height_frequency, "ω"),
          number("momentum_weight", &G::momentum_weight, "Of the rate over (mass · height²)."),
          number("momentum_damping", &G::momentum_damping, "ω"),
          number("hip_reach", &G::hip_reach,
                 "How far outside the support the center of pressure may be asked for, over the height."),
          number("friction_factor", &G::friction_factor, "Fraction of a contact's friction that the controller uses."),
          number("support_scale", &G::support_scale, "Factor by which soles are scaled about their middle."),
          number("ramp", &G::ramp, "Of contacts that are made or released, 1/ω.")});
}

BoundTick advance(BoundWalker& self, nb::handle q, nb::handle v) {
  const auto taken = self.in_use.take("Walker");
  const Eigen::VectorXd at_q = vector("q", q, self.model.nq()), at_v = vector("v", v, self.model.nv());
  const nb::gil_scoped_release release;
  return BoundTick(self.walker->advance(at_q, at_v));
}

// A property that is read from the walker.
template <class F>
auto of_walker(const F& f) {
  return [f](BoundWalker& self) {
    const auto taken = self.in_use.take("Walker");
    return f(*self.walker);
  };
}

void bind_readings(nb::class_<BoundWalker>& c) {
  c.def_prop_ro("phase", of_walker([](const Walker& w) { return w.phase(); }))
      .def_prop_ro("done", of_walker([](const Walker& w) { return w.done(); }),
                   "It has made all steps, and has come to rest.")
      .def_prop_ro("time", of_walker([](const Walker& w) { return w.time(); }), "s")
      .def_prop_ro("steps", of_walker([](const Walker& w) { return w.steps(); }), "Of the plan that were made.")
      .def_prop_ro("planned_steps", of_walker([](const Walker& w) { return w.plan().steps(); }))
      .def_prop_ro("capture_steps", of_walker([](const Walker& w) { return w.capture_steps(); }),
                   "That a standing robot made, or that were added after the last step of the plan.")
      .def_prop_ro("adapted_steps", of_walker([](const Walker& w) { return w.adapted_steps(); }),
                   "Whose foothold or time was adapted by more than a tenth.")
      .def_prop_ro("step_length", of_walker([](const Walker& w) { return w.plan().step_length; }), "m")
      .def_prop_ro("step_time", of_walker([](const Walker& w) { return w.plan().step_time; }), "s")
      .def_prop_ro("remarks", of_walker([](const Walker& w) { return w.remarks(); }),
                   "What about the robot makes walking hard, or impossible.")
      .def_prop_ro("omega", of_walker([](const Walker& w) { return w.omega(); }),
                   "√(g / height of the center of mass), 1/s.")
      .def_prop_ro("dcm", of_walker([](const Walker& w) { return to_array(w.dcm()); }),
                   nb::sig("def dcm(self) -> NDArray[np.float64]"), "Divergent component of motion ξ, (2,), m.")
      .def_prop_ro("desired_dcm", of_walker([](const Walker& w) { return to_array(w.desired_dcm()); }),
                   nb::sig("def desired_dcm(self) -> NDArray[np.float64]"), "Its reference, (2,), m.")
      .def_prop_ro("feet", of_walker([](const Walker& w) {
                     std::vector<std::string> names;
                     for (const auto& leg : w.legs()) names.push_back(leg.frame);
                     return names;
                   }),
                   "Frames of the legs' feet.")
      .def_prop_ro("footholds", of_walker([](const Walker& w) {
                     Matrix places(long(w.legs().size()), 4);
                     for (std::size_t i = 0; i < w.legs().size(); ++i) {
                       const auto& at = w.legs()[i].swings ? w.legs()[i].target : w.legs()[i].stands;
                       places.row(long(i)) << at.position.x(), at.position.y(), at.height, at.yaw;
                     }
                     return places;
                   }),
                   "Where each foot stands, or lands next, as adapted, (feet, 4): x, y, height of the ground in m, and "
                   "heading in rad.");
}

}  // namespace

void bind_walking(nb::module_& core) {
  auto m = core.def_submodule("walking", "Walking, trotting, and steps that recover from pushes.");
  m.attr("Work") = core.attr("Work");
  bind_options(m);
  static const std::string signature =
      "def __init__(self, robot: lissom._core.Model, q: ArrayLike, feet: lissom._core.RobotContacts | "
      "Sequence[lissom._core.Contact | str], options: GaitOptions | None = None, *, controller: "
      "lissom._core.control.WholeBodyOptions | None = None, gains: WalkerGains | None = None, " +
      gait_signature + ") -> None";
  auto c = nb::class_<BoundWalker>(m, "Walker",
                                   "Walks: from the sensed state of a robot to torques, tick by tick.\n\n"
                                   "    walker = walking.Walker(robot, stance.q, contacts, steps=8, speed=0.3)\n"
                                   "    while not walker.done:\n"
                                   "        q, v = simulated.sense()\n"
                                   "        simulated.step(walker.advance(q, v).torques)\n\n"
                                   "It belongs to one caller at a time.");
  c.def(
      "__init__",
      [](BoundWalker* self, const BoundModel& robot, nb::handle q, nb::handle feet, nb::handle options,
         std::optional<control::WholeBodyOptions> controller, std::optional<walking::WalkerGains> gains,
         const nb::kwargs& fields) {
        const auto contacts = contacts_of(feet, "feet");
        const Eigen::VectorXd at = vector("q", q, robot.nq());
        const auto gait = options_of<walking::GaitOptions>("GaitOptions", options, fields, gait_fields());
        new (self) BoundWalker{robot, nullptr, {}};
        try {
          self->walker = std::make_unique<Walker>(self->model, at, contacts, gait,
                                                  controller.value_or(control::WholeBodyOptions()),
                                                  gains.value_or(walking::WalkerGains()));
        } catch (...) {
          self->~BoundWalker();
          throw;
        }
      },
      "robot"_a, "q"_a, "feet"_a, "options"_a = nb::none(), "controller"_a = nb::none(), "gains"_a = nb::none(),
      "fields"_a, nb::sig(signature.c_str()),
      "The robot stands at q, (nq,), on all feet: its RobotContacts, or Contacts, or names of frames. Fields of "
      "GaitOptions may be given by name.");
  c.def("advance", &advance, "q"_a, "v"_a,
        nb::sig("def advance(self, q: ArrayLike, v: ArrayLike) -> lissom._core.control.Tick"),
        "Solves one tick for the sensed state, (nq,), (nv,).");
  bind_readings(c);
  bind_walk_run(m);
}

}  // namespace lissom::python
