// Feet, hands and a posture to stand in, for any robot.
#include "contacts.h"
#include "description.h"
#include "lissom/limbs/contacts_file.h"
#include "lissom/limbs/propose.h"
#include "lissom/limbs/standing_robot.h"
#include "sim_types.h"

LISSOM_ENUM(lissom::ContactRole, "foot", "hand", "pad")

namespace lissom::python {

using namespace nb::literals;

template <>
inline constexpr bool fields_in_place<LimbContact> = true;
LISSOM_PYTHON_TYPE(LimbContact, "LimbContact")

namespace {

StandingOptions options_of(nb::handle contacts_file, nb::handle packages, bool propose) {
  StandingOptions options{.contacts_file = path_of(contacts_file), .propose = propose};
  options.load.package_paths = paths_of(packages);
  options.stop = Interruption(nb::none(), true);  // throws on Ctrl-C
  return options;
}

void bind_records(nb::module_& m) {
  using L = LimbContact;
  bind_record<L>(
      m, "LimbContact",
      "A place with which a robot can touch: the sole of a foot, a palm, the ball at the end of a leg.",
      std::tuple{
          Field{"name", &L::name, "A frame of this name is in the model."}, Field{"link", &L::link, "That carries it."},
          Field{"role", &L::role, "'foot', 'hand' or 'pad'."},
          Field{"kind", &L::kind, "'surface': a polygon; 'point': a ball (radius > 0) or a bare point."},
          Field{"pose", &L::pose,
                "Of the contact's frame in the link, 4 × 4: the origin is the middle of the face or the center of the "
                "ball, z points into the robot, x forward."},
          Field{"points", &L::points, "Corners of the face in the contact's frame, (n, 3), m."},
          Field{"radius", &L::radius, "Of the ball, m."}, Field{"friction", &L::friction, "Coefficient."},
          Field{"joints", &L::joints, "Of the limb, from the trunk to the link."},
          Field{"why", &L::why, "How it was found."}});
  using R = RobotContacts;
  bind_record<R>(
      m, "RobotContacts", "The contacts of a robot, and a posture in which it can stand.",
      std::tuple{Field{"limbs", &R::limbs, "Feet first, front before rear, left before right."},
                 Field{"posture", &R::posture, "Nominal joint positions; joints that are not listed are neutral."},
                 Field{"base", &R::base, "Orientation of the base in which it stands, 3 × 3."},
                 Field{"source", &R::source, "The file that they were read from; empty: proposed."},
                 Field{"remarks", &R::remarks, "What was assumed, and what looks wrong."}});
}

// A Description, or that of a Model.
Description described(nb::handle robot) {
  if (nb::isinstance<BoundModel>(robot)) return nb::cast<const BoundModel&>(robot).description();
  if (nb::isinstance<BoundDescription>(robot)) return to_description(nb::cast<const BoundDescription&>(robot));
  PyErr_Format(PyExc_TypeError, "robot is %R, expected a Description or a Model", robot.ptr());
  throw nb::python_error();
}

void bind_files(nb::module_& m) {
  m.def(
      "propose_contacts",
      [](nb::handle robot) {
        const auto description = described(robot);
        const nb::gil_scoped_release release;
        return propose_contacts(description);
      },
      "robot"_a, nb::sig("def propose_contacts(robot: Description | Model) -> RobotContacts"),
      "The feet and hands of a robot that has no file, found from its description alone.");
  m.def(
      "read_contacts", [](nb::handle robot, nb::handle path) { return read_contacts(described(robot), path_of(path)); },
      "robot"_a, "path"_a,
      nb::sig("def read_contacts(robot: Description | Model, path: str | os.PathLike[str]) -> RobotContacts"),
      "Reads a contacts file (docs/contacts-file.md) of this robot.");
  m.def(
      "write_contacts",
      [](nb::handle robot, const RobotContacts& contacts, nb::handle path) {
        write_contacts(described(robot), contacts, path_of(path));
      },
      "robot"_a, "contacts"_a, "path"_a,
      nb::sig("def write_contacts(robot: Description | Model, contacts: RobotContacts, path: str | os.PathLike[str]) "
              "-> None"),
      "Writes a contacts file; ROBOT.contacts.json beside the robot's file is found by contacts().");
  m.def(
      "nominal_configuration",
      [](const BoundModel& model, const RobotContacts& contacts) { return nominal_configuration(model, contacts); },
      "robot"_a, "contacts"_a,
      nb::sig("def nominal_configuration(robot: Model, contacts: RobotContacts) -> NDArray[np.float64]"),
      "The posture of its contacts, (nq,), with the base such that the lowest foot touches z = 0.");
}

}  // namespace

void bind_limbs(nb::module_& m) {
  bind_records(m);
  bind_files(m);
  m.def(
      "contacts",
      [](nb::handle file, nb::handle contacts_file, nb::handle packages, bool propose) {
        const auto path = path_of(file);
        const auto options = options_of(contacts_file, packages, propose);
        const nb::gil_scoped_release release;
        return load_robot_with_contacts(path, options).contacts;
      },
      "file"_a, nb::kw_only(), "contacts_file"_a = "", "packages"_a = nb::tuple(), "propose"_a = false,
      nb::sig("def contacts(file: str | os.PathLike[str], *, contacts_file: str | os.PathLike[str] = '', packages: "
              "Iterable[str | os.PathLike[str]] = (), propose: bool = False) -> RobotContacts"),
      "The feet and hands of a robot (URDF, xacro, MJCF or SDF): of contacts_file, or of ROBOT.contacts.json beside "
      "it, or found from its file "
      "alone (always, with propose). packages: directories in which package://NAME/… is searched.\n\nRaises Error with "
      "the reason if it has no feet.");
  m.def(
      "control_contacts",
      [](const RobotContacts& contacts, ContactRole role) { return control_contacts(contacts, role); }, "contacts"_a,
      "role"_a = ContactRole::foot,
      nb::sig("def control_contacts(contacts: RobotContacts, role: Literal['foot', 'hand', 'pad'] = 'foot') -> "
              "list[Contact]"),
      "The feet, or other limbs, as contacts of a controller.");
  m.def(
      "stance_contacts",
      [](const RobotContacts& contacts, ContactRole role) { return stance_contacts(contacts, role); }, "contacts"_a,
      "role"_a = ContactRole::foot,
      nb::sig("def stance_contacts(contacts: RobotContacts, role: Literal['foot', 'hand', 'pad'] = 'foot') -> "
              "list[StanceContact]"),
      "The feet, or other limbs, as contacts of find_stance(), anywhere on the ground.");
  m.def(
      "load_standing_robot",
      [](nb::handle file, nb::handle contacts_file, nb::handle packages, bool propose) {
        const auto path = path_of(file);
        const auto options = options_of(contacts_file, packages, propose);
        auto robot = [&] {
          const nb::gil_scoped_release release;
          return load_standing_robot(path, options);
        }();
        return nb::make_tuple(BoundModel(robot.model), robot.contacts, robot.stance);
      },
      "file"_a, nb::kw_only(), "contacts_file"_a = "", "packages"_a = nb::tuple(), "propose"_a = false,
      nb::sig("def load_standing_robot(file: str | os.PathLike[str], *, contacts_file: str | os.PathLike[str] = '', "
              "packages: Iterable[str | os.PathLike[str]] = (), propose: bool = False) -> tuple[Model, RobotContacts, "
              "Stance]"),
      "Loads a robot with a free base and a frame for each contact, and finds how it stands on its feet on the ground "
      "z = 0: the model, its contacts, and the stance, whose q it is.\n\nRaises Error if it does not.");
}

}  // namespace lissom::python
