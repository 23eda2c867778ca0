#include "lissom/recording/ros2_schema.h"

#include <map>
#include <set>

namespace lissom::recording {
namespace {

bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The name with lower-case letters and digits, words joined by single underscores, beginning with a letter.
std::string field_name(const std::string& name) {
  std::string out;
  for (const char c : name) {
    if (is_lower(c) || is_digit(c))
      out += c;
    else if (is_upper(c))
      out += char(c - 'A' + 'a');
    else if (!out.empty() && out.back() != '_')
      out += '_';
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  if (out.empty() || !is_lower(out[0])) out = out.empty() ? "column" : "column_" + out;
  return out;
}

// The name in CamelCase: the same words, each with a capital, without underscores.
std::string message_name(const std::string& name) {
  std::string out;
  bool first = true;
  for (const char c : name) {
    const bool letter = is_lower(c) || is_upper(c);
    if (letter || is_digit(c)) out += first && is_lower(c) ? char(c - 'a' + 'A') : c;
    first = !letter && !is_digit(c);
  }
  if (out.empty() || !is_upper(out[0])) out = "Signal" + out;
  return out;
}

// Makes names unique by numbers at their end.
class UniqueNames {
 public:
  explicit UniqueNames(std::string separator) : separator_(std::move(separator)) {}
  void take(const std::string& name) { taken_.insert(name); }
  std::string make(const std::string& name) {
    std::string out = name;
    // A name that comes often goes on counting where it was.
    for (int& k = next_.try_emplace(name, 2).first->second; !taken_.insert(out).second; ++k)
      out = name + separator_ + std::to_string(k);
    return out;
  }

 private:
  std::string separator_;
  std::set<std::string> taken_;
  std::map<std::string, int> next_;
};

}  // namespace

std::vector<std::string> schema_names(const std::vector<Signal>& signals) {
  UniqueNames unique("X");
  std::vector<std::string> names;
  for (const auto& signal : signals) names.push_back("lissom/msg/" + unique.make(message_name(signal.name)));
  return names;
}

std::vector<std::string> field_names(const Signal& signal) {
  UniqueNames unique("_");
  unique.take("time");
  std::vector<std::string> names;
  for (const auto& column : signal.columns) names.push_back(unique.make(field_name(column.name)));
  return names;
}

std::string schema_text(const Signal& signal) {
  std::string text = "# " + signal.name + "\nfloat64 time  # s\n";
  const auto names = field_names(signal);
  for (std::size_t i = 0; i < names.size(); ++i)
    text += "float64 " + names[i] + "  # " + signal.columns[i].name + ", " + signal.columns[i].unit + "\n";
  return text;
}

}  // namespace lissom::recording
