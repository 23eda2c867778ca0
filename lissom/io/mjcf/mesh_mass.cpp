// Mass properties of meshes, as MuJoCo computes them: of the vertices after refpos, refquat and scale.
#include "lissom/files/data_uri.h"
#include "lissom/io/mjcf/parts.h"
#include "lissom/mesh/convex_hull.h"
#include "lissom/mesh/load.h"
#include "lissom/mesh/mass_properties.h"
#include "lissom/mesh/write.h"
#include "lissom/model/text.h"

namespace lissom::io::mjcf {
namespace {

bool indices_fit(const MeshAsset& asset) {
  const std::size_t vertices = asset.vertices.size() / 3;
  const auto count = double(vertices);
  for (const double f : asset.faces)
    if (!(f >= 0 && f < count && f == double(std::uint32_t(f)))) return false;
  return true;
}

// The mesh of <mesh vertex face>; without faces, its hull is meant.
bool inline_mesh(const MeshAsset& asset, const Element& user, mesh::TriangleMesh& out) {
  if (!indices_fit(asset)) {
    user.error("mesh-index", "a face of the mesh " + in_quotes(asset.name) + " refers to a vertex that does not exist",
               "count the vertices from 0");
    return false;
  }
  for (std::size_t i = 0; i + 2 < asset.vertices.size(); i += 3)
    out.vertices.push_back({asset.vertices[i], asset.vertices[i + 1], asset.vertices[i + 2]});
  for (std::size_t i = 0; i + 2 < asset.faces.size(); i += 3)
    out.triangles.push_back(
        {std::uint32_t(asset.faces[i]), std::uint32_t(asset.faces[i + 1]), std::uint32_t(asset.faces[i + 2])});
  if (out.triangles.empty()) out = mesh::convex_hull(out.vertices).mesh;
  return true;
}

bool mesh_of_file(const MeshAsset& asset, const Element& user, mesh::TriangleMesh& out) {
  mesh::LoadOptions options;
  options.up_axis = mesh::UpAxis::ignore;
  options.accept_points = true;
  auto loaded = mesh::load_mesh(asset.path, options);
  for (const Diagnostic& d : loaded.findings)
    if (d.severity != Severity::note)
      user.say(d.severity, d.code, "the mesh " + in_quotes(asset.file) + ": " + d.message, d.remedy);
  out = std::move(loaded.mesh);
  if (out.triangles.empty() && !out.vertices.empty()) out = mesh::convex_hull(out.vertices).mesh;
  return !out.vertices.empty();
}

mesh::InertiaKind kind_of(const MeshAsset& asset, bool shell) {
  if (shell || asset.inertia == "shell") return mesh::InertiaKind::shell;
  if (asset.inertia == "exact") return mesh::InertiaKind::exact;
  return asset.inertia == "convex" ? mesh::InertiaKind::convex : mesh::InertiaKind::legacy;
}

}  // namespace

bool read_surface(const MeshAsset& asset, const Element& user, mesh::TriangleMesh& out) {
  if (!asset.built_in.empty()) {
    auto made = builtin_mesh(asset, user);
    if (!made) return false;
    out = *std::move(made);
  } else if (!asset.vertices.empty()) {
    if (!inline_mesh(asset, user, out)) return false;
  } else if (asset.path.empty() || !mesh_of_file(asset, user, out)) {
    return false;
  }
  // MuJoCo reads coordinates in single precision.
  for (auto& v : out.vertices) v = {double(float(v.x)), double(float(v.y)), double(float(v.z))};
  const auto back = transpose(asset.reference.R);
  mesh::transform(out, back, -(back * asset.reference.p));
  mesh::scale(out, asset.scale);
  return true;
}

const std::string& mesh_uri(const MeshAsset& asset, const Element& user, Reading& reading) {
  const auto [known, is_new] = reading.mesh_uris.try_emplace(&asset);
  mesh::TriangleMesh surface;
  if (is_new && read_surface(asset, user, surface) && !surface.empty())
    known->second = to_data_uri("model/obj", asset.name, mesh::to_obj(surface));
  return known->second;
}

std::optional<MassProperties> mesh_mass(const MeshAsset& asset, bool shell, const Element& user, Reading& reading) {
  if (shell)
    user.error("shell-mesh", "a geom with a mesh has 'shellinertia', which MuJoCo refuses",
               "set inertia=\"shell\" at the mesh in <asset>");
  const mesh::InertiaKind kind = kind_of(asset, shell);
  if (const auto known = reading.mesh_cache.find({&asset, int(kind)}); known != reading.mesh_cache.end())
    return known->second;
  auto& result = reading.mesh_cache[{&asset, int(kind)}];
  mesh::TriangleMesh surface;
  if (!read_surface(asset, user, surface)) return result;
  // (Points on a line have no hull.)
  const auto found = surface.empty() ? mesh::MassProperties{} : mesh::mass_properties(surface, kind);
  if (!(found.mass > 0))
    user.error(
        "mesh-volume",
        "the mesh " + in_quotes(asset.name) + " has the volume " + to_text(found.mass) + " m³, expected a positive one",
        "check that its surface is closed and oriented outward, or set inertia=\"shell\" or \"convex\"");
  result = MassProperties{found.mass, found.center, found.inertia};
  return result;
}

}  // namespace lissom::io::mjcf
