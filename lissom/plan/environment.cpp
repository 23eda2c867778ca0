#include "lissom/plan/environment.h"

#include <array>
#include <cmath>

#include "lissom/model/text.h"

namespace lissom::plan {

namespace {

constexpr double plane_size = 2000;   // m: how much of an endless plane is used
constexpr double lowest_slope = -.1;  // z of the normal: faces that look downward are of no use

std::vector<Vec3<double>> rectangle(double x, double y) {
  return {{-x / 2, -y / 2, 0}, {x / 2, -y / 2, 0}, {x / 2, y / 2, 0}, {-x / 2, y / 2, 0}};
}

// The six faces of a box: name, rotation from the face to the box, edge lengths, distance from the middle.
void add_box_faces(const StanceObstacle& box, int index, double friction, std::vector<Surface>& to) {
  using Rotation = Mat3<double>;
  struct Face {
    const char* name;
    Rotation R;  // columns: x, y and the normal
    int x, y, z;
  };
  const std::array<Face, 6> faces{{{"top", Rotation(1, 0, 0, 0, 1, 0, 0, 0, 1), 0, 1, 2},
                                   {"bottom", Rotation(1, 0, 0, 0, -1, 0, 0, 0, -1), 0, 1, 2},
                                   {"front", Rotation(0, 0, 1, 0, 1, 0, -1, 0, 0), 2, 1, 0},
                                   {"back", Rotation(0, 0, -1, 0, 1, 0, 1, 0, 0), 2, 1, 0},
                                   {"left", Rotation(1, 0, 0, 0, 0, 1, 0, -1, 0), 0, 2, 1},
                                   {"right", Rotation(1, 0, 0, 0, 0, -1, 0, 1, 0), 0, 2, 1}}};
  const std::array<double, 3> size{box.shape.size.x, box.shape.size.y, box.shape.size.z};
  for (const auto& f : faces) {
    const auto pose = box.pose * Pose<double>{f.R, f.R * Vec3<double>(0, 0, size[std::size_t(f.z)] / 2)};
    if (pose.R.zz < lowest_slope) continue;
    to.push_back(
        {box.name + "/" + f.name, {pose, rectangle(size[std::size_t(f.x)], size[std::size_t(f.y)])}, index, friction});
  }
}

}  // namespace

Environment environment_of(const scenes::Scene& scene) {
  Environment e;
  const double friction = scene.options.default_properties.friction;
  const auto add_plane = [&](const std::string& name, const Pose<double>& pose) {
    Shape plane;
    plane.kind = Shape::Kind::plane;
    e.surfaces.push_back({name, {pose, rectangle(plane_size, plane_size)}, int(e.obstacles.size()), friction});
    e.obstacles.push_back({name, plane, pose});
  };
  if (scene.ground) add_plane(*scene.ground, {});
  for (const auto& fixed : scene.fixed) {
    if (fixed.shape.kind == Shape::Kind::plane) {
      add_plane(fixed.name, fixed.pose);
      continue;
    }
    e.obstacles.push_back({fixed.name, fixed.shape, fixed.pose});
    if (fixed.shape.kind == Shape::Kind::box)
      add_box_faces(e.obstacles.back(), int(e.obstacles.size()) - 1, friction, e.surfaces);
  }
  if (e.surfaces.empty())
    throw Error("scene " + in_quotes(scene.name) +
                " has no face to stand on, expected \"ground\": true, or a box or plane in \"fixed\"");
  return e;
}

}  // namespace lissom::plan
