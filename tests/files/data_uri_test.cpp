// Files inside of a text.
#include "lissom/files/data_uri.h"

#include <gtest/gtest.h>

namespace lissom::test {
namespace {

// The examples of RFC 4648, section 10.
TEST(DataUri, Base64IsThatOfTheStandard) {
  const std::pair<const char*, const char*> examples[] = {{"", ""},
                                                          {"f", "Zg=="},
                                                          {"fo", "Zm8="},
                                                          {"foo", "Zm9v"},
                                                          {"foob", "Zm9vYg=="},
                                                          {"fooba", "Zm9vYmE="},
                                                          {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : examples) {
    EXPECT_EQ(to_base64(bytes), text);
    std::string back;
    EXPECT_TRUE(decode_base64(text, back));
    EXPECT_EQ(back, bytes);
  }
  std::string ignored;
  EXPECT_FALSE(decode_base64("Zm9 v", ignored));
}

TEST(DataUri, BytesNameAndTypeComeBack) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += char(i);
  const auto uri = to_data_uri("model/obj", "a b;c,d", bytes);
  EXPECT_EQ(uri.substr(0, 39), "data:model/obj;name=a_b_c_d;base64,AAEC");
  EXPECT_TRUE(is_data_uri(uri));
  EXPECT_EQ(data_uri_bytes(uri), bytes);
  EXPECT_EQ(data_uri_media_type(uri), "model/obj");
  EXPECT_EQ(data_uri_name(uri), "a_b_c_d");
}

TEST(DataUri, WhatIsNoneHasNoBytes) {
  for (const char* const text : {"", "data:", "data:model/obj", "data:,abc", "data:model/obj;base64,Zm9v!", "file.obj"})
    EXPECT_EQ(data_uri_bytes(text), std::nullopt) << text;
  EXPECT_EQ(data_uri_name("data:model/obj;base64,Zm9v"), "");
  EXPECT_EQ(data_uri_media_type("file.obj"), "");
}

}  // namespace
}  // namespace lissom::test
