// Motions that are made for any robot with feet, and what can be known about a motion before it runs.
#include "lissom/control/generated_motions.h"

#include "lissom/control/motion_check.h"
#include "motion.h"
#include "sim_types.h"

namespace lissom::python {

using namespace nb::literals;
LISSOM_PYTHON_TYPE(control::MotionFinding, "MotionFinding")

namespace {

// A class of its own in Python, so that a program can tell a motion that the mechanism cannot do from a wrong argument.
void bind_impossible(nb::module_& m) {
  const nb::object error = nb::module_::import_("lissom._core").attr("Error");
  static nb::object type = nb::steal(PyErr_NewExceptionWithDoc(
      "lissom.control.ImpossibleMotion",
      "A mechanism cannot do a motion: which foot cannot be lifted, and what is missing.", error.ptr(), nullptr));
  m.attr("ImpossibleMotion") = type;
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const control::ImpossibleMotion& e) {
      const nb::object instance = type(e.what());
      instance.attr("diagnostics") = nb::cast(e.diagnostics());
      PyErr_SetObject(type.ptr(), instance.ptr());
    }
  });
}

// Ctrl-C ends searches for postures, and progress is told how many steps they have taken. Without the GIL.
std::function<bool()> watched(nb::handle progress) {
  struct Watch {
    Interruption signals;
    nb::handle progress;  // the caller keeps it
    long steps = 0;
    std::chrono::steady_clock::time_point next = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
    bool operator()() {
      ++steps;
      const bool end = signals();
      if (progress.is_none() || std::chrono::steady_clock::now() < next) return end;
      next = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
      const nb::gil_scoped_acquire gil;
      progress(steps);
      return end;
    }
  };
  return [watch = std::make_shared<Watch>(Watch{.signals = Interruption(nb::none(), progress.is_none()),
                                                .progress = progress})] { return (*watch)(); };
}

}  // namespace

void bind_generated_motions(nb::module_& m) {
  bind_impossible(m);
  m.def(
      "generated_motions",
      [] {
        nb::dict all;
        for (const auto& motion : control::generated_motions()) all[motion.name] = motion.description;
        return all;
      },
      nb::sig("def generated_motions() -> dict[str, str]"),
      "The motions that generate_motion() makes: {name: what it does}.");
  m.def(
      "generate_motion",
      [](const BoundModel& robot, nb::handle feet, nb::handle q, const std::string& name, nb::handle progress) {
        const auto contacts = contacts_of(feet, "feet");
        const Eigen::VectorXd at = vector("q", q, robot.nq());
        if (!progress.is_none()) expect_callable("progress", progress, "a function of the number of steps");
        const auto stop = watched(progress);
        return from_plan([&] {
          const nb::gil_scoped_release release;
          return control::generate_motion(robot, contacts, at, name, stop);
        }());
      },
      "robot"_a, "feet"_a, "q"_a, "name"_a, "progress"_a = nb::none(),
      nb::sig("def generate_motion(robot: lissom._core.Model, feet: lissom._core.RobotContacts | "
              "Sequence[lissom._core.Contact | str], q: ArrayLike, name: str, progress: Callable[[int], Any] | None = "
              "None) -> MotionPlan"),
      "Generates a motion for a robot that stands with all feet on the ground z = 0 in the configuration q, (nq,): "
      "'stand', 'squat', 'sway', 'lift' (each foot in turn), 'steps'. Times follow from its size.\n\n"
      "feet: the RobotContacts of the robot, whose feet are taken, or a list of Contacts or of names of frames.\n\n"
      "    robot, contacts, stance = lissom.load_standing_robot('robot.urdf')\n"
      "    plan = control.generate_motion(robot, contacts, stance.q, 'lift')\n"
      "    report = control.run(robot, plan)\n\n"
      "progress(steps) is called several times a second, with the steps of the searches for postures so far.\n\n"
      "Raises ImpossibleMotion, an Error, if there are no static postures for it.");
  using F = control::MotionFinding;
  bind_record<F>(
      m, "MotionFinding", "Something about a motion that cannot work, or hardly.",
      std::tuple{
          Field{"stage", &F::stage, ""}, Field{"what", &F::what, "With the number that would do, where there is one."},
          Field{"wrong", &F::wrong, "The plan contradicts itself: it moves a contact on which the robot stands."},
          Field{"serious", &F::serious,
                "It cannot work; otherwise it leaves less than the margins of the plan's gains."}});
  m.def(
      "check_motion",
      [](const BoundModel& robot, nb::handle plan, bool postures) {
        const auto motion = plan_of(robot, plan);
        const auto stop = watched(nb::none());
        const nb::gil_scoped_release release;
        return control::check_motion(robot, motion, {.postures = postures, .stop = stop});
      },
      "robot"_a, "plan"_a, "postures"_a = true,
      nb::sig("def check_motion(robot: lissom._core.Model, plan: Any, postures: bool = True) -> list[MotionFinding]"),
      "What can be known about a motion before it runs: whether its contacts can carry the center of mass along its "
      "path, whether there is a static posture at the end of each stage, and whether limbs reach their targets.\n\n"
      "plan: a MotionPlan, or the path of a motion file. postures: whether static postures and reach are searched for, "
      "which takes some milliseconds a stage. Returns all findings, in the order of the stages; an empty list is good "
      "news. `lissom control` runs a motion if no finding is serious.");
}

}  // namespace lissom::python
