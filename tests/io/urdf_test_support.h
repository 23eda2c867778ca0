#pragma once
// Shared by the tests of the reader.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "lissom/io/urdf/urdf.h"

namespace lissom::io {

inline std::string content(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// The first finding with that code, or null.
inline const Diagnostic* find(const ReadResult& result, const std::string& code) {
  for (const Diagnostic& diagnostic : result.diagnostics)
    if (diagnostic.code == code) return &diagnostic;
  return nullptr;
}

inline std::string to_text(const ReadResult& result) {
  std::string text;
  for (const Diagnostic& diagnostic : result.diagnostics) text += to_string(diagnostic) + "\n";
  return text;
}

// The directory of robots and reference values of other projects, if it exists: LISSOM_SHARED in the environment,
// otherwise that of the build.
inline std::optional<std::filesystem::path> shared_directory() {
  if (const char* path = std::getenv("LISSOM_SHARED")) return std::filesystem::path(path);
#ifdef LISSOM_SHARED_DIR
  if (std::filesystem::is_directory(LISSOM_SHARED_DIR)) return std::filesystem::path(LISSOM_SHARED_DIR);
#endif
  return std::nullopt;
}

// A URDF around the given elements.
inline std::string robot(const std::string& elements) {
  return "<robot name=\"test\">\n" + elements + "\n</robot>\n";
}

// A link of unit mass and inertia.
inline std::string link(const std::string& name) {
  return "<link name=\"" + name +
         "\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" "
         "izz=\"1\"/></inertial></link>\n";
}

// Links a and b, and a joint j between them that contains the given elements.
inline std::string one_joint(const std::string& type, const std::string& elements) {
  return robot(link("a") + link("b") + "<joint name=\"j\" type=\"" + type +
               "\"><parent link=\"a\"/><child link=\"b\"/>" + elements + "</joint>");
}

}  // namespace lissom::io
