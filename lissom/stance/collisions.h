#pragma once
// What a posture must keep away from: links from obstacles, and links from each other where they can meet. Also edges
// of the polygons on which contacts may lie. Not for users.
#include "lissom/constraints/robot_snapshot.h"
#include "lissom/geometry/collide.h"
#include "lissom/geometry/collision_geometry.h"
#include "lissom/stance/stance.h"

namespace lissom::stance {

class Collisions {
 public:
  // Error if an obstacle is a mesh.
  Collisions(const Model& model, const CollisionGeometry& geometry, const StanceProblem& problem);

  // Two parts that are near: a is a link, b another one or an obstacle. The distance changes with
  // normal · (velocity of point_a - velocity of point_b).
  struct Near {
    int a, b;
    double distance, required;
    Vec3<double> point_a, point_b, normal;
  };
  // Finds them at the state of the robot, or at that of forward_kinematics.
  void evaluate(const RobotSnapshot& robot);
  void evaluate(const Model& model, const Workspace& work);
  const std::vector<Near>& near() const { return near_; }
  int max_count() const { return pairs_.empty() ? 0 : max_near; }  // size of near()

  const std::string& name(int part) const { return parts_[std::size_t(part)].name; }
  FrameId frame(int part) const { return parts_[std::size_t(part)].frame; }
  bool is_link(int part) const { return parts_[std::size_t(part)].body != 0; }

 private:
  static constexpr int max_near = 40;
  struct Part {
    std::string name;
    Collider shape;
    int body = 0;  // 0: an obstacle
    FrameId frame = world_frame;
    Pose<double> pose;  // in the frame; as evaluated last, in the world
    Pose<double> in_world;
    double clearance = 0;  // from obstacles
  };
  void add_obstacle_pairs(const Model& model, const StanceProblem& problem, int links);
  void add_link_pairs(const Model& model, double clearance);
  Distance distance_of(int a, int b) const;
  bool are_far(const Part& a, const Part& b, double reach) const;
  void find_near();

  double clearance_ = 0;  // between links
  std::vector<Part> parts_;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<Near> near_;
};

// Whether a body is the carrier, or hangs on it.
bool is_carried_by(const Model& model, int body, int carrier);

// The half plane n · p ≤ d, in the polygon's coordinates, in which the corners of a face lie: an edge, moved inward by
// the polygon's margin.
struct Edge {
  Vec3<double> n;
  double d;
};
Edge edge_of(const StancePolygon& polygon, std::size_t i);
// The corner of a face at the pose X, in the world, that is farthest beyond an edge, and how far; negative: inside.
struct FarthestCorner {
  Vec3<double> n, corner;  // in the world
  double beyond;
};
FarthestCorner farthest_out(const StancePolygon& polygon, std::size_t i, const Pose<double>& X,
                            const std::vector<Vec3<double>>& corners);
// The translation in the polygon's plane that brings a face inside, if it fits; `placed` is its pose in the polygon.
Vec3<double> shift_inside(const StancePolygon& polygon, const Pose<double>& placed,
                          const std::vector<Vec3<double>>& corners);

}  // namespace lissom::stance
