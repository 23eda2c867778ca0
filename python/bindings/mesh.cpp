// Triangle meshes: files, mass properties, hulls, decomposition.
#include "lissom/mesh.h"

#include <cstring>

#include "calls.h"
#include "description.h"
#include "lissom/mesh/load.h"
#include "results.h"
#include "shapes.h"
#include "sim_types.h"

LISSOM_ENUM(lissom::mesh::Format, "unknown", "stl", "obj", "ply", "dae", "gltf", "msh")
LISSOM_ENUM(lissom::mesh::UpAxis, "as_robots_do", "apply", "ignore")
LISSOM_ENUM(lissom::mesh::InertiaKind, "exact", "convex", "legacy", "shell")
LISSOM_ENUM(lissom::mesh::HullKind, "none", "point", "line", "flat", "solid")

namespace lissom::python {

using namespace nb::literals;
using mesh::ConvexDecomposition;
using mesh::ConvexHull;
using mesh::LoadedMesh;
using mesh::MassProperties;
using mesh::TriangleMesh;

namespace {

nb::object numpy() {
  return nb::module_::import_("numpy");
}

// (n, 3) of any whole numbers.
std::vector<mesh::Triangle> triangles_of(nb::handle object, std::size_t vertices) {
  const nb::object given = numpy().attr("asarray")(object);
  const auto kind = nb::cast<std::string>(given.attr("dtype").attr("kind"));
  const bool empty = nb::cast<long>(given.attr("size")) == 0;
  if (!empty && kind != "i" && kind != "u") {
    PyErr_SetString(PyExc_TypeError, "triangles has elements that are not whole numbers, expected indices of vertices");
    throw nb::python_error();
  }
  const nb::object rows = empty ? nb::object(numpy().attr("zeros")(nb::make_tuple(0, 3), "int64")) : given;
  const nb::object shape = rows.attr("shape");
  if (nb::len(shape) != 2 || nb::cast<long>(shape[1]) != 3)
    throw Error("triangles has the shape " + nb::cast<std::string>(nb::str(shape)) + ", expected (n, 3)");
  const nb::object flat = numpy().attr("ascontiguousarray")(rows.attr("astype")("int64"));
  const auto* const data = static_cast<const std::int64_t*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(flat.ptr())));
  std::vector<mesh::Triangle> all(nb::cast<std::size_t>(shape[0]));
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto index = data[3 * i + k];
      if (index < 0 || std::size_t(index) >= vertices)
        throw Error("triangles[" + std::to_string(i) + ", " + std::to_string(k) + "] is " + std::to_string(index) +
                    ", expected an index of the " + std::to_string(vertices) + " vertices");
      all[i][k] = std::uint32_t(index);
    }
  return all;
}

nb::object to_array(const std::vector<mesh::Triangle>& triangles) {
  const nb::object array = numpy().attr("empty")(nb::make_tuple(triangles.size(), 3), "uint32");
  if (!triangles.empty())
    std::memcpy(PyArray_DATA(reinterpret_cast<PyArrayObject*>(array.ptr())), triangles.data(),
                triangles.size() * sizeof triangles[0]);
  return array;
}

TriangleMesh made(nb::handle vertices, nb::handle triangles) {
  TriangleMesh m;
  m.vertices = points("vertices", vertices);
  m.triangles = triangles_of(triangles, m.vertices.size());
  return m;
}

void bind_class(nb::module_& m) {
  using M = TriangleMesh;
  nb::class_<M>(m, "TriangleMesh",
                "A surface of triangles.\n\n"
                "    surface = mesh.TriangleMesh(vertices, triangles)     # (n, 3) m, (m, 3) indices")
      .def(
          "__init__", [](M* self, nb::handle v, nb::handle t) { new (self) M(made(v, t)); }, "vertices"_a,
          "triangles"_a, nb::sig("def __init__(self, vertices: ArrayLike, triangles: ArrayLike) -> None"),
          "vertices: (n, 3), m; triangles: (m, 3), indices of three vertices, counterclockwise as seen from outside.")
      .def_prop_ro(
          "vertices", [](const M& self) { return to_numpy(self.vertices); },
          nb::sig("def vertices(self) -> NDArray[np.float64]"), "(n, 3), m; a copy.")
      .def_prop_ro(
          "triangles", [](const M& self) { return to_array(self.triangles); },
          nb::sig("def triangles(self) -> NDArray[np.uint32]"),
          "(m, 3), indices of three vertices, counterclockwise as seen from outside; a copy.")
      .def_prop_ro(
          "bounds",
          [](const M& self) {
            const auto b = mesh::bounds(self);
            return nb::make_tuple(to_numpy(b.lower), to_numpy(b.upper));
          },
          nb::sig("def bounds(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]"),
          "Corners of the smallest box along the axes that holds all vertices, m.")
      .def(
          "transformed",
          [](const M& self, nb::handle X) {
            M moved = self;
            const auto at = pose("X", X);
            mesh::transform(moved, at.R, at.p);
            return moved;
          },
          "X"_a, nb::sig("def transformed(self, X: ArrayLike) -> TriangleMesh"), "The mesh moved by a pose, 4 × 4.")
      .def(
          "scaled",
          [](const M& self, nb::handle factors) {
            M other = self;
            mesh::scale(other, vec3("factors", factors));
            return other;
          },
          "factors"_a, nb::sig("def scaled(self, factors: ArrayLike) -> TriangleMesh"),
          "The mesh scaled along each axis, (3,); negative factors mirror it.")
      .def("__getstate__",
           [](const M& self) { return nb::make_tuple(to_numpy(self.vertices), to_array(self.triangles)); })
      .def("__setstate__",
           [](M& self, const nb::tuple& state) { new (&self) M(made(nb::object(state[0]), nb::object(state[1]))); })
      .def("__repr__", [](const M& self) {
        return "TriangleMesh(" + std::to_string(self.vertices.size()) + " vertices, " +
               std::to_string(self.triangles.size()) + " triangles)";
      });
}

