#include "lissom/io/xacro/yaml_cursor.h"

#include <algorithm>

#include "lissom/io/xacro/token.h"
#include "lissom/model/text.h"

namespace lissom::io::xacro {

void fail_yaml(std::string message, std::string remedy) {
  throw Failure("yaml", std::move(message), std::move(remedy));
}

YamlCursor::YamlCursor(std::string_view text, Budget& budget) : text_(text), budget_(budget) {
  if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
  budget_.step(text_.size() / 16);
}

void YamlCursor::skip(std::size_t count) {
  for (; count > 0 && !at_end(); --count)
    if (text_[at_++] == '\n') {
      line_start_ = at_;
      ++line_;
    }
}

void YamlCursor::skip_line() {
  skip(line_end(at_) - at_ + 1);
}

void YamlCursor::skip_blanks() {
  while (peek() == ' ' || peek() == '\t') ++at_;
}

void YamlCursor::skip_to_content() {
  while (!at_end()) {
    const bool indents = at_ == line_start_;
    skip_blanks();
    // A comment begins a line, or follows a blank.
    const bool comment =
        peek() == '#' && (at_ == 0 || text_[at_ - 1] == ' ' || text_[at_ - 1] == '\t' || text_[at_ - 1] == '\n');
    if (!comment && !at_line_end()) {
      if (indents && text_.substr(line_start_, at_ - line_start_).find('\t') != std::string_view::npos)
        fail_yaml("the line is indented by tabs", "use blanks");
      return;
    }
    skip_line();
  }
}

bool YamlCursor::at_fresh_line() const {
  return text_.substr(line_start_, at_ - line_start_).find_first_not_of(' ') == std::string_view::npos;
}

bool YamlCursor::at_marker(std::string_view marker) const {
  return column() == 0 && text_.substr(at_).starts_with(marker) && is_separated(marker.size());
}

bool YamlCursor::is_separated(std::size_t ahead) const {
  const char c = peek(ahead);
  return at_ + ahead >= text_.size() || c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::size_t YamlCursor::line_end(std::size_t from) const {
  return std::min(text_.find('\n', from), text_.size());
}

std::size_t YamlCursor::indentation(std::size_t line_start) const {
  return std::min(text_.find_first_not_of(' ', line_start), text_.size()) - line_start;
}

// Where a scalar without quotes ends on its line: before a comment, a colon with a blank, or a bracket of flow style.
std::size_t YamlCursor::plain_end(std::size_t from, bool flow) const {
  const std::size_t end = line_end(from);
  std::size_t at = from;
  for (; at < end; ++at) {
    const char c = text_[at], next = at + 1 < end ? text_[at + 1] : ' ';
    const bool blank_next = next == ' ' || next == '\t' || next == '\r';
    if (c == ':' && (blank_next || (flow && std::string_view(",[]{}").find(next) != std::string_view::npos))) break;
    if (c == '#' && at > from && (text_[at - 1] == ' ' || text_[at - 1] == '\t')) break;
    if (flow && std::string_view(",[]{}").find(c) != std::string_view::npos) break;
  }
  while (at > from && (text_[at - 1] == ' ' || text_[at - 1] == '\t' || text_[at - 1] == '\r')) --at;
  return at;
}

bool YamlCursor::is_key() const {
  std::size_t at = at_;
  const char c = peek();
  if (c == '"' || c == '\'') {
    for (++at; at < text_.size() && text_[at] != c && text_[at] != '\n'; ++at)
      if (c == '"' && text_[at] == '\\') ++at;
    if (at >= text_.size() || text_[at] != c) return false;
    ++at;
  } else if (c == '[' || c == '{') {
    return false;
  } else {
    at = plain_end(at_, false);
  }
  while (at < text_.size() && (text_[at] == ' ' || text_[at] == '\t')) ++at;
  return at < text_.size() && text_[at] == ':' &&
         (at + 1 >= text_.size() || std::string_view(" \t\r\n").find(text_[at + 1]) != std::string_view::npos);
}

std::string YamlCursor::word() {
  const std::size_t end = std::min(text_.find_first_of(" \t\r\n,[]{}", at_ + 1), text_.size());
  std::string out(text_.substr(at_, end - at_));
  at_ = end;
  return out;
}

std::string YamlCursor::plain_key() {
  const std::size_t end = plain_end(at_, false);
  std::string out(text_.substr(at_, end - at_));
  at_ = end;
  return out;
}

std::string YamlCursor::plain(int parent) {
  if (std::string_view("@`%&*!|>,]}#").find(peek()) != std::string_view::npos)
    fail_yaml("a text begins with " + in_quotes(text_.substr(at_, 1)), "write it in quotes");
  std::string out = plain_key();
  while (true) {
    // The next line with content belongs to it if it is indented more, and is no key or comment.
    std::size_t next = at_;
    while (next < text_.size() && (text_[next] == ' ' || text_[next] == '\t' || text_[next] == '\r')) ++next;
    if (next >= text_.size() || text_[next] != '\n') return out;
    std::size_t breaks = 0;
    std::size_t start = next;
    while (start < text_.size() && text_[start] == '\n') {
      ++breaks;
      next = start + 1;
      start = std::min(text_.find_first_not_of(" \t\r", next), text_.size());
    }
    if (start >= text_.size() || static_cast<int>(start - next) <= parent || text_[start] == '#') return out;
    if (parent < 0 && (text_.substr(start).starts_with("---") || text_.substr(start).starts_with("..."))) return out;
    skip(start - at_);
    if (is_key())
      fail_yaml("a key stands inside of a text of several lines", "check the indentation, or quote the text");
    out += breaks == 1 ? " " : std::string(breaks - 1, '\n');
    out += plain_key();
    budget_.take(out.size());
  }
}

std::string YamlCursor::flow_plain() {
  std::string out;
  while (true) {
    const std::size_t end = plain_end(at_, true);
    if (end == at_) {
      if (out.empty()) fail_yaml("expected a value", "write it in quotes");
      return out;
    }
    out += (out.empty() ? "" : " ") + std::string(text_.substr(at_, end - at_));
    budget_.take(out.size());
    at_ = end;
    skip_blanks();
    if (!at_line_end()) return out;
    skip_to_content();
    if (at_end() || std::string_view(",[]{}:").find(peek()) != std::string_view::npos) return out;
  }
}

// Line breaks in quoted texts: one is a blank, more are one less.
void YamlCursor::fold_line_end(std::string& out) {
  while (!out.empty() && (out.back() == ' ' || out.back() == '\t')) out.pop_back();
  std::size_t breaks = 0;
  while (!at_end() && (peek() == '\n' || peek() == '\r' || peek() == ' ' || peek() == '\t')) {
    breaks += peek() == '\n' ? 1 : 0;
    skip(1);
  }
  out += breaks <= 1 ? " " : std::string(breaks - 1, '\n');
}

std::string YamlCursor::escape() {
  const char c = peek(1);
  if (c == '\n') {
    skip(2);
    skip_blanks();
    return {};
  }
  static constexpr std::string_view letters = "0abtnvfre \"/\\N_", codes("\0\a\b\t\n\v\f\r\x1b \"/\\\0\0", 15);
  if (c == 'x' || c == 'u' || c == 'U') {
    const std::size_t length = c == 'x' ? 4 : c == 'u' ? 6 : 10;
    std::string out = unescaped(text_.substr(at_, length));
    skip(length);
    return out;
  }
  const std::size_t known = letters.find(c);
  if (known == std::string_view::npos || known > 12)
    fail_yaml("the escape " + in_quotes(text_.substr(at_, 2)) + " is unknown", "use single quotes");
  skip(2);
  return std::string(1, codes[known]);
}

std::string YamlCursor::quoted() {
  const char quote = peek();
  skip(1);
  std::string out;
  while (peek() != quote || (quote == '\'' && peek(1) == '\'')) {
    if (at_end()) fail_yaml("a text has no closing quote", "add it");
    if (quote == '"' && peek() == '\\') {
      out += escape();
    } else if (peek() == '\n' || peek() == '\r') {
      fold_line_end(out);
    } else {
      if (peek() == '\'' && quote == '\'') skip(1);
      out += peek();
      skip(1);
    }
  }
  skip(1);
  budget_.take(out.size());
  return out;
}

std::string YamlCursor::block_scalar(int parent) {
  const bool folded = peek() == '>';
  char chomp = 0;
  std::size_t indent = 0;
  for (++at_; !at_line_end() && peek() != ' ' && peek() != '\t'; ++at_) {
    if (peek() == '+' || peek() == '-')
      chomp = peek();
    else if (peek() >= '1' && peek() <= '9')
      indent = static_cast<std::size_t>(std::max(parent, 0) + (peek() - '0'));
    else
      fail_yaml("there is something after | or >", "write the text on the next line");
  }
  skip_line();
  std::string out;
  std::size_t breaks = 0;  // that are not written yet
  bool first = true, deeper_before = false;
  while (!at_end()) {
    const std::size_t end = line_end(at_), blanks = indentation(at_);
    const bool empty = at_ + blanks >= end || text_[at_ + blanks] == '\r';
    if (!empty) {
      if (indent == 0) indent = blanks;
      if (blanks < indent || static_cast<int>(blanks) <= parent) break;
      const bool deeper = blanks > indent || text_[at_ + indent] == '\t';
      if (folded && !first && !deeper && !deeper_before)
        out += breaks == 1 ? " " : std::string(breaks - 1, '\n');
      else
        out += std::string(breaks, '\n');
      std::string_view content = text_.substr(at_ + indent, end - at_ - indent);
      if (content.ends_with('\r')) content.remove_suffix(1);
      out += content;
      deeper_before = deeper;
      breaks = 0;
      first = false;
    }
    ++breaks;
    budget_.take(end - at_);
    skip_line();
  }
  if (chomp == '+') return out + std::string(breaks, '\n');
  return chomp == '-' || out.empty() ? out : out + "\n";
}

}  // namespace lissom::io::xacro
