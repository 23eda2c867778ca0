// What a reader of MJCF has kept goes back to where it was.
#include <algorithm>
#include <cmath>

#include "lissom/io/mjcf/schema.h"
#include "lissom/io/numbers.h"
#include "lissom/io/write/mjcf_writer.h"
#include "lissom/io/write/xml_output.h"
#include "lissom/model/text.h"

namespace lissom::io::write {
namespace {

constexpr std::string_view of_actuator = "actuator ";

std::vector<double> numbers_in(std::string_view text) {
  std::vector<double> numbers;
  if (parse_numbers(text, numbers)) numbers.clear();
  return numbers;
}

double max_magnitude(const std::vector<double>& numbers) {
  double largest = 0;
  for (const double x : numbers) largest = std::max(largest, std::abs(x));
  return largest;
}

// Whether what was kept only says more than what is written: further coefficients, or a range that is not symmetric.
// Otherwise the robot was changed after it was read.
bool says_more(std::string_view kept, std::string_view written) {
  const auto more = numbers_in(kept), less = numbers_in(written);
  if (more.empty() || less.empty()) return false;
  return more[0] == less[0] || (more.size() == less.size() && max_magnitude(more) == max_magnitude(less));
}

std::ptrdiff_t children_of(pugi::xml_node parent) {
  return std::distance(parent.begin(), parent.end());
}

}  // namespace

// Actuators that lissom cannot describe; each begins with what says its kind.
std::vector<MjcfWriter::Whole> MjcfWriter::kept_actuators() const {
  std::vector<Whole> found;
  for (const auto& k : d_.kept) {
    if (!k.subject.starts_with(of_actuator)) continue;
    if (k.name.empty())
      found.push_back({&k});
    else if (!found.empty() && found.back().front()->subject == k.subject)
      found.back().push_back(&k);
  }
  return found;
}

// Whether lines tell in which order the actuators of both kinds are.
bool MjcfWriter::are_ordered(const std::vector<Whole>& kept) const {
  if (kept.empty()) return true;
  const auto line = [](const Whole& actuator) { return actuator.front()->line; };
  if (!std::ranges::is_sorted(kept, {}, line)) return false;
  if (!std::ranges::is_sorted(d_.actuators, {}, &ActuatorDescription::line)) return false;
  return std::ranges::none_of(
      d_.actuators, [&](const ActuatorDescription& a) { return std::ranges::binary_search(kept, a.line, {}, line); });
}

// Whether what an attribute of an actuator or a site names is in the file.
bool MjcfWriter::has_target(const KeptAttribute& kept, Node mujoco) const {
  const auto among = [&](const char* what) { return elements_.contains(what + in_quotes(kept.value)); };
  const auto asset = [&](const char* tag) {
    return bool(mujoco.child("asset").find_child_by_attribute(tag, "name", kept.value.c_str()));
  };
  if (kept.name == "joint" || kept.name == "jointinparent")
    return std::ranges::find(joints_, kept.value, &Written::name) != joints_.end();
  if (kept.name == "tendon") return among("tendon ");
  if (kept.name == "body") return among("link ");
  if (kept.name.ends_with("site")) return among("site ");
  if (kept.name == "material" || kept.name == "mesh") return asset(kept.name.c_str());
  return true;
}

void MjcfWriter::write_whole(const Whole& actuator, Node section) {
  const KeptAttribute& kind = *actuator.front();
  const bool known = mjcf::has_attribute("actuator", kind.value, "name") && kind.value != "plugin";
  if (!known || !std::ranges::all_of(actuator, [&](const auto* k) { return has_target(*k, section.parent()); })) {
    whole_actuators_ = false;
    return;
  }
  auto node = add(section, kind.value.c_str());
  const auto quoted = std::string_view(kind.subject).substr(of_actuator.size());
  put(node, "name", quoted.substr(1, quoted.size() - 2));
  for (const auto* k : actuator)
    if (mjcf::has_attribute("actuator", kind.value, k->name)) put(node, k->name.c_str(), k->value);
  written_whole_.insert(kind.subject);
}

// Lists of a key are as long as what they are about.
bool MjcfWriter::fits(const KeptAttribute& kept, Node mujoco) const {
  const auto count = std::ptrdiff_t(numbers_in(kept.value).size());
  if (kept.name == "ctrl") return actuators_in_order_ && count == children_of(mujoco.child("actuator"));
  if (kept.name == "act") return whole_actuators_ && actuators_in_order_ && extras_.rest.actuators.empty();
  if (kept.name == "qvel") {
    std::ptrdiff_t nv = 0;
    for (const auto& joint : joints_) nv += joint_traits(joint.type).nv();
    return count == nv;
  }
  if (kept.name != "mpos" && kept.name != "mquat") return true;
  const auto moved = std::ranges::count_if(
      bodies_, [](const auto& body) { return std::string_view(body.second.attribute("mocap").value()) == "true"; });
  return count == moved * (kept.name == "mpos" ? 3 : 4);
}

// Returns false if there is no place for it in the file.
bool MjcfWriter::goes_back(const KeptAttribute& kept, Node mujoco) {
  if (written_whole_.contains(kept.subject)) return true;
  auto element = elements_.find(kept.subject);
  if (kept.subject.starts_with("key '") && element == elements_.end()) {  // a key without a posture
    if (!mujoco.child("keyframe")) add(mujoco, "keyframe");
    auto key = add(mujoco.child("keyframe"), "key");
    put(key, "name", std::string_view(kept.subject).substr(5, kept.subject.size() - 6));
    element = elements_.emplace(kept.subject, key).first;
  }
  if (element == elements_.end()) return false;
  Node node = element->second;
  const bool known = mjcf::has_attribute(node.parent().name(), node.name(), kept.name);
  const bool is_name = kept.name == "name" || kept.name == "class" || kept.name == "childclass";
  if (!known || is_name || !has_target(kept, mujoco) || !fits(kept, mujoco)) return false;
  auto attribute = node.attribute(kept.name.c_str());
  if (attribute && kept.name != "group" && !says_more(kept.value, attribute.value())) return false;
  if (!attribute) attribute = node.append_attribute(kept.name.c_str());
  attribute.set_value(kept.value.c_str());
  return true;
}

void MjcfWriter::write_kept(Node mujoco) {
  Node flag;
  for (const auto& k : d_.kept) {
    if (k.subject == "option/flag") {
      if (!flag) flag = add(elements_.at("option"), "flag");
      put(flag, k.name.c_str(), k.value);
    } else if (!goes_back(k, mujoco)) {
      extras_.rest.kept.push_back(k);
      losses_.unused(k.line, k.subject, k.name);
    }
  }
}

}  // namespace lissom::io::write
