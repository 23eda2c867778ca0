#include "usage.h"

#include <algorithm>
#include <cstdio>
#include <sstream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "lissom/model/printable.h"
#include "lissom/model/text.h"

namespace usage {
namespace {

// "did you mean …?" among these names, which follows a semicolon; or else `otherwise`.
std::string suggestion(const std::string& wrong, const std::vector<std::string>& names, const std::string& otherwise) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  const auto best = lissom::nearest(wrong, views);
  return best.empty() ? otherwise : fmt::format("did you mean {}?", best);
}

// The option's name in a word such as --seconds=2, -h, -json; empty if the word is a value, such as -0.5,1.
std::string option_name(const std::string& word) {
  if (word.size() < 2 || word[0] != '-') return "";
  const auto begins = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (word.starts_with("--")) return word.size() > 2 ? word.substr(0, word.find('=')) : "";
  return begins(word[1]) ? word.substr(0, word.find('=')) : "";
}

std::string unknown_option(const CLI::App& verb, const std::string& word) {
  const auto option = lissom::printable(option_name(word));
  if (option.empty()) return "";
  // CLI11 takes each of several letters after one dash for an option.
  const auto known = option.starts_with("--") ? option : option.substr(0, 2);
  if (verb.get_option_no_throw(known) != nullptr && (option == known)) return "";
  std::vector<std::string> names;
  for (const auto* one : options(verb)) names.push_back(name(*one));
  names.emplace_back("--help");
  const auto wrong = option.starts_with("--") ? option : "-" + option;
  if (std::ranges::find(names, wrong) != names.end() && option != wrong)
    return fmt::format("{}: unknown option; did you mean {}?", option, wrong);
  return fmt::format(
      "{}: unknown option; {}", option,
      suggestion(wrong, names,
                 verb.get_parent() == nullptr ? std::string("options stand after the verb; lissom help lists the verbs")
                                              : fmt::format("lissom help {} lists the options", verb.get_name())));
}

// What a value is, by CLI11's name of its type: "FLOAT" is a number; a list of choices says itself what is expected.
std::string kind_of_value(const std::string& type) {
  const auto first = type.substr(0, type.find(':'));
  if (first == "FLOAT") return "a number";
  if (first == "INT" || first == "UINT") return "a whole number";
  if (first != "TEXT") return type.find('|') == std::string::npos ? type : "one of " + type;
  return first.size() < type.size() ? type.substr(first.size() + 1) : "";
}

// What CLI11 says about the number of values of an option, in plain words.
std::string about_values(const std::string& what) {
  char option[64], bound[8], kind[64];
  int wanted = 0, given = 0;
  if (std::sscanf(what.c_str(), "%63[^:]: At %7s %d required but received %d", option, bound, &wanted, &given) == 4) {
    const bool most = bound[0] == 'M' || bound[0] == 'm';
    return fmt::format("{} takes {} {}, but {} {} given", option,
                       most && wanted == 1 ? "one" : fmt::format("at {} {}", most ? "most" : "least", wanted),
                       wanted == 1 ? "value" : "values", given, given == 1 ? "is" : "are");
  }
  if (std::sscanf(what.c_str(), "%63[^:]: %d required %63s missing", option, &wanted, kind) == 3) {
    const auto value = kind_of_value(kind);
    return fmt::format("{} needs {}{}{}", option, wanted == 1 ? "a value" : fmt::format("{} more values", wanted),
                       value.empty() ? "" : ": ", value);
  }
  return what;
}

}  // namespace

std::vector<const CLI::App*> verbs(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* verb) { return !verb->get_group().empty(); });
}

std::vector<const CLI::Option*> options(const CLI::App& verb) {
  return verb.get_options([&](const CLI::Option* one) {
    return one->nonpositional() && !one->get_group().empty() && one != verb.get_help_ptr();
  });
}

std::vector<const CLI::Option*> positionals(const CLI::App& verb) {
  return verb.get_options([](const CLI::Option* one) { return one->get_positional(); });
}

std::string name(const CLI::Option& option) {
  return option.get_lnames().empty() ? "-" + option.get_snames().front() : "--" + option.get_lnames().front();
}

bool takes_value(const CLI::Option& option) {
  return option.get_items_expected_max() > 0;
}

std::vector<std::string> choices(const CLI::Option& option) {
  std::vector<std::string> words;
  std::istringstream type(option.get_type_name());
  for (std::string word; std::getline(type, word, '|');) words.push_back(word);
  return words.size() > 1 ? words : std::vector<std::string>();
}

std::string help(const CLI::App& app) {
  return app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal);
}
std::string help(const CLI::App& app, const CLI::App& verb) {
  return verb.help(app.get_name());
}

std::string unknown_word(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty()) return "";
  const auto& first = words.front();
  if (first.starts_with('-')) return unknown_option(app, first);
  std::vector<std::string> names;
  const CLI::App* known = nullptr;
  for (const auto* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (verb->get_name() == first) known = verb;
    if (!verb->get_group().empty()) names.push_back(verb->get_name());
  }
  if (known == nullptr)
    return fmt::format("no verb {}; {}verbs: {}", lissom::in_quotes(first),
                       suggestion(first, names, "") + (suggestion(first, names, "").empty() ? "" : " "),
                       fmt::join(names, ", "));
  for (auto word = words.begin() + 1; word != words.end() && *word != "--"; ++word)
    if (auto wrong = unknown_option(*known, *word); !wrong.empty()) return first + ": " + wrong;
  return "";
}

std::string in_plain_words(const CLI::App& app, const CLI::ParseError& error) {
  const auto selected = app.get_subcommands();
  if (selected.empty()) return error.what();
  const auto& verb = *selected.back();
  std::string what = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const auto extra = verb.remaining();
    if (!extra.empty()) what = "unexpected argument " + lissom::in_quotes(extra.front());
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) what = about_values(what);
  return fmt::format("{}: {} (lissom help {})", verb.get_name(), what, verb.get_name());
}

}  // namespace usage
