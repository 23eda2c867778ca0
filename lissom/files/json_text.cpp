#include "lissom/files/json_text.h"

#include <unordered_set>
#include <vector>

#include "lissom/model/diagnostic.h"
#include "lissom/model/limits.h"
#include "lissom/model/printable.h"
#include "lissom/model/text.h"

namespace lissom {
namespace {

constexpr std::size_t max_message = 300;  // bytes

[[noreturn]] void refuse_json(const std::string& why) {
  throw Error("invalid JSON: " + why);
}

// Builds the value while the library parses. (The library's own builder has no limits; with its callback, which could
// have some, it takes quadratic time.)
template <class Json>
class JsonBuilder final : public nlohmann::json_sax<Json> {
 public:
  using typename nlohmann::json_sax<Json>::number_integer_t;
  using typename nlohmann::json_sax<Json>::number_unsigned_t;
  using typename nlohmann::json_sax<Json>::number_float_t;
  using typename nlohmann::json_sax<Json>::string_t;
  using typename nlohmann::json_sax<Json>::binary_t;

  explicit JsonBuilder(int max_depth) : max_depth_(max_depth) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t& /*value*/) override { return false; }  // does not occur in text
  bool start_object(std::size_t /*count*/) override { return open(Json::object()); }
  bool start_array(std::size_t /*count*/) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    if (!levels_.back().keys.insert(name).second) refuse_json("the key " + in_quotes(name) + " is given twice");
    key_ = std::move(name);
    return true;
  }
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) override {
    // The text of the library begins with its own name for the error, "[json.exception.…] ".
    std::string_view what = error.what();
    if (const auto end = what.find("] "); what.starts_with('[') && end != std::string_view::npos)
      what.remove_prefix(end + 2);
    refuse_json(printable(shortened(what, max_message)));
  }
  Json take() { return std::move(root_); }

 private:
  struct Level {
    Json* container;
    std::unordered_set<std::string> keys;
  };

  Json* put(Json value) {
    if (levels_.empty()) return &(root_ = std::move(value));
    Json& parent = *levels_.back().container;
    if (parent.is_array()) {
      auto& list = parent.template get_ref<typename Json::array_t&>();
      list.push_back(std::move(value));
      return &list.back();
    }
    auto& object = parent.template get_ref<typename Json::object_t&>();
    if constexpr (requires { object.emplace_back(key_, std::move(value)); })
      return &object.emplace_back(key_, std::move(value)).second;  // ordered: a list, in which looking up is slow
    else
      return &(object[key_] = std::move(value));
  }
  template <class Value>
  bool add(Value&& value) {
    put(std::forward<Value>(value));
    return true;
  }
  bool open(Json container) {
    if (levels_.size() == std::size_t(max_depth_))
      refuse_json("it is nested more than " + std::to_string(max_depth_) + " levels deep");
    levels_.push_back({put(std::move(container)), {}});
    return true;
  }
  bool close() {
    levels_.pop_back();
    return true;
  }

  int max_depth_;
  Json root_;
  std::vector<Level> levels_;
  std::string key_;
};

}  // namespace

template <class Json>
Json parse_json(std::string_view text, JsonComments comments, int max_depth) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) refuse_json("there is no text");
  JsonBuilder<Json> builder(max_depth);
  if (!Json::sax_parse(text, &builder, nlohmann::detail::input_format_t::json, true, comments == JsonComments::accept))
    refuse_json("it is not text");
  return builder.take();
}
template nlohmann::json parse_json(std::string_view text, JsonComments comments, int max_depth);
template nlohmann::ordered_json parse_json(std::string_view text, JsonComments comments, int max_depth);

std::string in_short(const nlohmann::json& value) {
  constexpr std::size_t max_length = 60;
  return printable(shortened(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), max_length));
}

}  // namespace lissom
