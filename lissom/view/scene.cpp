#include "lissom/view/scene.h"

#include <algorithm>
#include <cmath>

#include "lissom/api/load.h"
#include "lissom/files/json_text.h"
#include "lissom/io/find_meshes.h"
#include "lissom/limbs/standing_robot.h"
#include "lissom/model/text.h"
#include "lissom/recording/header.h"
#include "lissom/view/block.h"
#include "lissom/view/requests.h"
#include "lissom/view/robot_json.h"

namespace lissom::view {

using nlohmann::json;

namespace {

const char* name_of(Mode mode) {
  return mode == Mode::pose ? "pose" : mode == Mode::replay ? "replay" : "live";
}

// The frames that are kept: the first one in each period, and the last one.
std::vector<std::size_t> kept_frames(const std::vector<double>& times, double rate) {
  std::vector<std::size_t> kept;
  double period = -1;
  for (std::size_t k = 0; k < times.size(); ++k) {
    const double here = std::floor((times[k] - times[0]) * rate + 1e-6);
    if (rate > 0 && here <= period && k + 1 < times.size()) continue;
    kept.push_back(k);
    period = here;
  }
  return kept;
}

std::string block_of(const recording::Recording& run, const std::vector<std::size_t>& frames, std::size_t columns) {
  std::vector<double> times;
  std::vector<float> values;
  values.reserve(frames.size() * columns);
  for (const auto frame : frames) {
    times.push_back(run.times[frame]);
    for (std::size_t s = 0; s < run.signals.size(); ++s)
      for (const double x : run.row(s, frame)) values.push_back(float(x));
  }
  return block(std::uint32_t(columns), 0, times, values);
}

json signals_json(const std::vector<recording::Signal>& signals) {
  json list = json::array();
  std::size_t first = 0;
  for (const auto& signal : signals) {
    json columns = json::array();
    for (const auto& column : signal.columns) columns.push_back({{"name", column.name}, {"unit", column.unit}});
    list.push_back({{"name", signal.name}, {"first", first}, {"columns", std::move(columns)}});
    first += signal.columns.size();
  }
  return list;
}

std::size_t column_count(const std::vector<recording::Signal>& signals) {
  std::size_t n = 0;
  for (const auto& signal : signals) n += signal.columns.size();
  return n;
}

// The column at which the force of a contact begins: "NAME.x" of the signal `forces`.
json force_column(const std::vector<recording::Signal>& signals, const std::string& contact) {
  std::size_t first = 0;
  for (const auto& signal : signals) {
    if (signal.name == "forces")
      for (std::size_t k = 0; k + 2 < signal.columns.size(); ++k)
        if (signal.columns[k].name == contact + ".x") return first + k;
    first += signal.columns.size();
  }
  return nullptr;
}

// The settings of a motion list its contacts. What is not as expected there is left out: anybody may write settings.
json motion_contacts_json(const Model& model, const json& settings, const std::vector<recording::Signal>& signals) {
  json list = json::array();
  if (!settings.is_object() || !settings.contains("contacts") || !settings["contacts"].is_array()) return list;
  for (const auto& c : settings["contacts"]) try {
      const std::string name = c.at("name"), frame = c.at("frame");
      const auto at = on_link(model, model.frame(frame));
      list.push_back({{"name", name},
                      {"link", at.link},
                      {"pose", to_json(at.pose)},
                      {"points", c.at("points").get<std::vector<std::array<double, 3>>>()},
                      {"friction", c.at("friction").get<double>()},
                      {"force", force_column(signals, name)}});
    } catch (const std::exception&) {
      continue;
    }
  return list;
}

// Where the contacts of a world are: the signal `contacts` has places of 14 columns each (docs/recordings.md).
json contact_points_json(const json& settings, const std::vector<recording::Signal>& signals) {
  constexpr std::size_t width = 14;
  if (!settings.is_object() || !settings.contains("contact_names") || !settings["contact_names"].is_array())
    return nullptr;
  json names = json::array();
  for (const auto& name : settings["contact_names"]) names.push_back(name.is_string() ? name : json(""));
  std::size_t first = 0;
  for (const auto& signal : signals) {
    const auto count = signal.columns.size() / width;
    if (signal.name == "contacts" && count > 0 && signal.columns[0].name == "0.x")
      return {{"first", first}, {"count", count}, {"names", std::move(names)}};
    first += signal.columns.size();
  }
  return nullptr;
}

json run_json(const Model& model, int robot, const std::string& name, const std::vector<recording::Signal>& signals,
              const std::string& settings_text) {
  json settings = parse_json<json>(settings_text, JsonComments::refuse);
  return {{"name", name},
          {"robot", robot},
          {"columns", column_count(signals)},
          {"signals", signals_json(signals)},
          {"contacts", motion_contacts_json(model, settings, signals)},
          {"contact_points", contact_points_json(settings, signals)},
          {"settings", std::move(settings)},
          {"warnings", json::array()}};
}

// The recorded robot, with the files of its meshes where they can still be found.
Model recorded_model(const recording::Header& header, const std::vector<std::string>& packages) {
  return io::with_meshes(recording::rebuild(header), packages);
}

}  // namespace

struct Scene::Impl {
  Mode mode;
  std::string title;
  json robots = json::array(), runs = json::array(), live, findings = json::array(), can = json::array(),
       show = json::array();
  std::vector<Model> models;
  std::vector<std::string> blocks;
  MeshFiles meshes;

