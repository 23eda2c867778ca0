// Expressions: a table of them with the values that Python gives (expression_test.py compares the table with Python),
// and those that are refused.
#include <gtest/gtest.h>

#include "xacro_test_support.h"

namespace lissom::io::xacro {
namespace {

std::vector<std::vector<std::string>> rows(const char* file) {
  std::vector<std::vector<std::string>> found;
  std::ifstream in(here / file);
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> cells;
    for (std::size_t at = 0; at <= line.size();) {
      const std::size_t end = std::min(line.find('\t', at), line.size());
      cells.push_back(line.substr(at, end - at));
      at = end + 1;
    }
    found.push_back(std::move(cells));
  }
  return found;
}

std::string escaped(std::string text) {
  const auto replace = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  };
  replace("&", "&amp;");
  replace("<", "&lt;");
  replace("\"", "&quot;");
  return text;
}

Expansion of_attribute(const std::string& expression) {
  return expand_text("<robot xmlns:xacro=\"x\" a=\"${" + escaped(expression) + "}\"/>", "test.xacro");
}

TEST(XacroExpressions, HaveThePythonValues) {
  const auto table = rows("expressions.txt");
  ASSERT_GT(table.size(), 250u);
  for (const auto& row : table) {
    ASSERT_EQ(row.size(), 2u) << row[0];
    const Expansion expansion = of_attribute(row[0]);
    ASSERT_TRUE(expansion.usable()) << row[0] << ": " << findings(expansion.diagnostics);
    std::string expected = escaped(row[1]);
    for (std::size_t at = 0; (at = expected.find('>', at)) != std::string::npos; at += 4)
      expected.replace(at, 1, "&gt;");
    EXPECT_EQ(expansion.text, "<?xml version=\"1.0\" ?>\n<robot a=\"" + expected + "\"/>\n") << row[0];
  }
}

TEST(XacroExpressions, AreRefusedWithACodeAndARemedy) {
  const auto table = rows("refused_expressions.txt");
  ASSERT_GT(table.size(), 70u);
  for (const auto& row : table) {
    const Expansion expansion = of_attribute(row[0]);
    ASSERT_FALSE(expansion.usable()) << row[0] << ": " << expansion.text;
    const Diagnostic& last = expansion.diagnostics.back();
    EXPECT_EQ(last.code, row[1]) << row[0] << ": " << last.message;
    EXPECT_FALSE(last.remedy.empty()) << row[0];
    EXPECT_TRUE(expansion.text.empty());
  }
}

// Braces cannot stand inside of ${…}, but formats and dictionaries can come from elsewhere.
TEST(XacroExpressions, FormatBraces) {
  const std::string formats =
      "<xacro:property name=\"f\" value=\"{:.2f}|{:>5}|{name!r}|{0:{1}}\"/>"
      "<xacro:property name=\"g\" value=\"{}-{}-{x[0]}-{{}}\"/>";
  EXPECT_EQ(expanded(formats + "<a v=\"${f.format(3.14159, 7, name='n')}\"/>"),
            "  <a v=\"3.14|    7|'n'|3.14159\"/>\n");
  EXPECT_EQ(expanded(formats + "<a v=\"${g.format(1, 2.0, x=[5])}\"/>"), "  <a v=\"1-2.0-5-{}\"/>\n");
  EXPECT_EQ(
      expanded("<a v=\"$(eval {'a': 1, 'b': [2]}['b'][0] + len({1, 2, 2}.union([3])) if 1 else 0)\"/>").find("  <a"),
      std::string::npos);  // a ) inside ends it, as in xacro
  EXPECT_EQ(expanded("<a v=\"$(eval {'a': 1, 'b': 2}['b'])\"/>"), "  <a v=\"2\"/>\n");
  EXPECT_EQ(expanded("<a v=\"$(eval f'{1 + 1:03d} {\"x\"!r:>5}' + f'{3.14159:.{2}f}{{}}')\"/>").substr(0, 5), "test.");
  EXPECT_EQ(expanded("<a v=\"$(eval f'{1 + 1:03d}|{3.14159:.{2}f}|{{}}')\"/>"), "  <a v=\"002|3.14|{}\"/>\n");
}

TEST(XacroExpressions, AreNestedOnlySoDeep) {
  const auto nested = [](int depth) {
    return of_attribute(std::string(std::size_t(depth), '(') + "1" + std::string(std::size_t(depth), ')')).usable();
  };
  EXPECT_TRUE(nested(limits::xacro_expression_depth - 1));
  EXPECT_FALSE(nested(limits::xacro_expression_depth));
  EXPECT_FALSE(nested(10'000));
  const auto lists = [](int depth) {
    return expanded(
        "<xacro:macro name=\"nest\" params=\"v n\"><xacro:if value=\"${n > 0}\">"
        "<xacro:nest v=\"${[v]}\" n=\"${n - 1}\"/></xacro:if></xacro:macro><xacro:nest v=\"${[1]}\" n=\"" +
        std::to_string(depth - 1) + "\"/>");
  };
  EXPECT_EQ(lists(limits::xacro_value_depth), "");
  EXPECT_NE(lists(limits::xacro_value_depth + 1).find("xacro-limit"), std::string::npos);
}

TEST(XacroExpressions, AreOnlySoLong) {
  const auto sum = [](std::size_t length) { return of_attribute("1" + std::string(length - 2, ' ') + "1"); };
  EXPECT_EQ(sum(limits::xacro_expression_bytes).diagnostics.back().code, "xacro-syntax");
  EXPECT_EQ(sum(limits::xacro_expression_bytes + 1).diagnostics.back().code, "xacro-limit");
  std::string many = "1";
  while (many.size() + 2 <= limits::xacro_expression_bytes) many += "+1";
  EXPECT_TRUE(of_attribute(many).usable()) << findings(of_attribute(many).diagnostics);
}

TEST(XacroExpressions, KeepTimeAndMemoryBounded) {
  const std::string big = std::to_string(limits::xacro_bytes + 1);
  for (const std::string& bomb :
       {"'a' * " + big, "[0] * " + big, "'a'.ljust(" + big + ")", "list(range(" + big + "))",
        std::string("[[x] * 1000 for x in range(1000000)]"), std::string("'%1001d' % 1"),
        std::string("(lambda f: f(f))(lambda f: f(f))"), std::string("len(('a' * 10**7).replace('a', 'b' * 10**7))"),
        std::string("'x'.join(['y' * 10**6] * 10**6)"),
        std::string("[[[['z'] * 100] * 100] * 100] * 100 == 5 * [1] or 1 + "
                    "len(str([[[['z'] * 100] * 100] * 100] * 100))"),
        std::string("[[[[1] * 100] * 100] * 100] * 100 == [[[[1] * 100] * 100] * 100] * 100")}) {
    const Expansion expansion = of_attribute(bomb);
    ASSERT_FALSE(expansion.usable()) << bomb;
    EXPECT_EQ(expansion.diagnostics.back().code, "xacro-limit") << bomb << ": " << expansion.diagnostics.back().message;
  }
}

}  // namespace
}  // namespace lissom::io::xacro