void bind_files(nb::module_& m) {
  using L = LoadedMesh;
  nb::class_<L>(m, "LoadedMesh", "What load_mesh() found.")
      .def_ro("mesh", &L::mesh, "Empty if the file cannot be used.")
      .def_ro("format", &L::format, "'stl', 'obj', 'ply', 'dae', 'gltf', 'msh' or 'unknown'.")
      .def_ro("from_cache", &L::from_cache)
      .def_ro("findings", &L::findings, "Diagnostics; if one of them is an error, the mesh is empty.")
      .def_prop_ro("ok", &L::ok, "Whether there is a mesh.")
      .def("__repr__", [](const L& self) {
        return std::string("LoadedMesh(") + mesh::to_string(self.format) + ", " +
               std::to_string(self.mesh.triangles.size()) + " triangles, " + std::to_string(self.findings.size()) +
               " findings)";
      });
  m.def(
      "load_mesh",
      [](nb::handle path, nb::handle scale, mesh::UpAxis up_axis, bool accept_points, bool use_cache) {
        const auto file = path_of(path);
        mesh::LoadOptions options{.up_axis = up_axis, .accept_points = accept_points, .use_cache = use_cache};
        options.scale = vec3("scale", scale);
        const nb::gil_scoped_release release;
        return mesh::load_mesh(file, options);
      },
      "path"_a, "scale"_a = nb::make_tuple(1.0, 1.0, 1.0), "up_axis"_a = mesh::UpAxis::as_robots_do,
      "accept_points"_a = false, "use_cache"_a = true,
      nb::sig("def load_mesh(path: str | os.PathLike[str], scale: ArrayLike = (1.0, 1.0, 1.0), up_axis: "
              "Literal['as_robots_do', 'apply', 'ignore'] = 'as_robots_do', accept_points: bool = False, use_cache: "
              "bool = True) -> LoadedMesh"),
      "The mesh in a file: STL, OBJ, PLY, COLLADA (.dae), glTF or MuJoCo's .msh (docs/meshes.md). It never raises "
      "because of the content of the file: `findings` says what is wrong.\n\n"
      "scale: along x, y and z, after units and axes. up_axis: 'as_robots_do': that of COLLADA is ignored, glTF is "
      "rotated such that z is up; 'apply': what is up in the file becomes z; 'ignore'. accept_points: also files with "
      "vertices and no triangles. use_cache: keep large meshes in the user's cache.");
  m.def(
      "write_mesh",
      [](nb::handle path, const TriangleMesh& surface) {
        const auto file = path_of(path);
        const nb::gil_scoped_release release;
        mesh::write_mesh(file, surface);
      },
      "path"_a, "mesh"_a, nb::sig("def write_mesh(path: str | os.PathLike[str], mesh: TriangleMesh) -> None"),
      "Writes .stl or .obj, as the ending of the path says. The file is complete or not there.");
}

