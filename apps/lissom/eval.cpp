// lissom eval FILE --states STATES: evaluates dynamics and kinematics at given states, as JSON for other programs.
#include <memory>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "evaluated_states.h"
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

// Prints what there is of so many results. Returns the exit code.
int finish(const Model& model, const Conversion& to, json results, std::size_t count, ProgressOfParts& progress) {
  const auto done = results.size();
  print(model, to, std::move(results), progress);
  if (done == count) return 0;
  complain(fmt::format("interrupted after {} of {} states", done, count));
  return interrupted_code;
}

// Evaluates the one state that is given by options.
int run_options(const Options& o) {
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
  end_on_request();
  json results = json::array();
  if (auto result = evaluate(model, work, x, to, [] { return !interrupted(); })) results.push_back(std::move(*result));
  return finish(model, to, std::move(results), 1, progress);
}

int run(const Options& o) {
  if (o.by_options()) return run_options(o);
  if (o.states.empty()) throw Error("no state is given; expected --states FILE, or --q, --v, --a, --tau");
  if (o.model.file == "-" && o.states == "-")
    throw Error("FILE and --states are both -, and there is only one standard input; give one of them as a file");
  const json request = read_request(o.states);
  check_request(request);
  const auto model = with_gravity_of(request, o.model.load());
  const auto& conventions = o.conventions;
  const auto from = conventions.of(model, conventions.from), to = conventions.of(model, conventions.to);
  const auto count = request["states"].size();
  ProgressOfParts progress(o.quiet, count);
  end_on_request();
  auto results = evaluate_all(model, request, from, to, [&](std::size_t i, const std::string& where) {
    progress.show(i, where);
    return !interrupted();
  });
  return finish(model, to, std::move(results), count, progress);
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
