// The mechanism of the classical formulations, and the algorithms on it that need no charts.
#include "formulation_rows.h"
#include "formulations.h"
#include "lissom/formulations/com_frames.h"
#include "lissom/formulations/link_frames.h"
#include "lissom/formulations/maximal.h"
#include "lissom/formulations/mirtich.h"

namespace lissom::python {

using namespace nb::literals;
using namespace formulations;

Mechanism mechanism_of(nb::handle robot) {
  if (nb::isinstance<Mechanism>(robot)) return nb::cast<Mechanism>(robot);
  if (nb::isinstance<BoundModel>(robot)) return Mechanism(nb::cast<const BoundModel&>(robot));
  PyErr_Format(PyExc_TypeError, "robot is %R, expected a Mechanism or a Model", robot.ptr());
  throw nb::python_error();
}

std::string shape_or_repr(nb::handle value) {
  if (PyArray_Check(value.ptr()) && PyArray_SIZE(reinterpret_cast<PyArrayObject*>(value.ptr())) > 9)
    return "<array " + nb::cast<std::string>(nb::str(nb::object(value.attr("shape")))) + ">";
  return short_repr(value);
}

nb::dict mapping(const char* argument, nb::handle object, const char* expected) {
  nb::dict dict;
  if (object.is_none()) return dict;
  if (!PyMapping_Check(object.ptr()) || !nb::hasattr(object, "keys")) {
    PyErr_Format(PyExc_TypeError, "%s is %R, expected %s", argument, object.ptr(), expected);
    throw nb::python_error();
  }
  if (PyDict_Update(dict.ptr(), object.ptr()) != 0) throw nb::python_error();
  return dict;
}

int link_of(const Mechanism& mechanism, nb::handle object, const char* argument) {
  if (PyUnicode_Check(object.ptr())) return mechanism.link(nb::cast<std::string>(object));
  int index = 0;
  if (!nb::try_cast<int>(object, index) || index < 0 || index >= int(mechanism.links.size()))
    throw Error(std::string(argument) + ": " + short_repr(object) +
                " is no link, expected a name, or an index from 0 to " + std::to_string(mechanism.links.size() - 1));
  return index;
}

namespace {

template <int n>
nb::object stacked(const std::vector<Eigen::Matrix<double, n, 1>>& rows) {
  nb::object array = new_array(std::array{long(rows.size()), long(n)});
  for (std::size_t i = 0; i < rows.size(); ++i) std::copy_n(rows[i].data(), n, data_of(array) + long(i) * n);
  return array;
}
template <int n>
std::vector<Eigen::Matrix<double, n, 1>> unstacked(const char* name, nb::handle object) {
  std::vector<Eigen::Matrix<double, n, 1>> rows;
  if (object.is_none()) return rows;
  const Matrix all = matrix(name, object, -1, n);
  for (long i = 0; i < all.rows(); ++i) rows.emplace_back(all.row(i).transpose());
  return rows;
}

// [(link, force, torque), …]
std::vector<LinkForce> link_forces(const Mechanism& mechanism, nb::handle external) {
  std::vector<LinkForce> forces;
  if (external.is_none()) return forces;
  for (const auto item : external) {
    if (!nb::isinstance<nb::tuple>(item) || nb::len(item) != 3) {
      PyErr_Format(PyExc_TypeError, "external has %R, expected tuples (link, force, torque)", item.ptr());
      throw nb::python_error();
    }
    forces.push_back({link_of(mechanism, nb::object(item[0]), "external"),
                      to_eigen(vec3("external", nb::object(item[1]))),
                      to_eigen(vec3("external", nb::object(item[2])))});
  }
  return forces;
}

nb::object in_link_frames(nb::handle robot, nb::handle q, nb::handle v, nb::handle a, nb::handle external,
                          bool joint_wrenches) {
  const auto mechanism = mechanism_of(robot);
  const auto forces = link_forces(mechanism, external);
  Call call = read_rows({{"q", q, mechanism.nq}, {"v", v, mechanism.nv}, {"a", a, mechanism.nv}});
  call.result(nb::none(), {mechanism.nv});
  if (joint_wrenches) call.result(nb::none(), {long(mechanism.links.size()), 6});
  each_row(call, [&](long i) {
    std::vector<Vector6> wrenches;
    write_row(call, 0, i,
              inverse_dynamics_in_link_frames(mechanism, call.vector(0, i), call.vector(1, i), call.vector(2, i),
                                              forces, joint_wrenches ? &wrenches : nullptr));
    if (joint_wrenches) write_row(call, 1, i, wrenches);
  });
  if (!joint_wrenches) return call.finish();
  return nb::make_tuple(call.finish(0), call.finish(1));
}

// The structure of C++, with arrays that have the leading axes of the states.
struct MaximalArrays {
  nb::object a, accelerations, joint_wrenches;
};

MaximalArrays maximal(nb::handle robot, nb::handle q, nb::handle v, nb::handle tau, nb::handle external) {
  const auto mechanism = mechanism_of(robot);
  const auto wrenches = rows6("external", external);
  if (!external.is_none() && wrenches.size() != mechanism.links.size())
    throw Error("external has " + std::to_string(wrenches.size()) + " rows, expected one for each of the " +
                std::to_string(mechanism.links.size()) + " links");
  Call call = read_rows({{"q", q, mechanism.nq}, {"v", v, mechanism.nv}, {"tau", tau, mechanism.nv}});
  call.result(nb::none(), {mechanism.nv});
  for (int k = 0; k < 2; ++k) call.result(nb::none(), {long(mechanism.links.size()), 6});
  each_row(call, [&](long i) {
    const auto s = maximal_dynamics(mechanism, call.vector(0, i), call.vector(1, i), call.vector(2, i), wrenches);
    write_row(call, 0, i, s.a), write_row(call, 1, i, s.accelerations), write_row(call, 2, i, s.joint_wrenches);
  });
  return {call.finish(0), call.finish(1), call.finish(2)};
}

void bind_link(nb::module_& m) {
  using L = MechanismLink;
  bind_result<L>(
      m, "MechanismLink", "A link and its joint to the parent.",
      {LISSOM_MEMBER(name, ""), LISSOM_MEMBER(parent, "Index in Mechanism.links; -1: the world."),
       LISSOM_MEMBER(mass, "kg"), LISSOM_ARRAY_MEMBER(com, "Center of mass in the link's frame, m."),
       LISSOM_ARRAY_MEMBER(inertia, "About the center of mass, along the link's axes, 3 × 3, kg m²."),
       LISSOM_MEMBER(joint, "Its name."), LISSOM_MEMBER(type, "Of the joint."),
       LISSOM_ARRAY_MEMBER(origin, "Of the joint's frame in the parent link's, 4 × 4."),
       LISSOM_ARRAY_MEMBER(axis, "Unit vector in the joint's frame."),
       LISSOM_ARRAY_MEMBER(axis2, "Of a universal joint."), LISSOM_MEMBER(pitch, "Of a helical joint, m/rad."),
       LISSOM_MEMBER(armature, "Rotor inertia, kg m², kg."),
       LISSOM_MEMBER(q_index, "Its first element of q, or its leader's."),
       LISSOM_MEMBER(v_index, "Its first element of v, or its leader's."), LISSOM_MEMBER(nv, ""),
       LISSOM_MEMBER(joint_index, "In Model.joints; -1: a root fixed to the world."),
       LISSOM_MEMBER(follows, "Whether it mimics another joint, with the coordinate ratio · q + offset."),
       LISSOM_MEMBER(ratio, ""), LISSOM_MEMBER(offset, "")});
}

void bind_results(nb::module_& m) {
  bind_result<MaximalArrays>(
      m, "MaximalSolution", "What maximal_dynamics() finds.",
      {LISSOM_MEMBER(a, "Accelerations in the model's coordinates, (…, nv)."),
       LISSOM_MEMBER(accelerations,
                     "Of each link, (…, links, 6): of its center of mass above angular, along the world's axes."),
       LISSOM_MEMBER(joint_wrenches,
                     "What the joint of each link transmits to it, motor and rotor included, (…, links, 6): force "
                     "above torque at the link's center of mass, along the world's axes.")});
  bind_result<ComFrame>(m, "ComFrame", "One link; all vectors are along its own axes.",
                        {LISSOM_ARRAY_MEMBER(R, "From the parent's axes to this link's, 3 × 3."),
                         LISSOM_ARRAY_MEMBER(r, "From the parent's center of mass to this one, m."),
                         LISSOM_ARRAY_MEMBER(R_W, "Orientation of this link in the world, 3 × 3."),
                         LISSOM_ARRAY_MEMBER(omega, "Angular velocity, rad/s."),
                         LISSOM_ARRAY_MEMBER(v, "Velocity of the center of mass, m/s."),
                         LISSOM_ARRAY_MEMBER(s,
                                             "Joint axes, (u; u × d) each, angular above linear, (6, nv of the joint); "
                                             "times the ratio of a mimic joint."),
                         LISSOM_ARRAY_MEMBER(axes, "The same without the ratio."),
                         LISSOM_ARRAY_MEMBER(c, "Bias of the acceleration: (α; a) = X̂ a_parent + s q̈ + c.")});
}

}  // namespace

nb::object to_numpy(const std::vector<Vector6>& rows) {
  return stacked<6>(rows);
}
nb::object to_numpy(const std::vector<Eigen::Vector3d>& rows) {
  return stacked<3>(rows);
}
std::vector<Vector6> rows6(const char* name, nb::handle object) {
  return unstacked<6>(name, object);
}
std::vector<Eigen::Vector3d> rows3(const char* name, nb::handle object) {
  return unstacked<3>(name, object);
}

#define ROBOT "robot: a Mechanism, or a Model.\n"
namespace {

void bind_algorithms(nb::module_& m) {
  m.def(
      "com_frames",
      [](nb::handle robot, nb::handle q, nb::handle v) {
        const auto mechanism = mechanism_of(robot);
        return com_frames(mechanism, vector("q", q, mechanism.nq), vector("v", v, mechanism.nv));
      },
      "robot"_a, "q"_a, "v"_a,
      nb::sig("def com_frames(robot: Mechanism | Model, q: ArrayLike, v: ArrayLike) -> list[ComFrame]"),
      "Velocities and joint axes of all links, in frames at their centers of mass along their own axes; in the order "
      "of Mechanism.links. q: (nq,), v: (nv,).\n\n" ROBOT);
  m.def(
      "inverse_dynamics_in_link_frames", &in_link_frames, "robot"_a, "q"_a, "v"_a, "a"_a, "external"_a = nb::none(),
      "joint_wrenches"_a = false,
      nb::sig("def inverse_dynamics_in_link_frames(robot: Mechanism | Model, q: ArrayLike, v: ArrayLike, a: "
              "ArrayLike, external: Iterable[tuple[str | int, ArrayLike, ArrayLike]] | None = None, joint_wrenches: "
              "bool = False) -> Any"),
      "tau, (…, nv), in two passes with every quantity in its own link's frame (Liu & Jain, 72–85). q: (…, nq); v, a: "
      "(…, nv).\n\n" ROBOT
      "external: [(link, force, torque), …] on links, at their frames' origins, along their axes.\n"
      "joint_wrenches: if True, the result is (tau, wrenches): what each joint transmits to its link, (…, links, 6), "
      "force above torque, at the link's origin, along its axes.");
  m.def("maximal_dynamics", &maximal, "robot"_a, "q"_a, "v"_a, "tau"_a, "external"_a = nb::none(),
        nb::sig("def maximal_dynamics(robot: Mechanism | Model, q: ArrayLike, v: ArrayLike, tau: ArrayLike, external: "
                "ArrayLike | None = None) -> MaximalSolution"),
        "Forward dynamics in maximal coordinates: the Newton–Euler equations of every link, and multipliers for every "
        "joint, in O(n). q: (…, nq); v, tau: (…, nv).\n\n" ROBOT
        "external: a wrench on each link, (links, 6), force above torque at its center of mass, along the world's "
        "axes, in addition to gravity.");
  m.def(
      "forward_dynamics_mirtich",
      [](nb::handle robot, nb::handle q, nb::handle v, nb::handle tau) {
        const auto mechanism = mechanism_of(robot);
        Call call = read_rows({{"q", q, mechanism.nq}, {"v", v, mechanism.nv}, {"tau", tau, mechanism.nv}});
        call.result(nb::none(), {mechanism.nv});
        each_row(call, [&](long i) {
          write_row(call, 0, i,
                    forward_dynamics_mirtich(mechanism, call.vector(0, i), call.vector(1, i), call.vector(2, i)));
        });
        return call.finish();
      },
      "robot"_a, "q"_a, "v"_a, "tau"_a,
      nb::sig("def forward_dynamics_mirtich(robot: Mechanism | Model, q: ArrayLike, v: ArrayLike, tau: ArrayLike) -> "
              "NDArray[np.float64]"),
      "The acceleration, (…, nv), by the articulated-body algorithm in Mirtich's form. Raises an Error if there are "
      "mimic joints: build the model with mimic=False. q: (…, nq); v, tau: (…, nv).\n\n" ROBOT);
}

}  // namespace

void bind_mechanism(nb::module_& m) {
  bind_link(m);
  bind_results(m);
  nb::class_<Mechanism>(m, "Mechanism",
                        "A robot for the classical formulations: its links, each with its joint to the parent, in the "
                        "frames of the description. No links are merged and no frames rotated.")
      .def(
          "__init__", [](Mechanism* self, const BoundModel& model) { new (self) Mechanism(model); }, "model"_a,
          nb::sig("def __init__(self, model: Model) -> None"))
      .def_prop_ro(
          "links", [](const Mechanism& self) { return self.links; }, nb::sig("def links(self) -> list[MechanismLink]"),
          "Parents before children.")
      .def_prop_ro(
          "gravity", [](const Mechanism& self) { return to_numpy(self.gravity); },
          nb::sig("def gravity(self) -> NDArray[np.float64]"), "m/s²")
      .def_ro("nq", &Mechanism::nq)
      .def_ro("nv", &Mechanism::nv)
      .def_ro("coupled", &Mechanism::coupled, "Whether there are mimic joints.")
      .def(
          "link", [](const Mechanism& self, const std::string& name) { return self.link(name); }, "name"_a,
          "Index of a link.")
      .def("__repr__", [](const Mechanism& self) {
        return "Mechanism(" + std::to_string(self.links.size()) + " links, nq=" + std::to_string(self.nq) +
               ", nv=" + std::to_string(self.nv) + ")";
      });
  bind_algorithms(m);
  m.def(
      "check_vector",
      [](nb::handle x, int size, const std::string& what) {
        check_vector(vector(what.c_str(), x), size, what.c_str());
      },
      "x"_a, "size"_a, "what"_a, nb::sig("def check_vector(x: ArrayLike, size: int, what: str) -> None"),
      "Raises an Error that names the argument `what` unless x has `size` elements and all are finite.");
  m.def(
      "check_configuration",
      [](nb::handle robot, nb::handle q) { check_configuration(mechanism_of(robot), vector("q", q)); }, "robot"_a,
      "q"_a, nb::sig("def check_configuration(robot: Mechanism | Model, q: ArrayLike) -> None"),
      "The same for q, whose quaternions must be normalized.");
  m.def(
      "cross_matrix", [](nb::handle a) { return to_numpy(cross_matrix(to_eigen(vec3("a", a)))); }, "a"_a,
      nb::sig("def cross_matrix(a: ArrayLike) -> NDArray[np.float64]"), "The matrix [a], 3 × 3, with [a] b = a × b.");
}

}  // namespace lissom::python
