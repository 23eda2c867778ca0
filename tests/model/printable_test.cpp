// Text of files in messages: nothing of it reaches a terminal as a command.
#include "lissom/model/printable.h"

#include <gtest/gtest.h>

#include "lissom/model/short_message.h"
#include "lissom/model/text.h"

namespace lissom {
namespace {

TEST(Printable, InXmlNothingIsMarkup) {
  EXPECT_EQ(in_xml("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &apos;d&apos;");
  EXPECT_EQ(in_xml("größe"), "größe");
}

TEST(Printable, ShowsControlCharactersInDigits) {
  EXPECT_EQ(printable("knee"), "knee");
  EXPECT_EQ(printable("größe 大 🤖"), "größe 大 🤖");
  EXPECT_EQ(printable("\x1b[31mred"), "\\x1b[31mred");
  EXPECT_EQ(printable(std::string_view("a\0b\x7f", 4)), "a\\x00b\\x7f");
  EXPECT_EQ(printable("\xC2\x9B"
                      "2J"),
            "\\x9b2J");  // CSI in one character
  EXPECT_EQ(printable("\xE2\x80\xAE"
                      "evil"),
            "\\u202eevil");  // right-to-left
  EXPECT_EQ(printable("\xff.urdf"), "\\xff.urdf");
  EXPECT_EQ(printable("\xC3"), "\\xc3");  // cut off
  EXPECT_EQ(printable("\xC0\xAF\xED\xA0\x80"), "\\xc0\\xaf\\xed\\xa0\\x80");
  EXPECT_EQ(printable("a\nb\tc\rd"), "a\\x0ab\\x09c\\x0dd");
  EXPECT_EQ(printable("a\nb\tc\rd", LineBreaks::blank), "a b c d");
  EXPECT_EQ(printable("a\nb\tc\rd\x1b", LineBreaks::keep), "a\nb\tc d\\x1b");
}

TEST(Printable, HasControlCharacter) {
  for (const char* text : {"\x1b", "a\n", "\x7f", "\xC2\x80", "\xC2\x9F", "\xE2\x81\xA6"})
    EXPECT_TRUE(has_control_character(text)) << printable(text);
  for (const char* text : {"", "knee", "größe", "\xC2\xA0", "\xff", "\xE2\x80\xA6"})
    EXPECT_FALSE(has_control_character(text)) << printable(text);
}

TEST(Printable, Utf8) {
  for (const char* text : {"", "a", "größe", "大", "🤖"}) EXPECT_TRUE(is_utf8(text)) << text;
  for (const char* text : {"\xff", "a\x80", "\xC0\x80", "\xE0\x80\x80", "\xF5\x80\x80\x80", "\xED\xA0\x80", "\xE5\xA4"})
    EXPECT_FALSE(is_utf8(text)) << printable(text);
}

TEST(Printable, Shortened) {
  EXPECT_EQ(shortened("12345", 5), "12345");
  EXPECT_EQ(shortened("123456", 5), "12345…");
  EXPECT_EQ(shortened("1234ö6", 5), "1234…");
  EXPECT_EQ(in_quotes("a\x1b[2J\nb"), "'a\\x1b[2J b'");
  EXPECT_EQ(in_quotes(std::string(60, 'x')), "'" + std::string(60, 'x') + "'");
  EXPECT_EQ(in_quotes(std::string(61, 'x')), "'" + std::string(60, 'x') + "…'");
  EXPECT_LT(in_quotes(std::string(5'000'000, '\x1b')).size(), 300u);
}

TEST(ShortMessage, IsCutBetweenTwoCharacters) {
  ShortMessage message;
  message += std::string(510, 'x');
  message += "\u00e9t\u00e9";  // the first character has two bytes, of which one would fit
  EXPECT_EQ(message.c_str(), std::string(510, 'x'));
  message += "ab";
  EXPECT_EQ(message.c_str(), std::string(510, 'x') + "a");
  message.clear();
  message += "q[4] is NaN";
  EXPECT_STREQ(message.c_str(), "q[4] is NaN");
}

}  // namespace
}  // namespace lissom
