#include "lissom/io/write/write.h"
namespace lissom::io::write {
WriteResult write_mjcf(const Description&, const WriteOptions&) {
  return {};
}
WriteResult write_sdf(const Description&, const WriteOptions&) {
  return {};
}
}  // namespace lissom::io::write
