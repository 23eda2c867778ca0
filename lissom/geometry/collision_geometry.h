#pragma once
// The collision shapes of a robot, each with the body that it is fixed to. They are created once from the description
// of a model.
#include <string>
#include <vector>

#include "lissom/geometry/shape.h"
#include "lissom/model/model.h"

namespace lissom {

/// A shape of a link, fixed to a body.
struct CollisionShape {
  Shape shape;
  int body = 0;  ///< index of the body that it is fixed to; 0: the world
  std::string link;
  FrameId frame;                            ///< of the link
  Pose<double> in_link{};                   ///< pose of the shape in the link's frame
  Pose<double> in_body{};                   ///< pose of the shape in the body's frame
  std::string contact_material = {};        ///< name in Description::contact_materials; empty: unknown
  std::string name = {};                    ///< of the shape in the file
  int contact_group = 1, contact_mask = 1;  ///< as in Geometry
};

/// All collision shapes of a robot, body by body.
class CollisionGeometry {
 public:
  explicit CollisionGeometry(const Model& model);

  /// All shapes, with meshes, in the order of links and of their shapes.
  const std::vector<CollisionShape>& shapes() const { return shapes_; }
  std::vector<const CollisionShape*> of_body(int body) const;
  std::vector<const CollisionShape*> of_link(const std::string& link) const;

  struct Lowest {
    double z = 0;
    const CollisionShape* shape = nullptr;  ///< nullptr if there is no primitive
  };
  /// The lowest point of all primitives. `placement` returns the pose of a frame (FrameId) in the world.
  template <class Placement>
  Lowest lowest(const Placement& placement) const {
    Lowest lowest;
    for (const auto& s : shapes_) {
      if (!is_primitive(s.shape)) continue;
      const auto X = placement(s.frame) * s.in_link;
      const double z = X.p.z - support(s.shape, {-X.R.zx, -X.R.zy, -X.R.zz});
      if (!lowest.shape || z < lowest.z) lowest = {z, &s};
    }
    return lowest;
  }

 private:
  std::vector<CollisionShape> shapes_;
};

/// The radius of a collision sphere whose center is the frame's origin (within 1 mm); 0 if there is none.
double sphere_around(const Model& model, const CollisionGeometry& geometry, FrameId frame);

}  // namespace lissom
