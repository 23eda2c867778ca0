// Placements, velocities, accelerations, Jacobians, center of mass.
#include "lissom/api/kinematics.h"

#include "quantity.h"

namespace lissom::python {

using batch::Quantity;
using namespace nb::literals;

namespace {

// `at`: None is the frame's own origin; otherwise (frame, position), or a frame, whose origin is meant.
Point point(const Model& model, nb::handle at, FrameId of) {
  if (at.is_none()) return {of, {0, 0, 0}};
  if (nb::isinstance<nb::tuple>(at) && nb::len(at) == 2)
    return {frame(model, nb::object(at[0]), "at"), vec3("at", nb::object(at[1]))};
  return {frame(model, at, "at"), {0, 0, 0}};
}

enum class Motion { velocity, acceleration };

template <Motion motion>
nb::object motion_of(const BoundModel& model, nb::handle q, nb::handle v, nb::handle a, nb::handle of, nb::handle at,
                     nb::handle in, nb::handle out) {
  Call call;
  call.read("q", q, model.nq());
  call.read("v", v, model.nv());
  if (motion == Motion::acceleration) call.read("a", a, model.nv());
  call.resolve();
  call.compute_in_double();
  const FrameId frame_of = frame(model, of, "of"), along = in.is_none() ? world_frame : frame(model, in, "in_");
  const Point p = point(model, at, frame_of);
  call.result(out, {6});
  for_rows(model, call.rows(), [&](Workspace& work, long i) {
    SpatialVector x;
    if constexpr (motion == Motion::velocity) {
      forward_kinematics(model, work, call.vector(0, i), call.vector(1, i));
      x = velocity(model, work, frame_of, p, along);
    } else {
      forward_kinematics(model, work, call.vector(0, i), call.vector(1, i), call.vector(2, i));
      x = acceleration(model, work, frame_of, p, along);
    }
    Eigen::Map<Vector6>(call.result_data<double>() + 6 * i) = to_eigen(x);
  });
  return call.finish();
}

nb::object velocity_of(const BoundModel& model, nb::handle q, nb::handle v, nb::handle of, nb::handle at, nb::handle in,
                       nb::handle out) {
  return motion_of<Motion::velocity>(model, q, v, nb::none(), of, at, in, out);
}

// Six rows and a column for each degree of freedom, row by row.
template <class F>
nb::object columns(const BoundModel& model, Call& call, nb::handle out, long height, const F& f) {
  call.resolve();
  call.compute_in_double();
  call.result(out, {height, model.nv()});
  for_rows(model, call.rows(), [&](Workspace& work, long i) {
    Eigen::Map<Matrix>(call.result_data<double>() + i * call.result_size(), height, model.nv()) = f(work, i);
  });
  return call.finish();
}

nb::object jacobian_of(const BoundModel& model, nb::handle q, nb::handle of, nb::handle at, nb::handle in,
                       nb::handle out) {
  if (at.is_none() && in.is_none()) return evaluate(model, Quantity::jacobian, {.q = q, .frame = of}, out);
  const FrameId frame_of = frame(model, of, "of"), along = in.is_none() ? world_frame : frame(model, in, "in_");
  const Point p = point(model, at, frame_of);
  Call call;
  call.read("q", q, model.nq());
  return columns(model, call, out, 6, [&](Workspace& work, long i) -> decltype(auto) {
    return jacobian(model, work, call.vector(0, i), frame_of, p, along);
  });
}

nb::object jacobian_rate_of(const BoundModel& model, nb::handle q, nb::handle v, nb::handle of, nb::handle at,
                            nb::handle in, nb::handle out) {
  const FrameId frame_of = frame(model, of, "of"), along = in.is_none() ? world_frame : frame(model, in, "in_");
  const Point p = point(model, at, frame_of);
  Call call;
  call.read("q", q, model.nq());
  call.read("v", v, model.nv());
  return columns(model, call, out, 6, [&](Workspace& work, long i) -> decltype(auto) {
    return jacobian_rate(model, work, call.vector(0, i), call.vector(1, i), frame_of, p, along);
  });
}

nb::object placements(const BoundModel& model, nb::handle q, nb::handle frames, nb::handle out) {
  std::vector<FrameId> wanted;
  if (frames.is_none())
    for (std::size_t i = 0; i < model.frames().size(); ++i) wanted.push_back({int(i)});
  else
    for (const auto one : frames) wanted.push_back(frame(model, one, "frames"));
  Call call;
  call.read("q", q, model.nq());
  call.resolve();
  call.compute_in_double();
  call.result(out, {long(wanted.size()), 4, 4});
  for_rows(model, call.rows(), [&](Workspace& work, long i) {
    forward_kinematics(model, work, call.vector(0, i));
    double* x = call.result_data<double>() + i * call.result_size();
    for (const auto id : wanted) {
      using Homogeneous = Eigen::Matrix<double, 4, 4, Eigen::RowMajor>;
      Eigen::Map<Homogeneous>{x} = isometry(placement(model, work, id)).matrix();
      x += 16;
    }
  });
  return call.finish();
}

#define STATE "q: configurations, (…, nq). "
#define POINT                                                                                                          \
  "of: a frame. at: None (its origin), a frame (that one's origin) or (frame, position in it): the material point of " \
  "`of` that is there. in_: the frame along whose axes the result is; None: the world.\n"

}  // namespace

namespace {

void bind_rates(nb::class_<BoundModel>& m) {
  m.def("velocity", &velocity_of, "q"_a, "v"_a, "of"_a, "at"_a = nb::none(), "in_"_a = nb::none(), "out"_a = nb::none(),
        nb::sig("def velocity(self, q: ArrayLike, v: ArrayLike, of: str | int | Frame, at: Any = None, in_: str | int "
                "| Frame | None = None, out: Any = None) -> NDArray[Any]"),
        "The velocity of a frame, (…, 6): linear (m/s) above angular (rad/s).\n\n" STATE
        "v: velocities, (…, nv).\n" POINT);
  m.def("acceleration", &motion_of<Motion::acceleration>, "q"_a, "v"_a, "a"_a, "of"_a, "at"_a = nb::none(),
        "in_"_a = nb::none(), "out"_a = nb::none(),
        nb::sig("def acceleration(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, of: str | int | Frame, at: Any = "
                "None, in_: str | int | Frame | None = None, out: Any = None) -> NDArray[Any]"),
        "The acceleration of a frame, (…, 6), without gravity: linear (m/s²) above angular (rad/s²).\n\n" STATE
        "v, a: (…, nv).\n" POINT);
  m.def("jacobian", &jacobian_of, "q"_a, "of"_a, "at"_a = nb::none(), "in_"_a = nb::none(), "out"_a = nb::none(),
        nb::sig("def jacobian(self, q: ArrayLike, of: str | int | Frame, at: Any = None, in_: str | int | Frame | None "
                "= None, out: Any = None) -> NDArray[Any]"),
        "The Jacobian J of a frame, (…, 6, nv), linear above angular: velocity(q, v, of, at, in_) = J v.\n\n" STATE
            POINT);
  m.def("jacobian_rate", &jacobian_rate_of, "q"_a, "v"_a, "of"_a, "at"_a = nb::none(), "in_"_a = nb::none(),
        "out"_a = nb::none(),
        nb::sig("def jacobian_rate(self, q: ArrayLike, v: ArrayLike, of: str | int | Frame, at: Any = None, in_: str | "
                "int | Frame | None = None, out: Any = None) -> NDArray[Any]"),
        "The time derivative of the Jacobian, (…, 6, nv).\n\n" STATE "v: velocities, (…, nv).\n" POINT);
  m.def(
      "joint_jacobians",
      [](const BoundModel& model, nb::handle q, nb::handle out) {
        Call call;
        call.read("q", q, model.nq());
        return columns(model, call, out, 6, [&](Workspace& work, long i) -> decltype(auto) {
          return joint_jacobians(model, work, call.vector(0, i));
        });
      },
      "q"_a, "out"_a = nb::none(), nb::sig("def joint_jacobians(self, q: ArrayLike, out: Any = None) -> NDArray[Any]"),
      "The motion vectors of all degrees of freedom, (…, 6, nv), at the world's origin and along its axes.\n\n" STATE);
  m.def(
      "center_of_mass",
      [](const BoundModel& model, nb::handle q, nb::handle out) {
        return evaluate(model, Quantity::center_of_mass, {.q = q}, out);
      },
      "q"_a, "out"_a = nb::none(), nb::sig("def center_of_mass(self, q: ArrayLike, out: Any = None) -> NDArray[Any]"),
      "The center of mass of all links in the world, (…, 3); m.\n\n" STATE);
  m.def(
      "center_of_mass_jacobian",
      [](const BoundModel& model, nb::handle q, nb::handle out) {
        Call call;
        call.read("q", q, model.nq());
        return columns(model, call, out, 3, [&](Workspace& work, long i) -> decltype(auto) {
          return center_of_mass_jacobian(model, work, call.vector(0, i));
        });
      },
      "q"_a, "out"_a = nb::none(),
      nb::sig("def center_of_mass_jacobian(self, q: ArrayLike, out: Any = None) -> NDArray[Any]"),
      "The Jacobian of the center of mass, (…, 3, nv).\n\n" STATE);
}

}  // namespace

void bind_kinematics(nb::class_<BoundModel>& m) {
  m.def(
      "placement",
      [](const BoundModel& model, nb::handle q, nb::handle of, nb::handle out) {
        return evaluate(model, Quantity::placement, {.q = q, .frame = of}, out);
      },
      "q"_a, "frame"_a, "out"_a = nb::none(),
      nb::sig("def placement(self, q: ArrayLike, frame: str | int | Frame, out: Any = None) -> NDArray[Any]"),
      "The pose of a frame in the world, (…, 4, 4): homogeneous matrices.\n\n" STATE);
  m.def("placements", &placements, "q"_a, "frames"_a = nb::none(), "out"_a = nb::none(),
        nb::sig("def placements(self, q: ArrayLike, frames: Iterable[str | int | Frame] | None = None, out: Any = "
                "None) -> NDArray[Any]"),
        "The poses of several frames, (…, frames, 4, 4); of all of them, in the order of `frames`, if None.\n\n" STATE);
  bind_rates(m);
}

}  // namespace lissom::python
