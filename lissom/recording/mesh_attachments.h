#pragma once
// Reads the meshes that a recording contains, as far as they fit. Not for users.
#include "lissom/recording/mcap_records.h"
#include "lissom/recording/robot_meshes.h"

namespace lissom::recording {

struct MeshContent {
  std::string data;
  std::string problem;  // why it is left out; empty: it is not
};
// The content of a file of no more than this many bytes.
MeshContent read_mesh(const MeshFile& mesh, std::uint64_t max_bytes);

// What is left out, and why, in one sentence.
std::string note_about(const mcap::Entries& left_out);

}  // namespace lissom::recording
