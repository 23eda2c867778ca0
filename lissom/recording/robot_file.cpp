#include "lissom/recording/robot_file.h"

#include <filesystem>

#include "lissom/files/read_bytes.h"
#include "lissom/model/limits.h"
#include "lissom/model/text.h"
#include "lissom/recording/output_file.h"

namespace lissom::recording {
namespace {

namespace fs = std::filesystem;

void save_bytes(const std::string& path, std::string_view bytes) {
  try {
    Replacement file(path);
    file.file().append(bytes);
    file.commit();
  } catch (const WriteFailure& failure) {
    throw Error("cannot write " + in_quotes(path) + ": " + failure.why + "; " + failure.remedy);
  }
}

void save_beside(const io::write::FileBeside& file, const fs::path& folder) {
  const fs::path target = folder / file.path;
  std::error_code error;
  fs::create_directories(target.parent_path(), error);
  if (error) throw Error("cannot make the folder " + in_quotes(target.parent_path().string()) + ": " + error.message());
  if (file.from.empty()) return save_bytes(target.string(), file.bytes);
  if (fs::equivalent(file.from, target, error)) return;  // it is written to where it was read from
  std::string bytes;
  if (const auto problem = read_bytes(file.from, limits::GiB, bytes))
    throw Error("cannot copy " + in_quotes(file.from) + ": " + problem->message);
  save_bytes(target.string(), bytes);
}

}  // namespace

void save(const io::write::WriteResult& result, const std::string& path) {
  for (const auto& file : result.files) save_beside(file, fs::path(path).parent_path());
  save_bytes(path, result.text);
}

std::vector<Diagnostic> write_robot(const Description& description, const std::string& path,
                                    io::write::WriteOptions options) {
  options.path = path;
  auto result = io::write::write(description, io::write::format_of(path), options);
  save(result, path);
  return std::move(result.losses);
}

}  // namespace lissom::recording
