// Hashes of bytes: the same everywhere, different where one bit differs.
#include "lissom/files/hash.h"

#include <set>

#include <gtest/gtest.h>

namespace lissom::test::hash {
namespace {

TEST(Hash, DiffersWhereOneBitDiffers) {
  std::string text(101, 'a');
  std::set<std::string> seen{to_text(hash_of(text))};
  for (std::size_t i = 0; i < text.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      auto changed = text;
      changed[i] = char(changed[i] ^ (1 << bit));
      EXPECT_TRUE(seen.insert(to_text(hash_of(changed))).second) << i << " " << bit;
      // And a highest bit elsewhere, the sign of a number.
      for (std::size_t k = 3; k < text.size() && k < i; k += 4) {
        auto signs = changed;
        signs[k] = char(signs[k] ^ 0x80);
        EXPECT_TRUE(seen.insert(to_text(hash_of(signs))).second) << i << " " << bit << " " << k;
      }
    }
}

TEST(Hash, KnowsHowLongATextIs) {
  std::set<std::string> seen;
  for (std::size_t n = 0; n < 200; ++n) EXPECT_TRUE(seen.insert(to_text(hash_of(std::string(n, '\0')))).second) << n;
  EXPECT_NE(hash_of("a", 1), hash_of("a", 2));
}

// Cache entries of other machines and versions are found by it.
TEST(Hash, StaysWhatItIs) {
  EXPECT_EQ(to_text(hash_of("")), "813108f3482a4d8fc09a2aa368eb38e6");
  EXPECT_EQ(to_text(hash_of("The same on every machine, and in every version of the library")),
            "2e1e967f6aafd9bffa9aa1add0180ad8");
}

// Neighboring bits of the result depend on all of the input: about half of them change with one bit of it.
TEST(Hash, SpreadsEveryBit) {
  std::string text = "thirty-three bytes of some text..";
  const auto before = hash_of(text);
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto changed = text;
    changed[i] = char(changed[i] ^ 1);
    const auto after = hash_of(changed);
    const int bits =
        __builtin_popcountll(before.first ^ after.first) + __builtin_popcountll(before.second ^ after.second);
    EXPECT_GT(bits, 32) << i;
    EXPECT_LT(bits, 96) << i;
  }
}

}  // namespace
}  // namespace lissom::test::hash
