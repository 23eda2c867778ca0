#include "lissom/mesh/reading.h"
namespace lissom::mesh {
bool read_ply(Reading& r) {
  return r.refuse("mesh-unsupported", 0, "PLY is not read yet", "use STL or OBJ");
}
bool read_dae(Reading& r) {
  return r.refuse("mesh-unsupported", 0, "COLLADA is not read yet", "use STL or OBJ");
}
bool read_gltf(Reading& r) {
  return r.refuse("mesh-unsupported", 0, "glTF is not read yet", "use STL or OBJ");
}
}  // namespace lissom::mesh
