// YAML files: values, and what is refused.
#include "lissom/io/xacro/yaml.h"

#include <gtest/gtest.h>

#include "xacro_test_support.h"

namespace lissom::io::xacro {
namespace {

// As Python would print it; "LINE: message" if it is refused.
std::string yaml(const std::string& text) {
  Budget budget;
  try {
    return to_repr(read_yaml(text, budget, [](const std::string& source) { return Value(source); }), budget);
  } catch (const Failure& failure) {
    EXPECT_FALSE(failure.remedy().empty());
    return std::to_string(failure.line()) + ": " + failure.message();
  }
}

struct Case {
  const char *text, *value;
};

// The values are PyYAML's.
constexpr Case good[] = {
    {"", "None"},
    {"# nothing\n", "None"},
    {"---\n", "None"},
    {"5", "5"},
    {"a: 1\nb: 2.5\n", "{'a': 1, 'b': 2.5}"},
    {"a:\n  b:\n    c: 1\n  d: 2\ne: 3", "{'a': {'b': {'c': 1}, 'd': 2}, 'e': 3}"},
    {"- 1\n- 2", "[1, 2]"},
    {"a:\n- 1\n- 2\nb: 3", "{'a': [1, 2], 'b': 3}"},
    {"a:\n  - 1\n  - 2", "{'a': [1, 2]}"},
    {"- - 1\n  - 2\n- 3", "[[1, 2], 3]"},
    {"- a: 1\n  b: 2\n-\n  c: 3", "[{'a': 1, 'b': 2}, {'c': 3}]"},
    {"-\n- 1", "[None, 1]"},
    {"a:\nb:", "{'a': None, 'b': None}"},
    {"a: [1, [2, 3], {b: c}, ]", "{'a': [1, [2, 3], {'b': 'c'}]}"},
    {"a: {b: 1,\n   c: [2,\n 3]}", "{'a': {'b': 1, 'c': [2, 3]}}"},
    {"{a, b: }", "{'a': None, 'b': None}"},
    {"[a: 1, b]", "[{'a': 1}, 'b']"},
    {"a: 'it''s'\nb: \"x\\ty\\u00e9\\x41\\\"\"", "{'a': \"it's\", 'b': 'x\\tyéA\"'}"},
    {"a: 'two\n  lines'\nb: \"three\n\n  lines\\\n  joined\"", "{'a': 'two lines', 'b': 'three\\nlinesjoined'}"},
    {"a: one\n  two\n\n  three\nb: 1", "{'a': 'one two\\nthree', 'b': 1}"},
    {"a: |\n  x\n   y\n\n  z\nb: 1", "{'a': 'x\\n y\\n\\nz\\n', 'b': 1}"},
    {"a: |-\n  x\nb: |+\n  y\n\nc: >\n  u\n  v\n\n  w\n", "{'a': 'x', 'b': 'y\\n\\n', 'c': 'u v\\nw\\n'}"},
    {"a: >-\n  x\n    code\n  y\n", "{'a': 'x\\n  code\\ny'}"},
    {"a: |2\n   x\n", "{'a': ' x\\n'}"},
    {"a: x # comment\nb: x#y\nc: 'q' # z", "{'a': 'x', 'b': 'x#y', 'c': 'q'}"},
    {"a: http://x:80/y\nb: a:b", "{'a': 'http://x:80/y', 'b': 'a:b'}"},
    {"a: &x {m: 1}\nb: *x\nc:\n  <<: *x\n  n: 2", "{'a': {'m': 1}, 'b': {'m': 1}, 'c': {'m': 1, 'n': 2}}"},
    {"a: &x\n  m: 1\nb: {<<: *x, m: 2}", "{'a': {'m': 1}, 'b': {'m': 2}}"},
    {"- &a 1\n- *a", "[1, 1]"},
    {"yes: no\non: off\nnull: ~", "{True: False, None: None}"},
    {"[0x1F, 0b11, 017, 1_000, -3, +4, 0, 08]", "[31, 3, 15, 1000, -3, 4, 0, '08']"},
    {"[1.5, .5, 1., 1e3, 1.0e3, 1.0e+3, 1.5e-3, .inf, -.inf, -1.5]",
     "[1.5, 0.5, 1.0, '1e3', '1.0e3', 1000.0, 0.0015, inf, -inf, -1.5]"},
    {"[1:30, 1:30.5, '1:30']", "[90, 90.5, '1:30']"},
    {"[True, 'true', TRUE, y, n]", "[True, 'true', True, 'y', 'n']"},
    {"a: !!str 5\nb: !!float 5\nc: !!int 5", "{'a': '5', 'b': 5.0, 'c': 5}"},
    {"a: !millimeters 5\nb: !inches 1\nc: !foot 2\nd: !meters 3\ne: !radians 1",
     "{'a': 0.005, 'b': 0.0254, 'c': 0.6096, 'd': 3.0, 'e': 1.0}"},
    {"%YAML 1.1\n---\na: 1\n...\n", "{'a': 1}"},
    {"a: 1\r\nb:\r\n  - x\r\n", "{'a': 1, 'b': ['x']}"},
    {"\"a b\": 1\n'c': 2\n5: 3\n1.5: 4", "{'a b': 1, 'c': 2, 5: 3, 1.5: 4}"},
    {"a: 1\na: 2", "{'a': 2}"},
    {"a: -\nb: - x", "1: a list begins on the line of a key"},
    {"a: [1, 2", "1: a list or mapping has no end"},
    {"a: {b: 1", "1: a list or mapping has no end"},
    {"a: 'x", "1: a text has no closing quote"},
    {"a: b: c", "1: a second key stands on this line"},
    {"a: 1\n  b: 2", "2: a key stands inside of a text of several lines"},
    {"a:\n  b: 1\n c: 2", "3: the line is indented differently from those before it"},
    {"a: *x", "1: the anchor 'x' is not defined"},
    {"a: 1\n---\nb: 2", "2: the file has several documents"},
    {"? a\n: b", "1: keys that begin with ? are not understood"},
    {"a: !unknown 5", "1: the tag '!unknown' is not understood here"},
    {"a: @x", "1: a text begins with '@'"},
    {"a: \"\\q\"", "1: the escape '\\q' is unknown"},
    {"a: 2001-12-14", "1: the date '2001-12-14' is not understood"},
    {"a: 'x' y", "1: there is something after the value"},
    {"[1, , 2]", "1: there is nothing between two commas"},
    {"a: 1\nb", "2: expected KEY: VALUE"},
    {"{[1]: 2}", "1: a value of type list cannot be a key, or an element of a set"},
};

TEST(Yaml, IsRead) {
  for (const auto& [text, value] : good) EXPECT_EQ(yaml(text), value) << text;
}

TEST(Yaml, IsNestedOnlySoDeep) {
  const auto nested = [](int depth) {
    return yaml(std::string(std::size_t(depth), '[') + std::string(std::size_t(depth), ']'));
  };
  EXPECT_EQ(nested(limits::xacro_value_depth), std::string(60, '[') + std::string(60, ']'));
  EXPECT_NE(nested(limits::xacro_value_depth + 1).find("nested"), std::string::npos);
  EXPECT_NE(nested(100'000).find("nested"), std::string::npos);
  std::string lists;
  for (int i = 0; i < 5000; ++i) lists += "- ";
  EXPECT_NE(yaml(lists).find("nested"), std::string::npos);
}

TEST(Yaml, DoesNotExplode) {
  std::string laughs = "a0: &a0 [x, x]\n";
  for (int i = 1; i < 40; ++i)
    laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) + ", *a" +
              std::to_string(i - 1) + "]\n";
  EXPECT_NE(yaml(laughs).find("MiB of memory"), std::string::npos);
}

TEST(Yaml, FilesHaveALimit) {
  const Folder folder;
  const std::string robot = folder.write("robot.xacro", file_of("<a v=\"${len(xacro.load_yaml('data.yaml'))}\"/>"));
  folder.write("data.yaml", "a: 1 #" + std::string(limits::yaml_bytes - 6, '.'));
  EXPECT_TRUE(expand(robot).usable()) << findings(expand(robot).diagnostics);
  folder.write("data.yaml", "a: 1 #" + std::string(limits::yaml_bytes - 5, '.'));
  EXPECT_EQ(expand(robot).diagnostics.back().code, "xacro-limit");
}

}  // namespace
}  // namespace lissom::io::xacro
