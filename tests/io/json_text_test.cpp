// JSON that other people wrote: nested, doubled, damaged, endless.
#include "lissom/files/json_text.h"

#include <gtest/gtest.h>

#include "lissom/files/json_line.h"
#include "lissom/io/json_place.h"
#include "lissom/model/limits.h"
#include "urdf_test_support.h"

namespace lissom {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

template <class F>
std::string refusal(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}
std::string refusal_of(const std::string& text) {
  const auto plain = refusal([&] { parse_json<json>(text, JsonComments::refuse); });
  EXPECT_EQ(refusal([&] { parse_json<ordered_json>(text, JsonComments::refuse); }), plain);
  return plain;
}
bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(JsonText, IsReadAsTheLibraryReadsIt) {
  for (const char* text :
       {"1", "-7", "18446744073709551615", "1.5e-3", "true", "null", "\"größe \\u001b \\n\"", "[]", "{}",
        R"({"b": [1, [2, {"c": null}], "x"], "a": {"z": 1, "y": [], "x": {}}})", "[[[]], {}, [{}]]"}) {
    EXPECT_EQ(parse_json<json>(text, JsonComments::refuse), json::parse(text));
    EXPECT_EQ(parse_json<ordered_json>(text, JsonComments::refuse).dump(), ordered_json::parse(text).dump());
  }
  EXPECT_EQ(parse_json<json>("[1, // one\n 2 /* two */]", JsonComments::accept), json::parse("[1, 2]"));
  EXPECT_TRUE(contains(refusal_of("[1, // one\n 2]"), "invalid JSON"));
}

TEST(JsonText, Depth) {
  const auto nested = [](int levels) {
    return std::string(std::size_t(levels), '[') + std::string(std::size_t(levels), ']');
  };
  EXPECT_EQ(refusal_of(nested(limits::json_depth)), "");
  EXPECT_TRUE(contains(refusal_of(nested(limits::json_depth + 1)), "nested more than 64 levels deep"));
  EXPECT_TRUE(contains(refusal_of(nested(200'000)), "deep"));
  EXPECT_TRUE(contains(refusal_of(std::string(5'000'000, '[')), "deep"));
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  EXPECT_TRUE(contains(refusal_of(objects), "deep"));
  // Brackets in texts do not count.
  EXPECT_EQ(refusal_of("\"" + std::string(1000, '[') + "\""), "");
}

TEST(JsonText, LinesOfValues) {
  const std::string text = R"({"a": 1, // a comment with "quotes" and {
 "b\"": [1,
  {"c": "x, \" [ {", "d": [
   2, 3]}, /* two
   lines */ 4],
 "e": {}, "f": {"a":
  "here"}})";
  EXPECT_EQ(json_line(text, "/a"), 1);
  EXPECT_EQ(json_line(text, "/b\\\""), 2) << "as it is written";
  EXPECT_EQ(json_line(text, "/e"), 6);
  EXPECT_EQ(json_line(text, "/f"), 6);
  EXPECT_EQ(json_line(text, "/f/a"), 7);
  EXPECT_EQ(json_line(text, "/c"), 0) << "only at the top";
  EXPECT_EQ(json_line(text, ""), 0);
  const std::string list = "[[1, 2],\n {\"x\": [5,\n 6]}]";
  EXPECT_EQ(json_line(list, "/0/1"), 1);
  EXPECT_EQ(json_line(list, "/1/x"), 2);
  EXPECT_EQ(json_line(list, "/1/x/1"), 3);
  EXPECT_EQ(json_line(list, "/1/x/2"), 0);
  EXPECT_EQ(json_line("{\"a\": \"open", "/b"), 0);
}

TEST(JsonText, KeysThatAreGivenTwice) {
  EXPECT_TRUE(contains(refusal_of(R"({"a": 1, "b": 2, "a": 3})"), "'a' is given twice"));
  EXPECT_TRUE(contains(refusal_of(R"({"x": [{"a": 1, "a": 1}]})"), "'a' is given twice"));
  EXPECT_EQ(refusal_of(R"({"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]})"), "");
}

TEST(JsonText, MessagesAreShort) {
  EXPECT_LT(refusal_of("\"" + std::string(5'000'000, 'x')).size(), 500u);
  EXPECT_LT(refusal_of("[1" + std::string(5'000'000, '0') + "]").size(), 500u);
  EXPECT_TRUE(contains(refusal_of("[1e400]"), "1e400"));
  EXPECT_FALSE(contains(refusal_of("{"), "json.exception"));
  EXPECT_FALSE(contains(refusal_of("[\x1b]"), "\x1b"));
  EXPECT_FALSE(contains(refusal_of("[\"\xC2\x9B"), "\xC2\x9B"));
  EXPECT_LT(in_short(json(std::string(5'000'000, 'x'))).size(), 100u);
  EXPECT_EQ(in_short(json::parse("[1, \"\xC2\x9B\"]")), "[1,\"\\x9b\"]");
  const json list = std::vector<int>(100'000, 1);
  const std::string file = "f\x1b.json";
  EXPECT_LT(refusal([&] { (void)JsonPlace{list, file, ""}.number(); }).size(), 150u);
  const json deep_key{{std::string(1'000'000, 'k'), 1}};
  const auto unknown = refusal([&] { JsonPlace{deep_key, file, ""}.only({"a"}); });
  EXPECT_LT(unknown.size(), 200u);
  EXPECT_FALSE(contains(unknown, "\x1b"));
}

TEST(JsonText, TextsOfFilesAreOnOneLine) {
  const std::string file = "f.json";
  const json good = "stage 1", bad = "stage\n\x1b[2J";
  EXPECT_EQ((JsonPlace{good, file, ""}.text()), "stage 1");
  EXPECT_TRUE(contains(refusal([&] { (void)JsonPlace{bad, file, ""}.text(); }), "control character"));
}

// Many keys and many elements take no longer each than few.
TEST(JsonText, IsReadInLinearTime) {
  std::string keys = "{", objects = "[";
  for (int i = 0; i < 200'000; ++i) {
    keys += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\":1";
    objects += std::string(i > 0 ? "," : "") + "{\"name\":\"c\",\"unit\":\"1\"}";
  }
  EXPECT_EQ(parse_json<ordered_json>(keys + "}", JsonComments::refuse).size(), 200'000u);
  EXPECT_EQ(parse_json<ordered_json>(objects + "]", JsonComments::refuse).size(), 200'000u);
}

TEST(JsonFile, Size) {
  const auto path = std::filesystem::temp_directory_path() / ("lissom-json-" + std::to_string(::getpid()));
  std::ofstream(path, std::ios::binary) << "{}" << std::string(limits::json_bytes - 2, ' ');
  EXPECT_EQ(read_json(path.string()), json::object());
  std::ofstream(path, std::ios::binary | std::ios::app) << ' ';
  const auto found = refusal([&] { read_json(path.string()); });
  EXPECT_TRUE(contains(found, path.string()) && contains(found, "larger than the limit of 67108864 bytes")) << found;
  std::filesystem::remove(path);
  EXPECT_TRUE(contains(refusal([] { read_json("/dev/zero"); }), "larger than the limit"));
  EXPECT_TRUE(contains(refusal([] { read_json("/"); }), "directory"));
}

}  // namespace
}  // namespace lissom
