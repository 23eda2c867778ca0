#pragma once
// An XML element with a voice: it hands out its attributes as numbers and names, and says with file and line what is
// wrong with them.
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <pugixml.hpp>

#include "lissom/io/numbers.h"
#include "lissom/io/xml_text.h"
#include "lissom/model/diagnostic.h"

namespace lissom::io {

// What is found in one file.
class Report {
 public:
  // `foreign`: names of elements that belong to other programs and are passed over, as are all names with a prefix.
  Report(std::string file, const LineTable& lines, std::span<const std::string_view> foreign)
      : file_(std::move(file)), lines_(lines), foreign_(foreign) {}

  void add(Severity severity, std::string code, int line, std::string_view subject, std::string message,
           std::string remedy);
  // For what comes in dozens: the first is reported, with the number of all that have the same key (the message, if
  // none is given).
  void count(Severity severity, const std::string& code, int line, std::string_view subject, const std::string& message,
             const std::string& remedy, const std::string& key = {});
  bool is_foreign(std::string_view tag) const;
  int line(const pugi::xml_node& node) const { return lines_.line(node); }
  std::vector<Diagnostic> take();

 private:
  struct Counted {
    std::size_t position;  // in found_
    std::size_t count;
  };
  std::string file_;
  const LineTable& lines_;
  std::span<const std::string_view> foreign_;
  std::vector<Diagnostic> found_;
  std::unordered_map<std::string, Counted> counted_;
};

class Element {
 public:
  using Words = std::initializer_list<std::string_view>;

  // `subject`: the link or joint it belongs to, for messages; must outlive the element, as must the report.
  Element(pugi::xml_node node, Report& report, std::string_view subject)
      : node_(node), report_(&report), subject_(subject) {}

  explicit operator bool() const { return static_cast<bool>(node_); }
  std::string_view tag() const { return node_.name(); }
  int line() const { return report_->line(node_); }
  Report& report() const { return *report_; }
  std::string_view subject() const { return subject_; }
  auto children() const { return node_.children(); }
  Element with_subject(std::string_view subject) const { return {node_, *report_, subject}; }

  // Reports every attribute and child beyond these: misspelled, left over from xacro, or belonging to another program.
  void expect(Words attributes, Words children) const;

  // The child of that name, null if there is none; of several the first counts, which is reported.
  Element child(const char* name) const;
  // The same without a word about doubles, for a second look.
  Element peek(const char* name) const { return {node_.child(name), *report_, subject_}; }
  bool has(const char* attribute) const { return static_cast<bool>(node_.attribute(attribute)); }
  // Empty where there is no such attribute.
  std::string_view text(const char* attribute) const { return node_.attribute(attribute).value(); }

  // The numbers of an attribute; false where it is missing, or wrong, which is reported.
  bool numbers(const char* attribute, std::size_t count, NumberList& out, Infinity infinity = Infinity::refuse) const;
  // Any number of numbers, but at least one.
  bool numbers(const char* attribute, NumberList& out, Infinity infinity = Infinity::refuse) const;
  std::optional<double> number(const char* attribute, Infinity infinity = Infinity::refuse) const;
  // Says that a required attribute is missing; `instead` is what is assumed, for a warning, or empty for an error.
  void missing(const char* attribute, std::string_view instead = {}) const;

  void say(Severity severity, std::string code, std::string message, std::string remedy) const;
  void error(std::string code, std::string message, std::string remedy) const {
    say(Severity::error, std::move(code), std::move(message), std::move(remedy));
  }
  void warning(std::string code, std::string message, std::string remedy) const {
    say(Severity::warning, std::move(code), std::move(message), std::move(remedy));
  }
  void note(std::string code, std::string message, std::string remedy) const {
    say(Severity::note, std::move(code), std::move(message), std::move(remedy));
  }
  // A note for something beyond the format's specification that is understood nevertheless, once for each kind of
  // thing.
  void extension(const std::string& what) const;

 private:
  void check_attribute(const pugi::xml_attribute& attribute, Words known) const;
  void check_child(const pugi::xml_node& child, Words known) const;
  bool accept(const char* attribute, const std::optional<NumberProblem>& problem, std::string_view expected) const;

  pugi::xml_node node_;
  Report* report_;
  std::string_view subject_;
};

}  // namespace lissom::io
