#pragma once
// The parts of the SDF reader, one file each. Not for users.
#include <array>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lissom/io/package_path.h"
#include "lissom/io/sdf/frames.h"
#include "lissom/io/sdf/sdf.h"
#include "lissom/io/sdf/values.h"
#include "lissom/io/xml_element.h"
#include "lissom/model/description.h"

namespace lissom::io::sdf {

// An element and its frame.
struct Part {
  pugi::xml_node node;
  int frame;
};

// A joint as the file has it, before it is known which joints form a tree.
struct FileJoint {
  JointDescription joint;  // its parent and child are set later; its axes are along the joint's frame
  int frame = none;
  int parent = none, child = none;  // frames of links, or world_frame
  bool closes_loop = false;         // it is marked so (must_be_loop_joint)
  bool is_gearbox = false;
  double gear_ratio = 1;
  int gear_reference = none;
  std::array<double, 2> initial_position{};  // of both axes
};

// The state while one file is read.
struct Reading {
  const ReadOptions& options;
  Report& report;
  Description& description;
  // The versions of included models, by their elements, which were copied into their <include>.
  std::unordered_map<const void*, Version> included;
  std::map<std::string, FileFinder> finders;    // by the file that a URI is written in
  std::unordered_set<std::string> materials{};  // names of contact materials
  std::size_t uri_bytes = 0;                    // of all height fields together
  Frames frames{};
  std::vector<Part> links{}, joints{}, named_frames{};

  Element element(pugi::xml_node node, std::string_view subject = {}) const { return {node, report, subject}; }
  // Looks for files that are named in the file of this line.
  FileFinder& files(int line);
};

// "1.7" as a version; one that is not known is reported at the element.
Version read_version(std::string_view text, const Element& where);

// Reads the models that <include> elements name, and puts a copy of each into its <include>.
void expand_includes(XmlText& xml, Reading& reading);

// Finds all models, links, joints and frames of a file, and gives each a frame and a name.
void scan(const Element& sdf, Reading& reading);

// Reads what is in a link.
LinkDescription read_link(const Part& part, Reading& reading);
// Mass, center and inertia of the link's collisions, which have been read, for <inertial auto="true">.
void compute_inertia(const Element& inertial, const Element& link, const Part& part, Reading& reading,
                     LinkDescription& result);
void read_visual(const Element& element, const Part& part, Reading& reading, std::vector<Geometry>& out);
void read_collision(const Element& element, const Part& part, Reading& reading, std::vector<Geometry>& out);
// The pose of a visual or a collision in the frame of its link.
Pose<double> pose_in_link(const Element& element, const Part& part, Reading& reading);

FileJoint read_joint(const Part& part, Reading& reading);

// Chooses which joints form trees, and adds links, joints, loops, couplings and roots to the description.
void assemble(Reading& reading);
// A joint that closes a loop.
void add_loop(const FileJoint& joint, Reading& reading);
// All gearboxes among the joints.
void add_gearboxes(const std::vector<FileJoint>& joints, Reading& reading);

}  // namespace lissom::io::sdf
