#pragma once
// What all writers do first. Not installed.
#include "lissom/io/write/write.h"

namespace lissom::io::write {

// The description with roots as the options want them. Throws Error if validate() finds an error.
Description prepared(const Description& description, const WriteOptions& options);

// Names of root links, in the order of the description.
std::vector<std::string> roots_of(const Description& description);
// How a root is attached.
RootDescription root_of(const Description& description, const std::string& link);

// Where a free joint starts, if a posture with the name that readers give to it says so.
Pose<double> starting_pose(const Description& description, const std::string& joint);

std::string link_subject(const std::string& name);
std::string joint_subject(const std::string& name);

double length(const Vec3<double>& v);

// Whether there are finite position limits.
bool is_limited(const JointDescription& joint);

}  // namespace lissom::io::write
