#include "lissom/files/json_line.h"

#include <string>
#include <vector>

namespace lissom {

namespace {

class LineFinder {
 public:
  LineFinder(std::string_view text, std::string_view path) : text_(text), path_(path) {}

  int find() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '/') {
        skip_comment();
      } else if (c == '"') {
        take_text();
      } else {
        take(c);
        ++at_;
      }
      if (found_ > 0) return found_;
    }
    return 0;
  }

 private:
  struct Level {
    bool is_list;
    long index;  // of the next value of a list
    std::string path;
  };

  void begin_value() {
    if (levels_.empty() || !expects_value_) return;
    auto& level = levels_.back();
    here_ = level.path + "/" + (level.is_list ? std::to_string(level.index) : key_);
    if (here_ == path_) found_ = line_;
    expects_value_ = false;
  }
  void take(char c) {
    switch (c) {
      case '\n':
        ++line_;
        break;
      case ' ':
      case '\t':
      case '\r':
        break;
      case '{':
      case '[':
        begin_value();
        levels_.push_back({c == '[', 0, levels_.empty() ? "" : here_});
        expects_value_ = c == '[';
        break;
      case '}':
      case ']':
        if (!levels_.empty()) levels_.pop_back();
        expects_value_ = false;
        break;
      case ',':
        if (!levels_.empty() && levels_.back().is_list) ++levels_.back().index, expects_value_ = true;
        break;
      case ':':
        expects_value_ = true;
        break;
      default:
        begin_value();
    }
  }
  // A key or a value.
  void take_text() {
    const auto begin = ++at_;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    if (expects_value_ || levels_.empty())
      begin_value();
    else
      key_ = text_.substr(begin, at_ - begin);
    ++at_;
  }
  void skip_comment() {
    const bool block = text_.substr(at_).starts_with("/*");
    while (at_ < text_.size() && !(block ? text_.substr(at_).starts_with("*/") : text_[at_] == '\n')) {
      if (text_[at_] == '\n') ++line_;
      ++at_;
    }
    if (block) at_ += 2;
  }

  std::string_view text_, path_;
  std::size_t at_ = 0;
  int line_ = 1, found_ = 0;
  std::vector<Level> levels_;
  std::string key_, here_;
  bool expects_value_ = false;
};

}  // namespace

int json_line(std::string_view text, std::string_view path) {
  return path.empty() ? 0 : LineFinder(text, path).find();
}

}  // namespace lissom
