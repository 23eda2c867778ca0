// The meshes that MuJoCo makes by itself: <mesh builtin="…" params="…"/>.
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <span>

#include "lissom/io/mjcf/parts.h"
#include "lissom/mesh/convex_hull.h"
#include "lissom/model/axes.h"
#include "lissom/model/text.h"

namespace lissom::io::mjcf {
namespace builtin {  // files are compiled together
namespace {

using mesh::TriangleMesh;
using Index = std::uint32_t;
constexpr double pi = std::numbers::pi;

// cos and sin of superquadrics: powers that keep the sign.
double power_cos(double angle, double exponent) {
  return std::copysign(std::pow(std::abs(std::cos(angle)), exponent), std::cos(angle));
}
double power_sin(double angle, double exponent) {
  return std::copysign(std::pow(std::abs(std::sin(angle)), exponent), std::sin(angle));
}

// An icosahedron whose triangles are divided into four, `params[0]` times.
TriangleMesh sphere(std::span<const double> params) {
  TriangleMesh m;
  const double golden = (1 + std::sqrt(5.)) / 2, a = 1 / std::hypot(1, golden), b = golden * a;
  m.vertices = {{-a, b, 0},  {a, b, 0},  {-a, -b, 0}, {a, -b, 0}, {0, -a, b},  {0, a, b},
                {0, -a, -b}, {0, a, -b}, {b, 0, -a},  {b, 0, a},  {-b, 0, -a}, {-b, 0, a}};
  m.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                 {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                 {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  for (int i = 0; i < int(params[0]); ++i) {
    std::map<std::pair<Index, Index>, Index> middles;
    const auto middle = [&](Index from, Index to) {
      const auto [known, is_new] = middles.try_emplace(std::minmax(from, to), Index(m.vertices.size()));
      if (is_new) m.vertices.push_back(unit(m.vertices[from] + m.vertices[to]));
      return known->second;
    };
    std::vector<mesh::Triangle> divided;
    for (const auto& [p, q, r] : m.triangles) {
      const Index x = middle(p, q), y = middle(q, r), z = middle(r, p);
      divided.insert(divided.end(), {{p, x, z}, {q, y, x}, {r, z, y}, {x, y, z}});
    }
    m.triangles = std::move(divided);
  }
  return m;
}

// The upper half of an octahedron, whose faces are divided into rows, blown up to a sphere; and its flat side.
TriangleMesh hemisphere(std::span<const double> params) {
  TriangleMesh m;
  const Index rings = Index(params[0]) + 1;
  const std::array<Vec3<double>, 4> sides{{{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}}};
  m.vertices.push_back({0, 0, 1});
  for (Index ring = 1; ring <= rings; ++ring)
    for (Index i = 0; i < 4 * ring; ++i) {
      const auto &from = sides[i / ring], &to = sides[(i / ring + 1) % 4];
      const double along = i % ring;
      m.vertices.push_back(unit((ring - along) * from + along * to + Vec3<double>{0, 0, double(rings) - double(ring)}));
    }
  const auto at = [](Index ring, Index i) {  // counted around
    return ring == 0 ? 0 : 1 + 2 * ring * (ring - 1) + i % (4 * ring);
  };
  for (Index ring = 0; ring < rings; ++ring)
    for (Index side = 0; side < 4; ++side)
      for (Index i = 0; i <= ring; ++i) {
        const Index inner = side * ring + i, outer = side * (ring + 1) + i;
        m.triangles.push_back({at(ring, inner), at(ring + 1, outer), at(ring + 1, outer + 1)});
        if (i < ring) m.triangles.push_back({at(ring, inner), at(ring + 1, outer + 1), at(ring, inner + 1)});
      }
  const auto center = Index(m.vertices.size());
  m.vertices.push_back({0, 0, 0});
  for (Index i = 0; i < 4 * rings; ++i) m.triangles.push_back({at(rings, i), center, at(rings, i + 1)});
  return m;
}

// A prism between polygons of radius 1 below and params[1] above.
TriangleMesh cone(std::span<const double> params) {
  std::vector<Vec3<double>> points;
  const int corners = int(params[0]);
  for (const double z : {-1., 1.})
    for (int i = 0; i < corners; ++i) {
      const double radius = z < 0 ? 1 : params[1], angle = 2 * pi * i / corners;
      points.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
    }
  return mesh::convex_hull(points).mesh;
}

TriangleMesh supersphere(std::span<const double> params) {
  TriangleMesh m;
  const auto n = Index(params[0]);
  const double e = params[1], latitude_exponent = params[2];
  m.vertices.push_back({0, 0, -1});
  for (Index row = 1; row < n; ++row)
    for (Index i = 0; i < n; ++i) {
      const double latitude = -pi / 2 + row * pi / n, longitude = -pi + 2 * pi * i / n;
      const double r = power_cos(latitude, latitude_exponent);
      m.vertices.push_back(
          {r * power_cos(longitude, e), r * power_sin(longitude, e), power_sin(latitude, latitude_exponent)});
    }
  const auto top = Index(m.vertices.size());
  m.vertices.push_back({0, 0, 1});
  const auto at = [&](Index row, Index i) { return 1 + row * n + i % n; };
  for (Index i = 0; i < n; ++i) m.triangles.push_back({0, at(0, i + 1), at(0, i)});
  for (Index row = 0; row + 2 < n; ++row)
    for (Index i = 0; i < n; ++i) {
      m.triangles.push_back({at(row, i), at(row, i + 1), at(row + 1, i)});
      m.triangles.push_back({at(row, i + 1), at(row + 1, i + 1), at(row + 1, i)});
    }
  for (Index i = 0; i < n; ++i) m.triangles.push_back({at(n - 2, i), at(n - 2, i + 1), top});
  return m;
}

TriangleMesh supertorus(std::span<const double> params) {
  TriangleMesh m;
  const auto n = Index(params[0]);
  for (Index i = 0; i < n; ++i)
    for (Index k = 0; k < n; ++k) {
      const double around = 2 * pi * i / n, across = 2 * pi * k / n;
      const double r = 1 + params[1] * power_cos(across, params[2]);
      m.vertices.push_back({r * power_cos(around, params[3]), r * power_sin(around, params[3]),
                            params[1] * power_sin(across, params[2])});
    }
  const auto at = [&](Index i, Index k) { return i % n * n + k % n; };
  for (Index i = 0; i < n; ++i)
    for (Index k = 0; k < n; ++k) {
      m.triangles.push_back({at(i, k), at(i + 1, k), at(i, k + 1)});
      m.triangles.push_back({at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)});
    }
  return m;
}

// The centers of n intervals of [-1, 1]. Foveation makes those in the middle narrower.
std::vector<double> centers(int n, double foveation) {
  const auto end = [&](int i) {
    const double x = 2. * i / n - 1;
    return (1 - foveation) * x + foveation * std::pow(x, 5);
  };
  std::vector<double> found;
  for (int i = 0; i < n; ++i) found.push_back((end(i) + end(i + 1)) / 2);
  return found;
}

// Points of a sphere, by azimuth and elevation from -z.
TriangleMesh wedge(std::span<const double> params) {
  std::vector<Vec3<double>> points;
  for (const double x : centers(int(params[0]), params[4]))
    for (const double y : centers(int(params[1]), params[4])) {
      const double azimuth = x * params[2] * pi / 180, elevation = y * params[3] * pi / 180;
      points.push_back(
          {std::sin(azimuth) * std::cos(elevation), std::sin(elevation), -std::cos(azimuth) * std::cos(elevation)});
    }
  return mesh::convex_hull(points).mesh;
}

TriangleMesh plate(std::span<const double> params) {
  TriangleMesh m;
  const auto columns = Index(params[0]), rows = Index(params[1]);
  for (const double x : centers(int(columns), 0))
    for (const double y : centers(int(rows), 0)) m.vertices.push_back({x, y, -1});
  const auto at = [&](Index i, Index k) { return i * rows + k; };
  for (Index i = 0; i + 1 < columns; ++i)
    for (Index k = 0; k + 1 < rows; ++k) {
      m.triangles.push_back({at(i, k), at(i + 1, k), at(i, k + 1)});
      m.triangles.push_back({at(i + 1, k + 1), at(i, k + 1), at(i + 1, k)});
    }
  return m;
}

// What each parameter may be; `open` if not the lower bound itself.
struct Range {
  double lower, upper;
  bool open = false;
};
constexpr double resolution = 1000, any = 1e6;
struct Builtin {
  std::string_view name;
  TriangleMesh (*make)(std::span<const double>);
  std::vector<Range> params;
};

const std::array<Builtin, 7>& builtins() {
  static const std::array<Builtin, 7> all{
      {{"sphere", sphere, {{0, 4}}},
       {"hemisphere", hemisphere, {{0, 10}}},
       {"cone", cone, {{3, resolution}, {0, 1}}},
       {"supersphere", supersphere, {{3, resolution}, {0, any}, {0, any}}},
       {"supertorus", supertorus, {{3, resolution}, {0, 1, true}, {0, any, true}, {0, any, true}}},
       {"wedge", wedge, {{1, resolution}, {1, resolution}, {0, 180, true}, {0, 90, true}, {0, 1}}},
       {"plate", plate, {{1, resolution}, {1, resolution}}}}};
  return all;
}

}  // namespace
}  // namespace builtin

std::optional<mesh::TriangleMesh> builtin_mesh(const MeshAsset& asset, const Element& user) {
  const auto& all = builtin::builtins();
  const auto known = std::ranges::find(all, asset.built_in, &builtin::Builtin::name);
  const std::string whose = "the mesh " + in_quotes(asset.name);
  if (known == all.end()) {
    user.error("word-unknown", whose + " is built in as " + in_quotes(asset.built_in) + ", which MuJoCo does not have",
               "use sphere, hemisphere, cone, supersphere, supertorus, wedge or plate");
    return std::nullopt;
  }
  bool good = asset.params.size() == known->params.size();
  for (std::size_t i = 0; good && i < asset.params.size(); ++i) {
    const auto& [lower, upper, open] = known->params[i];
    good = asset.params[i] <= upper && (open ? asset.params[i] > lower : asset.params[i] >= lower);
  }
  if (good) return known->make(asset.params);
  user.error("mesh-parameters",
             whose + " is a " + asset.built_in + " whose 'params' are not " + counted(known->params.size(), "number") +
                 " that MuJoCo accepts",
             "see the manual of MuJoCo, attribute 'params' of 'mesh'");
  return std::nullopt;
}

}  // namespace lissom::io::mjcf
