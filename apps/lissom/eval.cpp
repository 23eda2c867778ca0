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
#include "progress.h"
#include "state_arguments.h"
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

struct StateVectors {
  Eigen::VectorXd q, v, a, tau;
};

StateVectors state_of(const Model& model, const json& state, const std::string& where) {
  if (!state.is_object()) throw Error(where + ": expected an object with q, v, a, tau, found " + state.dump());
  for (const auto& [key, value] : state.items())
    if (key != "q" && key != "v" && key != "a" && key != "tau")
      throw Error(where + ": unknown key '" + key + "'; expected q, v, a, tau");
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.nv());
  StateVectors x{lissom::neutral(model), zero, zero, zero};
  take_all(model, state, "q", true, where, x.q);
  take_all(model, state, "v", false, where, x.v);
  take_all(model, state, "a", false, where, x.a);
  take_all(model, state, "tau", false, where, x.tau);
  return x;
}

json evaluate(const Model& model, lissom::Workspace& work, const StateVectors& x) {
  const auto& [q, v, a, tau] = x;
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

struct Options {
  ModelArguments model;
  std::string states, q, v, a, tau;
  bool quiet = false;
  bool by_options() const { return !q.empty() || !v.empty() || !a.empty() || !tau.empty(); }
};

void print(const Model& model, json results) {
  std::cout << json{{"joints", joint_list(model)}, {"results", std::move(results)}}.dump() << "\n";
}

// Evaluates the one state that is given by options.
void run_options(const Options& o) {
  if (!o.states.empty()) throw Error("--states and --q, --v, --a, --tau are both given; give one of them");
  const auto model = o.model.load();
  lissom::Workspace work(model);
  const auto rates = [&](const char* option, const std::string& text) {
    return text.empty() ? Eigen::VectorXd(Eigen::VectorXd::Zero(model.nv())) : velocity_of(model, option, text);
  };
  const StateVectors x{o.q.empty() ? lissom::neutral(model) : configuration_of(model, "--q", o.q), rates("--v", o.v),
                       rates("--a", o.a), rates("--tau", o.tau)};
  print(model, json::array({evaluate(model, work, x)}));
}

void run(const Options& o) {
  if (o.by_options()) return run_options(o);
  if (o.states.empty()) throw Error("no state is given; expected --states FILE, or --q, --v, --a, --tau");
  if (o.model.file == "-" && o.states == "-")
    throw Error("FILE and --states are both -, and there is only one standard input; give one of them as a file");
  const json request = read_request(o.states);
  if (!request.is_object() || !request.contains("states") || !request["states"].is_array())
    throw Error("states: expected {\"states\": [{\"q\": {joint: [numbers]}, \"v\": …, \"a\": …, \"tau\": …}, …]}");
  auto model = o.model.load();
  if (request.contains("gravity")) {
    const auto& g = request["gravity"];
    if (!g.is_array() || g.size() != 3 || !g[0].is_number() || !g[1].is_number() || !g[2].is_number())
      throw Error("gravity: expected three numbers, found " + g.dump());
    model = model.with_gravity({g[0].get<double>(), g[1].get<double>(), g[2].get<double>()});
  }
  lissom::Workspace work(model);
  json results = json::array();
  const auto count = request["states"].size();
  Progress progress(o.quiet);
  for (std::size_t i = 0; i < count; ++i) {
    const auto where = "states[" + std::to_string(i) + "]";
    progress.show(double(i) / double(count), where);
    results.push_back(evaluate(model, work, state_of(model, request["states"][i], where)));
  }
  progress.clear();
  print(model, std::move(results));
}

}  // namespace

void add(CLI::App& app, int&) {
  auto* const verb =
      app.add_subcommand("eval", "evaluate given states, as JSON: M h g tau qdd placements jacobians com energies");
  const auto o = std::make_shared<Options>();
  o->model.add_to(*verb);
  verb->add_option("--states", o->states,
                   "JSON {\"gravity\": [x, y, z], \"states\": [{\"q\": {joint: [numbers]}, \"v\", \"a\", \"tau\"}]}; - "
                   "reads standard input");
  verb->add_option("--q", o->q, "one state instead, its configuration (default: neutral): " + configuration_syntax);
  const std::string rates = " (default: zero): all elements, JOINT=VALUE,… or @FILE (JSON with the same key)";
  verb->add_option("--v", o->v, "its velocity" + rates);
  verb->add_option("--a", o->a, "its acceleration" + rates);
  verb->add_option("--tau", o->tau, "its generalized forces" + rates);
  verb->add_flag("--quiet", o->quiet, "show no progress");
  verb->callback([o] { run(*o); });
}

}  // namespace verb::eval
