#pragma once
// How much memory there is, for what is as large as somebody asks for: a program that runs out of it is ended by the
// system without a word. Not installed.
#include <cstdint>
#include <string>

namespace lissom {

// Bytes that this program may have: the machine's memory, or less where its container (control group) or RLIMIT_AS
// allows less.
std::uint64_t machine_memory();
// Bytes that it has now; 0 where the system does not tell.
std::uint64_t process_memory();

// Watches the memory of many things of one kind while they are made: together they may take half of the machine's.
class MemoryWatch {
 public:
  explicit MemoryWatch(std::uint64_t limit = machine_memory() / 2) : limit_(limit), before_(process_memory()) {}
  // Throws an Error where they take more; `made` of `count` are there. Costs some microseconds.
  void check(long made, long count, const char* things) const;

 private:
  std::uint64_t limit_, before_;
};

}  // namespace lissom
