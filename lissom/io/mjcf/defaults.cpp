#include "lissom/io/mjcf/defaults.h"

#include <algorithm>
#include <cmath>

#include "lissom/model/printable.h"
#include "lissom/model/text.h"

namespace lissom::io::mjcf {
namespace {

std::string listed(std::initializer_list<std::string_view> words) {
  std::string text;
  std::size_t i = 0;
  for (const auto word : words) text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + std::string(word), ++i;
  return text;
}

bool is_actuator(std::string_view tag) {
  constexpr std::string_view tags[] = {"general",     "motor",   "position", "velocity", "intvelocity",
                                       "orientation", "pid",     "damper",   "cylinder", "muscle",
                                       "adhesion",    "dcmotor", "plugin"};
  return std::ranges::find(tags, tag) != std::end(tags);
}

}  // namespace

void Defaults::read(const Element& element) {
  const std::string name(element.text("class"));
  if (!name.empty() && name != "main" && all_.size() == 1 && all_.front().elements.empty()) {
    // Older versions of MuJoCo let it be renamed.
    by_name_[name] = &all_.front();
  } else if (!name.empty() && by_name_.contains(name) && by_name_[name] != &all_.front()) {
    element.error("class-duplicate", "the default class " + in_quotes(name) + " is defined twice",
                  "give each class a name of its own");
    return;
  } else if (!name.empty() && !by_name_.contains(name)) {
    element.warning("class-top",
                    "a second top-level default class is called " + in_quotes(name) +
                        "; MuJoCo refuses that. It is taken as the class 'main'",
                    "put it inside the first <default>");
    by_name_[name] = &all_.front();
  }
  read_class(element, all_.front());
}

void Defaults::read_class(const Element& element, DefaultClass& into) {
  for (const pugi::xml_node node : element.children()) {
    if (node.type() != pugi::node_element) continue;
    const Element child(node, element.report(), "default");
    if (child.tag() != "default") {
      into.elements.push_back(node);
      continue;
    }
    const std::string name(child.text("class"));
    if (name.empty()) {
      child.error("missing-attribute", "a default class inside another one has no attribute 'class'",
                  "add class=\"…\"");
      continue;
    }
    if (by_name_.contains(name)) {
      child.error("class-duplicate", "the default class " + in_quotes(name) + " is defined twice",
                  "give each class a name of its own");
      continue;
    }
    all_.push_back({name, &into, {}});
    DefaultClass& made = all_.back();
    by_name_[name] = &made;
    read_class(child, made);
  }
}

const DefaultClass* Defaults::find(const Element& user, const char* attribute) {
  const std::string name(user.text(attribute));
  if (const auto known = by_name_.find(name); known != by_name_.end()) return known->second;
  std::vector<std::string_view> names;
  for (const auto& [known, ignored] : by_name_) names.push_back(known);
  std::ranges::sort(names);
  const std::string suggestion = did_you_mean(name, names);
  if (unknown_.insert(name).second)
    user.error("class-unknown", "there is no default class " + in_quotes(name),
               suggestion.empty() ? "add <default class=\"…\"> inside <default>, or correct the name" : suggestion);
  return nullptr;
}

Settings::Settings(const Element& element, const DefaultClass* of_class, ReportedAttributes& reported,
                   std::string_view tag)
    : levels_{element}, reported_(reported) {
  if (tag.empty()) tag = element.tag();
  for (; of_class; of_class = of_class->parent)
    for (auto node = of_class->elements.rbegin(); node != of_class->elements.rend(); ++node)
      if (tag == node->name() || (tag == "actuator" && is_actuator(node->name())))
        levels_.push_back({*node, element.report(), element.subject()});
}

const Element* Settings::level_of(const char* attribute) const {
  for (const Element& level : levels_)
    if (level.has(attribute)) return &level;
  return nullptr;
}
const Element& Settings::owner(const char* attribute) const {
  const Element* level = level_of(attribute);
  return level ? *level : element();
}
std::string_view Settings::text(const char* attribute) const {
  const Element* level = level_of(attribute);
  return level ? level->text(attribute) : std::string_view{};
}

bool Settings::first_report(const Element& level, const char* attribute) const {
  return reported_.insert(std::to_string(level.line()) + attribute).second;
}

bool Settings::numbers(const char* attribute, std::size_t min, std::size_t max, NumberList& out) const {
  const Element* level = level_of(attribute);
  if (!level) return false;
  auto problem = parse_numbers(level->text(attribute), out);
  const std::string expected =
      min == max ? counted(min, "number") : std::to_string(min) + " to " + std::to_string(max) + " numbers";
  if (!problem && (out.count < min || out.count > max))
    problem = NumberProblem{"number-count", "it has " + counted(out.count, "number"), "write " + expected};
  if (!problem) return true;
  if (first_report(*level, attribute))
    level->error(problem->code,
                 "attribute " + in_quotes(attribute) + " of <" + printable(level->tag()) + "> is " +
                     in_quotes(level->text(attribute)) + ": " + problem->message + ", expected " + expected,
                 problem->remedy);
  return false;
}

double Settings::number(const char* attribute, double otherwise) const {
  NumberList n;
  return numbers(attribute, 1, 1, n) ? n.value[0] : otherwise;
}
bool Settings::vector(const char* attribute, Vec3<double>& out) const {
  NumberList n;
  if (!numbers(attribute, 3, 3, n)) return false;
  out = {n.value[0], n.value[1], n.value[2]};
  return true;
}
int Settings::integer(const char* attribute, int otherwise) const {
  const double x = number(attribute, otherwise);
  if (std::abs(x) < 1e9 && x == std::floor(x)) return static_cast<int>(x);
  const Element& level = owner(attribute);
  if (first_report(level, attribute))
    level.error(
        "number",
        "attribute " + in_quotes(attribute) + " is " + in_quotes(level.text(attribute)) + ", expected an integer",
        "write a whole number");
  return otherwise;
}

std::string_view Settings::word(const char* attribute, std::initializer_list<std::string_view> words) const {
  const Element* level = level_of(attribute);
  if (!level) return *words.begin();
  const std::string_view found = level->text(attribute);
  const auto known = std::ranges::find(words, found);
  if (known != words.end()) return *known;
  const std::string suggestion = did_you_mean(found, std::span(words.begin(), words.size()));
  if (first_report(*level, attribute))
    level->error("word-unknown",
                 "attribute " + in_quotes(attribute) + " of <" + printable(level->tag()) + "> is " + in_quotes(found) +
                     ", expected " + listed(words),
                 suggestion.empty() ? "write one of these words" : suggestion);
  return *words.begin();
}
bool Settings::flag(const char* attribute, bool otherwise) const {
  return has(attribute)
             ? (otherwise ? word(attribute, {"true", "false"}) : word(attribute, {"false", "true"})) == "true"
             : otherwise;
}
Settings::Tristate Settings::tristate(const char* attribute, Tristate otherwise) const {
  if (!has(attribute)) return otherwise;
  const auto found = word(attribute, {"auto", "true", "false"});
  return found == "true" ? Tristate::yes : found == "false" ? Tristate::no : Tristate::automatic;
}

}  // namespace lissom::io::mjcf
