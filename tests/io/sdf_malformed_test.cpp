// Malformed SDF files: each must be reported with the right code, on the right line, with a remedy, and without
// findings that are only consequences.
#include <random>

#include "expected_findings.h"
#include "sdf_test_support.h"

namespace lissom::io {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> malformed_sdf_files() {
  return files_in(fs::path(LISSOM_TEST_DATA) / "io" / "sdf_malformed");
}

class MalformedSdf : public testing::TestWithParam<fs::path> {};

TEST_P(MalformedSdf, IsReported) {
  const std::vector<Finding> expected = expected_of(content(GetParam()));
  ASSERT_FALSE(expected.empty()) << "no expectation in the first line";
  const ReadResult result = read(GetParam().string());
  EXPECT_EQ(found_in(result, expected), expected) << to_text(result);
  for (const Diagnostic& d : result.diagnostics) {
    EXPECT_FALSE(d.message.empty());
    EXPECT_FALSE(d.remedy.empty()) << d.code;
    EXPECT_EQ(d.file, GetParam().string());
  }
  const bool error = std::ranges::any_of(expected, [](const Finding& f) { return f.severity == "error"; });
  EXPECT_EQ(result.usable(), !error);
}

INSTANTIATE_TEST_SUITE_P(Files, MalformedSdf, testing::ValuesIn(malformed_sdf_files()),
                         [](const auto& file) { return file.param.stem().string(); });

TEST(MalformedSdfFiles, HaveCodesThatAreDocumented) {
  const fs::path docs = fs::path(LISSOM_TEST_DATA) / ".." / "docs";
  const std::string pages = content(docs / "sdf.md") + content(docs / "urdf.md");
  for (const fs::path& file : malformed_sdf_files())
    for (const Diagnostic& d : read(file.string()).diagnostics)
      EXPECT_NE(pages.find("`" + d.code + "`"), std::string::npos) << d.code;
}

TEST(MalformedSdfFiles, AreMany) {
  EXPECT_GE(malformed_sdf_files().size(), 40u);
}

// The files of sdformat's own tests that it refuses.
TEST(MalformedSdfFiles, OfSdformatAreRefused) {
  const auto shared = shared_directory();
  if (!shared) GTEST_SKIP() << "set LISSOM_SHARED to the directory that holds corpus/ and reference/";
  const struct {
    const char* file;
    const char* code;
    int line;
  } files[] = {{"bad_syntax_pose.sdf", "number", 5},
               {"box_bad_test.world", "name-empty", 6},
               {"inertial_invalid.sdf", "mass-negative", 4},
               {"invalid_xml_syntax.sdf", "xml-syntax", 8},
               {"joint_invalid_child.sdf", "frame-unknown", 7},
               {"model_duplicate_links.sdf", "name-duplicate", 7},
               {"model_invalid_frame_relative_to_cycle.sdf", "frame-cycle", 13}};
  for (const auto& [file, code, line] : files) {
    const ReadResult result = read((*shared / "corpus" / "malformed" / "sdformat" / file).string());
    EXPECT_FALSE(result.usable()) << file;
    const Diagnostic* found = find(result, code);
    ASSERT_TRUE(found) << file << "\n" << to_text(result);
    EXPECT_EQ(found->line, line) << file;
  }
}

// Bytes flipped, deleted, doubled, cut off: anything may be reported, but nothing may crash or hang.
TEST(SdfMutations, AreSurvived) {
  const std::string original =
      sdf("<world name=\"w\"><gravity>0 0 -9.8</gravity>" +
          model(pose("0 0 1 0 0 0") + sdf_link("a") + sdf_link("b", pose("0 1 0 0 0 0", "a")) +
                "<frame name=\"f\" attached_to=\"b\"/>" +
                sdf_joint("j", "universal", "a", "b",
                          pose("0 1 0 0 0 0") + "<axis><xyz expressed_in=\"f\">1 0 0</xyz></axis>"
                                                "<axis2><xyz>0 1 0</xyz></axis2>") +
                model(sdf_link("c"), "inner") + sdf_joint("k", "ball", "a", "inner::c", "")) +
          "</world>");
  std::mt19937 random(20261117);
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  const std::string snippets[] = {"<",  ">", "\"",    "/>",    "</",   "&",         "<!--",  "]]>", "a",     "b",
                                  "::", "f", "world", "model", "pose", "__model__", "1e999", "nan", "joint", "<link/>"};
  std::size_t usable = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string text = original;
    const std::size_t edits = 1 + below(4);
    for (std::size_t k = 0; k < edits && !text.empty(); ++k) {
      const std::size_t at = below(text.size());
      switch (below(5)) {
        case 0:
          text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
          break;
        case 1:
          text.erase(at, 1 + below(20));
          break;
        case 2:
          text.insert(at, snippets[below(std::size(snippets))]);
          break;
        case 3:
          text.replace(at, 1, snippets[below(std::size(snippets))]);
          break;
        case 4:
          text.insert(at, text.substr(below(text.size()), below(60)));
          break;
      }
    }
    ReadOptions options;
    options.check_meshes = options.read_includes = false;
    const ReadResult result = read_sdf_text(text, "mutated.sdf", options);
    for (const Diagnostic& d : result.diagnostics)
      ASSERT_FALSE(d.code.empty() || d.message.empty() || d.remedy.empty());
    usable += result.usable() ? 1 : 0;
  }
  EXPECT_LT(usable, 1500u);
}

}  // namespace
}  // namespace lissom::io
