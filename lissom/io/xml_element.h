#pragma once
// An XML element that returns its attributes as numbers and names, and reports what is wrong with them, with file and
// line. Not installed.
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
#include "lissom/model/diagnostic_list.h"

namespace lissom::io {

// The findings about one file.
class Report {
 public:
  // `foreign`: names of elements that belong to other programs and are ignored, as are all names with a prefix.
  // Lines stay those of the description: find_places (model/source_place.h) turns them into files and lines.
  Report(std::string file, const LineTable& lines, std::span<const std::string_view> foreign)
      : file_(std::move(file)), lines_(lines), foreign_(foreign) {}

  void add(Severity severity, std::string code, int line, std::string_view subject, std::string message,
           std::string remedy);
  // For findings that may occur many times: the first one is reported, with the number of all that have the same key
  // (the message, if no key is given).
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
  DiagnosticList found_;
  std::unordered_map<std::string, Counted> counted_;
};

class Element {
 public:
  using Words = std::initializer_list<std::string_view>;

  // `subject`: the link or joint it belongs to, for messages. It must outlive the element, and so must the report.
  Element(pugi::xml_node node, Report& report, std::string_view subject)
      : node_(node), report_(&report), subject_(subject) {}

  explicit operator bool() const { return static_cast<bool>(node_); }
  std::string_view tag() const { return node_.name(); }
  int line() const { return report_->line(node_); }
  Report& report() const { return *report_; }
  std::string_view subject() const { return subject_; }
  auto children() const { return node_.children(); }
  auto attributes() const { return node_.attributes(); }
  Element with_subject(std::string_view subject) const { return {node_, *report_, subject}; }

  // Reports every other attribute and child: misspelled, left over from xacro, or belonging to another program.
  void expect(Words attributes, Words children) const;
  // The same for an element that holds a value as text.
  void expect_value(Words attributes = {}) const;
  // The text inside the element, without blanks around it.
  std::string value() const;
  pugi::xml_node node() const { return node_; }

  // The child of that name, null if there is none; if there are several, the first one is used, and that is reported.
  Element child(const char* name, Severity duplicate = Severity::warning) const;
  // The same without reporting duplicates.
  Element peek(const char* name) const { return {node_.child(name), *report_, subject_}; }
  bool has(const char* attribute) const { return static_cast<bool>(node_.attribute(attribute)); }
  // Empty if there is no such attribute.
  std::string_view text(const char* attribute) const { return node_.attribute(attribute).value(); }

  // Reads the numbers of an attribute. Returns false if it is missing, or if it is wrong, which is reported.
  bool numbers(const char* attribute, std::size_t count, NumberList& out, Infinity infinity = Infinity::refuse) const;
  // The same for any count from 1 to NumberList::max_count.
  bool numbers(const char* attribute, NumberList& out, Infinity infinity = Infinity::refuse) const;
  std::optional<double> number(const char* attribute, Infinity infinity = Infinity::refuse) const;
  // Reports that a required attribute is missing: a warning that tells what is assumed instead, or an error if
  // `instead` is empty.
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
  // Adds a note about an extension of the specification, once for each `what`.
  void extension(const std::string& what) const;

 private:
  void check_attributes(Words known) const;
  void check_attribute(const pugi::xml_attribute& attribute, Words known) const;
  void check_child(const pugi::xml_node& child, Words known) const;
  bool accept(const char* attribute, const std::optional<NumberProblem>& problem, std::string_view expected) const;

  pugi::xml_node node_;
  Report* report_;
  std::string_view subject_;
};

}  // namespace lissom::io
