#pragma once
// The parts of the writer of MJCF, one file each. Not installed.
#include <map>
#include <memory>
#include <set>

#include "lissom/io/write/body_tree.h"
#include "lissom/io/write/extras.h"
#include "lissom/io/write/materials.h"
#include "lissom/io/write/meshes.h"

namespace lissom::io::write {

class MjcfWriter {
 public:
  MjcfWriter(const Description& description, const WriteOptions& options);
  WriteResult run();

 private:
  // What one joint of the file is, in the order of qpos.
  struct Written {
    std::string name;
    JointType type;
    Pose<double> origin;  // free joints: of our coordinates in the world
  };
  using Node = pugi::xml_node;

  // mjcf.cpp
  void prepare();
  void write_options(Node mujoco);
  void write_bodies(Node mujoco);
  void write_body(const BodyNode& body, Node node, const Pose<double>& X);
  void write_content(const BodyNode& body, Node node, const Pose<double>& X);
  void write_rest(Node mujoco);
  std::string body_name(const std::string& link) const;
  bool is_worldbody(const BodyNode& body) const;

  // mjcf_joints.cpp
  void write_root_joint(const BodyNode& body, Node node);
  void write_joint(const BodyJoint& body_joint, Node node);
  void write_limits(const JointDescription& joint, Node node);
  void write_passive(const JointDescription& joint, Node node);
  void write_inertial(const BodyNode& body, Node node);
  void figure(const JointDescription& joint, const char* code, const char* attribute, const char* what,
              const PerDof& values);

  // mjcf_geoms.cpp
  void write_geoms(const LinkDescription& link, Node node, const Pose<double>& X, bool is_static);
  void write_geom(const Geometry& geometry, bool shows, bool collides, const LinkDescription& link, Node node,
                  const Pose<double>& X, bool is_static);
  bool write_shape(const Geometry& geometry, bool collides, const std::string& subject, Node geom, bool is_static);
  bool write_height_field(const Shape& shape, Node geom);
  void write_assets(Node mujoco);
  std::string geom_name(const Geometry& geometry, const std::string& subject);

  // mjcf_constraints.cpp
  void write_equalities(Node mujoco);
  bool write_loop(const LoopDescription& loop, Node equality);
  void write_weld(const LoopDescription& loop, Node equality);
  void write_rod(const LoopDescription& loop, Node equality);
  Vec3<double> point_at_start(const AttachmentDescription& end) const;
  void write_connect(const LoopDescription& loop, const std::string& name, const Vec3<double>& offset, Node equality);
  std::string end_site(const std::string& name, const AttachmentDescription& end, const Vec3<double>& offset);
  void write_contacts(Node mujoco);

  // mjcf_drives.cpp
  void write_tendons(Node mujoco);
  void write_actuators(Node mujoco);
  void write_law(const ActuatorDescription& actuator, Node node);
  void write_keyframes(Node mujoco);
  std::vector<double> position(const Written& joint, const PostureDescription& posture) const;

  // mjcf_kept.cpp
  using Whole = std::vector<const KeptAttribute*>;  // an actuator
  std::vector<Whole> kept_actuators() const;
  bool are_ordered(const std::vector<Whole>& kept) const;
  void write_whole(const Whole& actuator, Node section);
  bool has_target(const KeptAttribute& kept, Node mujoco) const;
  bool fits(const KeptAttribute& kept, Node mujoco) const;
  bool goes_back(const KeptAttribute& kept, Node mujoco);
  void write_kept(Node mujoco);

  Description d_;
  Losses losses_;
  MeshFiles meshes_;
  MaterialNames materials_;
  Extras extras_;
  std::unique_ptr<BodyTree> tree_;
  std::vector<Written> joints_;
  std::map<std::string, Node> elements_;  // "joint 'knee'": where attributes that were kept belong
  std::map<std::string, Node> bodies_;    // by link
  std::map<std::pair<std::string, std::string>, std::string> mesh_names_;  // by file and scale
  std::set<std::string> written_whole_;                                    // subjects of kept actuators
  bool whole_actuators_ = true;                                            // no kept actuator is missing
  bool actuators_in_order_ = true;                                         // kept ones are between the others
  std::set<std::string> taken_mesh_names_, taken_field_names_, taken_geom_names_;
  Node assets_;
};

// A quaternion, if it is not the identity, as "w x y z" of the attribute; and the position.
void put_mjcf_pose(pugi::xml_node node, const Pose<double>& X);
std::string quaternion_text(const Mat3<double>& R);

}  // namespace lissom::io::write
