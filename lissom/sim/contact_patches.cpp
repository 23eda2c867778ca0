// Further patches of ground for the contacts of a robot in a world: stairs, slopes, walls on which a motion steps.
#include <algorithm>
#include <cmath>

#include "lissom/model/text.h"
#include "lissom/sim/contact_world.h"

namespace lissom::sim {

namespace {

constexpr double around_points = .015;  // m, around the points of the contact
constexpr double thickness = .02;       // m; thin, so that a limb may pass behind it

}  // namespace

// The points of a contact, or its ball, meet its own patches and nothing else.
void ContactWorld::add_further_patches(const std::vector<Patch>& patches) {
  for (std::size_t k = 0; k < patches.size(); ++k) {
    const auto& patch = patches[k];
    if (patch.contact >= faces_.size())
      throw Error("patch " + std::to_string(k) + " belongs to contact " + std::to_string(patch.contact) +
                  ", expected an index below " + std::to_string(faces_.size()));
    auto& face = faces_[patch.contact];
    const auto index = std::to_string(patch.contact), points = "points on patches of " + index + " " + face.name;
    if (!parts_.contains(points)) {
      std::vector<Geometry> shapes;
      for (const auto& p : face.points) shapes.push_back(sphere_at(p, face.radius));
      world_.attach(points, robot, face.frame, shapes);
      for (const auto& [other, part] : parts_) world_.exclude(points, other);
      for (const auto& [other, i] : patches_) world_.exclude(points, other);
      world_.exclude(points, ground_name);
      if (floor_ < 0) world_.exclude(points, floor_name);
      parts_[points] = {face.body, int(patch.contact), {}};
    }
    Vec3<double> reach(around_points + face.radius, around_points + face.radius, 0);
    for (const auto& p : face.points) {
      reach.x = std::max(reach.x, std::abs(p.x) + around_points);
      reach.y = std::max(reach.y, std::abs(p.y) + around_points);
    }
    Geometry g;
    g.shape.kind = Shape::Kind::box;
    g.shape.size = {patch.length > 0 ? patch.length : 2 * reach.x, patch.width > 0 ? patch.width : 2 * reach.y,
                    thickness};
    g.origin = patch.surface * Pose<double>{.p = {0, 0, -.5 * thickness}};
    const auto name = "further patch " + std::to_string(k);
    world_.attach(name, robot, world_frame, {g});
    world_.exclude(name, ground_name);
    if (floor_ < 0) world_.exclude(name, floor_name);
    for (const auto& [other, part] : parts_)
      if (other != points) world_.exclude(name, other);
    for (const auto& [other, i] : patches_) world_.exclude(name, other);
    patches_[name] = int(patch.contact);
    face.further.push_back(patch.surface);
  }
}

Mat3<double> ContactWorld::surface_axes(const Face& face, const Pose<double>& X, const Pose<double>& against) {
  for (const auto& surface : face.further) {
    const auto at = inverse(surface) * X.p;
    if (std::abs(at.z) < around_points + face.radius && std::hypot(at.x, at.y) < .1) return surface.R;
  }
  return against.R * face.surface.R;
}

}  // namespace lissom::sim
