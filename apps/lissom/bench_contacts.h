#pragma once
// lissom bench --contacts: errors and times of worlds whose motion is known, or was measured.
#include <string>

#include "bench_gpu.h"

namespace verb::bench {

struct ContactOptions {
  bool on = false;
  bool quick = false;  // short runs, which only show that everything works
  std::string tosses;  // a folder; empty: where it is looked for
  void add_to(CLI::App& verb);
  // Throws an Error if an option is given that has no effect with --contacts.
  void check_others(const CLI::App& verb) const;
};
// Returns the exit code.
int run_contacts(const ContactOptions& options, const Reporting& reporting);

}  // namespace verb::bench
