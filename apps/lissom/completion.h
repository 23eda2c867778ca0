#pragma once
// Scripts with which shells complete the command, made from the definitions of its verbs.
#include <string>

namespace CLI {
class App;
}

// shell: bash, zsh or fish; throws Error if it is another.
std::string completion_script(const CLI::App& app, const std::string& shell);
