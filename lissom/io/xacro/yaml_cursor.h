#pragma once
// A position in a YAML file, and the scalars that begin there. Not installed.
#include <string>
#include <string_view>

#include "lissom/io/xacro/value.h"

namespace lissom::io::xacro {

[[noreturn]] void fail_yaml(std::string message, std::string remedy);

class YamlCursor {
 public:
  YamlCursor(std::string_view text, Budget& budget);

  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool at_end() const { return at_ >= text_.size(); }
  bool at_line_end() const { return at_end() || peek() == '\n' || peek() == '\r'; }
  int line() const { return line_; }
  int column() const { return static_cast<int>(at_ - line_start_); }
  void skip(std::size_t count);
  void skip_line();
  // Blanks on this line.
  void skip_blanks();
  // Blanks, comments and ends of line.
  void skip_to_content();
  // Whether only blanks stand before the position.
  bool at_fresh_line() const;
  // "---" or "..." at the beginning of a line.
  bool at_marker(std::string_view marker) const;
  // Whether a blank or the end of the line is so far ahead.
  bool is_separated(std::size_t ahead) const;
  // Whether a scalar follows, and a colon after it on the same line.
  bool is_key() const;

  // &anchor, *alias, !tag
  std::string word();
  std::string quoted();
  std::string plain_key();
  // Without quotes, with further lines that are indented more than `parent`.
  std::string plain(int parent);
  // The same inside of [ ] and { }.
  std::string flow_plain();
  // After | or >: the lines that are indented more than `parent`.
  std::string block_scalar(int parent);

 private:
  std::size_t plain_end(std::size_t from, bool flow) const;
  std::size_t line_end(std::size_t from) const;
  std::size_t indentation(std::size_t line_start) const;
  std::string escape();
  void fold_line_end(std::string& out);

  std::string_view text_;
  Budget& budget_;
  std::size_t at_ = 0, line_start_ = 0;
  int line_ = 1;
};

}  // namespace lissom::io::xacro
