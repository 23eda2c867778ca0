// lissom equations FILE: prints the equations of a small mechanism in closed form.
#include "lissom/equations.h"

#include <iostream>
#include <limits>
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "model_arguments.h"
#include "number_checks.h"
#include "output.h"
#include "progress.h"
#include "verbs.h"

namespace verb::equations {
namespace {

using nlohmann::json;

struct Arguments {
  ModelArguments model;
  lissom::EquationOptions options;
  std::string symbols = "gravity";
  bool force = false, as_latex = false, as_json = false, quiet = false;
};

// How --json calls what a symbol stands for.
const char* kind_name(lissom::SymbolKind kind) {
  using lissom::SymbolKind;
  switch (kind) {
    case SymbolKind::mass:
      return "mass";
    case SymbolKind::inertia:
      return "inertia";
    case SymbolKind::length:
      return "length";
    case SymbolKind::gravity:
      return "gravity";
    case SymbolKind::coordinate:
      return "coordinate";
    case SymbolKind::velocity:
      return "velocity";
  }
  return "";
}

json to_json(const lissom::Model& model, const lissom::Equations& equations) {
  json symbols = json::array(), forms = json::object();
  for (const auto& s : equations.symbols()) {
    json one{{"name", s.text()},
             {"latex", s.latex()},
             {"kind", kind_name(s.kind)},
             {"meaning", s.meaning},
             {"unit", s.unit}};
    if (s.index >= 0)
      one["index"] = s.index;
    else
      one["value"] = s.value;
    symbols.push_back(std::move(one));
  }
  for (const auto& form : equations.forms()) {
    json text = json::array(), latex = json::array();
    for (int i = 0; i < form.rows(); ++i) {
      json text_row = json::array(), latex_row = json::array();
      for (int j = 0; j < form.columns(); ++j)
        text_row.push_back(form.text(i, j)), latex_row.push_back(form.latex(i, j));
      text.push_back(std::move(text_row)), latex.push_back(std::move(latex_row));
    }
    forms[form.name()] = {{"meaning", form.meaning()},  {"rows", form.rows()}, {"columns", form.columns()},
                          {"terms", form.term_count()}, {"text", text},        {"latex", latex}};
  }
  return {{"robot", model.name()}, {"nq", model.nq()}, {"nv", model.nv()}, {"symbols", symbols}, {"equations", forms}};
}

void run(Arguments arguments) {
  const auto model = arguments.model.load();
  try {
    arguments.options.symbols = lissom::symbol_groups(arguments.symbols);
  } catch (const lissom::Error& error) {
    throw CLI::ValidationError("--symbols", error.what());
  }
  if (arguments.force) arguments.options.max_terms = std::numeric_limits<int>::max();
  json as_json;
  std::string text;
  {
    const Waiting waiting(arguments.quiet, "deriving equations");
    const auto equations = lissom::equations(model, arguments.options);
    if (arguments.as_json)
      as_json = to_json(model, equations);
    else
      text = arguments.as_latex ? equations.latex() : equations.text();
  }
  if (arguments.as_json)
    print_json(as_json, 1);
  else
    std::cout << text;
}

}  // namespace

void add(CLI::App& app, int&) {
  auto* const verb = app.add_subcommand(
      "equations",
      "print the equations of a small mechanism in closed form: mass matrix, Coriolis, gravity, Jacobians");
  const auto arguments = std::make_shared<Arguments>();
  arguments->model.add_to(*verb);
  verb->add_option(
          "--only", arguments->options.only,
          "quantities: H (or M) mass matrix, C Coriolis and centrifugal forces, G gravity forces, T and U "
          "energies, p, R and J position, orientation and Jacobian of --frame (default: H,C,G; with --frame: p,J)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("H|C|G|T|U|p|R|J,…");
  verb->add_option("--frame", arguments->options.frame, "frame or link of p, R and J");
  verb->add_option(
          "--symbols", arguments->symbols,
          "what is printed as symbols instead of numbers: masses, lengths, inertias, all, or none; gravity is a "
          "symbol unless none is given (default: gravity)")
      ->type_name("masses,lengths,inertias,gravity|all|none");
  verb->add_option("--max-terms", arguments->options.max_terms,
                   "refuse equations with more terms than these (default: 1000)")
      ->check(number_check::whole(1, 100'000'000));
  verb->add_option("--digits", arguments->options.digits, "significant digits of decimals (default: 6)")
      ->check(number_check::whole(1, 17));
  verb->add_flag("--force", arguments->force, "print them however long they are");
  auto* const latex = verb->add_flag("--latex", arguments->as_latex, "print LaTeX (needs amsmath)");
  verb->add_flag("--json", arguments->as_json, "print JSON")->excludes(latex);
  verb->add_flag("--quiet", arguments->quiet, "show no progress");
  verb->callback([arguments] { run(*arguments); });
}

}  // namespace verb::equations
