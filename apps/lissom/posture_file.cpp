#include "posture_file.h"

#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "lissom/model/wording.h"

namespace {

using lissom::Error;
using lissom::Model;
using nlohmann::json;

json read(const std::string& option, const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error(fmt::format("{}: cannot open '{}'", option, path));
  const auto content = json::parse(file, nullptr, false);
  if (content.is_discarded() || !content.is_object())
    throw Error(fmt::format("{}: '{}' is no file of postures; expected a JSON object", option, path));
  return content;
}

bool is_posture(const json& entry) {
  return entry.is_object() && (entry.contains("q") || entry.contains("joints"));
}

const json& entry_of(const std::string& where, const json& file, const std::string& name) {
  if (name.empty() && is_posture(file)) return file;
  if (file.contains(name) && is_posture(file[name])) return file[name];
  std::string known;
  for (const auto& [key, value] : file.items())
    if (is_posture(value)) known += (known.empty() ? "" : ", ") + key;
  if (known.empty()) throw Error(where + ": holds no posture; expected 'q' or 'joints'");
  throw Error(fmt::format("{}: {}; expected one of {} (FILE#NAME)", where,
                          name.empty() ? "which posture?" : "has no posture '" + name + "'", known));
}

std::vector<double> numbers(const std::string& where, const json& value, int expected) {
  std::vector<double> all;
  const auto list = value.is_array() ? value : json::array({value});
  for (const auto& x : list) {
    if (!x.is_number()) throw Error(where + ": '" + x.dump() + "' is no number");
    all.push_back(x.get<double>());
  }
  if (int(all.size()) != expected) throw Error(fmt::format("{}: {} numbers; expected {}", where, all.size(), expected));
  return all;
}

void put(Eigen::VectorXd& q, int at, const std::vector<double>& x) {
  for (std::size_t k = 0; k < x.size(); ++k) q[at + int(k)] = x[k];
}

}  // namespace

Eigen::VectorXd posture_of(const Model& model, const std::string& option, const std::string& text) {
  const auto hash = text.rfind('#');
  const auto path = text.substr(0, hash), name = hash == std::string::npos ? "" : text.substr(hash + 1);
  const auto where = option + ": '" + text + "'";
  const auto file = read(option, path);
  const auto& entry = entry_of(where, file, name);
  Eigen::VectorXd q = neutral(model);
  if (entry.contains("q")) {
    put(q, 0, numbers(where + ": q", entry["q"], model.nq()));
    return normalise(model, q);
  }
  if (!entry["joints"].is_object()) throw Error(where + ": 'joints' is no object");
  for (const auto& [joint_name, value] : entry["joints"].items()) {
    const auto& joint = model.joint(joint_name);
    put(q, joint.q, numbers(where + ": joint " + lissom::in_quotes(joint_name), value, joint.nq));
  }
  for (const auto& joint : model.joints()) {
    if (joint.type != lissom::JointType::free || joint.parent != "world") continue;
    if (entry.contains("base_position")) put(q, joint.q, numbers(where + ": base_position", entry["base_position"], 3));
    if (entry.contains("base_quaternion"))
      put(q, joint.q + 3, numbers(where + ": base_quaternion", entry["base_quaternion"], 4));
    break;
  }
  return normalise(model, q);
}
