#pragma once
// What the command line consists of (verbs and their options, as CLI11 knows them), and what is wrong with a use of it.
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
class ParseError;
}  // namespace CLI

namespace usage {

// The verbs that the help lists.
std::vector<const CLI::App*> verbs(const CLI::App& app);
// The options of a verb that its help lists, without --help; and its positional arguments.
std::vector<const CLI::Option*> options(const CLI::App& verb);
std::vector<const CLI::Option*> positionals(const CLI::App& verb);
// "--base"
std::string name(const CLI::Option& option);
// Whether a value follows the option.
bool takes_value(const CLI::Option& option);
// The words that an option takes, if its type is written as "file|fixed|free"; otherwise none.
std::vector<std::string> choices(const CLI::Option& option);
// Text of the help of the whole command, or of a verb.
std::string help(const CLI::App& app);
std::string help(const CLI::App& app, const CLI::App& verb);

// What is wrong with the words before they are parsed: an unknown verb or option, with the nearest known one. Empty if
// nothing is.
std::string unknown_word(const CLI::App& app, const std::vector<std::string>& words);
// The message of CLI11's error, which names the verb.
std::string in_plain_words(const CLI::App& app, const CLI::ParseError& error);

}  // namespace usage
