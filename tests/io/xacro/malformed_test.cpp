// Malformed xacro files: each is reported with the right code, in the right file and line, with a remedy.
#include <algorithm>
#include <chrono>
#include <random>
#include <sstream>

#include <gtest/gtest.h>

#include "xacro_test_support.h"

namespace lissom::io::xacro {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<fs::path> malformed_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(here / "malformed"))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// The first line reads: <!-- expect: error xacro-name 7 [FILE] -->, where FILE is the included file that is wrong.
struct Expected {
  std::string severity, code, file;
  int line = 0;
};
Expected expected_of(const fs::path& path) {
  const std::string text = content(path), start = "<!-- expect: ";
  EXPECT_TRUE(text.starts_with(start)) << path;
  std::istringstream words(text.substr(start.size(), text.find(" -->") - start.size()));
  Expected expected;
  words >> expected.severity >> expected.code >> expected.line >> expected.file;
  expected.file = (path.parent_path() / (expected.file.empty() ? path.filename().string() : expected.file)).string();
  return expected;
}

class MalformedXacro : public testing::TestWithParam<fs::path> {};

TEST_P(MalformedXacro, IsReported) {
  const Expected expected = expected_of(GetParam());
  const ReadResult result = read(GetParam().string());
  const auto worst = std::ranges::find_if(result.diagnostics, [&](const Diagnostic& d) {
    return d.severity == (expected.severity == "error" ? Severity::error : Severity::warning);
  });
  ASSERT_NE(worst, result.diagnostics.end()) << findings(result.diagnostics);
  EXPECT_EQ(worst->code, expected.code) << findings(result.diagnostics);
  EXPECT_EQ(worst->line, expected.line) << findings(result.diagnostics);
  EXPECT_EQ(worst->file, expected.file);
  EXPECT_FALSE(worst->message.empty());
  EXPECT_FALSE(worst->remedy.empty());
  EXPECT_EQ(result.usable(), expected.severity != "error");
  const auto errors = std::ranges::count(result.diagnostics, Severity::error, &Diagnostic::severity);
  EXPECT_EQ(errors, expected.severity == "error" ? 1 : 0) << findings(result.diagnostics);
}

INSTANTIATE_TEST_SUITE_P(Files, MalformedXacro, testing::ValuesIn(malformed_files()),
                         [](const auto& file) { return file.param.stem().string(); });

TEST(MalformedXacroFiles, AreMany) {
  EXPECT_GE(malformed_files().size(), 60u);
}

TEST(MalformedXacroFiles, HaveCodesThatAreDocumented) {
  const std::string page = content(fs::path(LISSOM_TEST_DATA) / ".." / "docs" / "xacro.md");
  for (const fs::path& file : malformed_files())
    EXPECT_NE(page.find("`" + expected_of(file).code + "`"), std::string::npos) << expected_of(file).code;
}

// Bytes flipped, deleted, doubled, cut off: anything may be reported, but nothing may crash or hang.
TEST(XacroMutations, AreSurvived) {
  const std::string original = content(here / "cases" / "macros.xacro") + content(here / "cases" / "blocks.xacro");
  const std::string snippets[] = {
      "${",   "}",  "$(", ")",  "xacro:", "<xacro:if value=\"", "'",         "**", "[",  "]",
      "\"/>", "</", "$",  "^|", ":=",     "lambda x: ",         "for x in ", "{",  "0x", "1e"};
  std::mt19937 random(20261117);
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  std::size_t usable = 0;
  for (int round = 0; round < 1500; ++round) {
    std::string text = original.substr(0, original.find("</robot>") + 9);
    for (std::size_t k = 0; k <= below(4); ++k) {
      const std::size_t at = below(text.size());
      if (const auto how = below(4); how == 0)
        text[at] = static_cast<char>(text[at] ^ (1 << below(7)));
      else if (how == 1)
        text.erase(at, 1 + below(10));
      else if (how == 2)
        text.insert(at, snippets[below(std::size(snippets))]);
      else
        text.insert(at, text.substr(below(text.size()), below(60)));
    }
    const Expansion expansion = expand_text(text, "mutated.xacro");
    for (const Diagnostic& d : expansion.diagnostics)
      ASSERT_FALSE(d.code.empty() || d.message.empty() || d.remedy.empty()) << to_string(d);
    usable += expansion.usable() ? 1 : 0;
  }
  EXPECT_GT(usable, 30u);
  EXPECT_LT(usable, 1400u);
}

}  // namespace
}  // namespace lissom::io::xacro
