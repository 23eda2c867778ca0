#pragma once
// The arguments with which verbs load a robot: FILE NAME:=VALUE… --base --mimic --packages.
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "lissom/api/load.h"
#include "lissom/model/text.h"
#include "standard_input.h"

struct ModelArguments {
  std::string file;
  lissom::LoadOptions options;

  void add_to(CLI::App& verb) {
    verb.add_option("FILE", file, "robot (URDF, xacro, MJCF, SDF); - reads standard input")->required();
    add_arguments_to(verb);
    add_options_to(verb);
  }
  // After the files: NAME:=VALUE…
  void add_arguments_to(CLI::App& verb) {
    verb.add_option_function<std::vector<std::string>>(
        "ARGUMENTS",
        [this](const std::vector<std::string>& words) {
          for (const auto& word : words)
            if (!take_argument(word))
              throw CLI::ValidationError("ARGUMENTS", "unexpected argument " + lissom::in_quotes(word) +
                                                          "; arguments of a xacro file are written NAME:=VALUE");
        },
        "arguments of a xacro file: NAME:=VALUE");
  }
  // Takes NAME:=VALUE, an argument of a xacro file.
  bool take_argument(const std::string& word) {
    const auto sign = word.find(":=");
    if (sign == std::string::npos || sign == 0 || word.find('/') < sign) return false;
    options.xacro_arguments.emplace_back(word.substr(0, sign), word.substr(sign + 2));
    return true;
  }
  // The same among words that are files otherwise.
  void take_arguments(std::vector<std::string>& words) {
    std::erase_if(words, [&](const std::string& word) { return take_argument(word); });
  }
  // Without FILE.
  void add_options_to(CLI::App& verb) {
    using lissom::Base;
    static const std::map<std::string, Base> bases{
        {"file", Base::file}, {"fixed", Base::fixed}, {"free", Base::free}, {"planar", Base::planar}};
    verb.add_option_function<std::string>(
            "--base",
            [this](const std::string& word) {
              const auto base = bases.find(word);
              if (base == bases.end())
                throw CLI::ValidationError("--base", "'" + word + "': expected file, fixed, free or planar");
              options.base = base->second;
            },
            "how the root link is connected to the world: file (as in the file; default), fixed, free, planar")
        ->type_name("file|fixed|free|planar");
    verb.add_option_function<std::string>(
            "--mimic",
            [this](const std::string& word) {
              if (word != "couple" && word != "independent")
                throw CLI::ValidationError("--mimic", "'" + word + "': expected couple or independent");
              options.mimic = word == "couple";
            },
            "joints that mimic another: couple (default), they have no coordinates of their own; independent, they "
            "have")
        ->type_name("couple|independent");
    verb.add_option_function<std::vector<std::string>>(
            "--packages",
            [this](const std::vector<std::string>& words) {  // it takes several, also arguments of xacro
              for (const auto& word : words)
                if (!take_argument(word)) options.package_paths.push_back(word);
            },
            "directories that contain ROS packages, for package://NAME/")
        ->check([](const std::string& path) {  // it takes several, also what is meant as FILE
          std::error_code ignored;
          return std::filesystem::is_regular_file(path, ignored)
                     ? "'" + path + "' is a file, expected directories; give FILE first"
                     : "";
        });
  }
  // What options do differently from what one might expect is said on standard error.
  static void say_what_options_did(const std::vector<lissom::Diagnostic>& findings) {
    for (auto d : findings) {
      if (d.code != "base-floats" && d.code != "world-moves" && d.code != "xacro-unused") continue;
      d.remedy.clear();  // none is needed
      std::cerr << to_string(d) << '\n';
    }
  }
  lissom::Model load() const {
    std::vector<lissom::Diagnostic> found;
    auto model = file == "-" ? lissom::load_text(standard_input(), standard_input_name, options, &found)
                             : lissom::load(file, options, &found);
    say_what_options_did(found);
    return model;
  }
};
