#include "completion.h"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "lissom/model/diagnostic.h"
#include "lissom/model/text.h"
#include "usage.h"

namespace {

// The description up to its first semicolon, colon and space, or parenthesis, so that it fits beside the name.
std::string brief(const std::string& description) {
  auto text = description.substr(0, std::min({description.find(';'), description.find(": "), description.find(" (")}));
  return text.empty() ? description : text;
}

std::vector<std::string> verb_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* verb : usage::verbs(app)) names.push_back(verb->get_name());
  return names;
}

// Words that may be completed in place of a verb's positional arguments; if there are none, files are.
std::vector<std::string> positional_words(const CLI::App& app, const CLI::App& verb) {
  for (const auto* one : usage::positionals(verb)) {
    if (const auto words = usage::choices(*one); !words.empty()) return words;
    if (one->get_name() == "VERB") return verb_names(app);
  }
  return {};
}

std::string bash(const CLI::App& app) {
  std::string options, values, positionals;
  for (const auto* verb : usage::verbs(app)) {
    std::string names = "--help";
    for (const auto* one : usage::options(*verb)) {
      names += " " + usage::name(*one);
      if (const auto words = usage::choices(*one); !words.empty())
        values +=
            fmt::format("    '{} {}') words='{}' ;;\n", verb->get_name(), usage::name(*one), fmt::join(words, " "));
    }
    options += fmt::format("      {}) words='{}' ;;\n", verb->get_name(), names);
    if (const auto words = positional_words(app, *verb); !words.empty())
      positionals += fmt::format("      {}) words='{}' ;;\n", verb->get_name(), fmt::join(words, " "));
  }
  return fmt::format(R"(# bash completion of lissom, made by: lissom completion bash
_lissom() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} verb=${{COMP_WORDS[1]}} words=''
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '{} --help --version' -- "$current"))
    return
  fi
  case "$verb $before" in
{}  esac
  if [[ -z $words && $current == -* ]]; then
    case $verb in
{}    esac
  elif [[ -z $words ]]; then
    case $verb in
{}    esac
  fi
  if [[ -n $words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}}
complete -F _lissom lissom
)",
                     fmt::join(verb_names(app), " "), values, options, positionals);
}

// Inside single quotes of zsh and fish, and without what _arguments takes for its own.
std::string quotable(const std::string& text, const std::string& special) {
  std::string out;
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else if (special.find(c) != std::string::npos)
      out += std::string("\\") + c;
    else
      out += c;
  }
  return out;
}

std::string zsh(const CLI::App& app) {
  std::string verbs, cases;
  for (const auto* verb : usage::verbs(app)) {
    verbs += fmt::format("    '{}:{}'\n", verb->get_name(), quotable(brief(verb->get_description()), ":"));
    cases += fmt::format("    {})\n      _arguments '(- *)--help[print the help]' \\\n", verb->get_name());
    for (const auto* one : usage::options(*verb)) {
      const auto words = usage::choices(*one);
      const auto value = !usage::takes_value(*one) ? std::string()
                         : words.empty()           ? std::string(":value:_files")
                                                   : fmt::format(":value:({})", fmt::join(words, " "));
      cases += fmt::format("        '*{}[{}]{}' \\\n", usage::name(*one),
                           quotable(brief(one->get_description()), "[]:"), value);
    }
    const auto words = positional_words(app, *verb);
    cases += words.empty() ? "        '*:file:_files' ;;\n"
                           : fmt::format("        '*:word:({})' ;;\n", fmt::join(words, " "));
  }
  return fmt::format(R"(#compdef lissom
# zsh completion of lissom, made by: lissom completion zsh
_lissom() {{
  local -a verbs
  verbs=(
{}  )
  if (( CURRENT == 2 )); then
    _describe 'verb' verbs
    return
  fi
  local verb=$words[2]
  shift words
  (( CURRENT-- ))
  case $verb in
{}  esac
}}
compdef _lissom lissom
)",
                     verbs, cases);
}

std::string fish(const CLI::App& app) {
  std::string out = "# fish completion of lissom, made by: lissom completion fish\n";
  for (const auto* verb : usage::verbs(app)) {
    const auto quoted = [](const std::string& text) { return quotable(brief(text), "\\"); };
    out += fmt::format("complete -c lissom -n __fish_use_subcommand -f -a {} -d '{}'\n", verb->get_name(),
                       quoted(verb->get_description()));
    const auto begin = fmt::format("complete -c lissom -n '__fish_seen_subcommand_from {}'", verb->get_name());
    for (const auto* one : usage::options(*verb)) {
      const auto words = usage::choices(*one);
      const auto value = !usage::takes_value(*one) ? std::string()
                         : words.empty()           ? std::string(" -r")
                                                   : fmt::format(" -x -a '{}'", fmt::join(words, " "));
      out += fmt::format("{} -l {}{} -d '{}'\n", begin, usage::name(*one).substr(2), value,
                         quoted(one->get_description()));
    }
    if (const auto words = positional_words(app, *verb); !words.empty())
      out += fmt::format("{} -f -a '{}'\n", begin, fmt::join(words, " "));
  }
  return out;
}

}  // namespace

std::string completion_script(const CLI::App& app, const std::string& shell) {
  if (shell == "bash") return bash(app);
  if (shell == "zsh") return zsh(app);
  if (shell == "fish") return fish(app);
  throw lissom::Error("completion: " + lissom::in_quotes(shell) + ": expected bash, zsh or fish");
}
