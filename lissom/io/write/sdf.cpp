#include "lissom/io/write/write.h"
namespace lissom::io::write {
WriteResult write_sdf(const Description& description, const WriteOptions& options) {
  return write_urdf(description, options);
}
}  // namespace lissom::io::write
