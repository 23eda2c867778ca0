#pragma once
// The parts of the URDF reader, one file each. Not for users.
#include <string>
#include <unordered_map>
#include <vector>

#include "lissom/io/package_path.h"
#include "lissom/io/urdf/urdf.h"
#include "lissom/io/xml_element.h"
#include "lissom/model/description.h"

namespace lissom::io::urdf {

// Materials may be defined at the top level or where they are used, and referred to before they are defined.
class Materials {
 public:
  // Reads <material>. With `name` alone it is a reference, otherwise a definition, to which others may refer.
  Material read(const Element& element);
  // Replaces references by their definitions; those without a definition are reported.
  void resolve(std::vector<LinkDescription>& links, Report& report);

 private:
  struct Definition {
    Material material;
    int line;
  };
  void define(const Element& element, const Material& material);

  std::unordered_map<std::string, Definition> defined_;
};

// The state while one file is read.
struct Reading {
  const ReadOptions& options;
  Report& report;
  FileFinder& files;
  Materials materials;
};

// The pose in the attributes of <origin> or another element: roll, pitch, yaw about fixed axes.
Pose<double> read_pose(const Element& element);
// The pose in <origin> of the element; the identity if it has none.
Pose<double> read_origin(const Element& element);

LinkDescription read_link(const Element& element, Reading& reading);
JointDescription read_joint(const Element& element);
FrameDescription read_frame(const Element& element);

}  // namespace lissom::io::urdf
