#pragma once
// A world with one robot: its links, the ground, and the surfaces that contacts with a placement touch. Not for users.
//
// Links have the collision shapes of the description (meshes aside). A point of a contact that lies on or in a shape of
// its body touches with that shape; any other gets a sphere of radius 0, or of the ball that it is. A contact with a
// placement, or against another body, touches a patch instead of the ground: a box whose upper face is in the plane of
// the placement. Only points of that contact meet the patch, so that patches may overlap each other and the ground. If
// a placement lies below z = 0, bodies without a contact with the ground meet the plane at its height instead of the
// ground. A fixed contact is a loop that is closed all the time.
#include <map>

#include "lissom/constraints/contact_rows.h"
#include "lissom/sim/simulated_robot.h"
#include "lissom/world/world.h"

namespace lissom::sim {

/// A sphere around a point of a frame; a bare point has radius 0.
Geometry sphere_at(const Vec3<double>& point, double radius);

class ContactWorld {
 public:
  ContactWorld(const Model& model, std::vector<Contact> contacts, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
               const std::vector<Patch>& patches = {}, const std::vector<FixedShape>& surroundings = {},
               double max_friction = std::numeric_limits<double>::infinity());

  static constexpr const char* robot = "robot";
  static constexpr const char *ground_name = "ground", *floor_name = "floor";

  /// A contact, and what it touches.
  struct Face {
    std::string name;
    FrameId frame, against;
    int body = 0;
    bool has_patch = false;
    Pose<double> surface{};                 // of the plane that it touches, in `against`
    std::vector<Vec3<double>> points = {};  // in the frame
    double friction = 0;
    double radius = 0;                       // of a ball around the frame's origin
    std::vector<Pose<double>> further = {};  // surfaces of further patches, in the world
    int grip_row = -1;                       // of a fixed contact: the first row of its loop
  };
  /// One point where the robot touches something.
  struct Touch {
    int face = -1;                      // -1: a link that is no contact, or that touches elsewhere
    const std::string* link = nullptr;  // the link; nullptr for points of a contact
    std::string other = {};             // what a link that is no contact touches
    Vec3<double> point, force;          // in the world; on the robot, mean over the step
    Vec3<double> torque = {0, 0, 0};    // of a fixed contact, about the point
    double slip = 0;                    // m/s
  };

  World& world() { return world_; }
  const std::vector<Face>& faces() const { return faces_; }
  /// The axes of the surface that a face, with its frame at X, touches or is nearest to, in the world; `against` is the
  /// placement of what the face touches.
  static Mat3<double> surface_axes(const Face& face, const Pose<double>& X, const Pose<double>& against);
  /// Where the robot touched in the last step. `work` holds the kinematics of its beginning.
  const std::vector<Touch>& touches(const Model& model, const Workspace& work);

 private:
  struct Part {
    int body = 0, face = -1;  // face: whose points it has; -1: a link's shapes
    std::string link = {};
  };
  void add_faces(const Model& model, std::vector<Contact> contacts);
  Model gripping(const Model& model, const Eigen::VectorXd& q);
  void add_grips(const Model& model, const Workspace& work);
  void add_links(const Model& model);
  void add_points(const Model& model);
  void add_patches();
  void add_further_patches(const std::vector<Patch>& patches);
  void set_friction();
  int face_at(const Model& model, const Workspace& work, int body, const Vec3<double>& point) const;

  World world_;
  std::vector<Face> faces_;
  double floor_ = 0;  // height of the lowest surface that is fixed in the world, m; at most 0
  std::map<std::string, Part> parts_;
  std::map<std::string, int> patches_;  // faces
  std::vector<Touch> touches_;
};

}  // namespace lissom::sim
