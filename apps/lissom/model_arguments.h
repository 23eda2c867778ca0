#pragma once
// The arguments by which every verb takes its model: FILE --base --mimic --packages.
#include <map>
#include <string>

#include <CLI/CLI.hpp>

#include "lissom/api/load.h"

struct ModelArguments {
  std::string file;
  lissom::LoadOptions options;
  bool mimic_independent = false;

  void add_to(CLI::App& verb) {
    using lissom::Base;
    static const std::map<std::string, Base> bases{
        {"file", Base::file}, {"fixed", Base::fixed}, {"free", Base::free}, {"planar", Base::planar}};
    static const std::map<std::string, bool> mimics{{"couple", false}, {"independent", true}};
    verb.add_option("FILE", file, "robot (URDF)")->required();
    verb.add_option("--base", options.base,
                    "how the root is held: file (as the file says; default), fixed, free, planar")
        ->transform(CLI::CheckedTransformer(bases).description(""));
    verb.add_option("--mimic", mimic_independent,
                    "couple (default): joints that mimic another have no coordinates; independent: they have their own")
        ->transform(CLI::CheckedTransformer(mimics).description(""));
    verb.add_option("--packages", options.package_paths, "directories in which package://NAME/ is looked for");
  }
  lissom::Model load() {
    options.mimic = !mimic_independent;
    return lissom::load(file, options);
  }
};
