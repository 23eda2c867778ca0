#include "lissom/io/json_place.h"

#include <filesystem>
#include <fstream>

namespace lissom {

nlohmann::json read_json(const std::string& path) {
  std::ifstream file(path);
  if (!file || std::filesystem::is_directory(path))
    throw Error(path + ": cannot be read; check the path and the permissions");
  try {
    return nlohmann::json::parse(file, nullptr, true, true);
  } catch (const nlohmann::json::exception& e) {
    throw Error(path + ": invalid JSON: " + e.what());
  }
}

}  // namespace lissom
