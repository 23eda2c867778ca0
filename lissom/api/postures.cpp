#include "lissom/api/postures.h"

#include <algorithm>
#include <filesystem>

#include "lissom/api/state.h"
#include "lissom/io/json_place.h"
#include "lissom/model/text.h"

namespace lissom {

namespace {

using Place = JsonPlace;

bool is_posture(const Place& p) {
  return p.has("q") || p.has("joints");
}

// Reads `count` numbers, or a single one, into q[at], q[at + 1], …
void take(const Place& p, Eigen::VectorXd& q, int at, int count) {
  const auto x = p.value.is_array() ? p.numbers() : std::vector<double>{p.number()};
  if (int(x.size()) != count) p.fail("found " + counted(x.size(), "number") + ", expected " + std::to_string(count));
  for (int k = 0; k < count; ++k) q[at + k] = x[std::size_t(k)];
}

Eigen::VectorXd posture(const Place& p, const Model& model) {
  Eigen::VectorXd q = neutral(model);
  const auto finished = [&] { return p.judged([&] { return normalize(model, q); }); };
  if (p.has("q")) {
    take(p["q"], q, 0, model.nq());
    return finished();
  }
  const auto joints = p["joints"];
  if (!joints.value.is_object())
    joints.fail("found " + std::string(joints.value.type_name()) +
                ", expected an object of joints and their positions");
  for (const auto& item : joints.value.items()) {
    const auto place = joints[item.key()];
    const auto& joint = place.judged([&]() -> const Joint& { return model.joint(item.key()); });
    take(place, q, joint.q_index, joint.nq);
  }
  const auto& all = model.joints();
  const auto base = std::find_if(all.begin(), all.end(),
                                 [&](const auto& j) { return j.type == JointType::free && model.is_root_joint(j); });
  if (base != all.end()) {
    if (p.has("base_position")) take(p["base_position"], q, base->q_index, 3);
    if (p.has("base_quaternion")) take(p["base_quaternion"], q, base->q_index + 3, 4);
  }
  return finished();
}

}  // namespace

std::map<std::string, Eigen::VectorXd> read_postures(const Model& model, const std::string& path) {
  const auto json = read_json(path);
  const Place top{json, path, ""};
  if (!json.is_object())
    top.fail("found " + std::string(json.type_name()) + ", expected an object of postures by name");
  std::map<std::string, Eigen::VectorXd> postures;
  if (is_posture(top)) {
    postures[std::filesystem::path(path).stem().string()] = posture(top, model);
    return postures;
  }
  for (const auto& item : json.items()) {
    const auto place = top[item.key()];
    if (!is_posture(place)) place.fail("not a posture, expected an object with \"q\" or \"joints\"");
    postures[item.key()] = posture(place, model);
  }
  return postures;
}

Eigen::VectorXd read_posture(const Model& model, const std::string& file_and_name) {
  const auto hash = file_and_name.rfind('#');
  const auto path = file_and_name.substr(0, hash);
  const auto name = hash == std::string::npos ? "" : file_and_name.substr(hash + 1);
  const auto json = read_json(path);
  const Place top{json, path, ""};
  if (!json.is_object())
    top.fail("found " + std::string(json.type_name()) + ", expected an object of postures by name");
  if (name.empty() && is_posture(top)) return posture(top, model);
  if (top.has(name) && is_posture(top[name])) return posture(top[name], model);
  std::string known;
  for (const auto& item : json.items())
    if (is_posture(top[item.key()])) known += (known.empty() ? "" : ", ") + item.key();
  if (known.empty()) top.fail("no posture, expected \"q\" or \"joints\"");
  top.fail((name.empty() ? "which posture? give FILE#NAME" : "no posture " + in_quotes(name)) + "; postures: " + known);
}

Eigen::VectorXd posture_of_file(const Model& model, const std::string& name) {
  const auto& all = model.description().postures;
  const auto found = std::ranges::find(all, name, &PostureDescription::name);
  if (found == all.end()) {
    std::string names;
    for (const auto& posture : all) names += (names.empty() ? "" : ", ") + in_quotes(posture.name);
    throw Error("the robot's file has no posture " + in_quotes(name) + (names.empty() ? "" : "; it has " + names));
  }
  Eigen::VectorXd q = neutral(model);
  for (const auto& [name_of_joint, position] : found->positions) {
    const auto joint = std::ranges::find(model.joints(), name_of_joint, &Joint::name);
    if (joint == model.joints().end() || joint->nq != int(position.size()) || joint->follows) continue;
    for (int k = 0; k < joint->nq; ++k) q[joint->q_index + k] = position[std::size_t(k)];
  }
  return normalize(model, q);
}

Eigen::VectorXd initial_configuration(const Model& model) {
  const auto& all = model.description().postures;
  for (const char* name : {"initial", "qpos0"})
    if (std::ranges::find(all, name, &PostureDescription::name) != all.end()) return posture_of_file(model, name);
  return neutral(model);
}

}  // namespace lissom
