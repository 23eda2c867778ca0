#pragma once
// Words and numbers of a text, with the number of the line. Not installed.
#include <charconv>
#include <cstdint>
#include <string_view>

namespace lissom::mesh {

class TextScanner {
 public:
  explicit TextScanner(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  int line() const { return line_; }
  bool at_end() const { return at_ == end_; }
  std::size_t bytes_left() const { return std::size_t(end_ - at_); }

  // The next word, on whatever line; empty at the end of the text.
  std::string_view word() {
    while (at_ != end_ && is_blank(*at_)) line_ += *at_++ == '\n';
    return word_here();
  }
  // The next word on this line; empty at its end.
  std::string_view word_on_line() {
    while (at_ != end_ && *at_ != '\n' && is_blank(*at_)) ++at_;
    return word_here();
  }
  // A number, on whatever line. False if the next word is none; NaN and infinities are numbers here.
  bool number(double& value) { return parse(word(), value); }
  bool number_on_line(double& value) { return parse(word_on_line(), value); }
  void skip_line() {
    while (at_ != end_ && *at_ != '\n') ++at_;
    if (at_ != end_) ++at_, ++line_;
  }

  static bool parse(std::string_view word, double& value) { return parse_any(word, value, true); }
  static bool parse(std::string_view word, std::int64_t& value) { return parse_any(word, value, false); }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\v' || c == '\f'; }
  std::string_view word_here() {
    const char* const begin = at_;
    while (at_ != end_ && !is_blank(*at_)) ++at_;
    return {begin, std::size_t(at_ - begin)};
  }
  template <class T>
  static bool parse_any(std::string_view word, T& value, bool may_underflow) {
    if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (end != word.data() + word.size() || word.empty()) return false;
    if (error == std::errc::result_out_of_range && may_underflow) {
      const auto exponent = word.find_first_of("eE");
      if (exponent == std::string_view::npos || exponent + 1 == word.size() || word[exponent + 1] != '-') return false;
      value = 0;
      return true;
    }
    return error == std::errc{};
  }

  const char *at_, *end_;
  int line_ = 1;
};

}  // namespace lissom::mesh
