#include "other_programs.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lissom/model/diagnostic.h"
#include "lissom/model/text.h"
#include "lissom/recording/output_file.h"

using lissom::Error;

TemporaryFolder::TemporaryFolder(const std::string& name) {
  std::error_code error;
  const auto folder = std::filesystem::temp_directory_path(error);
  if (error) throw Error("no folder for temporary files: " + error.message() + "; set TMPDIR to an existing folder");
  std::string pattern = (folder / ("lissom-" + name + "-XXXXXX")).string();
  if (mkdtemp(pattern.data()) == nullptr)
    throw Error("cannot make a temporary folder like '" + pattern + "': " + std::strerror(errno));
  path_ = pattern;
}
TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

namespace {

std::vector<char*> arguments_of(std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  return arguments;
}

}  // namespace

int run_program(const TemporaryFolder& folder, std::vector<std::string> words, const std::string& if_missing) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addchdir_np(&files, folder.path().c_str());
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "errors", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, words[0].c_str(), &files, nullptr, arguments_of(words).data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (failed == ENOENT) throw Error(if_missing);
  if (failed != 0) throw Error("cannot start " + words[0] + ": " + std::strerror(failed));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

int start_program(std::vector<std::string> words) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, words[0].c_str(), &files, &attributes, arguments_of(words).data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return failed == 0 ? child : -1;
}

std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void replace_file(const std::string& path, std::string_view bytes, const std::string& who) {
  try {
    lissom::recording::Replacement replacement(path);
    replacement.file().append(bytes);
    replacement.commit();
  } catch (const lissom::recording::WriteFailure& failure) {
    throw Error(who + ": cannot write " + lissom::in_quotes(path) + ": " + failure.why + "; " + failure.remedy);
  }
}
