#pragma once
// The parts of the writer of SDF, one file each. Not installed.
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "lissom/io/write/body_tree.h"
#include "lissom/io/write/extras.h"
#include "lissom/io/write/meshes.h"

namespace lissom::io::write {

class SdfWriter {
 public:
  SdfWriter(const Description& description, const WriteOptions& options);
  WriteResult run();

 private:
  using Node = pugi::xml_node;

  // sdf.cpp
  void prepare();
  void choose_names();
  void write_model(Node model);
  void write_link(const BodyNode& body, Node model);
  void write_inertial(const LinkDescription& link, Node node);
  void write_frames(Node model, Node world);
  void collect_rest();
  std::optional<std::vector<double>> initial_position(const JointDescription& joint) const;
  void drop_written_positions();
  Node wrapped_in_world(Node sdf);
  bool is_world(const BodyNode& body) const;
  // The names of links, joints and frames in the file.
  std::string link_name(const std::string& link) const;
  std::string joint_name(const std::string& joint) const;

  // sdf_joints.cpp
  void write_joint(const BodyNode& body, Node model);
  void write_root_joint(const BodyNode& body, Node model);
  void write_axes(const BodyJoint& one, Node node);
  void write_axis(const JointDescription& joint, int k, const Vec3<double>& xyz, Node axis);
  void figure(const JointDescription& joint, const char* code, const char* attribute, const char* what,
              const PerDof& values);
  void write_loops(Node model);
  bool write_loop(const LoopDescription& loop, Node model);

  // sdf_geometry.cpp
  void write_geometries(const LinkDescription& link, Node node, const Pose<double>& X);
  void write_geometry(const Geometry& geometry, const char* tag, const LinkDescription& link,
                      std::set<std::string>& taken, Node node, const Pose<double>& X);
  bool write_shape(const Geometry& geometry, bool collides, const std::string& subject, Node node);
  void write_surface(const Geometry& geometry, Node node);
  void write_material(const Material& material, const Geometry& geometry, const std::string& subject, Node node);

  Description d_;
  Losses losses_;
  MeshFiles meshes_;
  Extras extras_;
  std::unique_ptr<BodyTree> tree_;
  std::map<std::string, std::string> link_names_, joint_names_, frame_names_;  // where they differ
  bool mimics_ = false;
};

// A pose as SDF writes it: with roll, pitch and yaw, or with a quaternion if it rotates.
void add_sdf_pose(pugi::xml_node parent, const Pose<double>& X, const std::string& relative_to = {});

}  // namespace lissom::io::write
