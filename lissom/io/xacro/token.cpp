#include "lissom/io/xacro/token.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "lissom/model/text.h"

namespace lissom::io::xacro {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool continues_name(char c) {
  return begins_name(c) || is_digit(c);
}

constexpr std::string_view keywords[] = {
    "False",  "None",     "True", "and",    "as",   "assert", "async",  "await",   "break", "class",  "continue", "def",
    "del",    "elif",     "else", "except", "for",  "from",   "global", "finally", "if",    "import", "in",       "is",
    "lambda", "nonlocal", "not",  "or",     "pass", "raise",  "return", "try",     "while", "with",   "yield"};

void append_character(unsigned code, std::string& out) {
  if (code >= 0xD800 && code < 0xE000)
    fail_syntax("an escape in a text is half of a character", "write \\U with eight digits");
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (code >> 18));
    out += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  std::vector<Token> all() {
    std::vector<Token> tokens;
    while (skip_blanks()) tokens.push_back(next());
    tokens.push_back({});
    return tokens;
  }

 private:
  char at(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  bool skip_blanks() {
    while (at_ < text_.size()) {
      if (at() == '#') fail_syntax("there is a comment in the expression", "remove everything from # on");
      const bool line = at() == '\n' || at() == '\r';
      if (line && open_ == 0)
        fail_syntax("the expression goes on in the next line", "write it in one line, or in parentheses");
      if (at() == '\\' && at(1) == '\n')
        at_ += 2;
      else if (line || at() == ' ' || at() == '\t' || at() == '\f')
        ++at_;
      else
        return true;
    }
    return false;
  }

  Token next() {
    if (is_digit(at()) || (at() == '.' && is_digit(at(1)))) return number();
    if (begins_name(at())) {
      const std::size_t start = at_;
      while (continues_name(at())) ++at_;
      const auto word = text_.substr(start, at_ - start);
      if ((at() == '"' || at() == '\'') && word.size() <= 2) return prefixed(word);
      return {Token::Kind::name, std::string(word), {}};
    }
    if (at() == '"' || at() == '\'') return prefixed("");
    return symbol();
  }

  Token symbol() {
    static constexpr std::string_view symbols[] = {"**", "//", "<<", ">>", "<=", ">=", "==", "!=", ":=", "->", "..."};
    for (const auto known : symbols)
      if (text_.substr(at_).starts_with(known))
        return at_ += known.size(), Token{Token::Kind::symbol, std::string(known), {}};
    const char c = at();
    if (std::string_view("+-*/%@&|^~<>()[]{},:.=").find(c) == std::string_view::npos)
      fail_syntax(
          "there is an unexpected " + in_quotes(text_.substr(at_, 1)) + " in the expression",
          c == '!' || c == '?' ? "write Python: not, and, or, a if condition else b" : "correct the expression");
    if (c == '(' || c == '[' || c == '{') ++open_;
    if (c == ')' || c == ']' || c == '}') --open_;
    ++at_;
    return {Token::Kind::symbol, std::string(1, c), {}};
  }

  Token number() {
    const std::size_t start = at_;
    const auto take = [&](auto accepts) {
      while (accepts(at()) || (at() == '_' && accepts(at(1)) && at_ > start)) ++at_;
    };
    const char letter = static_cast<char>(at(1) | 0x20);
    if (at() == '0' && (letter == 'x' || letter == 'o' || letter == 'b')) return other_base(letter);
    take(is_digit);
    bool real = false;
    if (at() == '.') {
      real = true;
      ++at_;
      if (is_digit(at())) take(is_digit);
    }
    if ((at() | 0x20) == 'e' && (is_digit(at(1)) || ((at(1) == '+' || at(1) == '-') && is_digit(at(2))))) {
      real = true;
      at_ += 2;
      take(is_digit);
    }
    const auto word = text_.substr(start, at_ - start);
    if (begins_name(at()) && !starts_keyword()) {
      if ((at() | 0x20) == 'j') fail_syntax("complex numbers are not understood", "use real numbers");
      fail_syntax("the number " + in_quotes(word) + " is followed by a letter", "separate them, or multiply with *");
    }
    Token token{Token::Kind::number, std::string(word), {}};
    if (real) {
      double value = 0;
      if (!parse_real(word, value)) fail_syntax(in_quotes(word) + " is not a number");
      token.value = value;
    } else {
      if (word.size() > 1 && word[0] == '0' && word.find_first_not_of("0_") != std::string_view::npos)
        fail_syntax("the integer " + in_quotes(word) + " begins with 0", "remove the leading zeros");
      std::int64_t value = 0;
      if (!parse_integer(word, value)) fail_syntax(in_quotes(word) + " is not a number");
      token.value = value;
    }
    return token;
  }

  // Python accepts "1if x else 2".
  bool starts_keyword() const {
    static constexpr std::string_view words[] = {"if", "else", "and", "or", "in", "is", "for", "not"};
    return std::ranges::any_of(words, [&](auto word) { return text_.substr(at_).starts_with(word); });
  }

  Token other_base(char letter) {
    const int base = letter == 'x' ? 16 : letter == 'o' ? 8 : 2;
    at_ += 2;
    std::string digits;
    while (continues_name(at()))
      if (const char c = text_[at_++]; c != '_') digits += c;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (error == std::errc::result_out_of_range)
      throw Failure("limit", "the integer " + in_quotes(digits) + " has more than 64 bits", "use a smaller number");
    if (error != std::errc() || end != digits.data() + digits.size())
      fail_syntax(in_quotes(digits) + " is not a number of base " + std::to_string(base));
    return {Token::Kind::number, digits, Value(value)};
  }

  Token prefixed(std::string_view prefix) {
    bool raw = false, format = false;
    for (const char letter : prefix) {
      const char c = static_cast<char>(letter | 0x20);
      raw |= c == 'r';
      format |= c == 'f';
      if (c != 'r' && c != 'f' && c != 'u')
        fail_syntax("texts with the prefix " + in_quotes(prefix) + " are not understood",
                    "write it without the prefix");
    }
    const char quote = at();
    const std::string three(3, quote);
    const bool is_long = text_.substr(at_).starts_with(three);
    at_ += is_long ? 3 : 1;
    const std::size_t start = at_;
    while (at_ < text_.size() && !(is_long ? text_.substr(at_).starts_with(three) : at() == quote)) {
      if (at() == '\n' && !is_long) break;
      at_ += at() == '\\' && at_ + 1 < text_.size() ? 2 : 1;
    }
    if (at_ >= text_.size() || at() == '\n') fail_syntax("a text has no closing quote", "add the missing quote");
    const auto inside = text_.substr(start, at_ - start);
    at_ += is_long ? 3 : 1;
    if (format) return {Token::Kind::format, raw ? std::string(inside) : unescaped(inside), {}};
    return {Token::Kind::text, {}, Value(raw ? std::string(inside) : unescaped(inside))};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int open_ = 0;  // brackets
};

}  // namespace

void fail_syntax(std::string message, std::string remedy) {
  throw Failure("syntax", std::move(message), std::move(remedy));
}

bool is_keyword(std::string_view name) {
  return std::ranges::find(keywords, name) != std::end(keywords);
}

bool is_identifier(std::string_view name) {
  return !name.empty() && begins_name(name.front()) && std::ranges::all_of(name, continues_name) && !is_keyword(name);
}

std::vector<Token> tokenize(std::string_view expression) {
  return Tokenizer(expression).all();
}

std::string unescaped(std::string_view text) {
  static constexpr std::string_view letters = "\\'\"abfnrtv", meanings = "\\'\"\a\b\f\n\r\t\v";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char c = text[++i];
    const auto code = [&](std::size_t start, std::size_t count, int base) {
      unsigned number = 0;
      const auto digits = text.substr(start, count);
      const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), number, base).ptr;
      if (end == digits.data() || (base == 16 && digits.size() < count) || number > 0x10FFFF)
        fail_syntax("the escape " + in_quotes(text.substr(i - 1, count + 2)) + " in a text is not complete");
      append_character(number, out);
      i = static_cast<std::size_t>(end - text.data()) - 1;
    };
    if (const auto known = letters.find(c); known != std::string_view::npos)
      out += meanings[known];
    else if (c >= '0' && c <= '7')
      code(i, 3, 8);
    else if (c == 'x')
      code(i + 1, 2, 16);
    else if (c == 'u')
      code(i + 1, 4, 16);
    else if (c == 'U')
      code(i + 1, 8, 16);
    else if (c != '\n')
      out += {'\\', c};
  }
  return out;
}

}  // namespace lissom::io::xacro
