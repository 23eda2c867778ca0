// lissom eval FILE --states STATES: evaluates dynamics and kinematics at given states, as JSON for other programs.
#include <cmath>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "lissom/lissom.h"
#include "model_arguments.h"
#include "verbs.h"

namespace verb::eval {
namespace {

using lissom::Error;
using lissom::Joint;
using lissom::Model;
using nlohmann::json;

json read_request(const std::string& path) {
  std::string text;
  if (path == "-") {
    text.assign(std::istreambuf_iterator<char>(std::cin), {});
  } else {
    std::ifstream in(path);
    if (!in) throw Error("cannot open '" + path + "'; expected a JSON file with states, or - for standard input");
    text.assign(std::istreambuf_iterator<char>(in), {});
  }
  try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    throw Error("states: not JSON: " + std::string(error.what()));
  }
}

// Writes the values of one joint into its segment of x.
void take(const std::string& where, const Joint& joint, const json& value, int at, int count, Eigen::VectorXd& x) {
  if (count == 0)
    throw Error(
        where + ": joint '" + joint.name + "' has no coordinates" +
        (joint.follows ? "; it mimics another joint: leave it out, or use --mimic independent" : "; leave it out"));
  if (!value.is_array() || int(value.size()) != count)
    throw Error(where + ": joint '" + joint.name + "' (" + to_string(joint.type) + ") expects a list of " +
                std::to_string(count) + " numbers, found " + value.dump());
  for (int k = 0; k < count; ++k) {
    if (!value[std::size_t(k)].is_number())
      throw Error(where + ": joint '" + joint.name + "' expects numbers, found " + value[std::size_t(k)].dump());
    x[at + k] = value[std::size_t(k)].get<double>();
  }
}

// Reads {"joint": [numbers], …} into x; joints that are not named keep their values.
void take_all(const Model& model, const json& state, const char* key, bool configuration, const std::string& where,
              Eigen::VectorXd& x) {
  if (!state.contains(key)) return;
  const std::string path = where + "." + key;
  if (!state.at(key).is_object())
    throw Error(path + ": expected an object {\"joint\": [numbers], …}, found " + state.at(key).dump());
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
  if (!state.is_object()) throw Error(where + ": expected an object with q, v, a, tau, found " + state.dump());
  for (const auto& [key, value] : state.items())
    if (key != "q" && key != "v" && key != "a" && key != "tau")
      throw Error(where + ": unknown key '" + key + "'; expected q, v, a, tau");
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
  auto model = arguments.load();
  if (request.contains("gravity")) {
    const auto& g = request["gravity"];
    if (!g.is_array() || g.size() != 3 || !g[0].is_number() || !g[1].is_number() || !g[2].is_number())
      throw Error("gravity: expected three numbers, found " + g.dump());
    model = model.with_gravity({g[0].get<double>(), g[1].get<double>(), g[2].get<double>()});
  }
  lissom::Workspace work(model);
  json results = json::array();
  for (std::size_t i = 0; i < request["states"].size(); ++i)
    results.push_back(evaluate(model, work, request["states"][i], "states[" + std::to_string(i) + "]"));
  std::cout << json{{"joints", joint_list(model)}, {"results", std::move(results)}}.dump() << "\n";
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
