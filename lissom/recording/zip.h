#pragma once
// ZIP archives with uncompressed members, as in numpy's .npz. Sizes are always written in eight bytes ("ZIP64"), so
// that small and large archives have the same layout. Not for users.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lissom/recording/output_file.h"

namespace lissom::recording {

class ZipWriter {
 public:
  explicit ZipWriter(OutputFile& file) : file_(file) {}
  // Adds a member whose content is `first` followed by `second`.
  void add(std::string_view name, std::string_view first, std::string_view second = {});
  // Writes the directory, which readers need.
  void finish();

 private:
  struct Member {
    std::string name;
    std::uint64_t offset, size;
    std::uint32_t crc;
  };
  OutputFile& file_;
  std::vector<Member> members_;
};

struct ZipMember {
  std::string_view content;
  std::uint64_t offset = 0;  // of the content in the file
};
// All members by name. Checks the checksums; throws an Error with file and offset if the archive is damaged or
// compressed.
std::map<std::string, ZipMember> read_zip(const std::string& path, std::string_view bytes);

}  // namespace lissom::recording
