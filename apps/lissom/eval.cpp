// lissom eval FILE --states STATES: evaluates dynamics and kinematics at given states, as JSON for other programs.
#include <algorithm>
#include <cmath>
#include <memory>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "interrupt.h"
#include "lissom/api/postures.h"
#include "lissom/files/read_bytes.h"
#include "lissom/formulations/conventions.h"
#include "lissom/io/json_place.h"
#include "lissom/lissom.h"
#include "lissom/model/limits.h"
#include "lissom/model/text.h"
#include "model_arguments.h"
#include "output.h"
#include "progress.h"
#include "state_arguments.h"
#include "verbs.h"

namespace verb::eval {
namespace {

using lissom::Error;
using lissom::in_short;
using lissom::Joint;
using lissom::Model;
using lissom::formulations::Convention;
using lissom::formulations::Conversion;
using nlohmann::json;

json read_request(const std::string& path) {
  if (path != "-") return lissom::read_json(path);
  std::string text;
  if (const auto problem = lissom::read_bytes(STDIN_FILENO, lissom::limits::json_bytes, text))
    throw Error("standard input: " + problem->message + "; expected JSON with states");
  try {
    return lissom::parse_json<json>(text, lissom::JsonComments::accept);
  } catch (const Error& error) {
    throw Error("standard input: " + std::string(error.what()));
  }
}

// Which convention the states are given in, and which one the results are written in.
struct Conventions {
  std::string from = "lissom", to = "lissom";
  std::vector<std::string> joints;  // the other program's list of joints; empty: as it reads them from the file

