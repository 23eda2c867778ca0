// Motion plans: read from a file, or put together in Python.
#include "lissom/api/state.h"
#include "motion.h"

namespace lissom::python {

using namespace nb::literals;

namespace {

control::Stage to_stage(const BoundStage& s) {
  control::Stage stage;
  stage.name = s.name, stage.seconds = s.seconds, stage.hold = s.hold, stage.posture = s.posture;
  stage.over = s.over.values("Stage.over", "name of a contact"), stage.offset = s.offset, stage.com = s.com;
  stage.release = s.release.values("Stage.release", "name of a contact");
  stage.moves = s.moves.values("Stage.moves", "LimbMove");
  stage.tolerance = s.tolerance, stage.timeout = s.timeout;
  // (The reader of files checks this; a stage of another kind would never end, or jump.)
  if (!(stage.seconds >= 0) || !(stage.hold >= 0) || !std::isfinite(stage.seconds) || !std::isfinite(stage.hold))
    throw Error("seconds and hold of stage '" + s.name + "' must be finite, 0 or more");
  return stage;
}
BoundStage from_stage(const control::Stage& s) {
  return {s.name, s.seconds,        s.hold,         s.posture,   items(s.over), s.offset,
          s.com,  items(s.release), items(s.moves), s.tolerance, s.timeout};
}

void bind_stage(nb::module_& m) {
  using L = control::LimbMove;
  bind_record<L>(
      m, "LimbMove", "Moves a limb to a new placement, where it may become a contact.",
      std::tuple{Field{"frame", &L::frame, "Of the limb."},
                 Field{"to", &L::to, "Its placement at the end, in the world, 4 × 4; None: displaced by `by`."},
                 Field{"by", &L::by, "Displacement from where its contact was last, m."},
                 Field{"lift", &L::lift, "Height above the straight line, in the middle, m."},
                 Field{"touch", &L::touch, "It lands on the ground and becomes a contact."}});
  using S = BoundStage;
  bind_record<S>(
      m, "Stage", "One stage of a motion plan.",
      std::tuple{Field{"name", &S::name, "For reports."}, Field{"seconds", &S::seconds, "Duration of the motion, s."},
                 Field{"hold", &S::hold, "How long it then stays, s."},
                 Field{"posture", &S::posture, "Name of the target posture; None: it stays the same."},
                 Field{"over", &S::over, "Contacts above whose middle the center of mass should be."},
                 Field{"offset", &S::offset, "Added to that, m; z to the height of the posture's center of mass."},
                 Field{"com", &S::com, "Target of the center of mass, m."},
                 Field{"release", &S::release, "Contacts that are released before anything moves."},
                 Field{"moves", &S::moves, "A list of LimbMove."},
                 Field{"tolerance", &S::tolerance, "Of the center of mass, for settling, m."},
                 Field{"timeout", &S::timeout, "Limit on the duration of landing, and of settling, s."}});
}

void bind_gains(nb::module_& m) {
  using G = BoundGains;
  const auto number = [](const char* name, double G::* member, const char* doc) {
    return Field<G, double>{name, member, doc};
  };
  bind_record<G>(
      m, "MotionGains", "Weight and stiffness of each kind of task of a motion; damping is critical.",
      std::tuple{
          number("com_weight", &G::com_weight, ""), number("com_stiffness", &G::com_stiffness, "1/s²"),
          number("posture_weight", &G::posture_weight, ""), number("posture_stiffness", &G::posture_stiffness, "1/s²"),
          Field{"joint_stiffness", &G::stiffness_of_joints, "Of single joints: {name: stiffness}."},
          number("base_weight", &G::base_weight, ""), number("base_stiffness", &G::base_stiffness, "1/s²"),
          number("limb_weight", &G::limb_weight, ""), number("limb_stiffness", &G::limb_stiffness, "1/s²"),
          number("momentum_weight", &G::momentum_weight, ""), number("momentum_damping", &G::momentum_damping, "1/s"),
          number("ramp", &G::ramp, "Of contacts that are activated or released, s."),
          number("friction_factor", &G::friction_factor, "Fraction of a contact's friction that the controller uses."),
          number("support_scale", &G::support_scale, "Factor by which support surfaces are scaled about their middle."),
          number("min_normal_force", &G::min_normal_force, "For contacts that do not give their own, N.")});
}

}  // namespace

control::MotionPlan to_plan(const Model& model, const BoundPlan& p) {
  control::MotionPlan plan;
  plan.name = p.name, plan.description = p.description, plan.start = p.start;
  for (const auto [name, q] : p.postures) {
    const auto key = nb::cast<std::string>(nb::str(name));
    plan.postures[key] = normalize(model, vector(("postures['" + key + "']").c_str(), q, model.nq()));
  }
  plan.contacts = p.contacts.values("contacts", "name or Contact");
  plan.standing = p.standing.values("standing", "name of a contact");
  plan.clearances = p.clearances.values("clearances", "Clearance");
  plan.self_clearances = p.self_clearances;
  for (const auto& s : p.stages.values("stages", "Stage")) plan.stages.push_back(to_stage(s));
  plan.gains = p.gains;
  for (const auto [joint, stiffness] : p.gains.stiffness_of_joints)
    plan.gains.joint_stiffness[nb::cast<std::string>(joint)] = nb::cast<double>(stiffness);
  return plan;
}

BoundPlan from_plan(const control::MotionPlan& p) {
  BoundPlan plan;
  plan.name = p.name, plan.description = p.description, plan.start = p.start;
  for (const auto& [name, q] : p.postures) plan.postures[name.c_str()] = to_numpy(q);
  plan.contacts = items(p.contacts), plan.standing = items(p.standing), plan.clearances = items(p.clearances);
  plan.self_clearances = p.self_clearances;
  for (const auto& s : p.stages) plan.stages.list.append(nb::cast(from_stage(s)));
  static_cast<control::MotionGains&>(plan.gains) = p.gains;
  for (const auto& [joint, stiffness] : p.gains.joint_stiffness)
    plan.gains.stiffness_of_joints[joint.c_str()] = stiffness;
  plan.gains.joint_stiffness.clear();
  return plan;
}

control::MotionPlan plan_of(const Model& model, nb::handle plan) {
  if (nb::isinstance<BoundPlan>(plan)) return to_plan(model, nb::cast<const BoundPlan&>(plan));
  if (!PyUnicode_Check(plan.ptr()) && !nb::hasattr(plan, "__fspath__")) {
    PyErr_Format(PyExc_TypeError, "plan is %R, expected a MotionPlan or the path of a motion file", plan.ptr());
    throw nb::python_error();
  }
  return control::read_motion_plan(model, path_of(plan));
}

void bind_motion_plan(nb::module_& m) {
  bind_stage(m);
  bind_gains(m);
  using P = BoundPlan;
  bind_record<P>(
      m, "MotionPlan", "A motion: stages that lead from one static posture to the next.",
      std::tuple{Field{"name", &P::name, "Of the motion."},
                 Field{"description", &P::description, "One line for people."},
                 Field{"postures", &P::postures, "{name: q}"},
                 Field{"start", &P::start, "Name of the posture in which it begins."},
                 Field{"contacts", &P::contacts, "All contacts that are used: names of frames, or Contact."},
                 Field{"standing", &P::standing, "Names of the contacts that are active at the start."},
                 Field{"clearances", &P::clearances, "A list of Clearance."},
                 Field{"self_clearances", &P::self_clearances, "All other links that can meet keep a distance, too."},
                 Field{"stages", &P::stages, "A list of Stage."}, Field{"gains", &P::gains, "MotionGains."}});
  m.def(
      "read_motion_plan",
      [](const BoundModel& model, nb::handle path, nb::handle contacts) {
        const auto known = contacts.is_none() ? std::vector<Contact>() : contacts_of(contacts);
        return from_plan(control::read_motion_plan(model, path_of(path), known));
      },
      "robot"_a, "path"_a, "contacts"_a = nb::none(),
      nb::sig("def read_motion_plan(robot: lissom._core.Model, path: Any, contacts: lissom._core.RobotContacts | "
              "Sequence[lissom._core.Contact | str] | None = None) -> MotionPlan"),
      "Reads a motion file (docs/control.md). contacts: of the robot; a contact of the file at the frame of one of "
      "them "
      "is like that, but for what the file says.");
}

}  // namespace lissom::python
