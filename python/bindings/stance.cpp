// Stances: postures in which a robot is at rest on given contacts.
#include "lissom/stance/stance.h"

#include "contacts.h"
#include "shapes.h"
#include "sim_types.h"

LISSOM_ENUM(lissom::StanceStatus, "found", "no_posture", "not_balanced", "torque_limits")

namespace lissom::python {

using namespace nb::literals;

template <>
inline constexpr bool fields_in_place<StanceContact> = true;
template <>
inline constexpr bool fields_in_place<StancePolygon> = true;
template <>
inline constexpr bool fields_in_place<StanceObstacle> = true;
LISSOM_PYTHON_TYPE(StancePolygon, "StancePolygon")
LISSOM_PYTHON_TYPE(StanceObstacle, "StanceObstacle")
LISSOM_PYTHON_TYPE(StanceForces, "StanceForces")

namespace {

auto problem_fields() {
  using P = StanceProblem;
  return std::tuple{Field{"from_", &P::from, ""},
                    Field{"start", &P::start, ""},
                    Field{"com", &P::com, ""},
                    Field{"com_height", &P::com_height, ""},
                    Field{"com_margin", &P::com_margin, ""},
                    Field{"torque_fraction", &P::torque_fraction, ""},
                    Field{"ground", &P::ground, ""},
                    Field{"obstacles", &P::obstacles, ""},
                    Field{"self_collision", &P::self_collision, ""},
                    Field{"clearance", &P::clearance, ""},
                    Field{"clearances", &P::clearances, ""},
                    Field{"starts", &P::starts, ""},
                    Field{"seed", &P::seed, ""}};
}

Stance find(const BoundModel& model, nb::handle contacts, const nb::kwargs& given) {
  nb::kwargs fields = nb::steal<nb::kwargs>(PyDict_Copy(given.ptr()));
  bool any_height = false;
  for (const char* const posture : {"from_", "start"})
    if (fields.contains(posture) && nb::object(fields[posture]).is_none()) PyDict_DelItemString(fields.ptr(), posture);
  if (fields.contains("clearances")) {
    const nb::object given_clearances = fields["clearances"];
    if (nb::isinstance<nb::dict>(given_clearances)) fields["clearances"] = nb::list(given_clearances.attr("items")());
  }
  if (fields.contains("com")) {
    // Two elements: any height.
    const nb::object com = fields["com"];
    any_height = nb::hasattr(com, "__len__") && nb::len(com) == 2;
    if (any_height) fields["com"] = nb::make_tuple(com[0], com[1], 0.0);
  }
  auto problem = options_of<StanceProblem>("find_stance", nb::none(), fields, problem_fields());
  if (any_height) problem.com_height = false;
  Items<StanceContact> list;
  if (PyUnicode_Check(contacts.ptr()) || nb::isinstance<StanceContact>(contacts))
    list.list.append(contacts);
  else if (!nb::try_cast(contacts, list))
    throw Error("contacts is not a list of names or of StanceContact");
  problem.contacts = list.values("contacts", "name or StanceContact");
  problem.stop = Interruption(nb::none(), true);  // throws on Ctrl-C
  const nb::gil_scoped_release release;
  return find_stance(model, problem);
}

void bind_results(nb::module_& m) {
  using F = StanceForces;
  bind_record<F>(
      m, "StanceForces", "A contact of a stance with its forces. Vectors are along the world's axes.",
      std::tuple{Field{"frame", &F::frame, "Of the contact."},
                 Field{"kind", &F::kind, "'surface', 'point' or 'fixed'."},
                 Field{"placement", &F::placement, "Of the frame, as found, 4 × 4."},
                 Field{"points", &F::points, "In the world, (n, 3), m; a grip has none."},
                 Field{"point_forces", &F::point_forces, "(n, 3), N"},
                 Field{"force", &F::force, "Of all points on the frame, N."},
                 Field{"torque", &F::torque, "About the frame's origin, N m."}, Field{"normal", &F::normal, "N"},
                 Field{"friction_use", &F::friction_use,
                       "Largest |tangent| / (friction · normal) of the points with a normal force."}});
  using S = Stance;
  bind_record<S>(
      m, "Stance", "The result of find_stance().",
      std::tuple{
          Field{"status", &S::status,
                "'found'; 'no_posture': contacts or the center of mass do not reach their targets; 'not_balanced': no "
                "forces within the cones balance the robot; 'torque_limits': only with torques beyond the limits."},
          Field{"what", &S::what,
                "If none was found, why. All other fields then describe the best posture that was found."},
          Field{"q", &S::q, "(nq,)"}, Field{"torques", &S::torques, "(nv,), zero without a motor."},
          Field{"contacts", &S::contacts, "Forces and corners of each, a list of StanceForces."},
          Field{"com", &S::com, "Center of mass, m."},
          Field{"balance_margin", &S::balance_margin,
                "How far the center of mass may move in every horizontal direction within the support region, m; "
                "negative: how far it is outside."},
          Field{"support", &S::support, "Corners of the support region, counter-clockwise, at z = 0, (n, 3), m."},
          Field{"max_torque_use", &S::max_torque_use, "|torque| / effort limit."},
          Field{"max_torque_joint", &S::max_torque_joint, "The joint with that torque."},
          Field{"max_friction_use", &S::max_friction_use, "Largest |tangent| / (friction · normal) of all contacts."},
          Field{"posture_distance", &S::posture_distance,
                "Root of the sum of squares of joint displacements from from_."},
          Field{"starts", &S::starts, "Postures from which it was searched."},
          Field{"iterations", &S::iterations, "Of all starts together."},
          Field{"remarks", &S::remarks, "What was assumed about the problem."}});
}

}  // namespace

void bind_stance(nb::module_& m) {
  using P = StancePolygon;
  bind_record<P>(m, "StancePolygon", "A convex polygon of the surroundings on which a contact may lie anywhere.",
                 std::tuple{Field{"pose", &P::pose, "4 × 4; z is the normal, out of the solid."},
                            Field{"corners", &P::corners, "In its plane z = 0, counter-clockwise about +z, (n, 3), m."},
                            Field{"margin", &P::margin, "Distance of the contact's corners from the edges, m."}});
  using O = StanceObstacle;
  bind_record<O>(m, "StanceObstacle", "A solid that the robot keeps away from.",
                 std::tuple{Field{"name", &O::name, "Of the obstacle."}, Field{"shape", &O::shape, "A Shape, no mesh."},
                            Field{"pose", &O::pose, "In the world, 4 × 4."}});
  using C = StanceContact;
  bind_record<C>(
      m, "StanceContact", "A contact that the robot shall stand on.",
      std::tuple{
          Field{"frame", &C::frame, "Of the robot."},
          Field{"placement", &C::placement,
                "Pose of its frame in the world, 4 × 4; None: anywhere on the ground, level, near to where it is at "
                "the start."},
          Field{"kind", &C::kind,
                "None: a surface if `points` or the collision boxes of the frame's body give one, otherwise a point."},
          Field{"friction", &C::friction, "Coefficient."},
          Field{"points", &C::points, "Corners of its face in the frame's coordinates, (n, 3), m."},
          Field{"radius", &C::radius,
                "Of a point contact that is a ball about its point, m; None: that of the collision sphere there."},
          Field{"polygon", &C::polygon,
                "Where it may lie if it has no placement: anywhere on this polygon, flat on it and turned in any way "
                "about its normal; None: on the ground."},
          Field{"carries", &C::carries, "False: it touches without force."},
          Field{"min_normal_force", &C::min_normal_force, "Of all its points together, N."},
          Field{"max_normal_force", &C::max_normal_force, "Of all its points together, N."},
          Field{"on", &C::on,
                "The obstacle that it touches, as an index, from which its link then need not keep away; -1: none."}});
  bind_results(m);
  m.def(
      "find_stance", &find, "robot"_a, "contacts"_a, "fields"_a,
      nb::sig("def find_stance(robot: Model, contacts: Sequence[str | StanceContact], *, from_: ArrayLike | None = "
              "None, start: ArrayLike | None = None, com: ArrayLike | None = None, com_height: bool = True, "
              "com_margin: float = 0.02, torque_fraction: float = 0.9, ground: float | None = 0.0, obstacles: "
              "Sequence[StanceObstacle] = (), self_collision: bool = False, clearance: float = 0.01, clearances: "
              "Mapping[str, float] = {}, starts: int = 3, "
              "seed: int = 0) -> Stance"),
      "Finds a posture in which the robot is at rest on the contacts, near from_, (nq,).\n\n"
      "contacts: names of frames, or StanceContact. from_: None: the neutral posture, at a height that brings the "
      "contacts to the ground. start: where the search begins; None: at from_. "
      "com: target of the center of mass, (3,), or (2,) for any height, m; None: chosen so that the robot is balanced. "
      "com_margin: distance from the edge of the support region, if possible, m. torque_fraction: of the effort limits "
      "that may be used. "
      "ground: height below which no collision shape may be, m; None: no such limit. obstacles: "
      "solids from which it keeps the distance clearance, m; with self_collision, links keep it from each other, too. "
      "clearances: larger distances of the bodies of some frames from obstacles, m. The same arguments give the same "
      "result.");
}

}  // namespace lissom::python
