#include "lissom/files/machine_memory.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sys/resource.h>
#include <unistd.h>

#include "lissom/model/diagnostic.h"

namespace lissom {

namespace {

constexpr auto unlimited = std::numeric_limits<std::uint64_t>::max();

std::uint64_t page_bytes() {
  const auto bytes = ::sysconf(_SC_PAGESIZE);
  return bytes > 0 ? std::uint64_t(bytes) : 4096;
}

// The number that a file of the system begins with. (Where there is no limit, it says "max".)
std::uint64_t number_in(const char* file) {
  std::uint64_t number = 0;
  return std::ifstream(file) >> number ? number : unlimited;
}

std::string gigabytes(std::uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g GB", double(bytes) / 1e9);
  return text;
}

}  // namespace

std::uint64_t machine_memory() {
  std::uint64_t bytes = unlimited;
  if (const auto pages = ::sysconf(_SC_PHYS_PAGES); pages > 0) bytes = std::uint64_t(pages) * page_bytes();
  for (const char* const file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"})
    bytes = std::min(bytes, number_in(file));
  if (rlimit limit{}; ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    bytes = std::min(bytes, std::uint64_t(limit.rlim_cur));
  return bytes;
}

std::uint64_t process_memory() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> pages;  // all of its addresses; what is in memory
  return pages * page_bytes();
}

void MemoryWatch::check(long made, long count, const char* things) const {
  const auto now = process_memory(), taken = now > before_ ? now - before_ : 0;
  if (taken <= limit_) return;
  throw Error("count is " + std::to_string(count) + ", but " + std::to_string(made) + " " + things + " already take " +
              gigabytes(taken) + ", expected at most " + gigabytes(limit_) +
              ", half of the memory of this machine; make fewer at a time");
}

}  // namespace lissom
