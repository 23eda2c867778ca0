#include "targets.h"

#include <cstdlib>

namespace lissom::fuzz {

const std::map<std::string, void (*)(std::string_view)>& targets() {
  static const std::map<std::string, void (*)(std::string_view)> all{
      {"urdf", urdf},           {"xacro", xacro},
      {"mjcf", mjcf},           {"sdf", sdf},
      {"recording", recording}, {"loops", loops},
      {"motion", motion},       {"posture", posture},
      {"scene", scene},         {"contacts", contacts},
      {"goal", goal},           {"description", description},
      {"question", question},   {"qp", qp},
      {"tosses", tosses},       {"states", states},
      {"plot", plot},           {"options", options},
      {"mesh_stl", mesh_stl},   {"mesh_obj", mesh_obj},
      {"mesh_ply", mesh_ply},   {"mesh_dae", mesh_dae},
      {"mesh_gltf", mesh_gltf}, {"mesh_msh", mesh_msh},
      {"heights", heights},     {"hull", hull}};
  return all;
}

const std::string& models() {
  static const std::string folder = [] {
    const char* const given = std::getenv("LISSOM_MODELS");
    return std::string(given != nullptr && *given != 0 ? given : LISSOM_MODELS_DIR);
  }();
  return folder;
}

}  // namespace lissom::fuzz
