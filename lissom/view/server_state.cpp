#include "lissom/view/server_state.h"

#include <cmath>

#include "lissom/files/json_text.h"

namespace lissom::view {
namespace {

using nlohmann::json;

double number(const json& command, const char* key, double low, double high) {
  const auto it = command.find(key);
  if (it == command.end() || !it->is_number() || !(it->get<double>() >= low) || !(it->get<double>() <= high))
    throw Error(std::string(key) + ": expected a number");
  return *it;
}

Vec3<double> point_of(const json& command, const char* key) {
  const auto it = command.find(key);
  if (it == command.end() || !it->is_array() || it->size() != 3)
    throw Error(std::string(key) + ": expected three numbers");
  double x[3];
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(*it)[i].is_number() || !(std::abs((*it)[i].get<double>()) < 1e6))
      throw Error(std::string(key) + ": expected three numbers");
    x[i] = (*it)[i];
  }
  return {x[0], x[1], x[2]};
}

}  // namespace

void ServerState::command(const std::string& name, std::string_view text, const void* who) {
  const auto command = parse_json<json>(text, JsonComments::refuse, 8);
  std::optional<Controls::Pull> pull;
  if (name == "pull") {
    if (!command.contains("link") || !command["link"].is_string()) throw Error("link: expected a name");
    pull = Controls::Pull{scene.models().at(0).frame(command["link"].get<std::string>()), point_of(command, "point"),
                          point_of(command, "to")};
  }
  const std::lock_guard lock(mutex_);
  if (name == "pause")
    controls_.paused = true;
  else if (name == "resume")
    controls_.paused = false;
  else if (name == "step")
    controls_.steps += command.contains("count") ? long(number(command, "count", 1, 1e6)) : 1;
  else if (name == "speed")
    controls_.speed = command.value("factor", nlohmann::json()) == 0 ? 0 : number(command, "factor", 1e-3, 1e3);
  else if (name == "pull")
    controls_.pull = pull, puller_ = who;
  else if (name == "release")
    controls_.pull.reset();
  else
    throw Error("do: '" + name.substr(0, 100) + "' is unknown; expected pause, resume, step, speed, pull or release");
}

void ServerState::forget(const void* who) {
  const std::lock_guard lock(mutex_);
  if (puller_ == who) controls_.pull.reset();
}

void ServerState::set_status(const LiveStatus& s) {
  const json all{{"status", s.status}, {"time", s.time}, {"speed", s.speed}, {"text", s.text}};
  auto text = all.dump(-1, ' ', false, json::error_handler_t::replace);
  const std::lock_guard lock(mutex_);
  if (text == status_) return;
  status_ = std::move(text);
  ++status_number_;
}

}  // namespace lissom::view
