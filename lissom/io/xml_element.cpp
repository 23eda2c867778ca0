#include "lissom/io/xml_element.h"

#include <algorithm>

#include "lissom/model/printable.h"
#include "lissom/model/text.h"

namespace lissom::io {

void Report::add(Severity severity, std::string code, int line, std::string_view subject, std::string message,
                 std::string remedy) {
  found_.add({severity, std::move(code), file_, line, std::string(subject), std::move(message), std::move(remedy)});
}

void Report::count(Severity severity, const std::string& code, int line, std::string_view subject,
                   const std::string& message, const std::string& remedy, const std::string& key) {
  const auto whole_key = code + ' ' + (key.empty() ? message : key);
  auto entry = counted_.find(whole_key);
  if (entry == counted_.end()) {
    if (found_.is_full(severity, code)) return add(severity, code, line, subject, message, remedy);  // only counted
    entry = counted_.emplace(whole_key, Counted{found_.size(), 0}).first;
    add(severity, code, line, subject, message, remedy);
  }
  ++entry->second.count;
}

bool Report::is_foreign(std::string_view tag) const {
  return tag.find(':') != std::string_view::npos || std::find(foreign_.begin(), foreign_.end(), tag) != foreign_.end();
}

std::vector<Diagnostic> Report::take() {
  for (const auto& [key, counted] : counted_)
    if (counted.count > 1)
      found_[counted.position].message += " (" + std::to_string(counted.count) + " times, first here)";
  counted_.clear();
  return found_.take();
}

namespace {

bool contains(Element::Words words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_xacro(std::string_view text) {
  return text.find("${") != std::string_view::npos || text.find("$(") != std::string_view::npos;
}

std::string angled(std::string_view tag) {
  return "<" + printable(shortened(tag, 60)) + ">";
}

// Elements of URDF with a meaning for mechanics: in the wrong place, something that is needed is not read. Others may
// stand anywhere without harm.
bool is_mechanical(std::string_view tag) {
  return contains({"link", "joint", "inertial", "mass", "inertia", "origin", "axis", "parent", "child", "limit",
                   "dynamics", "mimic", "geometry", "collision"},
                  tag);
}

constexpr const char* expand =
    "declare xmlns:xacro=\"http://www.ros.org/wiki/xacro\" in <robot>, so that the file is expanded (docs/xacro.md)";

}  // namespace

void Element::say(Severity severity, std::string code, std::string message, std::string remedy) const {
  report_->add(severity, std::move(code), line(), subject_, std::move(message), std::move(remedy));
}

void Element::extension(const std::string& what) const {
  report_->count(Severity::note, "extension", line(), subject_,
                 what + " is an extension of the specification; lissom reads it",
                 "none needed; other programs may refuse or ignore it");
}

void Element::check_attribute(const pugi::xml_attribute& attribute, Words known) const {
  const std::string_view name = attribute.name();
  if (is_xacro(attribute.value()))
    error("xacro-left",
          "attribute " + in_quotes(name) + " of " + angled(tag()) + " is " + in_quotes(attribute.value()) +
              ", which xacro has not expanded",
          expand);
  if (contains(known, name) || name.substr(0, 5) == "xmlns") return;
  if (name.find(':') != std::string_view::npos)
    return report_->count(
        Severity::note, "foreign-attribute", line(), subject_,
        "attribute " + in_quotes(name) + " of " + angled(tag()) + " belongs to another program and is ignored",
        "none needed");
  const std::string suggestion = did_you_mean(name, std::span(known.begin(), known.size()));
  // If none of the known ones is there, this one may have been meant for one of them: <origin xzy="…"/>.
  const bool instead = !contains(known, "name") &&
                       std::ranges::none_of(known, [&](auto other) { return has(std::string(other).c_str()); });
  report_->count(suggestion.empty() && !instead ? Severity::note : Severity::warning, "unknown-attribute", line(),
                 subject_, "attribute " + in_quotes(name) + " of " + angled(tag()) + " is unknown and is ignored",
                 suggestion.empty() ? "remove it, or check its spelling" : suggestion);
}

void Element::check_child(const pugi::xml_node& child, Words known) const {
  const int at = report_->line(child);
  if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata)
    return report_->add(Severity::warning, "stray-text", at, subject_,
                        "there is text inside " + angled(tag()) + ": " + in_quotes(child.value()),
                        "remove it; values are written as attributes");
  if (child.type() != pugi::node_element) return;
  const std::string_view name = child.name();
  if (contains(known, name)) return;
  // Definitions may be left over without harm; whatever else xacro has not expanded is missing.
  if (contains({"xacro:property", "xacro:arg", "xacro:macro"}, name))
    return report_->count(Severity::warning, "xacro-left", at, subject_,
                          angled(name) + " is a definition for xacro and is ignored", expand);
  if (name.substr(0, 6) == "xacro:")
    return report_->count(Severity::error, "xacro-left", at, subject_,
                          angled(name) + " is an element of xacro, which has not been expanded", expand);
  if (report_->is_foreign(name))
    return report_->count(Severity::note, "foreign-tag", at, angled(name),
                          "it belongs to another program and is ignored", "none needed", std::string(name));
  const std::string suggestion = did_you_mean(name, std::span(known.begin(), known.size()));
  report_->count(suggestion.empty() && !is_mechanical(name) ? Severity::note : Severity::warning, "unknown-tag", at,
                 subject_, angled(name) + " inside " + angled(tag()) + " is unknown and is ignored",
                 suggestion.empty() ? "remove it, or check its spelling and its position" : suggestion);
}

void Element::check_attributes(Words attributes) const {
  // The search for duplicates takes quadratic time, so it is limited to more attributes than any sensible element has.
  constexpr int max_count = 64;
  int seen = 0;
  for (const pugi::xml_attribute attribute : node_.attributes()) {
    check_attribute(attribute, attributes);
    if (++seen <= max_count && node_.attribute(attribute.name()) != attribute)
      warning(
          "duplicate-attribute",
          "attribute " + in_quotes(attribute.name()) + " of " + angled(tag()) + " is given twice; the first is used",
          "remove one: XML forbids it and other programs refuse the file");
  }
}

void Element::expect(Words attributes, Words children) const {
  check_attributes(attributes);
  for (const pugi::xml_node child : node_.children()) check_child(child, children);
}

void Element::expect_value(Words attributes) const {
  check_attributes(attributes);
  for (const pugi::xml_node child : node_.children())
    if (child.type() == pugi::node_element) check_child(child, {});
}

std::string Element::value() const {
  std::string text;
  for (const pugi::xml_node child : node_.children())
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) text += child.value();
  constexpr const char* whitespace = " \t\r\n";
  const auto first = text.find_first_not_of(whitespace);
  return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(whitespace) + 1 - first);
}

