// lissom sweep STUDY: runs a function or a program for many cases, here or on a Ray cluster. The Python package does it
// (python/lissom/sweep); this verb knows the options, finds a Python that has the package, and becomes it.
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "lissom/model/diagnostic.h"
#include "lissom/model/text.h"
#include "number_checks.h"
#include "usage.h"
#include "verbs.h"

namespace verb::sweep {
namespace {

using lissom::Error;
namespace fs = std::filesystem;

// Exits with 0 if the package has sweeps. It does not import the package, which would take longer. A folder 'lissom'
// without __init__.py, such as that of our sources, has no origin.
constexpr const char* has_package =
    "import importlib.util, os, sys\n"
    "found = importlib.util.find_spec('lissom')\n"
    "folder = os.path.dirname(found.origin) if found and found.origin else ''\n"
    "sys.exit(0 if folder and os.path.isdir(os.path.join(folder, 'sweep')) else 1)\n";

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> all;
  for (auto& word : words) all.push_back(word.data());
  all.push_back(nullptr);
  return all;
}

enum class Found { package, no_package, no_program };

// Whether this Python, a path or a name to look for on PATH, has the package.
Found look(const std::string& python) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<std::string> words = {python, "-c", has_package};
  pid_t child = 0;
  const int failed = posix_spawnp(&child, python.c_str(), &files, nullptr, pointers(words).data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (failed != 0) return Found::no_program;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127) return Found::no_program;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? Found::package : Found::no_package;
}

// Where a Python may be, in this order: beside this program, as in a virtual environment; where the user says; on PATH.
std::vector<std::string> candidates(const fs::path& program) {
  auto folder = program.parent_path();
  // In a wheel for all Linux systems the program lies in PREFIX/lib/pythonX.Y/site-packages/lissom.scripts, and a
  // script in PREFIX/bin calls it.
  if (folder.filename() == "lissom.scripts") folder = (folder / "../../../../bin").lexically_normal();
  std::vector<std::string> all;
  for (const char* const name : {"python3", "python"})
    if (const auto path = folder / name; !program.empty() && access(path.c_str(), X_OK) == 0)
      all.push_back(path.string());
  if (const char* const given = std::getenv("LISSOM_PYTHON"); given != nullptr && *given != 0) all.emplace_back(given);
  all.emplace_back("python3");
  return all;
}

std::string python_with_package(const fs::path& program) {
  std::string tried;
  for (const auto& python : candidates(program)) {
    const auto found = look(python);
    if (found == Found::package) return python;
    tried += fmt::format("{}{} ({})", tried.empty() ? "" : ", ", lissom::in_quotes(python),
                         found == Found::no_program ? "cannot be started" : "does not have it");
  }
  throw Error("sweep: no Python with the package lissom; tried " + tried +
              "; run `pip install .` in lissom's folder, or set LISSOM_PYTHON to the Python that has it");
}

// The words that were given, as the package reads them.
std::vector<std::string> given(const CLI::App& verb) {
  std::vector<std::string> words;
  for (const auto* const option : usage::options(verb)) {
    if (option->count() == 0) continue;
    words.push_back(usage::name(*option));
    if (usage::takes_value(*option)) words.push_back(option->results().front());
  }
  words.emplace_back("--");  // a file may be called --workers
  for (const auto* const option : usage::positionals(verb)) words.push_back(option->results().front());
  return words;
}

[[noreturn]] void run(const CLI::App& verb) {
  std::error_code none;
  const auto program = fs::read_symlink("/proc/self/exe", none);
  const auto python = python_with_package(program);
  if (!program.empty()) setenv("LISSOM_COMMAND", program.c_str(), 0);  // what the word lissom in a study means
  std::vector<std::string> words = {python, "-m", "lissom.sweep"};
  const auto more = given(verb);
  words.insert(words.end(), more.begin(), more.end());
  execvp(python.c_str(), pointers(words).data());
  throw Error("sweep: cannot start " + lissom::in_quotes(python) + ": " + std::strerror(errno));
}

}  // namespace

void add(CLI::App& app, int& /*exit_code*/) {
  struct Options {  // only for CLI11; the package reads the words
    std::string study, engine, workers, address, checkpoint, out, retries;
    bool json = false, quiet = false;
  };
  auto* const verb =
      app.add_subcommand("sweep", "run a function or a program for many cases, here or on a Ray cluster");
  const auto o = std::make_shared<Options>();
  verb->add_option("STUDY", o->study, "study file (.json): what is run, and for which parameters")->required();
  take_one_of(verb->add_option("--engine", o->engine,
                               "where cases run: in processes of this machine (local, the default), or on a Ray "
                               "cluster"),
              {"local", "ray"});
  verb->add_option("--workers", o->workers, "cases that run at once (default: all processors); 0: in one process")
      ->check(number_check::whole(0, 1'000'000));
  verb->add_option("--address", o->address,
                   "address of the Ray cluster (default: RAY_ADDRESS, or one is started here)");
  verb->add_option("--checkpoint", o->checkpoint, "folder that keeps results as they come; the same command continues");
  verb->add_option("--out", o->out, "table to write: .npz, .parquet or .csv (default: STUDY.npz in this folder)");
  verb->add_option("--retries", o->retries, "how often a case that fails is tried again (default: 2)")
      ->check(number_check::whole(0, 1'000'000));
  verb->add_flag("--json", o->json, "print JSON");
  verb->add_flag("--quiet", o->quiet, "show no progress");
  verb->footer(
      "It needs the Python package lissom: the Python beside this program, LISSOM_PYTHON, or python3 on PATH.\n"
      "Ctrl-C and SIGTERM end the sweep; a checkpoint keeps what was finished.\n"
      "Exit code: 0 success, 1 some cases failed, 2 wrong usage or input, 130 interrupted.");
  verb->callback([o, verb] { run(*verb); });
}

}  // namespace verb::sweep
