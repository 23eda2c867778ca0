// Which files an expansion may read.
#include <cstdlib>

#include <gtest/gtest.h>

#include "xacro_test_support.h"

namespace lissom::io::xacro {
namespace {

const std::string part = "<robot xmlns:xacro=\"x\"><part/></robot>\n";

std::string including(const std::string& name) {
  return file_of("<xacro:include filename=\"" + name + "\"/>");
}

// "", or the code of the error.
std::string error_of(const std::string& path, const ReadOptions& options = {}) {
  const Expansion expansion = expand(path, options);
  return expansion.usable() ? "" : expansion.diagnostics.back().code;
}

TEST(XacroFiles, AreThoseBelowTheFile) {
  const Folder folder;
  folder.write("a.xacro", part);
  folder.write("robot/b.xacro", part);
  folder.write("robot/deep/c.xacro", part);
  const auto tried = [&](const std::string& name) {
    return error_of(folder.write("robot/main.xacro", including(name)));
  };
  EXPECT_EQ(tried("b.xacro"), "");
  EXPECT_EQ(tried("deep/c.xacro"), "");
  EXPECT_EQ(tried("deep/../b.xacro"), "");
  EXPECT_EQ(tried("../robot/b.xacro"), "");
  EXPECT_EQ(tried((folder.path() / "robot" / "b.xacro").string()), "");
  EXPECT_EQ(tried("../a.xacro"), "xacro-outside");
  EXPECT_EQ(tried("deep/../../a.xacro"), "xacro-outside");
  EXPECT_EQ(tried((folder.path() / "a.xacro").string()), "xacro-outside");
  EXPECT_EQ(tried("../*.xacro"), "xacro-outside");
  EXPECT_EQ(tried("../robot2/x.xacro"), "xacro-outside");  // not a folder that only begins alike
  EXPECT_EQ(tried("nothing.xacro"), "xacro-include");
}

TEST(XacroFiles, AreThoseOfThePackage) {
  const Folder folder;
  folder.write("pkg/package.xml", "<package/>");
  folder.write("pkg/config/limits.yaml", "a: 1\n");
  folder.write("other/x.xacro", part);
  folder.write("named/package.xml", "<package/>");
  folder.write("named/x.xacro", part);
  const auto tried = [&](const std::string& text, const ReadOptions& options = {}) {
    return error_of(folder.write("pkg/urdf/main.xacro", text), options);
  };
  EXPECT_EQ(tried(file_of("<a v=\"${xacro.load_yaml('../config/limits.yaml').a}\"/>")), "");
  EXPECT_EQ(tried(file_of("<a v=\"${xacro.load_yaml('$(find pkg)/config/limits.yaml')}\"/>")), "");
  EXPECT_EQ(tried(including("../../other/x.xacro")), "xacro-outside");
  EXPECT_EQ(tried(including("$(find other)/x.xacro")), "xacro-find");  // no manifest
  EXPECT_EQ(tried(including("$(find named)/x.xacro")), "");
  EXPECT_EQ(tried(including("$(find named)/../other/x.xacro")), "xacro-outside");
  EXPECT_EQ(tried(including("$(find other)/x.xacro"), {.package_paths = {folder.path().string()}}), "");
  EXPECT_EQ(tried(including("$(find other)/x.xacro"), {.package_paths = {(folder.path() / "other").string()}}), "");
  EXPECT_EQ(tried(including("$(find etc)/passwd")), "xacro-find");
  EXPECT_EQ(tried(including("$(find ../other)/x.xacro")), "xacro-find");
}

TEST(XacroFiles, AreFoundWhereRosInstallsThem) {
  const Folder folder;
  folder.write("install/share/pkg/x.xacro", part);
  const std::string main = folder.write("main.xacro", including("$(find pkg)/x.xacro"));
  EXPECT_EQ(error_of(main), "xacro-find");
  setenv("AMENT_PREFIX_PATH", (folder.path() / "install").c_str(), 1);
  EXPECT_EQ(error_of(main), "");
  unsetenv("AMENT_PREFIX_PATH");
}

TEST(XacroFiles, MatchPatternsInTheOrderOfTheirNames) {
  const Folder folder;
  for (const char* name : {"b2", "a10", "a2", "c1", ".hidden", "a2.txt"})
    folder.write(std::string("parts/") + name + ".xacro", "<r><e n=\"" + std::string(name) + "\"/></r>");
  const auto names = [&](const std::string& pattern) {
    const Expansion expansion = expand(folder.write("main.xacro", including(pattern)));
    std::string found;
    for (std::size_t at = 0; (at = expansion.text.find("<e n=\"", at)) != std::string::npos;) {
      at += 6;
      found += expansion.text.substr(at, expansion.text.find('"', at) - at) + " ";
    }
    return expansion.usable() ? found : findings(expansion.diagnostics);
  };
  EXPECT_EQ(names("parts/*.xacro"), "a10 a2.txt a2 b2 c1 ");
  EXPECT_EQ(names("parts/?2.xacro"), "a2 b2 ");
  EXPECT_EQ(names("parts/[b-c]*.xacro"), "b2 c1 ");
  EXPECT_EQ(names("parts/[!a]*.xacro"), "b2 c1 ");
  EXPECT_EQ(names("p*/a[0-9]*.xacro"), "a10 a2.txt a2 ");
  EXPECT_EQ(names("parts/z*.xacro"), "");
}

TEST(XacroFiles, AreCounted) {
  const Folder folder;
  folder.write("part.xacro", "<r/>");
  const auto many = [&](std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += "<xacro:include filename=\"part.xacro\"/>";
    return error_of(folder.write("main.xacro", file_of(text)));
  };
  EXPECT_EQ(many(limits::xacro_files), "");
  EXPECT_EQ(many(limits::xacro_files + 1), "xacro-limit");
}

TEST(XacroFiles, MayIncludeEachOtherUnderConditions) {
  const Folder folder;
  const std::string main = folder.write(
      "main.xacro", file_of("<xacro:property name=\"n\" default=\"3\"/><e n=\"${n}\"/><xacro:if value=\"${n > 0}\">"
                            "<xacro:property name=\"n\" value=\"${n - 1}\" lazy_eval=\"false\"/>"
                            "<xacro:include filename=\"main.xacro\"/></xacro:if>"));
  EXPECT_EQ(error_of(main), "");
  const std::string endless = folder.write("a.xacro", including("b.xacro"));
  folder.write("b.xacro", including("a.xacro"));
  const Expansion expansion = expand(endless);
  ASSERT_FALSE(expansion.usable());
  EXPECT_NE(expansion.diagnostics.back().message.find("a.xacro → b.xacro → a.xacro"), std::string::npos)
      << findings(expansion.diagnostics);
}

TEST(XacroFiles, TellWhereTheyAre) {
  const Folder folder;
  folder.write("sub/where.xacro",
               "<r xmlns:xacro=\"x\"><w d=\"$(dirname)\" f=\"${xacro.abs_filename('x.stl')}\"/></r>");
  const Expansion expansion = expand(folder.write("main.xacro", including("sub/where.xacro")));
  const std::string sub = (folder.path() / "sub").string();
  EXPECT_NE(expansion.text.find("<w d=\"" + sub + "\" f=\"" + sub + "/x.stl\"/>"), std::string::npos) << expansion.text;
}

}  // namespace
}  // namespace lissom::io::xacro
