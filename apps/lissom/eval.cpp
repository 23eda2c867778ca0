// lissom eval FILE --states STATES: evaluates dynamics and kinematics at given states, as JSON for other programs.
#include <algorithm>
#include <memory>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "lissom/io/json_place.h"
#include "lissom/io/read_bytes.h"
#include "lissom/lissom.h"
#include "lissom/model/limits.h"
#include "lissom/model/text.h"
#include "model_arguments.h"
#include "output.h"
#include "verbs.h"

namespace verb::eval {
namespace {

using lissom::Error;
using lissom::in_short;
using lissom::Joint;
using lissom::Model;
using nlohmann::json;

json read_request(const std::string& path) {
  if (path != "-") return lissom::read_json(path);
  std::string text;
  if (const auto problem = lissom::io::read_bytes(STDIN_FILENO, lissom::limits::json_bytes, text))
    throw Error("standard input: " + problem->message + "; expected JSON with states");
  try {
    return lissom::parse_json<json>(text, lissom::JsonComments::accept);
  } catch (const Error& error) {
    throw Error("standard input: " + std::string(error.what()));
  }
}

std::string known_only(const json& object, const std::vector<std::string>& known) {
  for (const auto& [key, value] : object.items())
    if (std::ranges::find(known, key) == known.end())
      return "unknown key " + lissom::in_quotes(key) + "; expected " + fmt::format("{}", fmt::join(known, ", "));
  return "";
}

// Writes the values of one joint into its segment of x.
void take(const std::string& where, const Joint& joint, const json& value, int at, int count, Eigen::VectorXd& x) {
  if (count == 0)
    throw Error(
        where + ": joint '" + joint.name + "' has no coordinates" +
        (joint.follows ? "; it mimics another joint: leave it out, or use --mimic independent" : "; leave it out"));
  if (!value.is_array() || int(value.size()) != count)
    throw Error(where + ": joint '" + joint.name + "' (" + to_string(joint.type) + ") expects a list of " +
                std::to_string(count) + " numbers, found " + in_short(value));
  for (int k = 0; k < count; ++k) {
    if (!value[std::size_t(k)].is_number())
      throw Error(where + ": joint '" + joint.name + "' expects numbers, found " + in_short(value[std::size_t(k)]));
    x[at + k] = value[std::size_t(k)].get<double>();
  }
}

// Reads {"joint": [numbers], …} into x; joints that are not named keep their values.
void take_all(const Model& model, const json& state, const char* key, bool configuration, const std::string& where,
              Eigen::VectorXd& x) {
  if (!state.contains(key)) return;
  const std::string path = where + "." + key;
  if (!state.at(key).is_object())
    throw Error(path + ": expected an object {\"joint\": [numbers], …}, found " + in_short(state.at(key)));
  for (const auto& [name, value] : state.at(key).items()) {
    const Joint& joint = model.joint(name);
    if (configuration)
      take(path, joint, value, joint.q_index, joint.nq, x);
    else
      take(path, joint, value, joint.v_index, joint.nv, x);
  }
}

template <class M>
json rows(const M& matrix) {
  json list = json::array();
  for (long r = 0; r < matrix.rows(); ++r) {
    json row = json::array();
    for (long c = 0; c < matrix.cols(); ++c) row.push_back(matrix(r, c));
    list.push_back(std::move(row));
  }
  return list;
}
json numbers(const Eigen::VectorXd& x) {
  return json(std::vector<double>(x.begin(), x.end()));
}

json evaluate(const Model& model, lissom::Workspace& work, const json& state, const std::string& where) {
  if (!state.is_object()) throw Error(where + ": expected an object with q, v, a, tau, found " + in_short(state));
  if (const auto wrong = known_only(state, {"q", "v", "a", "tau"}); !wrong.empty()) throw Error(where + ": " + wrong);
  Eigen::VectorXd q = lissom::neutral(model), v = Eigen::VectorXd::Zero(model.nv()), a = v, tau = v;
  take_all(model, state, "q", true, where, q);
  take_all(model, state, "v", false, where, v);
  take_all(model, state, "a", false, where, a);
  take_all(model, state, "tau", false, where, tau);

  json result;
  result["M"] = rows(mass_matrix(model, work, q));
  result["h"] = numbers(bias_forces(model, work, q, v));
  result["g"] = numbers(gravity_forces(model, work, q));
  result["tau"] = numbers(inverse_dynamics(model, work, q, v, a));
  const auto& qdd = forward_dynamics(model, work, q, v, tau);
  result["qdd"] = qdd.allFinite() ? numbers(qdd) : json(nullptr);
  const auto com = center_of_mass(model, work, q);
  result["com"] = {com.x, com.y, com.z};
  result["kinetic_energy"] = kinetic_energy(model, work, q, v);
  result["potential_energy"] = potential_energy(model, work, q);
  json placements = json::object(), jacobians = json::object();
  for (const auto& link : model.links()) {
    const auto frame = model.frame(link.name);
    jacobians[link.name] = rows(jacobian(model, work, q, frame));
    const auto X = placement(model, work, frame);
    placements[link.name] = {X.R.xx, X.R.xy, X.R.xz, X.R.yx, X.R.yy, X.R.yz,
                             X.R.zx, X.R.zy, X.R.zz, X.p.x,  X.p.y,  X.p.z};
  }
  result["placements"] = std::move(placements);
  result["jacobians"] = std::move(jacobians);
  return result;
}

json joint_list(const Model& model) {
  json list = json::array();
  for (const auto& joint : model.joints())
    if (joint.type != lissom::JointType::fixed)
      list.push_back({{"name", joint.name},
                      {"type", to_string(joint.type)},
                      {"nq", joint.nq},
                      {"nv", joint.nv},
                      {"idx_q", joint.q_index},
                      {"idx_v", joint.v_index}});
  return list;
}

void run(ModelArguments& arguments, const std::string& states) {
  const json request = read_request(states);
  if (!request.is_object() || !request.contains("states") || !request["states"].is_array())
    throw Error("states: expected {\"states\": [{\"q\": {joint: [numbers]}, \"v\": …, \"a\": …, \"tau\": …}, …]}");
  if (const auto wrong = known_only(request, {"gravity", "states"}); !wrong.empty()) throw Error("states: " + wrong);
  auto model = arguments.load();
  if (request.contains("gravity")) {
    const auto& g = request["gravity"];
    if (!g.is_array() || g.size() != 3 || !g[0].is_number() || !g[1].is_number() || !g[2].is_number())
      throw Error("gravity: expected three numbers, found " + in_short(g));
    model = model.with_gravity({g[0].get<double>(), g[1].get<double>(), g[2].get<double>()});
  }
  lissom::Workspace work(model);
  json results = json::array();
  for (std::size_t i = 0; i < request["states"].size(); ++i)
    results.push_back(evaluate(model, work, request["states"][i], "states[" + std::to_string(i) + "]"));
  print_json(json{{"joints", joint_list(model)}, {"results", std::move(results)}}, -1);
}

}  // namespace

void add(CLI::App& app, int&) {
  auto* const verb =
      app.add_subcommand("eval", "evaluate given states, as JSON: M h g tau qdd placements jacobians com energies");
  const auto arguments = std::make_shared<ModelArguments>();
  const auto states = std::make_shared<std::string>();
  arguments->add_to(*verb);
  verb->add_option("--states", *states,
                   "JSON {\"gravity\": [x, y, z], \"states\": [{\"q\": {joint: [numbers]}, \"v\", \"a\", \"tau\"}]}; - "
                   "reads standard input")
      ->required();
  verb->callback([arguments, states] { run(*arguments, *states); });
}

}  // namespace verb::eval
