// What the program takes of the machine's memory, and that too many things are refused before there is none left.
#include "lissom/files/machine_memory.h"

#include <vector>

#include <gtest/gtest.h>

#include "lissom/model/diagnostic.h"

namespace lissom::test::machine_memory {
namespace {

constexpr std::uint64_t MB = 1'000'000;

TEST(MachineMemory, OfTheProgramAndOfTheMachine) {
  const auto before = process_memory();
  if (before == 0) GTEST_SKIP() << "this system does not tell";
  EXPECT_LT(before, lissom::machine_memory());
  const std::vector<char> bytes(80 * MB, 1);
  EXPECT_GT(process_memory(), before + 70 * MB);
  EXPECT_EQ(bytes.back(), 1);
}

TEST(MachineMemory, TooManyThings) {
  if (process_memory() == 0) GTEST_SKIP() << "this system does not tell";
  const MemoryWatch little(40 * MB), much(lissom::machine_memory());
  EXPECT_NO_THROW(little.check(0, 1000, "worlds"));
  const std::vector<char> bytes(80 * MB, 1);
  EXPECT_NO_THROW(much.check(10, 1000, "worlds"));
  try {
    little.check(10, 1000, "worlds");
    ADD_FAILURE() << "80 MB were taken for 40";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("count is 1000, but 10 worlds already take "), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("expected at most 0.04 GB"), std::string::npos) << e.what();
  }
  EXPECT_EQ(bytes.back(), 1);
}

}  // namespace
}  // namespace lissom::test::machine_memory
