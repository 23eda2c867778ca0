#include "lissom/io/numbers.h"

#include <clocale>
#include <cmath>

#include <gtest/gtest.h>

namespace lissom::io {
namespace {

std::string code_of(std::string_view text, std::size_t count, Infinity infinity = Infinity::refuse) {
  NumberList numbers;
  const auto problem = parse_numbers(text, count, numbers, infinity);
  if (!problem) return "";
  EXPECT_FALSE(problem->message.empty());
  EXPECT_FALSE(problem->remedy.empty());
  return problem->code;
}

double value_of(std::string_view text) {
  NumberList numbers;
  EXPECT_FALSE(parse_numbers(text, 1, numbers)) << text;
  return numbers.value[0];
}

TEST(Numbers, ReadsWhatPeopleWrite) {
  EXPECT_EQ(value_of("1.5"), 1.5);
  EXPECT_EQ(value_of("+1.5"), 1.5);
  EXPECT_EQ(value_of("-.5"), -0.5);
  EXPECT_EQ(value_of("5."), 5);
  EXPECT_EQ(value_of("  1e-3\n"), 1e-3);
  EXPECT_EQ(value_of("1E+3"), 1e3);
  EXPECT_EQ(value_of("0.1"), 0.1);
  EXPECT_EQ(value_of("-0"), 0);
}

TEST(Numbers, SeparatesByAnyBlanks) {
  NumberList n;
  ASSERT_FALSE(parse_numbers("\t1  -2\r\n\n3 ", 3, n));
  EXPECT_EQ(n.value[0], 1);
  EXPECT_EQ(n.value[1], -2);
  EXPECT_EQ(n.value[2], 3);
}

TEST(Numbers, RefusesTextThatIsNotANumber) {
  for (const char* text : {"1,5", "0x10", "0x1p3", "1.5m", "90deg", "abc",   "+-1",    "++1", "+",     "-",    "--1",
                           ".",   "e5",   "1e",    "1..2", "1.2.3", "1e400", "-1e400", "½",   "1_000", "1'000"})
    EXPECT_EQ(code_of(text, 1), "number") << text;
}

TEST(Numbers, RefusesWrongCounts) {
  EXPECT_EQ(code_of("", 1), "number-count");
  EXPECT_EQ(code_of("   ", 1), "number-count");
  EXPECT_EQ(code_of("1 2", 1), "number-count");
  EXPECT_EQ(code_of("1 2", 3), "number-count");
  EXPECT_EQ(code_of("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15", 3), "number-count");
}

TEST(Numbers, CountsBeyondWhatItKeeps) {
  NumberList n;
  ASSERT_FALSE(parse_numbers("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15", n));
  EXPECT_EQ(n.count, 15u);
}

TEST(Numbers, RefusesNanAndInfinityUnlessTold) {
  for (const char* text : {"nan", "NaN", "-nan", "inf", "-inf", "Infinity"})
    EXPECT_EQ(code_of(text, 1), "number-not-finite") << text;
  EXPECT_EQ(code_of("nan", 1, Infinity::accept), "number-not-finite");
  EXPECT_EQ(code_of("-inf", 1, Infinity::accept), "");
}

TEST(Numbers, TakesTooSmallForZero) {
  EXPECT_EQ(value_of("1e-400"), 0);
  EXPECT_EQ(value_of("-1e-400"), 0);
  EXPECT_EQ(value_of("0." + std::string(400, '0') + "1"), 0);
  EXPECT_GT(value_of("1e-310"), 0);
}

TEST(Numbers, SaysThatAPointIsExpected) {
  NumberList n;
  const auto comma = parse_numbers("1,5", 1, n);
  ASSERT_TRUE(comma);
  EXPECT_NE(comma->remedy.find("decimal point"), std::string::npos);
  EXPECT_NE(comma->remedy.find("1.5"), std::string::npos);
  const auto list = parse_numbers("1, 2, 3", 3, n);
  ASSERT_TRUE(list);
  EXPECT_NE(list->remedy.find("blanks"), std::string::npos);
}

TEST(Numbers, DoNotDependOnTheLocale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  bool tried = false;
  for (const char* locale : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"})
    tried = tried || std::setlocale(LC_ALL, locale) != nullptr;
  const double number = value_of("1.5");
  std::setlocale(LC_ALL, before.c_str());
  EXPECT_EQ(number, 1.5);
  if (!tried) GTEST_SKIP() << "no locale with a decimal comma is installed here; read in the C locale only";
}

}  // namespace
}  // namespace lissom::io