  Conversion of(const Model& model, const std::string& name) const {
    const auto convention = lissom::formulations::convention(name);
    if (joints.empty() || convention == Convention::lissom) return {model, convention};
    return {model, convention, joints};
  }
};

std::string known_only(const json& object, const std::vector<std::string>& known) {
  for (const auto& [key, value] : object.items())
    if (std::ranges::find(known, key) == known.end())
      return "unknown key " + lissom::in_quotes(key) + "; expected " + fmt::format("{}", fmt::join(known, ", "));
  return "";
}

// Writes the values of one joint into its elements of x.
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

// Reads {"joint": [numbers], …}, or one list of all numbers, into x; joints that are not named keep their values.
void take_all(const Model& model, const Conversion& there, const json& state, const char* key, const std::string& where,
              Eigen::VectorXd& x) {
  if (!state.contains(key)) return;
  const std::string path = where + "." + key;
  const auto& given = state.at(key);
  if (given.is_array()) {
    if (given.size() != std::size_t(x.size()))
      throw Error(path + " has " + std::to_string(given.size()) + " elements, expected " + std::to_string(x.size()));
    for (std::size_t k = 0; k < given.size(); ++k) {
      if (!given[k].is_number()) throw Error(path + ": expected numbers, found " + in_short(given[k]));
      x[long(k)] = given[k].get<double>();
    }
    return;
  }
  if (!given.is_object())
    throw Error(path + ": expected an object {\"joint\": [numbers], …} or a list of numbers, found " + in_short(given));
  for (const auto& [name, value] : given.items()) {
    const Joint& joint = model.joint(name);
    const auto entry = std::ranges::find(there.entries(), joint.name, &Conversion::Entry::name);
    if (entry == there.entries().end())
      take(path, joint, value, 0, 0, x);
    else if (key == std::string("q"))
      take(path, joint, value, entry->q_index, entry->nq, x);
    else
      take(path, joint, value, entry->v_index, entry->nv, x);
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

// A state in the model's own coordinates.
struct Given {
  Eigen::VectorXd q, v, a, tau;
};
Given given_state(const Model& model, const Conversion& from, const json& state, const std::string& where) {
  if (!state.is_object()) throw Error(where + ": expected an object with q, v, a, tau, found " + in_short(state));
  if (const auto wrong = known_only(state, {"q", "v", "a", "tau"}); !wrong.empty()) throw Error(where + ": " + wrong);
  auto [q, v] = from.to_state(lissom::neutral(model), Eigen::VectorXd::Zero(model.nv()));
  Eigen::VectorXd a = v, tau = v;
  take_all(model, from, state, "q", where, q);
  take_all(model, from, state, "v", where, v);
  take_all(model, from, state, "a", where, a);
  take_all(model, from, state, "tau", where, tau);
  const auto here = from.from_state(q, v);
  return {here.q, here.v, from.from_acceleration(here.q, here.v, a), from.from_forces(here.q, tau)};
}

json evaluate(const Model& model, lissom::Workspace& work, const Given& given, const Conversion& to) {
  const Eigen::VectorXd &q = given.q, &v = given.v;
  const bool ours = to.other() == Convention::lissom;
  const auto forces = [&](const Eigen::VectorXd& x) { return numbers(ours ? x : to.to_forces(q, x)); };
  json result;
  const auto there = to.to_state(q, v);
  result["q"] = numbers(there.q);
  result["v"] = numbers(there.v);
  const Eigen::MatrixXd M = mass_matrix(model, work, q);
  result["M"] = rows(ours ? M : to.to_mass_matrix(q, M));
  const Eigen::VectorXd h = bias_forces(model, work, q, v);
  result["h"] = numbers(ours ? h : to.to_bias_forces(q, v, M, h));
  result["g"] = forces(gravity_forces(model, work, q));
  result["tau"] = forces(inverse_dynamics(model, work, q, v, given.a));
  const Eigen::VectorXd qdd = forward_dynamics(model, work, q, v, given.tau);
  result["qdd"] = !qdd.allFinite() ? json(nullptr) : numbers(ours ? qdd : to.to_acceleration(q, v, qdd));
  const auto com = center_of_mass(model, work, q);
  result["com"] = {com.x, com.y, com.z};
  result["kinetic_energy"] = kinetic_energy(model, work, q, v);
  result["potential_energy"] = potential_energy(model, work, q);
  json placements = json::object(), jacobians = json::object();
  for (const auto& link : model.links()) {
    const auto frame = model.frame(link.name);
    const Eigen::MatrixXd J = jacobian(model, work, q, frame);
    jacobians[link.name] = rows(ours ? J : to.to_jacobian(q, J));
    const auto X = placement(model, work, frame);
    placements[link.name] = {X.R.xx, X.R.xy, X.R.xz, X.R.yx, X.R.yy, X.R.yz,
                             X.R.zx, X.R.zy, X.R.zz, X.p.x,  X.p.y,  X.p.z};
  }
  result["placements"] = std::move(placements);
  result["jacobians"] = std::move(jacobians);
  return result;
}

json joint_list(const Model& model, const Conversion& to) {
  json list = json::array();
  const auto add = [&](const Joint& joint, int nq, int nv, int q_index, int v_index) {
    list.push_back({{"name", joint.name},
                    {"type", to_string(joint.type)},
                    {"nq", nq},
                    {"nv", nv},
                    {"idx_q", q_index},
                    {"idx_v", v_index}});
  };
  if (to.other() == Convention::lissom) {  // followers too
    for (const auto& joint : model.joints())
      if (joint.type != lissom::JointType::fixed) add(joint, joint.nq, joint.nv, joint.q_index, joint.v_index);
  } else {
    for (const auto& e : to.entries()) add(model.joint(e.name), e.nq, e.nv, e.q_index, e.v_index);
  }
  return list;
}

struct Options {
  ModelArguments model;
  Conventions conventions;
  std::string states, q, v, a, tau;
  bool quiet = false;
  bool by_options() const { return !q.empty() || !v.empty() || !a.empty() || !tau.empty(); }
};

// (To write the text may take longer than to evaluate.)
void print(const Model& model, const Conversion& to, json results, ProgressOfParts& progress) {
  const auto text = json_text(json{{"joints", joint_list(model, to)}, {"results", std::move(results)}});
  progress.clear();
  std::cout << text << "\n";
}

// Evaluates the one state that is given by options.
void run_options(const Options& o) {
  if (!o.states.empty()) throw Error("--states and --q, --v, --a, --tau are both given; give one of them");
  if (lissom::formulations::convention(o.conventions.from) != Convention::lissom)
    throw Error("--from " + lissom::in_quotes(o.conventions.from) +
                ": --q, --v, --a and --tau are in lissom's convention; give --states, or only --to");
  const auto model = o.model.load();
  const auto to = o.conventions.of(model, o.conventions.to);
  lissom::Workspace work(model);
  const auto rates = [&](const char* option, const std::string& text) {
    return text.empty() ? Eigen::VectorXd(Eigen::VectorXd::Zero(model.nv())) : velocity_of(model, option, text);
  };
  const Given x{o.q.empty() ? lissom::initial_configuration(model) : configuration_of(model, "--q", o.q),
                rates("--v", o.v), rates("--a", o.a), rates("--tau", o.tau)};
  ProgressOfParts progress(o.quiet, 1);
  progress.show(0, "evaluating the state");
  print(model, to, json::array({evaluate(model, work, x, to)}), progress);
}

int run(const Options& o) {
  if (o.by_options()) {
    run_options(o);
    return 0;
  }
  if (o.states.empty()) throw Error("no state is given; expected --states FILE, or --q, --v, --a, --tau");
  if (o.model.file == "-" && o.states == "-")
    throw Error("FILE and --states are both -, and there is only one standard input; give one of them as a file");
  const json request = read_request(o.states);
  if (!request.is_object() || !request.contains("states") || !request["states"].is_array())
    throw Error("states: expected {\"states\": [{\"q\": {joint: [numbers]}, \"v\": …, \"a\": …, \"tau\": …}, …]}");
  if (const auto wrong = known_only(request, {"gravity", "states"}); !wrong.empty()) throw Error("states: " + wrong);
  auto model = o.model.load();
  if (request.contains("gravity")) {
    const auto& g = request["gravity"];
    if (!g.is_array() || g.size() != 3 || !g[0].is_number() || !g[1].is_number() || !g[2].is_number())
      throw Error("gravity: expected three numbers, found " + in_short(g));
    model = model.with_gravity({g[0].get<double>(), g[1].get<double>(), g[2].get<double>()});
  }
  const auto& conventions = o.conventions;
  const auto from = conventions.of(model, conventions.from), to = conventions.of(model, conventions.to);
  lissom::Workspace work(model);
  json results = json::array();
  const auto count = request["states"].size();
  ProgressOfParts progress(o.quiet, count);
  end_on_request();
  for (std::size_t i = 0; i < count && !interrupted(); ++i) {
    const auto where = "states[" + std::to_string(i) + "]";
    progress.show(i, where);
    results.push_back(evaluate(model, work, given_state(model, from, request["states"][i], where), to));
  }
  const auto done = results.size();
  print(model, to, std::move(results), progress);
  if (done == count) return 0;
  complain(fmt::format("interrupted after {} of {} states", done, count));
  return interrupted_code;
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto* const verb =
      app.add_subcommand("eval", "evaluate given states, as JSON: M h g tau qdd placements jacobians com energies");
  const auto o = std::make_shared<Options>();
  o->model.add_to(*verb);
  verb->add_option("--states", o->states,
                   "JSON {\"gravity\": [x, y, z], \"states\": [{\"q\": {joint: [numbers]} or [numbers], \"v\", \"a\", "
                   "\"tau\"}]}; - reads standard input");
  verb->add_option("--q", o->q, "one state instead, its configuration (default: neutral): " + configuration_syntax);
  const std::string rates = " (default: zero): all elements, JOINT=VALUE,… or @FILE (JSON with the same key)";
  verb->add_option("--v", o->v, "its velocity" + rates);
  verb->add_option("--a", o->a, "its acceleration" + rates);
  verb->add_option("--tau", o->tau, "its generalized forces" + rates);
  auto& conventions = o->conventions;
  const std::string names = "lissom (default), pinocchio, ros, mujoco, world",
                    words = "lissom|pinocchio|ros|mujoco|world";
  verb->add_option("--from", conventions.from, "the convention of q, v, a, tau in --states: " + names)
      ->type_name(words);
  verb->add_option("--to", conventions.to, "the convention of the results: " + names)->type_name(words);
  verb->add_option_function<std::string>(
          "--convention", [&conventions](const std::string& name) { conventions.from = conventions.to = name; },
          "--from and --to at once")
      ->type_name(words);
  verb->add_option("--joints", conventions.joints,
                   "the joints in the order of the other program's vectors, separated by commas; needed only where it "
                   "does not number them as it does in this file")
      ->delimiter(',');
  verb->add_flag("--quiet", o->quiet, "show no progress");
  verb->callback([o, &exit_code] { exit_code = run(*o); });
}

}  // namespace verb::eval
