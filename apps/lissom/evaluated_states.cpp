#include "evaluated_states.h"

#include <algorithm>

#include <fmt/format.h>

#include "lissom/files/json_text.h"
#include "lissom/model/text.h"

namespace verb::eval {
namespace {

using lissom::Error;
using lissom::in_short;
using lissom::Joint;
using lissom::Model;
using lissom::formulations::Convention;
using lissom::formulations::Conversion;
using nlohmann::json;

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

}  // namespace

std::optional<json> evaluate(const Model& model, lissom::Workspace& work, const Given& given, const Conversion& to,
                             const std::function<bool()>& go_on) {
  const Eigen::VectorXd &q = given.q, &v = given.v;
  const bool ours = to.other() == Convention::lissom;
  const auto forces = [&](const Eigen::VectorXd& x) { return numbers(ours ? x : to.to_forces(q, x)); };
  json result;
  const auto there = to.to_state(q, v);
  result["q"] = numbers(there.q);
  result["v"] = numbers(there.v);
  const Eigen::MatrixXd M = mass_matrix(model, work, q);
  if (!go_on()) return {};
  result["M"] = rows(ours ? M : to.to_mass_matrix(q, M));
  if (!go_on()) return {};
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
    if (!go_on()) return {};
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

void check_request(const json& request) {
  if (!request.is_object() || !request.contains("states") || !request["states"].is_array())
    throw Error("states: expected {\"states\": [{\"q\": {joint: [numbers]}, \"v\": …, \"a\": …, \"tau\": …}, …]}");
  if (const auto wrong = known_only(request, {"gravity", "states"}); !wrong.empty()) throw Error("states: " + wrong);
}

Model with_gravity_of(const json& request, Model model) {
  if (!request.contains("gravity")) return model;
  const auto& g = request["gravity"];
  if (!g.is_array() || g.size() != 3 || !g[0].is_number() || !g[1].is_number() || !g[2].is_number())
    throw Error("gravity: expected three numbers, found " + in_short(g));
  return model.with_gravity({g[0].get<double>(), g[1].get<double>(), g[2].get<double>()});
}

json evaluate_all(const Model& model, const json& request, const Conversion& from, const Conversion& to,
                  const std::function<bool(std::size_t index, const std::string& where)>& go_on) {
  lissom::Workspace work(model);
  json results = json::array();
  const auto& states = request.at("states");
  for (std::size_t i = 0; i < states.size(); ++i) {
    const auto where = "states[" + std::to_string(i) + "]";
    const auto go_on_here = [&] { return go_on(i, where); };
    if (!go_on_here()) break;
    auto result = evaluate(model, work, given_state(model, from, states[i], where), to, go_on_here);
    if (!result) break;
    results.push_back(std::move(*result));
  }
  return results;
}

}  // namespace verb::eval
