// lissom help [VERB]: prints the help of the command, or of a verb. lissom completion SHELL: prints a script with which
// a shell completes verbs, options and their values. lissom man [VERB]: prints a manual page. All of them are made from
// the definitions of the verbs.
#include <filesystem>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "completion.h"
#include "lissom/model/diagnostic.h"
#include "manual.h"
#include "other_programs.h"
#include "usage.h"
#include "verbs.h"

namespace verb::help {
namespace {

using lissom::Error;

const CLI::App& verb_of(const CLI::App& app, const std::string& name) {
  if (const auto wrong = usage::unknown_word(app, {name}); !wrong.empty()) throw Error(wrong);
  return *app.get_subcommand(name);
}

// Writes lissom.1 and lissom-VERB.1 to a folder.
void write_pages(const CLI::App& app, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const auto write = [&](const std::string& name, const std::string& page) {
    replace_file((std::filesystem::path(folder) / name).string(), page, "man");
  };
  write("lissom.1", manual_page(app));
  for (const auto* verb : usage::verbs(app)) write("lissom-" + verb->get_name() + ".1", manual_page(app, *verb));
}

}  // namespace

void add(CLI::App& app, int& /*exit_code*/) {
  struct Options {
    std::string help_verb, shell, man_verb, man_folder;
  };
  const auto o = std::make_shared<Options>();
  auto* const help = app.add_subcommand("help", "print the help of the command, or of a verb");
  help->add_option("VERB", o->help_verb, "the verb (default: a list of all verbs)");
  help->callback([o, &app] {
    std::cout << (o->help_verb.empty() ? usage::help(app) : usage::help(app, verb_of(app, o->help_verb)));
  });

  auto* const completion =
      app.add_subcommand("completion", "print a script with which a shell completes verbs, options and their values");
  completion->add_option("SHELL", o->shell, "the shell: bash, zsh or fish")->type_name("bash|zsh|fish")->required();
  completion->footer(
      "Put `source <(lissom completion bash)` into ~/.bashrc; an installed lissom needs nothing of the kind.");
  completion->callback([o, &app] { std::cout << completion_script(app, o->shell); });

  auto* const man = app.add_subcommand("man", "print the manual page of the command, or of a verb (roff)");
  man->add_option("VERB", o->man_verb, "the verb (default: the page of the whole command)");
  man->add_option("--out", o->man_folder, "write all pages to this folder instead");
  man->footer("`lissom man sim | man -l -` shows a page.");
  man->callback([o, &app] {
    if (!o->man_folder.empty()) return write_pages(app, o->man_folder);
    std::cout << (o->man_verb.empty() ? manual_page(app) : manual_page(app, verb_of(app, o->man_verb)));
  });
}

}  // namespace verb::help
