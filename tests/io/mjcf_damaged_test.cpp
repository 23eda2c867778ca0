// Damaged MJCF files: whatever is changed, the reader answers with findings, and what it calls usable can be built.
#include <filesystem>
#include <random>

#include <gtest/gtest.h>

#include "lissom/io/mjcf/mjcf.h"
#include "lissom/model/model.h"
#include "urdf_test_support.h"

namespace lissom::io::mjcf_damaged {  // files of tests are compiled together
namespace {

namespace fs = std::filesystem;

// Words of the format, so that changes are not only changes of letters.
constexpr const char* words[] = {"<",
                                 ">",
                                 "/>",
                                 "\"",
                                 " class=\"c\"",
                                 " ref=\"1\"",
                                 " pos=\"1 2 3\"",
                                 " type=\"free\"",
                                 " type=\"ball\"",
                                 "<freejoint/>",
                                 "<joint/>",
                                 "<frame>",
                                 "</frame>",
                                 "<replicate count=\"3\">",
                                 "</replicate>",
                                 "<body>",
                                 "</body>",
                                 "nan",
                                 "1e999",
                                 "-1",
                                 "0",
                                 " mass=\"0\"",
                                 " fromto=\"0 0 0 0 0 0\"",
                                 " name=\"a\"",
                                 "<site name=\"a\"/>",
                                 "<inertial pos=\"0 0 0\" mass=\"1\"/>",
                                 "<worldbody/>",
                                 "<equality><weld body1=\"a\"/></equality>",
                                 "<key qpos=\"1\"/>"};

std::string changed(const std::string& original, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  std::string text = original;
  for (std::size_t k = 1 + below(4); k > 0 && !text.empty(); --k) {
    const std::size_t at = below(text.size());
    switch (below(5)) {
      case 0:
        text[at] = static_cast<char>(32 + below(95));
        break;
      case 1:
        text.erase(at, 1 + below(20));
        break;
      case 2:
        text.insert(at, words[below(std::size(words))]);
        break;
      case 3:
        text.insert(at, text.substr(below(text.size()), below(80)));
        break;
      case 4:  // behind a quotation mark, where values begin
        text.insert(std::min(text.find('"', at), text.size() - 1) + 1, words[below(std::size(words))]);
        break;
    }
  }
  return text;
}

TEST(MjcfDamaged, IsReadOrRefusedButNeverCrashes) {
  std::vector<std::string> originals;
  for (const char* folder : {"io/malformed", "fuzz/corpus/mjcf"})
    for (const auto& entry : fs::directory_iterator(fs::path(LISSOM_TEST_DATA) / folder)) {
      const std::string text = content(entry.path());
      if (text.find("<mujoco") != std::string::npos && text.find("100000") == std::string::npos)
        originals.push_back(text);
    }
  ASSERT_GT(originals.size(), 50u);
  const int rounds = std::getenv("LISSOM_LONG") ? 10'000 : 100;
  std::mt19937 random(20261117);
  std::size_t usable = 0, read = 0;
  for (const auto& original : originals)
    for (int round = 0; round < rounds; ++round) {
      const std::string text = changed(original, random);
      const auto result =
          read_mjcf_text(text, "damaged.xml", {.package_paths = {}, .check_meshes = false, .read_includes = false});
      ++read;
      for (const Diagnostic& d : result.diagnostics)
        ASSERT_FALSE(d.code.empty() || d.message.empty() || d.remedy.empty()) << text;
      if (!result.usable()) continue;
      ++usable;
      try {
        EXPECT_EQ(int(build(result.description).joints().size()), int(result.description.joints.size())) << text;
      } catch (const Error& error) {
        ADD_FAILURE() << error.what() << "\n" << text;
      }
    }
  EXPECT_GT(usable, read / 100);
  EXPECT_LT(usable, read);
}

}  // namespace
}  // namespace lissom::io::mjcf_damaged
