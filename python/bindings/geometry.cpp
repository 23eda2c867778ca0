// Collision shapes: distances and contact points.
#include "bound_model.h"
#include "calls.h"
#include "lissom/geometry/collide.h"
#include "lissom/geometry/contact_polygon.h"
#include "lissom/mesh/convex_hull.h"
#include "results.h"
#include "shapes.h"

LISSOM_ENUM(lissom::Collider::Kind, "sphere", "capsule", "box", "cylinder", "ellipsoid", "hull", "plane",
            "height_field")

namespace lissom::python {

using namespace nb::literals;

namespace {

// The hull of the points of an array, or of a mesh.
Collider hull_of(nb::handle of, double rounding) {
  const auto all =
      nb::isinstance<mesh::TriangleMesh>(of) ? nb::cast<const mesh::TriangleMesh&>(of).vertices : points("points", of);
  const auto hull = mesh::convex_hull(all);
  if (hull.kind == mesh::HullKind::none)
    throw Error(all.empty() ? "points is empty, expected at least one" : "points has an element that is not finite");
  return Collider::convex_hull(std::make_shared<Hull>(hull.mesh.vertices, hull.mesh.triangles), rounding);
}

// A Collider, or a Shape of a description.
Collider collider_of(const char* name, nb::handle object) {
  if (nb::isinstance<Collider>(object)) return nb::cast<const Collider&>(object);
  if (nb::isinstance<Shape>(object)) return Collider(nb::cast<const Shape&>(object));
  PyErr_Format(PyExc_TypeError, "%s is %R, expected a Collider or a Shape", name, object.ptr());
  throw nb::python_error();
}

Pose<double> place(const char* name, nb::handle object) {
  return object.is_none() ? Pose<double>{} : pose(name, object);
}

std::vector<ContactPoint> contact_points(nb::handle a, nb::handle X_a, nb::handle b, nb::handle X_b, double margin) {
  ContactPoints found;
  collide(collider_of("a", a), place("X_a", X_a), collider_of("b", b), place("X_b", X_b), margin, found);
  return {found.begin(), found.end()};
}

void bind_collider(nb::module_& m) {
  using C = Collider;
  nb::class_<C>(m, "Collider",
                "A shape prepared for collision detection. shape: of a description, without meshes and height fields; "
                "rounding: radius of the edges of boxes, cylinders and hulls, m. Lengths are in m.\n\n"
                "    ball = geometry.Collider.sphere(0.1)\n"
                "    part = geometry.Collider.convex_hull(mesh.load_mesh('part.stl').mesh)")
      .def(nb::init<const Shape&, double>(), "shape"_a, "rounding"_a = 0.0)
      .def_static("sphere", &C::sphere, "radius"_a)
      .def_static("capsule", &C::capsule, "radius"_a, "length"_a, "Along z; length without the caps.")
      .def_static(
          "box", [](nb::handle size, double rounding) { return C::box(vec3("size", size), rounding); }, "size"_a,
          "rounding"_a = 0.0, nb::sig("def box(size: ArrayLike, rounding: float = 0.0) -> Collider"),
          "size: edge lengths, (3,).")
      .def_static("cylinder", &C::cylinder, "radius"_a, "length"_a, "rounding"_a = 0.0, "Along z.")
      .def_static(
          "ellipsoid", [](nb::handle radii) { return C::ellipsoid(vec3("radii", radii)); }, "radii"_a,
          nb::sig("def ellipsoid(radii: ArrayLike) -> Collider"), "radii: (3,).")
      .def_static("plane", &C::plane, "The half space z ≤ 0, without end.")
      .def_static("convex_hull", &hull_of, "points"_a, "rounding"_a = 0.0,
                  nb::sig("def convex_hull(points: Any, rounding: float = 0.0) -> Collider"),
                  "The convex hull of points, (n, 3), or of a mesh.TriangleMesh; larger by `rounding`.")
      .def_prop_ro("kind", &C::kind, "'sphere', 'capsule', 'box', 'cylinder', 'ellipsoid', 'hull' or 'plane'.")
      .def_prop_ro("is_convex", &C::is_convex)
      .def_prop_ro("bounding_radius", &C::bounding_radius,
                   "Of a sphere about the origin that holds the shape, m; infinite for a plane.")
      .def("__repr__", [](const C& self) { return std::string("Collider('") + name_of(self.kind()) + "')"; });
}

}  // namespace

void bind_geometry(nb::module_& m) {
  nb::module_ g = m.def_submodule("geometry", "Collision shapes: where two of them touch, and how far apart they are.");
  bind_collider(g);
  using P = ContactPoint;
  bind_result<P>(g, "ContactPoint", "A point at which two shapes a and b touch, or are nearer than the margin.",
                 std::tuple{Field{"point", &P::point, "In the world, (3,), m."},
                            Field{"normal", &P::normal, "Unit vector from b to a."},
                            Field{"gap", &P::gap, "Distance along the normal, m; negative where the shapes overlap."},
                            Field{"feature", &P::feature, "Tells the points of a pair apart, from call to call."}});
  using D = Distance;
  bind_result<D>(g, "Distance", "The distance of two shapes a and b.",
                 std::tuple{Field{"distance", &D::distance,
                                  "m; if they overlap, minus the smallest translation that separates them."},
                            Field{"point_a", &D::point_a, "On the surface of a, in the world, (3,), m."},
                            Field{"point_b", &D::point_b, "On that of b; point_a - point_b = distance · normal."},
                            Field{"normal", &D::normal, "Unit vector from b to a."}});
  g.def(
      "distance",
      [](nb::handle a, nb::handle X_a, nb::handle b, nb::handle X_b) {
        return distance(collider_of("a", a), place("X_a", X_a), collider_of("b", b), place("X_b", X_b));
      },
      "a"_a, "X_a"_a.none(), "b"_a, "X_b"_a.none(),
      nb::sig("def distance(a: Collider | lissom._core.Shape, X_a: ArrayLike | None, b: Collider | lissom._core.Shape, "
              "X_b: ArrayLike | None) -> Distance"),
      "How far apart two shapes are, at poses X_a and X_b in the world, 4 × 4; None: at the origin. Raises an Error if "
      "neither of them is convex.");
  g.def("collide", &contact_points, "a"_a, "X_a"_a.none(), "b"_a, "X_b"_a.none(), "margin"_a = 0.0,
        nb::sig("def collide(a: Collider | lissom._core.Shape, X_a: ArrayLike | None, b: Collider | "
                "lissom._core.Shape, X_b: ArrayLike | None, margin: float = 0.0) -> list[ContactPoint]"),
        "The points at which two shapes are nearer than `margin`, m, at most 8; poses as for distance().");
  g.def(
      "contact_polygon",
      [](const BoundModel& model, nb::handle frame) {
        return contact_polygon(model, frame_of(model, frame_name("frame", frame)));
      },
      "robot"_a, "frame"_a,
      nb::sig("def contact_polygon(robot: lissom._core.Model, frame: Any) -> NDArray[np.float64]"),
      "Corners of the face with which a frame's body touches the plane z = 0 of the frame, in its coordinates, (n, 3), "
      "m. Raises an Error if its collision shapes have no such face.");
}

}  // namespace lissom::python
