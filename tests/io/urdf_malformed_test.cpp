// Malformed files: each must be reported with the right code, on the right line, with a remedy, and without findings
// that are only consequences.
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "expected_findings.h"
#include "urdf_test_support.h"

namespace lissom::io {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> malformed_files() {
  return files_in(fs::path(LISSOM_TEST_DATA) / "io" / "malformed");
}

class Malformed : public testing::TestWithParam<fs::path> {};

TEST_P(Malformed, IsReported) {
  const std::vector<Finding> expected = expected_of(content(GetParam()));
  ASSERT_FALSE(expected.empty()) << "no expectation in the first line";
  const ReadResult result = read(GetParam().string());
  EXPECT_EQ(found_in(result, expected), expected) << to_text(result);
  for (const Diagnostic& d : result.diagnostics) {
    EXPECT_FALSE(d.message.empty());
    EXPECT_FALSE(d.remedy.empty()) << d.code;
    EXPECT_EQ(d.file, GetParam().string());
  }
  const bool error =
      std::any_of(expected.begin(), expected.end(), [](const Finding& f) { return f.severity == "error"; });
  EXPECT_EQ(result.usable(), !error);
}

INSTANTIATE_TEST_SUITE_P(Files, Malformed, testing::ValuesIn(malformed_files()),
                         [](const auto& file) { return file.param.stem().string(); });

TEST(MalformedFiles, HaveCodesThatAreDocumented) {
  const fs::path docs = fs::path(LISSOM_TEST_DATA) / ".." / "docs";
  const std::string page = content(docs / "urdf.md") + content(docs / "mjcf.md");
  for (const fs::path& file : malformed_files())
    for (const Diagnostic& d : read(file.string()).diagnostics)
      EXPECT_NE(page.find("`" + d.code + "`"), std::string::npos) << d.code;
}

TEST(MalformedFiles, AreMany) {
  EXPECT_GE(malformed_files().size(), 45u);
}

TEST(Formats, AreRecognizedByTheirRoot) {
  const std::string urdf = "<?xml version=\"1.0\"?>\n<!-- <sdf> -->\n<robot name=\"r\"><link name=\"a\"/></robot>";
  EXPECT_TRUE(read_text(urdf, "robot").usable());  // whatever the file is called
  const auto refused = [](const std::string& text, const char* code, int line, const char* word) {
    const ReadResult result = read_text(text, "robot.urdf");
    ASSERT_EQ(result.diagnostics.size(), 1u) << text;
    const Diagnostic& d = result.diagnostics[0];
    EXPECT_EQ(d.code, code);
    EXPECT_EQ(d.line, line);
    EXPECT_NE(d.message.find(word), std::string::npos) << d.message;
    EXPECT_FALSE(result.usable());
  };
  refused("<!-- <robot> -->\n<mujocoinclude/>", "format-fragment", 2, "<mujocoinclude>");
  refused("\xEF\xBB\xBF<?xml version=\"1.0\"?>\n\n<COLLADA/>", "format-unsupported", 3, "COLLADA");
  refused(" {\"loops\": []}", "format-unknown", 1, "JSON");
  refused("<thing/>", "not-urdf", 1, "<thing>");
  for (const char* text : {"", "<", "<!--", "<?", "<!", "{", "\xEF\xBB\xBF", "< robot", "<!-->", "<?xml"})
    EXPECT_FALSE(read_text(text, "broken.urdf").usable()) << text;
}

// Texts that an editor might change are made here.
void expect_error(const std::string& text, const std::string& code, int line) {
  const ReadResult result = read_urdf_text(text, "made.urdf");
  const Diagnostic* found = find(result, code);
  ASSERT_TRUE(found) << code << " expected, found: " << to_text(result);
  EXPECT_EQ(found->severity, Severity::error);
  EXPECT_EQ(found->line, line);
  EXPECT_FALSE(found->remedy.empty());
  EXPECT_FALSE(result.usable());
}

TEST(MalformedText, Empty) {
  expect_error("", "file-empty", 0);
  expect_error(" \n\t\n", "file-empty", 0);
}
TEST(MalformedText, NulByte) {
  expect_error(robot(link("a") + std::string(1, '\0')), "not-text", 3);
}
TEST(MalformedText, ControlCharacter) {
  expect_error("<robot name=\"r\">\n\x01</robot>", "not-text", 2);
}
TEST(MalformedText, BinaryJunk) {
  std::string junk =
      "\x7F"
      "ELF";
  for (int i = 0; i < 1000; ++i) junk += static_cast<char>(i * 37);
  expect_error(junk, "not-text", 1);
}
TEST(MalformedText, Utf16) {
  std::string wide = "\xFF\xFE";
  for (const char c : robot(link("a"))) wide += {c, '\0'};
  expect_error(wide, "encoding", 1);
  expect_error(wide.substr(2), "encoding", 1);
}
TEST(MalformedText, OnlyADeclaration) {
  expect_error("<?xml version=\"1.0\"?>\n", "xml-syntax", 1);
}
TEST(MalformedText, NotXml) {
  expect_error("links: [a, b]\n", "xml-syntax", 1);
}
TEST(MalformedText, CutOff) {
  const std::string text = robot(link("a") + link("b"));
  for (std::size_t length = 1; length + 2 < text.size(); ++length)
    EXPECT_FALSE(read_urdf_text(text.substr(0, length), "cut.urdf").usable()) << length;
}
TEST(MalformedText, UnfinishedComment) {
  expect_error("<robot name=\"r\">\n<!-- no end\n</robot>", "xml-syntax", 3);
}
TEST(MalformedText, UnfinishedDoctype) {
  expect_error("<!DOCTYPE robot [\n", "doctype", 1);
}
TEST(MalformedText, BillionLaughs) {
  std::string dtd = "<!DOCTYPE lolz [<!ENTITY lol \"lol\">";
  for (int i = 1; i < 10; ++i) dtd += "<!ENTITY lol" + std::to_string(i) + " \"&lol;&lol;&lol;\">";
  expect_error(dtd + "]><robot name=\"&lol9;\"/>", "doctype", 1);
}
TEST(MalformedText, TooDeep) {
  std::string deep;
  for (int i = 0; i < 200; ++i) deep += "<a>\n";
  for (int i = 0; i < 200; ++i) deep += "</a>";
  expect_error(robot(deep), "xml-depth", 66);
  // Also if it could overflow the stack
  std::string abyss;
  for (int i = 0; i < 300000; ++i) abyss += "<a>";
  for (int i = 0; i < 300000; ++i) abyss += "</a>";
  expect_error(robot(abyss), "xml-depth", 2);
}
TEST(MalformedText, TooLarge) {
  ReadOptions options;
  options.max_bytes = 100;
  const ReadResult result = read_urdf_text(robot(link("a")), "large.urdf", options);
  ASSERT_TRUE(find(result, "file-size"));
  EXPECT_FALSE(result.usable());
}
TEST(MalformedText, ManyAttributes) {
  std::string many;
  for (int i = 0; i < 20000; ++i) many += " a" + std::to_string(i) + "=\"1\"";
  const ReadResult result = read_urdf_text(robot("<link name=\"a\"" + many + "/>"), "many.urdf");
  EXPECT_TRUE(find(result, "unknown-attribute"));
  EXPECT_TRUE(result.usable());
}

TEST(MalformedFile, Missing) {
  const ReadResult result = read_urdf("/no/such/file.urdf");
  ASSERT_TRUE(find(result, "file-open"));
  EXPECT_FALSE(find(result, "file-open")->remedy.empty());
  EXPECT_FALSE(result.usable());
}
TEST(MalformedFile, IsADirectory) {
  EXPECT_TRUE(find(read_urdf(LISSOM_TEST_DATA), "file-open"));
}

// Bytes flipped, deleted, doubled, cut off: anything may be reported, but nothing may crash or hang.
TEST(Mutations, AreSurvived) {
  const std::string original = one_joint("revolute",
                                         "<origin xyz=\"0 0.5 1\" rpy=\"0 0 1.57\"/><axis xyz=\"0 0 1\"/><limit "
                                         "lower=\"-1\" upper=\"1\" effort=\"5\" velocity=\"2\"/>"
                                         "<dynamics damping=\"0.1\"/><mimic joint=\"k\" multiplier=\"2\"/>") +
                               "<!-- end -->\n";
  ASSERT_EQ(original.back(), '\n');
  std::mt19937 random(20240607);
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  const std::string snippets[] = {"<",         ">",  "\"",        "/>", "</",    "&",   "&#0;", "<!--",   "]]>",
                                  "<![CDATA[", "<?", "<!DOCTYPE", "-",  "1e999", "nan", "${x}", "xacro:", "\xC3"};
  std::size_t usable = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string text = original;
    const std::size_t edits = 1 + below(4);
    for (std::size_t k = 0; k < edits && !text.empty(); ++k) {
      const std::size_t at = below(text.size());
      switch (below(6)) {
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
          text.resize(at);
          break;
        case 4:
          text.insert(at, text.substr(below(text.size()), below(60)));
          break;
        case 5:
          text[at] = static_cast<char>(below(256));
          break;
      }
    }
    const ReadResult result = read_urdf_text(text, "mutated.urdf");
    for (const Diagnostic& d : result.diagnostics)
      ASSERT_FALSE(d.code.empty() || d.message.empty() || d.remedy.empty());
    usable += result.usable() ? 1 : 0;
  }
  EXPECT_LT(usable, 1500u);
}

}  // namespace
}  // namespace lissom::io
