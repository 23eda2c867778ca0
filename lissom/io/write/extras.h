#pragma once
// The element <lissom>, which has what a format cannot say (io/extras.h reads it). Not installed.
#include <pugixml.hpp>

#include "lissom/io/write/losses.h"
#include "lissom/io/write/split_joints.h"

namespace lissom::io::write {

// What the format cannot say. Of `rest` all but links, joints and frames is written.
struct Extras {
  struct JointFigure {
    std::string joint;
    const char* name;  // attribute
    PerDof values;
  };
  struct LinkFigures {
    std::string link;
    double mass;
    Vec3<double> com;
    Sym3<double> inertia;
  };
  struct FixedJoint {
    std::string child, name;
  };
  struct Name {
    const char* kind;  // link, joint or frame
    std::string written, name;
  };
  struct LinkShape {
    std::string link;
    bool collides;
    std::size_t index;  // in the link's list
    Geometry geometry;
  };
  Description rest;
  std::vector<LinkShape> shapes;
  bool gravity = false;                       // whether rest.gravity is to be written
  std::vector<std::string> connecting_links;  // links that the format cannot call so
  std::vector<LinkFigures> link_figures;      // inertias that the format does not allow, and that are a little larger
  std::vector<std::string> helper_frames;     // frames that only the format needs
  std::vector<std::string> helper_loops;      // loops that together are one of `rest`
  std::vector<JointFigure> joint_figures;
  std::vector<FixedJoint> fixed_joints;
  std::vector<JoinedJoint> joined;
  std::vector<JointDescription> free_joints;  // that the format says by leaving them out
  std::vector<std::string> mimics;            // couplings that are mimics
  std::vector<Name> names;                    // names that the format does not allow
};

// Appends <lissom>, or an element of another name, to the parent unless it would be empty.
void write_extras(const Extras& extras, pugi::xml_node parent, const char* tag = "lissom");
// The same as text in one line; empty if there is nothing to write.
std::string extras_text(const Extras& extras);

}  // namespace lissom::io::write
