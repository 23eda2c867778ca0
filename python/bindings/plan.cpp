// Plans: which limb touches where and when, with a static posture for every change.
#include "lissom/plan/plan.h"

#include "contacts.h"
#include "description.h"
#include "results.h"

LISSOM_ENUM(lissom::plan::Change, "start", "shift", "release", "raise", "reach", "touch", "settle")

namespace lissom::python {

using namespace nb::literals;
using plan::Environment;
using plan::Goal;
using plan::Limb;
using plan::Placement;
using plan::Plan;
using plan::PlanProblem;
using plan::PlanStep;
using plan::Surface;
using Places = std::map<std::string, Pose<double>>;
LISSOM_PYTHON_TYPE(Limb, "Limb")
LISSOM_PYTHON_TYPE(Placement, "Placement")
LISSOM_PYTHON_TYPE(PlanStep, "PlanStep")
LISSOM_PYTHON_TYPE(Goal, "Goal")
LISSOM_PYTHON_TYPE(Environment, "Environment")
LISSOM_PYTHON_TYPE(Surface, "Surface")
LISSOM_PYTHON_TYPE(StancePolygon, "StancePolygon")
LISSOM_PYTHON_TYPE(StanceObstacle, "StanceObstacle")
LISSOM_PYTHON_TYPE(Places, "Mapping[str, ArrayLike]")

template <>
inline constexpr bool fields_in_place<Limb> = true;
template <>
inline constexpr bool fields_in_place<Environment> = true;
template <>
inline constexpr bool fields_in_place<StancePolygon> = true;
template <>
inline constexpr bool fields_in_place<Goal> = true;
template <>
inline constexpr bool fields_in_place<PlanProblem> = true;

namespace {

void bind_surroundings(nb::module_& m) {
  using S = Surface;
  bind_record<S>(m, "Surface", "A flat face on which limbs may be placed.",
                 std::tuple{Field{"name", &S::name, "'step1/top'"}, Field{"polygon", &S::polygon, ""},
                            Field{"obstacle", &S::obstacle, "Index of the solid that it is a face of; -1: none."},
                            Field{"friction", &S::friction, ""}});
  using E = Environment;
  bind_record<E>(m, "Environment", "The surroundings of a robot: faces to touch, and solids to keep away from.",
                 std::tuple{Field{"surfaces", &E::surfaces, ""}, Field{"obstacles", &E::obstacles, ""}});
  m.def(
      "environment_of",
      [](nb::handle scene) { return plan::environment_of(scenes::read_surroundings(path_of(scene))); }, "scene"_a,
      nb::sig("def environment_of(scene: Any) -> Environment"),
      "The faces of the fixed boxes of a scene file, of its planes and of the ground; all fixed shapes are obstacles. "
      "Faces that look downward are left out.");
}

void bind_problem(nb::module_& m) {
  using L = Limb;
  bind_record<L>(
      m, "Limb", "A part of the robot that may touch.",
      std::tuple{
          Field{"frame", &L::frame, ""},
          Field{"foot", &L::foot, "It stands on level faces only, and is moved along with the robot; False: a hand."},
          Field{"kind", &L::kind, ""},
          Field{"points", &L::points, "As in Contact, (n, 3), m; empty: those of the collision boxes."},
          Field{"friction", &L::friction, ""},
          Field{"radius", &L::radius, "The frame is the center of a ball of this radius, which touches, m."}});
  using G = Goal;
  bind_record<G>(
      m, "Goal", "Where the robot shall be. At least one of base, contacts and posture is given.",
      std::tuple{Field{"base", &G::base, "Horizontal place, (3,), m; the feet then stand there as they did at first."},
                 Field{"heading", &G::heading, "rad; None: any."},
                 Field{"tolerance", &G::tolerance, "Of each foot's place, m."},
                 Field{"contacts", &G::contacts,
                       "The limbs that touch in the end, and no others; empty: with a posture alone, those that lie on "
                       "faces in it; "
                       "otherwise the feet."},
                 Field{"places", &G::places,
                       "Where they touch, {limb: pose}, 4 × 4; those without an entry may touch anywhere."},
                 Field{"posture", &G::posture, "In the end, as nearly as it is in balance, (nq,)."}});
  using P = PlanProblem;
  const auto number = [](const char* name, double P::* member, const char* doc) {
    return Field<P, double>{name, member, doc};
  };
  bind_record<P>(
      m, "PlanProblem", "What is to be planned.",
      std::tuple{Field{"limbs", &P::limbs, "That may touch."}, Field{"environment", &P::environment, ""},
                 Field{"start", &P::start, "The first posture, on the surfaces, (nq,)."},
                 Field{"standing", &P::standing, "Limbs that touch in it."}, Field{"goal", &P::goal, ""},
                 number("seconds", &P::seconds, "For the search, at most."),
                 Field{"threads", &P::threads, "0: as many as the machine has; the plan is the same for any number."},
                 Field{"seed", &P::seed, "Other seeds scatter the places that are tried."},
                 Field{"max_stances", &P::max_stances, "At most so many postures are tried."},
                 number("torque_fraction", &P::torque_fraction, "Of the effort limits that postures may use."),
                 number("friction_fraction", &P::friction_fraction, "Of the friction that postures may use."),
                 number("support_fraction", &P::support_fraction, "Of the faces that postures may use."),
                 number("joint_margin", &P::joint_margin, "From the limits of joints, rad or m."),
                 number("com_margin", &P::com_margin, "m"), number("clearance", &P::clearance, "m"),
                 number("body_clearance", &P::body_clearance, "From obstacles, of all links but hands and feet, m."),
                 Field{"support", &P::support,
                       "At least so many limbs touch while a foot is in the air: with 2 or 3 the hands help."},
                 number("edge_margin", &P::edge_margin, "Of faces on their surfaces, m."),
                 number("lift", &P::lift, "Height to which limbs are raised before and after they move, m.")});
}

std::string text_of(const Plan& p) {
  return "Plan(" + (p.reached ? "reached" : "not reached: " + p.what) + ", " + std::to_string(p.steps.size()) +
         " postures, " + std::to_string(p.stances) + " sought)";
}

void bind_plan_results(nb::module_& m) {
  using C = Placement;
  bind_result<C>(m, "Placement", "A limb on a surface.",
                 std::tuple{Field{"limb", &C::limb, "Index in PlanProblem.limbs."},
                            Field{"surface", &C::surface, "Index in Environment.surfaces."},
                            Field{"pose", &C::pose, "Of the limb's frame, in the world, 4 × 4."}});
  using S = PlanStep;
  bind_result<S>(
      m, "PlanStep", "One posture of a plan, and how it is reached.",
      std::tuple{
          Field{
              "change", &S::change,
              "'start'; 'shift': all contacts stay, at the end the limb carries nothing; 'release': the limb leaves "
              "its place, and is raised above it; 'raise': it goes straight up, or to the side; 'reach': it comes to "
              "stand above its new place; 'touch': it comes down and touches, without force; 'settle': the last one."},
          Field{"limb", &S::limb, "That changes; -1: none."},
          Field{"at", &S::at, "Where that limb's frame is, 4 × 4, or None."},
          Field{"contacts", &S::contacts, "That touch in it, the changed limb among them if it does."},
          Field{"q", &S::q, "(nq,)"}});
  using P = Plan;
  bind_result<P>(
      m, "Plan", "The result of find_plan(). It is true if the goal was reached.",
      std::tuple{Field{"reached", &P::reached, ""},
                 Field{"what", &P::what, "Why the goal was not reached; steps then lead as near to it as was found."},
                 Field{"steps", &P::steps, "The start first."},
                 Field{"distance", &P::distance, "Mean distance of the feet from the goal at the end, m."},
                 Field{"nodes", &P::nodes, "Stances that were reached."},
                 Field{"stances", &P::stances, "Postures that were sought."}, Field{"found", &P::found, ""},
                 Field{"filtered", &P::filtered, "Refused without a search."},
                 Field{"seconds", &P::seconds, "That the search took."}},
      &text_of)
      .def("__bool__", [](const P& p) { return p.reached; });
}

Plan find(const BoundModel& robot, const PlanProblem& problem, nb::handle progress) {
  if (!progress.is_none() && !PyCallable_Check(progress.ptr())) {
    PyErr_Format(PyExc_TypeError, "progress is %R, expected a function or None", progress.ptr());
    throw nb::python_error();
  }
  if (problem.start.size() != robot.nq())
    throw Error("start has " + std::to_string(problem.start.size()) + " elements, expected " +
                std::to_string(robot.nq()));
  const PlanProblem copy = problem;  // another thread may change the one of Python
  SignalWatch signals;
  const nb::gil_scoped_release release;
  return plan::find_plan(robot, copy, [&](double part, long nodes, double distance) {
    signals.check();
    if (progress.is_none()) return true;
    const nb::gil_scoped_acquire acquire;
    const nb::object go_on = progress(part, nodes, distance);
    return go_on.is_none() || truth("progress", go_on);
  });
}

}  // namespace

void bind_plan(nb::module_& core) {
  auto m = core.def_submodule("plan", "Plans of contacts: which limb touches where and when, with static postures.");
  for (const char* const shared : {"StancePolygon", "StanceObstacle"}) m.attr(shared) = core.attr(shared);
  bind_surroundings(m);
  bind_problem(m);
  bind_plan_results(m);
  m.def(
      "limbs_of", [](const RobotContacts& contacts) { return plan::limbs_of(contacts); }, "contacts"_a,
      nb::sig("def limbs_of(contacts: lissom._core.RobotContacts) -> list[Limb]"),
      "The limbs of a robot whose contacts are known: its feet, and its hands.");
  m.def(
      "read_goal",
      [](const BoundModel& robot, nb::handle limbs, nb::handle path) {
        return plan::read_goal(robot, list_of<Limb>("limbs", limbs, "Limb"), path_of(path));
      },
      "robot"_a, "limbs"_a, "path"_a,
      nb::sig("def read_goal(robot: lissom._core.Model, limbs: Sequence[Limb], path: Any) -> Goal"),
      "Reads a goal from a JSON file (docs/plan.md); paths of postures in it are relative to the file.");
  m.def("find_plan", &find, "robot"_a, "problem"_a, "progress"_a = nb::none(),
        nb::sig("def find_plan(robot: lissom._core.Model, problem: PlanProblem, progress: Callable[[float, int, "
                "float], bool | None] | None = None) -> Plan"),
        "Plans how a robot gets from one stance to another by making and releasing contacts, one at a time.\n\n"
        "progress(part, nodes, distance) is called several times a second: the part of the time that was used, the "
        "number of stances, the least distance from the goal, m; the search ends if it returns False. Ctrl-C ends it, "
        "too. The same problem and seed give the same plan on any number of threads, unless the time is up before.");
  m.def(
      "write_motion",
      [](const BoundModel& robot, const PlanProblem& problem, const Plan& found, nb::handle path) {
        if (found.steps.empty()) throw Error("plan has no steps");
        plan::write_motion(robot, problem, found, path_of(path));
      },
      "robot"_a, "problem"_a, "plan"_a, "path"_a,
      nb::sig("def write_motion(robot: lissom._core.Model, problem: PlanProblem, plan: Plan, path: Any) -> None"),
      "Writes the plan as a motion file for control.run() and `lissom control`, and its postures to a file beside it "
      "(NAME.postures.json).");
}

}  // namespace lissom::python
