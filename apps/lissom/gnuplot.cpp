#include "gnuplot.h"

#include <fstream>

#include "lissom/model/diagnostic.h"
#include "other_programs.h"

using lissom::Error;

void run_gnuplot(const std::string& script, const std::string& out) {
  const TemporaryFolder folder("plot");
  if (std::ofstream file(folder / "script"); !(file << script) || !file.flush())
    throw Error("plot: cannot write to '" + folder.path().string() + "'; is the disk full?");
  const int status =
      run_program(folder, {"gnuplot", "script"},
                  "plot: gnuplot was not found; install it (Debian and Ubuntu: apt-get install gnuplot-nox)");
  std::error_code error;
  if (status != 0 || std::filesystem::file_size(folder / "picture", error) == 0 || error)
    throw Error("plot: gnuplot failed: " + text_of(folder / "errors"));
  replace_file(out, text_of(folder / "picture"), "plot");
}
