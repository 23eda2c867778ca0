#pragma once
// Shared by the tests of xacro.
#include <filesystem>
#include <fstream>
#include <string>

#include "lissom/io/xacro/xacro.h"

namespace lissom::io::xacro {

inline const std::filesystem::path here = std::filesystem::path(LISSOM_TEST_DATA) / "io" / "xacro";

// A xacro file around the given elements, whose first line is line 2.
inline std::string file_of(const std::string& elements) {
  return "<robot xmlns:xacro=\"http://www.ros.org/wiki/xacro\" name=\"r\">\n" + elements + "\n</robot>\n";
}

inline std::string findings(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += to_string(diagnostic) + "\n";
  return text;
}

// The elements that these elements become, without the root.
inline std::string expanded(const std::string& elements, const ReadOptions& options = {}) {
  const Expansion expansion = expand_text(file_of(elements), "test.xacro", options);
  if (!expansion.usable()) return findings(expansion.diagnostics);
  const std::size_t start = expansion.text.find("name=\"r\"") + 9, end = expansion.text.rfind("</robot>");
  return end == std::string::npos ? "" : expansion.text.substr(start + 1, end - start - 1);
}

// The value of an expression as text.
inline std::string value_of(const std::string& expression) {
  const std::string text = expanded("<a><![CDATA[x]]>${" + expression + "}</a>");
  const std::size_t start = text.find("]]>"), end = text.rfind("</a>");
  return start == std::string::npos ? text : text.substr(start + 3, end - start - 3);
}

// A folder of its own for files, which is removed at the end.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "lissom-xacro-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string write(const std::string& name, const std::string& text) const {
    const auto file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file.string();
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace lissom::io::xacro
