// The compiler as a program.
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lissom/gpu/compiler_impl.h"
#include "lissom/model/diagnostic.h"

extern char** environ;

namespace lissom::gpu {
namespace {

namespace fs = std::filesystem;

// A folder of its own for the files of one call, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    auto pattern = (fs::temp_directory_path(error) / "lissom-XXXXXX").string();
    if (error || !::mkdtemp(pattern.data()))
      throw Error("no temporary folder can be made: " + std::string(std::strerror(errno)) +
                  "; name a writable folder in TMPDIR");
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(const char* name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Runs a program with both outputs in a file. Returns its exit status, or -1 if it could not be started or was killed.
int run(const std::vector<std::string>& command, const std::string& output) {
  std::vector<char*> arguments;
  for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int failed = ::posix_spawn(&child, command[0].c_str(), &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return -1;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class Nvcc final : public Compiler::Impl {
 public:
  explicit Nvcc(std::string program) : program_(std::move(program)) {}

  // Returns why it cannot be used; empty where it can.
  std::string load() {
    const TemporaryFolder folder;
    if (run({program_, "--version"}, folder.file("version")) != 0)
      return "'" + program_ + " --version' fails, expected the compiler of a CUDA toolkit";
    const auto text = content(folder.file("version"));
    const auto at = text.find("release ");
    if (at == std::string::npos)
      return "'" + program_ + " --version' names no release, expected that of a CUDA toolkit";
    version = "nvcc " + text.substr(at + 8, text.find('\n', at) - at - 8);
    flags = "-cubin -O3 -std=c++17";
    return {};
  }

  std::string compile(const std::string& source, const std::string& name,
                      const std::string& architecture) const override {
    const TemporaryFolder folder;
    const auto from = folder.file("kernel.cu"), to = folder.file("kernel.cubin"), log = folder.file("log");
    if (!(std::ofstream(from, std::ios::binary) << source << std::flush))
      throw Error("kernel " + name + ": " + from +
                  " cannot be written; free disk space, or name another folder in TMPDIR");
    const int status = run({program_, "-cubin", "-O3", "-std=c++17", "-arch=" + architecture, "-o", to, from}, log);
    if (status != 0)
      throw Error("kernel " + name + " for " + architecture + " could not be compiled by " + version + " (" +
                  (status < 0 ? "it could not be run" : "exit status " + std::to_string(status)) + "):\n" +
                  last_lines(content(log), 20));
    auto code = content(to);
    if (code.empty()) throw Error("kernel " + name + ": " + version + " has written nothing");
    return code;
  }

 private:
  std::string program_;
};

}  // namespace

std::shared_ptr<const Compiler::Impl> open_nvcc(const std::string& program, std::string& why) {
  auto nvcc = std::make_shared<Nvcc>(program);
  why = nvcc->load();
  return why.empty() ? std::shared_ptr<const Compiler::Impl>(std::move(nvcc)) : nullptr;
}

}  // namespace lissom::gpu