Element Element::child(const char* name, Severity duplicate) const {
  const Element first(node_.child(name), *report_, subject_);
  const Element second(first.node_.next_sibling(name), *report_, subject_);
  if (second)
    second.say(duplicate, "duplicate-element",
               angled(tag()) + " has more than one " + angled(name) + "; only the first is used", "remove all but one");
  return first;
}

bool Element::accept(const char* attribute, const std::optional<NumberProblem>& problem,
                     std::string_view expected) const {
  if (!problem) return true;
  if (!is_xacro(text(attribute)))  // otherwise it has been reported, with a better remedy
    error(problem->code,
          "attribute " + in_quotes(attribute) + " of " + angled(tag()) + " is " + in_quotes(text(attribute)) + ": " +
              problem->message + ", expected " + std::string(expected),
          problem->remedy);
  return false;
}

bool Element::numbers(const char* attribute, std::size_t count, NumberList& out, Infinity infinity) const {
  if (!has(attribute)) return false;
  const auto problem = parse_numbers(text(attribute), count, out, infinity);
  return !problem || accept(attribute, problem, counted(count, "number"));
}

bool Element::numbers(const char* attribute, NumberList& out, Infinity infinity) const {
  if (!has(attribute)) return false;
  auto problem = parse_numbers(text(attribute), out, infinity);
  if (!problem && (out.count == 0 || out.count > NumberList::max_count))
    problem = NumberProblem{"number-count", "it has " + counted(out.count, "number"), "write a number"};
  return !problem || accept(attribute, problem, "a number");
}

std::optional<double> Element::number(const char* attribute, Infinity infinity) const {
  NumberList list;
  return numbers(attribute, 1, list, infinity) ? std::optional(list.value[0]) : std::nullopt;
}

void Element::missing(const char* attribute, std::string_view instead) const {
  const std::string assumed = instead.empty() ? std::string() : "; " + std::string(instead);
  say(instead.empty() ? Severity::error : Severity::warning, "missing-attribute",
      angled(tag()) + " has no attribute " + in_quotes(attribute) + assumed,
      "add " + std::string(attribute) + "=\"…\"");
}

}  // namespace lissom::io
