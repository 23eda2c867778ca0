#pragma once
// What the tests of every instruction set share: a test for each set that the processor has, the tables of a set, and
// which groups of kernels are run.
#include <map>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "kernel_results.h"
#include "lissom/kernels/tables.h"

namespace lissom::test::every_set {

inline const char* name_of(InstructionSet set) {
  return set == InstructionSet::baseline ? "baseline" : set == InstructionSet::avx2 ? "avx2" : "avx512";
}
template <class Function>
auto& of(InstructionSet set, Function* baseline, Function* avx2, Function* avx512) {
  return set == InstructionSet::baseline ? baseline() : set == InstructionSet::avx2 ? avx2() : avx512();
}
#define TABLE_OF(set, function) of(set, baseline::function, avx2::function, avx512::function)
#define TABLE_IN(set, space, function) \
  of(set, space::baseline::function, space::avx2::function, space::avx512::function)

class EverySet : public testing::TestWithParam<InstructionSet> {
 protected:
  void SetUp() override {
    const std::string allowed = name_of(instruction_set());
    if (set > instruction_set())
      GTEST_SKIP() << "the tables of " << name_of(set) << " were not run: this processor, or LISSOM_MAX_ISA, allows "
                   << allowed << " at most";
    if (instruction_set() == InstructionSet::baseline)
      GTEST_SKIP() << "there is no other set to compare with: this processor, or LISSOM_MAX_ISA, allows baseline only";
    std::printf("tables of %s, compared with those of %s\n", name_of(set), name_of(other));
  }
  const InstructionSet set = GetParam();
  const InstructionSet other = set == InstructionSet::baseline ? InstructionSet::avx2 : InstructionSet::baseline;
};

// The test that runs a group of kernels, by the name that lissom_kernels() of lissom/CMakeLists.txt gives the group.
inline std::map<std::string, std::string>& runs() {
  static std::map<std::string, std::string> all;
  return all;
}
inline bool add_runs(const std::string& test, const std::string& groups) {
  std::istringstream words(groups);
  for (std::string group; words >> group;) runs()[group] = test;
  return true;
}
#define RUNS_KERNELS(test, groups) [[maybe_unused]] const bool runs_kernels_##test = add_runs(#test, groups)

}  // namespace lissom::test::every_set
