#pragma once
// Default classes, and the attributes of an element together with those of its class. Not for users.
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lissom/io/xml_element.h"
#include "lissom/math/vec3.h"

namespace lissom::io::mjcf {

struct DefaultClass {
  std::string name;
  const DefaultClass* parent = nullptr;
  std::vector<pugi::xml_node> elements;  // in the order of the file
};

class Defaults {
 public:
  Defaults() { all_.push_back({"main", nullptr, {}}), by_name_["main"] = &all_.back(); }
  // Reads a top-level <default>.
  void read(const Element& element);
  const DefaultClass& main() const { return all_.front(); }
  // Null, and a finding, if there is no class of that name.
  const DefaultClass* find(const Element& user, const char* attribute);

 private:
  void read_class(const Element& element, DefaultClass& into);

  std::deque<DefaultClass> all_;
  std::unordered_map<std::string, DefaultClass*> by_name_;
  std::unordered_set<std::string> unknown_;  // reported already
};

// An attribute may be wrong in a default class that many elements use; it is reported once.
using ReportedAttributes = std::unordered_set<std::string>;

// The attributes of an element: its own, else those of its class, else those of the class that contains that class.
// `tag` is the name of the element in <default>, if it is another one there; "actuator" stands for all actuators, which
// share their defaults.
class Settings {
 public:
  Settings(const Element& element, const DefaultClass* of_class, ReportedAttributes& reported,
           std::string_view tag = {});

  const Element& element() const { return levels_.front(); }
  bool has(const char* attribute) const { return level_of(attribute) != nullptr; }
  // The element that has the attribute; the element itself if none has it.
  const Element& owner(const char* attribute) const;
  std::string_view text(const char* attribute) const;
  std::string string(const char* attribute) const { return std::string(text(attribute)); }

  // Reads from `min` to `max` numbers. False if there are none, or if they are wrong, which is reported.
  bool numbers(const char* attribute, std::size_t min, std::size_t max, NumberList& out) const;
  double number(const char* attribute, double otherwise) const;
  bool vector(const char* attribute, Vec3<double>& out) const;
  int integer(const char* attribute, int otherwise) const;
  // true or false; other words are reported
  bool flag(const char* attribute, bool otherwise) const;
  enum class Tristate { no, yes, automatic };
  Tristate tristate(const char* attribute, Tristate otherwise) const;
  // One of the words; the first one if there is no such attribute or, with a finding, if it is another word.
  std::string_view word(const char* attribute, std::initializer_list<std::string_view> words) const;

  // The element and its defaults, nearest first.
  const std::vector<Element>& levels() const { return levels_; }

 private:
  const Element* level_of(const char* attribute) const;
  bool first_report(const Element& level, const char* attribute) const;

  std::vector<Element> levels_;
  ReportedAttributes& reported_;
};

}  // namespace lissom::io::mjcf
