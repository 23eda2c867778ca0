#pragma once
// Reading small JSON files: a value and the way to it, so that every complaint says where. Comments (// and /* */) are
// allowed in such files.
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "lissom/math/vec3.h"
#include "lissom/model/diagnostic.h"

namespace lissom {

// Error where the file cannot be read or is no JSON.
nlohmann::json read_json(const std::string& path);

// "robot.json: /loops/0/axes: …"
struct JsonPlace {
  const nlohmann::json& value;
  const std::string& file;
  std::string at;  // empty at the top

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(file + ": " + at + (at.empty() ? "" : ": ") + what);
  }
  // What others say about this value, with the place.
  template <class F>
  auto judged(F&& f) const {
    try {
      return f();
    } catch (const Error& e) {
      fail(e.what());
    }
  }
  JsonPlace operator[](const std::string& key) const {
    if (!value.is_object() || !value.contains(key)) fail("there is no \"" + key + "\"; it is needed here");
    return {value[key], file, at + "/" + key};
  }
  bool has(const std::string& key) const { return value.is_object() && value.contains(key); }
  void only(const std::set<std::string>& known) const {
    if (!value.is_object()) fail("found " + std::string(value.type_name()) + "; expected an object { … }");
    std::string names;
    for (const auto& name : known) names += (names.empty() ? "" : ", ") + name;
    for (const auto& [key, unused] : value.items())
      if (!known.contains(key)) fail("\"" + key + "\" is not known here; expected one of " + names);
  }
  std::string text() const {
    if (!value.is_string()) fail("found " + value.dump() + "; expected a text");
    return value.get<std::string>();
  }
  double number() const {
    if (!value.is_number()) fail("found " + value.dump() + "; expected a number");
    return value.get<double>();
  }
  std::vector<double> numbers() const {
    if (!value.is_array()) fail("found " + value.dump() + "; expected numbers [ … ]");
    std::vector<double> list;
    for (std::size_t i = 0; i < value.size(); ++i)
      list.push_back(JsonPlace{value[i], file, at + "/" + std::to_string(i)}.number());
    return list;
  }
  Vec3<double> vec3() const {
    const auto x = numbers();
    if (x.size() != 3) fail("found " + std::to_string(x.size()) + " numbers; expected three");
    return {x[0], x[1], x[2]};
  }
  template <class F>
  void each(F&& f) const {
    if (!value.is_array()) fail("found " + std::string(value.type_name()) + "; expected a list [ … ]");
    for (std::size_t i = 0; i < value.size(); ++i) f(JsonPlace{value[i], file, at + "/" + std::to_string(i)});
  }
};

}  // namespace lissom