  void find_contacts() {
    for (std::size_t i = 0; i < models.size(); ++i) try {
        if (robots[i]["contacts"].is_null())
          robots[i]["contacts"] = contacts_json(models[i], contacts_of(models[i].description()));
      } catch (const Error& error) {
        findings.push_back({{"severity", "note"}, {"text", std::string("contacts: ") + error.what()}});
      }
  }
};

Scene::Scene(Mode mode, std::string title) : impl_(std::make_unique<Impl>()) {
  impl_->mode = mode;
  impl_->title = std::move(title);
}
Scene::~Scene() = default;
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(Scene&&) noexcept = default;

int Scene::add_robot(const Model& model, const VectorIn& q) {
  impl_->robots.push_back(robot_json(model, q, impl_->meshes));
  impl_->models.push_back(model);
  return int(impl_->models.size()) - 1;
}

void Scene::add_run(const recording::Recording& run, const std::string& name, const RecordedOptions& options,
                    const std::vector<std::string>& packages) {
  if (run.frames() == 0) throw Error(name + ": the recording has no frames, so there is nothing to show");
  const auto model = recorded_model(run.header, packages);
  const auto q = run.signal("q");
  if (int(run.signals[q].columns.size()) != model.nq())
    throw Error(name + ": its signal q has " + std::to_string(run.signals[q].columns.size()) +
                " columns, but its robot has nq = " + std::to_string(model.nq()));
  const auto first = run.row(q, 0);
  const int robot = add_robot(model, Eigen::Map<const Eigen::VectorXd>(first.data(), long(first.size())));
  const auto frames = kept_frames(run.times, options.rate);
  json all = run_json(model, robot, name, run.signals, run.header.settings);
  all["seconds"] = run.times.back() - run.times.front();
  all["frames"] = frames.size();
  all["recorded_frames"] = run.frames();
  all["data"] = "runs/" + std::to_string(impl_->runs.size());
  all["warnings"] = run.warnings;
  impl_->blocks.push_back(block_of(run, frames, column_count(run.signals)));
  impl_->runs.push_back(std::move(all));
}

void Scene::set_live(const std::string& name, const std::vector<recording::Signal>& signals,
                     const std::string& settings) {
  impl_->live = run_json(impl_->models.at(0), 0, name, signals, settings);
  impl_->live["id"] = random_token();
}
std::size_t Scene::live_columns() const {
  return impl_->live.is_null() ? 0 : impl_->live["columns"].get<std::size_t>();
}

void Scene::add_findings(const std::vector<Diagnostic>& findings) {
  for (const auto& d : findings)
    impl_->findings.push_back({{"severity", to_string(d.severity)}, {"text", to_string(d)}});
}
void Scene::set_abilities(std::vector<std::string> can) {
  impl_->can = std::move(can);
}

const std::vector<std::string>& Scene::layers() {
  static const std::vector<std::string> names{"collisions", "frames", "axes",     "com",   "inertia", "support",
                                              "velocities", "forces", "contacts", "cones", "labels"};
  return names;
}
void Scene::set_contacts(int robot, const RobotContacts& contacts) {
  impl_->robots.at(std::size_t(robot))["contacts"] = contacts_json(impl_->models.at(std::size_t(robot)), contacts);
}
void Scene::set_layers(const std::vector<std::string>& chosen) {
  for (const auto& name : chosen)
    if (std::ranges::find(layers(), name) == layers().end()) {
      std::string names;
      for (const auto& known : layers()) names += (names.empty() ? "" : ", ") + known;
      throw Error(in_quotes(name) + " is not a layer of the viewer; expected some of " + names);
    }
  impl_->show = chosen;
  if (std::ranges::find(chosen, "contacts") != chosen.end()) impl_->find_contacts();
}

std::string Scene::json_text() const {
  const json all{{"format", "lissom stream 1"}, {"lissom", recording::Header::version()},
                 {"title", impl_->title},       {"mode", name_of(impl_->mode)},
                 {"robots", impl_->robots},     {"runs", impl_->runs},
                 {"live", impl_->live},         {"can", impl_->can},
                 {"show", impl_->show},         {"findings", impl_->findings}};
  return all.dump(-1, ' ', false, json::error_handler_t::replace);
}
const std::vector<Model>& Scene::models() const {
  return impl_->models;
}
const std::vector<std::string>& Scene::blocks() const {
  return impl_->blocks;
}
const MeshFiles& Scene::meshes() const {
  return impl_->meshes;
}

}  // namespace lissom::view
