#pragma once
// The parts of the URDF reader, one file each; not for use elsewhere.
#include <string>
#include <unordered_map>
#include <vector>

#include "lissom/io/package_path.h"
#include "lissom/io/urdf.h"
#include "lissom/io/xml_element.h"
#include "lissom/model/description.h"

namespace lissom::io::urdf {

// Materials may be defined at the top of the file or where they are used, and used before they are defined.
class Materials {
 public:
  // Reads <material>. `name` alone is a use, anything more a definition, whose name others may use.
  Material read(const Element& element);
  // Gives the uses their definitions; those that have none are reported.
  void resolve(std::vector<LinkDescription>& links, Report& report);

 private:
  struct Definition {
    Material material;
    int line;
  };
  void define(const Element& element, const Material& material);

  std::unordered_map<std::string, Definition> defined_;
};

struct Reading {
  const ReadOptions& options;
  Report& report;
  FileFinder& files;
  Materials materials;
};

// Position and orientation in <origin>, or in the attributes of another element: fixed axes roll, pitch, yaw.
Pose<double> read_pose(const Element& element);
// <origin> of the element, identity where it has none.
Pose<double> read_origin(const Element& element);

LinkDescription read_link(const Element& element, Reading& reading);
JointDescription read_joint(const Element& element);
FrameDescription read_frame(const Element& element);

}  // namespace lissom::io::urdf