void bind_mass(nb::module_& m) {
  using P = MassProperties;
  bind_result<P>(m, "MassProperties", "For a density of 1: per volume, and per area for a shell.",
                 std::tuple{Field{"mass", &P::mass, "The volume, m³, or of a shell the area, m²."},
                            Field{"center", &P::center, "Center of mass, (3,), m."},
                            Field{"inertia", &P::inertia,
                                  "About the center of mass, along the axes of the mesh, 3 × 3, m⁵; of a shell m⁴."}});
  m.def(
      "mass_properties",
      [](const TriangleMesh& surface, mesh::InertiaKind kind) {
        const nb::gil_scoped_release release;
        return mesh::mass_properties(surface, kind);
      },
      "mesh"_a, "kind"_a = mesh::InertiaKind::exact,
      nb::sig("def mass_properties(mesh: TriangleMesh, kind: Literal['exact', 'convex', 'legacy', 'shell'] = 'exact') "
              "-> MassProperties"),
      "Mass, center of mass and inertia for a density of 1. kind: 'exact': what the surface encloses; 'convex': the "
      "convex hull; 'legacy': as MuJoCo's default; 'shell': the surface as a thin sheet.");
  m.def(
      "check_surface", [](const TriangleMesh& surface) { return mesh::check_surface(surface); }, "mesh"_a,
      "What is wrong with a surface as the boundary of a body: open edges, edges with more than two triangles, "
      "neighbors that disagree about the outside, no volume. A surface without findings encloses a body.");
  m.def(
      "surface_area", [](const TriangleMesh& surface) { return mesh::surface_area(surface); }, "mesh"_a,
      "Sum of the areas of the triangles, m².");
}

void bind_hulls(nb::module_& m) {
  using H = ConvexHull;
  nb::class_<H>(m, "ConvexHull", "The convex hull of points.")
      .def_ro("kind", &H::kind, "'solid', 'flat', 'line', 'point', or 'none' if a point is not finite.")
      .def_ro("mesh", &H::mesh, "Its vertices, and its faces as triangles, oriented outward.")
      .def_prop_ro(
          "points", [](const H& self) { return numpy().attr("array")(nb::cast(self.points), "int64"); },
          nb::sig("def points(self) -> NDArray[np.int64]"), "Each vertex's index in the points.")
      .def_ro("max_error", &H::max_error,
              "The farthest that a point lies outside of the hull, m; not zero only with max_vertices.")
      .def("__repr__", [](const H& self) {
        return std::string("ConvexHull('") + mesh::to_string(self.kind) + "', " +
               std::to_string(self.mesh.vertices.size()) + " vertices)";
      });
  m.def(
      "convex_hull",
      [](nb::handle of, std::size_t max_vertices, double tolerance) {
        const mesh::HullOptions options{max_vertices, tolerance};
        const auto all =
            nb::isinstance<TriangleMesh>(of) ? nb::cast<const TriangleMesh&>(of).vertices : points("points", of);
        const nb::gil_scoped_release release;
        return mesh::convex_hull(all, options);
      },
      "points"_a, "max_vertices"_a = 0, "tolerance"_a = mesh::HullOptions{}.tolerance,
      nb::sig("def convex_hull(points: ArrayLike | TriangleMesh, max_vertices: int = 0, tolerance: float = 1e-12) -> "
              "ConvexHull"),
      "The convex hull of points, (n, 3), m, or of a mesh. max_vertices: take at most as many, the farthest first; 0: "
      "all that are needed. tolerance: points not farther outside are left out, relative to their extent.");
  using D = ConvexDecomposition;
  bind_result<D>(m, "ConvexDecomposition", "A mesh as few convex bodies.",
                 std::tuple{Field{"hulls", &D::hulls, "Solid hulls, which hold every triangle of the mesh."},
                            Field{"concavity", &D::concavity,
                                  "The empty space in all of them, relative to the volume of the hull of the mesh."},
                            Field{"from_cache", &D::from_cache, ""}});
  const mesh::DecomposeOptions d;
  m.def(
      "decompose",
      [](const TriangleMesh& surface, std::size_t max_hulls, double max_concavity, int resolution,
         std::size_t max_vertices, bool use_cache) {
        mesh::DecomposeOptions options{max_hulls, max_concavity, resolution, max_vertices, use_cache};
        options.stop = Interruption(nb::none(), true);  // throws on Ctrl-C
        const nb::gil_scoped_release release;
        return mesh::decompose(surface, options);
      },
      "mesh"_a, "max_hulls"_a = d.max_hulls, "max_concavity"_a = d.max_concavity, "resolution"_a = d.resolution,
      "max_vertices"_a = d.max_vertices, "use_cache"_a = d.use_cache,
      "A mesh as few convex bodies: approximate convex decomposition. max_hulls: of them at most. max_concavity: parts "
      "are not cut further where their hull has less empty space than this, relative to the hull of the whole mesh. "
      "resolution: cells along the longest extent, 8 to 256. max_vertices: of each hull; 0: as many as it needs. "
      "use_cache: keep the result in the user's cache.");
}

}  // namespace

void bind_mesh(nb::module_& m) {
  nb::module_ sub = m.def_submodule("mesh", "Triangle meshes: files, mass properties, convex hulls, decomposition.");
  bind_class(sub);
  bind_files(sub);
  bind_mass(sub);
  bind_hulls(sub);
}

}  // namespace lissom::python
