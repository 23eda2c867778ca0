#pragma once
// lissom bench FILE --gpu: robots per second on a graphics card.
#include <string>

#include "lissom/model/model.h"

namespace CLI {
class App;
}

namespace verb::bench {

struct GpuOptions {
  bool on = false;
  bool variants = false;  // every way of writing the kernels, not only the chosen one
  bool sizes = false;     // several numbers of robots
  long robots = 1 << 20;
  void add_to(CLI::App& verb);
};
// Options that all measurements have.
struct Reporting {
  bool json = false, quiet = false;
  std::string only;  // one algorithm, or all
  std::string base;  // of the model, for JSON
};

// Throws an Error if there is no device or no compiler for it. Returns the exit code.
int run_on_gpu(const lissom::Model& model, const GpuOptions& options, const Reporting& reporting);

}  // namespace verb::bench
