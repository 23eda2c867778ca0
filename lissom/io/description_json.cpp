#include "lissom/io/description_json.h"

#include <cmath>

#include "lissom/io/json_place.h"
#include "lissom/model/same_members.h"
#include "lissom/model/text.h"

namespace lissom::io {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr int json_format = 1;

// JSON has no numbers that are not finite.
ordered_json written(double x) {
  if (std::isfinite(x)) return x;
  return std::isnan(x) ? "nan" : x > 0 ? "inf" : "-inf";
}
ordered_json written(int x) {
  return x;
}
ordered_json written(bool x) {
  return x;
}
ordered_json written(const std::string& x) {
  return x;
}
template <HasWords E>
ordered_json written(E x) {
  return std::string(description_words<E>[std::size_t(x)]);
}
ordered_json written(const Vec3<double>& v) {
  return {written(v.x), written(v.y), written(v.z)};
}
ordered_json written(const Sym3<double>& m) {
  return {written(m.xx), written(m.xy), written(m.xz), written(m.yy), written(m.yz), written(m.zz)};
}
ordered_json written(const Pose<double>& X) {
  const auto& R = X.R;
  ordered_json rotation = ordered_json::array();
  for (const double x : {R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz}) rotation.push_back(written(x));
  return {{"R", std::move(rotation)}, {"p", written(X.p)}};
}
ordered_json written(const PerDof& x) {
  if (x.count() == 1) return written(x[0]);
  ordered_json list = ordered_json::array();
  for (const double one : x.values()) list.push_back(written(one));
  return list;
}
template <HasFields T>
ordered_json written(const T& record);
template <class T>
ordered_json written(const std::optional<T>& x) {
  return x ? written(*x) : ordered_json(nullptr);
}
template <class List>
ordered_json written_list(const List& items) {
  ordered_json list = ordered_json::array();
  for (const auto& item : items) list.push_back(written(item));
  return list;
}
template <class T, std::size_t n>
ordered_json written(const std::array<T, n>& items) {
  return written_list(items);
}
template <class T>
ordered_json written(const std::vector<T>& items) {
  return written_list(items);
}
template <HasFields T>
ordered_json written(const T& record) {
  static const T defaults{};
  ordered_json object = ordered_json::object();
  const auto put = [&](const auto& f) {
    if (!members::same(record.*f.member, defaults.*f.member)) object[f.name] = written(record.*f.member);
  };
  std::apply([&](const auto&... field) { (put(field), ...); }, description_fields<T>);
  return object;
}

void fill(const JsonPlace& from, double& x) {
  if (from.value.is_string()) {
    const auto& word = from.value.get_ref<const std::string&>();
    if (word == "inf") return void(x = INFINITY);
    if (word == "-inf") return void(x = -INFINITY);
    if (word == "nan") return void(x = NAN);
  }
  x = from.number();
}
void fill(const JsonPlace& from, int& x) {
  if (!from.value.is_number_integer()) from.fail("found " + in_short(from.value) + ", expected a whole number");
  x = from.value.get<int>();
}
void fill(const JsonPlace& from, bool& x) {
  if (!from.value.is_boolean()) from.fail("found " + in_short(from.value) + ", expected true or false");
  x = from.value.get<bool>();
}
void fill(const JsonPlace& from, std::string& x) {
  if (!from.value.is_string()) from.fail("found " + in_short(from.value) + ", expected a string");
  x = from.value.get<std::string>();
}
template <HasWords E>
void fill(const JsonPlace& from, E& x) {
  const auto& words = description_words<E>;
  const auto word = std::ranges::find(words, from.text());
  if (word == words.end()) from.fail("unknown word " + in_short(from.value));
  x = E(word - words.begin());
}
void fill_numbers(const JsonPlace& from, std::initializer_list<double*> numbers) {
  if (!from.value.is_array() || from.value.size() != numbers.size())
    from.fail("found " + in_short(from.value) + ", expected " + std::to_string(numbers.size()) + " numbers");
  std::size_t i = 0;
  for (double* const x : numbers) fill(JsonPlace{from.value[i++], from.file, from.at}, *x);
}
void fill(const JsonPlace& from, Vec3<double>& v) {
  fill_numbers(from, {&v.x, &v.y, &v.z});
}
void fill(const JsonPlace& from, Sym3<double>& m) {
  fill_numbers(from, {&m.xx, &m.xy, &m.xz, &m.yy, &m.yz, &m.zz});
}
void fill(const JsonPlace& from, Pose<double>& X) {
  auto& R = X.R;
  fill_numbers(from["R"], {&R.xx, &R.xy, &R.xz, &R.yx, &R.yy, &R.yz, &R.zx, &R.zy, &R.zz});
  fill(from["p"], X.p);
}
template <HasFields T>
void fill(const JsonPlace& from, T& record);
template <class T>
void fill(const JsonPlace& from, std::vector<T>& items) {
  from.each([&](const JsonPlace& place) { fill(place, items.emplace_back()); });
}
void fill(const JsonPlace& from, PerDof& x) {
  if (!from.value.is_array()) {
    double one = 0;
    fill(from, one);
    return void(x = one);
  }
  std::vector<double> each;
  fill(from, each);
  x = PerDof(each);
}
template <class T>
void fill(const JsonPlace& from, std::optional<T>& x) {
  if (!from.value.is_null()) fill(from, x.emplace());
}
template <class T, std::size_t n>
void fill(const JsonPlace& from, std::array<T, n>& items) {
  if (!from.value.is_array() || from.value.size() != n)
    from.fail("found " + in_short(from.value) + ", expected a list of " + std::to_string(n));
  for (std::size_t i = 0; i < n; ++i) fill(JsonPlace{from.value[i], from.file, from.at}, items[i]);
}
template <HasFields T>
void fill(const JsonPlace& from, T& record) {
  if (!from.value.is_object()) from.fail("found " + in_short(from.value) + ", expected an object { … }");
  std::size_t known = 0;
  const auto take = [&](const auto& f) {
    if (!from.has(f.name)) return;
    ++known;
    if constexpr (requires { (record.*f.member).clear(); }) (record.*f.member).clear();  // of its default
    fill(from[f.name], record.*f.member);
  };
  std::apply([&](const auto&... field) { (take(field), ...); }, description_fields<T>);
  if (known < from.value.size()) from.fail("it has a key that descriptions do not have");
}

}  // namespace

std::string description_to_json(const Description& description) {
  ordered_json object = {{"lissom_robot", json_format}};
  object["robot"] = written(description);
  return object.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

Description description_from_json(std::string_view text) {
  static const std::string name = "description of a robot";
  const auto object = parse_json<json>(text, JsonComments::refuse);
  const JsonPlace place{object, name, ""};
  place.only({"lissom_robot", "robot"});
  if (place["lissom_robot"].value != json_format)
    place.fail("its format is " + in_short(place["lissom_robot"].value) + ", expected " + std::to_string(json_format) +
               "; use a newer lissom");
  Description description;
  fill(place["robot"], description);
  return description;
}

}  // namespace lissom::io
