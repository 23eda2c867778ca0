#include "lissom/io/check_meshes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lissom/files/data_uri.h"
#include "lissom/mesh/load.h"
#include "lissom/model/source_place.h"
#include "lissom/model/text.h"

namespace lissom::io {
namespace {

double norm_of(const Vec3<double>& v) {
  return std::hypot(v.x, v.y, v.z);
}

// The longest way from a root to a center of mass, along joints: how far the robot reaches, at least. The way to each
// link is found once, so that the time is proportional to the number of links.
double reach_of(const Description& d) {
  std::unordered_map<std::string_view, const JointDescription*> above;
  for (const auto& joint : d.joints) above[joint.child] = &joint;
  std::unordered_map<std::string_view, double> distances;
  std::vector<const JointDescription*> below;
  double reach = 0;
  for (const auto& link : d.links) {
    std::string_view at = link.name;
    for (auto joint = above.find(at); joint != above.end(); joint = above.find(at)) {
      if (!distances.emplace(at, 0.0).second) break;  // known, or a circle
      below.push_back(joint->second);
      at = joint->second->parent;
    }
    double distance = distances[at];
    for (; !below.empty(); below.pop_back())
      distance = distances[below.back()->child] = distance + norm_of(below.back()->origin.p);
    reach = std::max(reach, distance + norm_of(link.com));
  }
  return reach;
}

class MeshCheck {
 public:
  explicit MeshCheck(const Description& d) : d_(d), reach_(reach_of(d)) {
    for (const auto& root : d.roots)
      if (root.is_ground) scenery_.insert(root.link);
  }

  std::vector<Diagnostic> run() {
    for (const auto& link : d_.links)
      for (const auto* const list : {&link.collisions, &link.visuals})
        for (const auto& geometry : *list) {
          severity_ = list == &link.collisions ? Severity::warning : Severity::note;
          if (geometry.shape.kind == Shape::Kind::mesh && !geometry.shape.path.empty()) check(geometry, link);
        }
    return std::move(found_);
  }

 private:
  void check(const Geometry& geometry, const LinkDescription& link) {
    const Shape& shape = geometry.shape;
    const auto known = sizes_.find(shape.path);
    const auto size = known != sizes_.end() ? known->second : sizes_[shape.path] = open(geometry, link);
    const double extent = norm_of({size.x * shape.scale.x, size.y * shape.scale.y, size.z * shape.scale.z});
    // A robot in millimeters is a thousand times as large. What belongs to the world may be a building.
    constexpr double factor = 30, min_extent = 3;  // m
    if (scenery_.contains(link.name) || reach_ == 0 || extent < min_extent || extent < factor * reach_) return;
    if (!reported_.insert(shape.path).second) return;
    add(Severity::warning, "mesh-units", geometry, link,
        "the mesh " + name_of(shape) + " is " + to_text(extent) + " m large, " + to_text(std::round(extent / reach_)) +
            " times as far as the robot reaches (" + to_text(reach_) + " m)",
        "check the unit of the mesh; if it is in millimeters, scale it by 0.001");
  }

  static std::string name_of(const Shape& shape) {
    return in_quotes(is_data_uri(shape.file) ? data_uri_name(shape.file) : shape.file);
  }

  // The edges of the box around a mesh; 0 if it cannot be read.
  Vec3<double> open(const Geometry& geometry, const LinkDescription& link) {
    const Shape& shape = geometry.shape;
    const auto loaded = mesh::load_mesh(shape.path, {.accept_points = true});
    for (const auto& finding : loaded.findings)
      if (finding.severity != Severity::note)
        add(severity_, finding.code, geometry, link,
            "the mesh " + name_of(shape) + (finding.line > 0 ? ", line " + std::to_string(finding.line) : "") + ": " +
                finding.message,
            finding.remedy);
    if (!loaded.ok()) return {0, 0, 0};
    const auto [lower, upper] = mesh::bounds(loaded.mesh);
    return upper - lower;
  }

  void add(Severity severity, const std::string& code, const Geometry& geometry, const LinkDescription& link,
           const std::string& message, const std::string& remedy) {
    const auto place = place_of(d_, geometry.line);
    found_.push_back({severity, code, place.file, place.line, "link " + in_quotes(link.name), message, remedy});
  }

  const Description& d_;
  double reach_;
  Severity severity_ = Severity::note;  // of a mesh that cannot be read
  std::set<std::string_view> scenery_;
  std::map<std::string_view, Vec3<double>> sizes_;  // by path
  std::set<std::string_view> reported_;
  std::vector<Diagnostic> found_;
};

}  // namespace

std::vector<Diagnostic> check_meshes(const Description& description) {
  return MeshCheck(description).run();
}

}  // namespace lissom::io
