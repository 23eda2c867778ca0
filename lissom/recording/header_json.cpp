#include "lissom/recording/header_json.h"

#include <algorithm>

#include "lissom/files/json_text.h"
#include "lissom/model/printable.h"
#include "lissom/model/text.h"

namespace lissom::recording {
namespace {

using json = nlohmann::ordered_json;

constexpr int format = 1;
// (Constants of the compiler: a program may record while its own global variables are initialized.)
constexpr std::pair<std::string_view, Base> bases[] = {
    {"file", Base::file}, {"fixed", Base::fixed}, {"free", Base::free}, {"planar", Base::planar}};

// Robot files should be UTF-8. If one is not, its bytes are taken as Latin-1, which reproduces them exactly.
std::string from_latin1(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      text += c;
    } else {
      text += char(0xC0 | byte >> 6);
      text += char(0x80 | (byte & 0x3F));
    }
  }
  return text;
}

std::string to_latin1(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto first = static_cast<unsigned char>(text[i]);
    if (first >= 0x80 && i + 1 < text.size())
      bytes += char((first & 0x03) << 6 | (static_cast<unsigned char>(text[++i]) & 0x3F));
    else
      bytes += text[i];
  }
  return bytes;
}

json columns_to_json(const std::vector<Column>& columns) {
  json list = json::array();
  for (const auto& column : columns) list.push_back({{"name", column.name}, {"unit", column.unit}});
  return list;
}

std::vector<Column> columns_from_json(const json& list) {
  std::vector<Column> columns;
  for (const auto& one : list)
    columns.push_back({one.at("name").get<std::string>(), one.at("unit").get<std::string>()});
  return columns;
}

void fill(const json& object, Header& header, std::vector<Signal>& signals) {
  if (const auto& found = object.at("lissom_recording"); found != format)
    throw Error("recording has format " + in_short(found) + ", expected " + std::to_string(format) +
                "; use a newer lissom");
  header.lissom_version = object.at("lissom_version").get<std::string>();
  header.model = object.at("model").get<std::string>();
  header.robot_file = object.at("robot_file").get<std::string>();
  if (object.contains("robot_text")) header.robot_text = object["robot_text"].get<std::string>();
  if (object.contains("robot_text_latin1"))
    header.robot_text = to_latin1(object["robot_text_latin1"].get_ref<const std::string&>());
  if (object.contains("robot_description")) header.robot_description = object["robot_description"].get<std::string>();
  const auto word = object.at("base").get<std::string>();
  const auto* const base = std::ranges::find(bases, std::string_view(word), &std::pair<std::string_view, Base>::first);
  if (base == std::end(bases))
    throw Error("unknown base " + in_quotes(word) + ", expected file, fixed, free or planar");
  header.base = base->second;
  header.mimic = object.at("mimic").get<bool>();
  header.axis_tolerance = object.at("axis_tolerance").get<double>();
  header.gravity = object.at("gravity").get<std::array<double, 3>>();
  header.q = columns_from_json(object.at("q"));
  header.v = columns_from_json(object.at("v"));
  header.settings = object.at("settings").dump();
  for (const auto& one : object.at("signals"))
    signals.push_back({one.at("name").get<std::string>(), columns_from_json(one.at("columns"))});
}

}  // namespace

std::string in_utf8(std::string_view text) {
  return is_utf8(text) ? std::string(text) : from_latin1(text);
}

json parse_json(std::string_view text) {
  return lissom::parse_json<json>(text, JsonComments::refuse);
}

void check_settings(std::string_view text) {
  try {
    if (!parse_json(text).is_object()) throw Error("found " + in_quotes(text));
  } catch (const Error& error) {
    throw Error("header.settings: " + std::string(error.what()) + "; expected a JSON object such as {\"step\": 0.001}");
  }
}

std::string to_json(const Header& header, const std::vector<Signal>& signals, RobotText robot) {
  json object;
  object["lissom_recording"] = format;
  object["lissom_version"] = header.lissom_version;
  object["model"] = header.model;
  object["robot_file"] = header.robot_file;
  for (const auto& [word, base] : bases)
    if (base == header.base) object["base"] = word;
  object["mimic"] = header.mimic;
  object["axis_tolerance"] = header.axis_tolerance;
  object["gravity"] = header.gravity;
  object["q"] = columns_to_json(header.q);
  object["v"] = columns_to_json(header.v);
  object["settings"] = parse_json(header.settings);
  object["signals"] = json::array();
  for (const auto& signal : signals)
    object["signals"].push_back({{"name", signal.name}, {"columns", columns_to_json(signal.columns)}});
  if (robot == RobotText::inside && !header.robot_text.empty()) {
    if (is_utf8(header.robot_text))
      object["robot_text"] = header.robot_text;
    else
      object["robot_text_latin1"] = from_latin1(header.robot_text);
  }
  if (!header.robot_description.empty()) object["robot_description"] = header.robot_description;
  // Paths may contain any bytes; those that are not UTF-8 are replaced by �.
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

void from_json(std::string_view text, Header& header, std::vector<Signal>& signals) {
  // The settings, which may have the full depth, are one level inside.
  const auto object = lissom::parse_json<json>(text, JsonComments::refuse, limits::json_depth + 1);
  try {
    fill(object, header, signals);
    check(header, signals);
  } catch (const json::exception& error) {
    throw Error("the header of the recording is not one that lissom writes: " +
                printable(shortened(error.what(), 200)));
  }
}

}  // namespace lissom::recording
