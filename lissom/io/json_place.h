#pragma once
// Reads small JSON files: a value with its path in the file, so that every error message says where it is. Comments (//
// and /* */) are allowed in such files. Not installed.
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "lissom/files/json_text.h"
#include "lissom/math/vec3.h"
#include "lissom/model/diagnostic.h"
#include "lissom/model/printable.h"

namespace lissom {

// Throws Error if the file cannot be read, is larger than limits::json_bytes, or is not valid JSON.
nlohmann::json read_json(const std::string& path);

// A value and where it is: errors begin with "robot.json:12: /loops/0/axes: ".
struct JsonPlace {
  const nlohmann::json& value;
  const std::string& file;
  std::string at;  // path of the value; empty for the root

  [[noreturn]] void fail(const std::string& what) const;
  // Returns f(); if it throws an Error, adds the location to the message.
  template <class F>
  auto judged(F&& f) const {
    try {
      return f();
    } catch (const Error& e) {
      fail(e.what());
    }
  }
  JsonPlace operator[](const std::string& key) const {
    if (!value.is_object() || !value.contains(key)) fail("\"" + key + "\" is missing");
    return {value[key], file, at + "/" + key};
  }
  bool has(const std::string& key) const { return value.is_object() && value.contains(key); }
  void only(const std::set<std::string>& known) const {
    if (!value.is_object()) fail("found " + std::string(value.type_name()) + ", expected an object { … }");
    std::string names;
    for (const auto& name : known) names += (names.empty() ? "" : ", ") + name;
    for (const auto& [key, unused] : value.items())
      if (!known.contains(key)) fail("unknown key \"" + printable(shortened(key, 60)) + "\"; keys: " + names);
  }
  // Texts are names, which are printed.
  std::string text() const {
    if (!value.is_string()) fail("found " + in_short(value) + ", expected a string");
    if (has_control_character(value.get_ref<const std::string&>()))
      fail("found " + in_short(value) + ", which has a control character, expected text on one line");
    return value.get<std::string>();
  }
  double number() const {
    if (!value.is_number()) fail("found " + in_short(value) + ", expected a number");
    return value.get<double>();
  }
  std::vector<double> numbers() const {
    if (!value.is_array()) fail("found " + in_short(value) + ", expected numbers [ … ]");
    std::vector<double> list;
    for (std::size_t i = 0; i < value.size(); ++i)
      list.push_back(JsonPlace{value[i], file, at + "/" + std::to_string(i)}.number());
    return list;
  }
  Vec3<double> vec3() const {
    const auto x = numbers();
    if (x.size() != 3) fail("found " + std::to_string(x.size()) + " numbers, expected 3");
    return {x[0], x[1], x[2]};
  }
  template <class F>
  void each(F&& f) const {
    if (!value.is_array()) fail("found " + std::string(value.type_name()) + ", expected a list [ … ]");
    for (std::size_t i = 0; i < value.size(); ++i) f(JsonPlace{value[i], file, at + "/" + std::to_string(i)});
  }
};

}  // namespace lissom
