#include "gnuplot.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lissom/model/diagnostic.h"
#include "lissom/model/text.h"
#include "lissom/recording/output_file.h"

namespace {

using lissom::Error;
namespace fs = std::filesystem;

// A temporary folder for the script, the picture and gnuplot's error messages.
class Folder {
 public:
  Folder() {
    std::error_code error;
    const auto folder = fs::temp_directory_path(error);
    if (error)
      throw Error("plot: no folder for temporary files: " + error.message() + "; set TMPDIR to an existing folder");
    std::string pattern = (folder / "lissom-plot-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
      throw Error("cannot make a temporary folder like '" + pattern + "': " + std::strerror(errno));
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const char* name) const { return (path_ / name).string(); }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// Runs gnuplot in the folder and returns its exit status. Throws Error if it cannot be started.
int spawn(const Folder& folder) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addchdir_np(&files, folder.path().c_str());
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "errors", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  std::string program = "gnuplot", script = "script";
  char* const arguments[] = {program.data(), script.data(), nullptr};
  pid_t child = 0;
  const int failed = posix_spawnp(&child, "gnuplot", &files, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&files);
  if (failed == ENOENT)
    throw Error("plot: gnuplot was not found; install it (Debian and Ubuntu: apt-get install gnuplot-nox)");
  if (failed != 0) throw Error("plot: cannot start gnuplot: " + std::string(std::strerror(failed)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

void run_gnuplot(const std::string& script, const std::string& out) {
  const Folder folder;
  if (std::ofstream file(folder / "script"); !(file << script) || !file.flush())
    throw Error("plot: cannot write to '" + folder.path().string() + "'; is the disk full?");
  const int status = spawn(folder);
  std::error_code error;
  if (status != 0 || fs::file_size(folder / "picture", error) == 0 || error)
    throw Error("plot: gnuplot failed: " + text_of(folder / "errors"));
  try {
    lissom::recording::Replacement replacement(out);
    replacement.file().append(text_of(folder / "picture"));
    replacement.commit();
  } catch (const lissom::recording::WriteFailure& failure) {
    throw Error("plot: cannot write " + lissom::in_quotes(out) + ": " + failure.why + "; " + failure.remedy);
  }
}
