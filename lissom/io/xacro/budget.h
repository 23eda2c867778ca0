#pragma once
// What an expansion may still use: files of other people can ask for memory and time without bound (2**10**9,
// 'a'*10**9, a macro that calls itself). Not installed.
#include <cstddef>
#include <string>

#include "lissom/io/xacro/failure.h"
#include "lissom/model/limits.h"

namespace lissom::io::xacro {

class Budget {
 public:
  // Counts evaluated operations, elements and characters.
  void step(std::size_t count = 1) {
    if (count > steps_) {
      steps_ = 0;
      throw Failure("limit",
                    "expanding it takes more than " + std::to_string(limits::xacro_steps) + " steps of evaluation",
                    "look for a macro or a comprehension that repeats without end");
    }
    steps_ -= count;
  }
  // Counts the memory of new strings, lists and elements, which is not given back.
  void take(std::size_t bytes) {
    if (bytes > bytes_) {
      bytes_ = 0;
      throw Failure("limit",
                    "expanding it takes more than " + std::to_string(limits::xacro_bytes >> 20) + " MiB of memory",
                    "look for a macro, a string or a list that grows without end");
    }
    bytes_ -= bytes;
  }

 private:
  friend class Deeper;
  std::size_t steps_ = limits::xacro_steps, bytes_ = limits::xacro_bytes;
  int depth_ = 0;
};

// One level of recursion: of elements, macros, includes, properties and expressions alike.
class Deeper {
 public:
  explicit Deeper(Budget& budget) : budget_(budget) {
    if (++budget_.depth_ <= limits::xacro_depth) return;
    --budget_.depth_;
    throw Failure("limit",
                  "macros, includes, elements and properties are nested more than " +
                      std::to_string(limits::xacro_depth) + " deep",
                  "look for a macro that calls itself, or a file that includes itself, without end");
  }
  ~Deeper() { --budget_.depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

 private:
  Budget& budget_;
};

}  // namespace lissom::io::xacro
