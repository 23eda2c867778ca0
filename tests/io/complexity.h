#pragma once
// The work of every reader grows in proportion to the size of its input. Files of two sizes are read, and the memory
// that is allocated in all is compared: it counts copies and lists, and needs no clock. Searches that allocate nothing
// only cost time, which LISSOM_LONG=1 measures.
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "allocation_counter.h"
#include "largest.h"

namespace lissom::test {

using Text = std::string;

inline Text many(int count, const std::function<Text(const Text&)>& one, const char* between = "") {
  Text all;
  for (int i = 0; i < count; ++i) all += (i > 0 ? between : "") + one(std::to_string(i));
  return all;
}

inline double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

// The work of one call: bytes that are allocated, or seconds.
inline double allocated_by(const std::function<void()>& work) {
  const long before = allocated_bytes;
  work();
  return double(allocated_bytes - before);
}
inline double seconds_of(const std::function<void()>& work) {
  double least = 1e9;
  for (int i = 0; i < 3; ++i) {
    const double before = processor_seconds();
    work();
    least = smaller(least, processor_seconds() - before);
  }
  return least;
}

// By how much more work the larger of two inputs takes; `prepare` makes an input of a size, and returns its reading.
struct Growth {
  double allocated = 0, seconds = 0;
};
using Prepare = std::function<std::function<void()>(int size)>;
inline constexpr int allocated_factor = 4, seconds_factor = 8;
inline Growth growth_of(const Prepare& prepare, int size) {
  const auto small = prepare(size);
  small();  // what is made once
  Growth growth;
  growth.allocated = allocated_by(prepare(allocated_factor * size)) / allocated_by(small);
  if (const char* const flag = std::getenv("LISSOM_LONG"); flag && *flag)
    growth.seconds = seconds_of(prepare(seconds_factor * size)) / seconds_of(small);
  return growth;
}

// Halfway between work in proportion and work with the square.
inline constexpr double max_allocated = 8, max_seconds = 22;
inline void expect_proportional(const Prepare& prepare, int size) {
  const auto growth = growth_of(prepare, size);
  if (counting_allocations) {
    EXPECT_GT(growth.allocated, 2) << "the larger input was not read";
    EXPECT_LT(growth.allocated, max_allocated);
  }
  EXPECT_LT(growth.seconds, max_seconds);
}

/// A reader that takes the content of a file.
template <class Read>
Prepare of_text(const std::function<Text(int)>& make, Read read) {
  return [make, read](int size) { return [text = make(size), read] { read(text); }; };
}

}  // namespace lissom::test
