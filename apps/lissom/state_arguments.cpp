#include "state_arguments.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>
#include <unordered_set>

#include <fmt/format.h>

#include "lissom/api/postures.h"
#include "lissom/api/state.h"
#include "lissom/io/json_place.h"
#include "lissom/model/text.h"
#include "lissom/recording/header.h"
#include "numbers.h"

namespace {

using lissom::Error;
using lissom::Model;
using lissom::recording::Column;

// Sets elements of x from NAME=VALUE,NAME=VALUE; the names of the elements are those of `columns`.
void set_by_name(const Model& model, const std::string& option, const std::string& text,
                 const std::vector<Column>& columns, Eigen::VectorXd& x) {
  std::istringstream pairs(text);
  std::unordered_set<std::string> given;
  for (std::string pair; std::getline(pairs, pair, ',');) {
    const auto equals = pair.find('=');
    if (equals == std::string::npos)
      throw Error(fmt::format("{}: {}: expected JOINT=VALUE", option, lissom::in_quotes(pair)));
    const auto name = pair.substr(0, equals);
    const auto found = std::ranges::find(columns, name, &Column::name);
    if (found == columns.end()) {
      const auto with_components =
          std::ranges::count_if(columns, [&](const Column& column) { return column.name.starts_with(name + "."); });
      if (with_components == 0) {
        (void)model.joint(name);  // throws, and lists the nearest names
        throw Error(fmt::format("{}: joint '{}' has no coordinates of its own", option, name));
      }
      const auto first =
          std::ranges::find_if(columns, [&](const Column& column) { return column.name.starts_with(name + "."); });
      throw Error(fmt::format("{}: joint '{}' has {} elements; name one of them, as in {}=VALUE, or give all elements",
                              option, name, with_components, first->name));
    }
    if (!given.insert(name).second)
      throw Error(fmt::format("{}: {} is given twice; expected one value for it", option, lissom::in_quotes(name)));
    x[found - columns.begin()] = numbers_of(fmt::format("{}: {}", option, name), pair.substr(equals + 1), 1)[0];
  }
}

// The file of @FILE, FILE.json or a file that exists, with #NAME; empty if the text is no file.
std::string file_of(const std::string& text) {
  if (text.starts_with('@')) return text.substr(1);
  const auto path = text.substr(0, text.rfind('#'));
  std::error_code none;
  return path.ends_with(".json") || std::filesystem::is_regular_file(path, none) ? text : "";
}

void check_exists(const std::string& option, const std::string& path) {
  if (std::error_code none; !std::filesystem::exists(path, none))
    throw Error(fmt::format("{}: the file {} does not exist", option, lissom::in_quotes(path)));
}

// Calls f; an Error that it throws begins with the option's name afterwards.
template <class F>
auto naming(const std::string& option, F f) {
  try {
    return f();
  } catch (const Error& error) {
    const std::string what = error.what();
    throw Error(what.starts_with(option) ? what : option + ": " + what);
  }
}

bool is_posture_of_file(const Model& model, const std::string& name) {
  const auto& postures = model.description().postures;
  return std::ranges::find(postures, name, &lissom::PostureDescription::name) != postures.end();
}

}  // namespace

Eigen::VectorXd configuration_of(const Model& model, const std::string& option, const std::string& text) {
  return naming(option, [&]() -> Eigen::VectorXd {
    if (is_posture_of_file(model, text)) return lissom::posture_of_file(model, text);
    if (const auto file = file_of(text); !file.empty()) {
      check_exists(option, file.substr(0, file.rfind('#')));
      return lissom::read_posture(model, file);
    }
    if (text.find('=') == std::string::npos) {
      const bool is_word = !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) &&
                           text.find(',') == std::string::npos;  // the name of a joint, perhaps
      if (is_word || text.find_first_of("0123456789") == std::string::npos) {
        if (!model.description().postures.empty()) return lissom::posture_of_file(model, text);  // says which there are
        throw Error(lissom::in_quotes(text) + ": expected " + configuration_syntax);
      }
      return normalize(model, vector_of(option, text, model.nq()));
    }
    Eigen::VectorXd q = lissom::initial_configuration(model);
    set_by_name(model, option, text, lissom::recording::configuration_columns(model), q);
    return normalize(model, q);
  });
}

Eigen::VectorXd velocity_of(const Model& model, const std::string& option, const std::string& text) {
  return naming(option, [&]() -> Eigen::VectorXd {
    if (text.starts_with('@')) {
      const auto path = text.substr(1);
      check_exists(option, path);
      const auto key = option.substr(option.find_first_not_of('-'));
      const auto content = lissom::read_json(path);
      const auto v = lissom::JsonPlace{content, path, ""}[key].numbers();
      if (int(v.size()) != model.nv())
        throw Error(fmt::format("{}: \"{}\" has {} elements, expected {}", path, key, v.size(), model.nv()));
      return Eigen::Map<const Eigen::VectorXd>(v.data(), model.nv());
    }
    if (text.find('=') == std::string::npos) return vector_of(option, text, model.nv());
    Eigen::VectorXd v = Eigen::VectorXd::Zero(model.nv());
    set_by_name(model, option, text, lissom::recording::velocity_columns(model), v);
    return v;
  });
}

lissom::sim::Push push_of(const Model& model, const std::string& text, const PushInterval& otherwise) {
  const auto first = text.find('@'), second = text.find('@', first == std::string::npos ? first : first + 1);
  if (first == std::string::npos || first == 0)
    throw Error("--push " + lissom::in_quotes(text) + ": expected " + push_syntax);
  auto force = text.substr(0, first);
  if (force.find('=') != std::string::npos)
    throw Error("--push " + lissom::in_quotes(text) + ": the frame stands after the force; expected " + push_syntax);
  const bool forward = force.back() == 'N';
  if (forward) force.pop_back();
  const auto f = forward ? lissom::Vec3<double>(numbers_of("--push", force, 1)[0], 0, 0) : vec3_of("--push", force);
  auto interval = otherwise;
  if (second != std::string::npos) {
    auto times = text.substr(second + 1);
    const auto colon = times.find(':');
    if (colon == std::string::npos)
      throw Error(fmt::format("--push {}: {}: expected FROM:UNTIL, in seconds", lissom::in_quotes(text),
                              lissom::in_quotes(times)));
    times[colon] = ',';
    const auto x = numbers_of("--push", times, 2);
    interval = {x[0], x[1]};
    if (!(interval.from < interval.until))
      throw Error(fmt::format("--push {}: it ends at {:g} s and begins at {:g} s; expected FROM before UNTIL",
                              lissom::in_quotes(text), interval.until, interval.from));
  }
  const auto frame = text.substr(first + 1, second == std::string::npos ? second : second - first - 1);
  return naming("--push", [&] { return lissom::sim::push_at(model.frame(frame), f, interval.from, interval.until); });
}
