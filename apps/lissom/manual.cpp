#include "manual.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "usage.h"

namespace {

// Text of a page: what roff would take for its own is escaped. (A line that begins with a dot or a quote is a request.)
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool begins_line = out.empty() || out.back() == '\n';
    if (begins_line && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

std::string heading(const std::string& name, const std::string& description) {
  return fmt::format(".TH \"{}\" 1 \"\" \"lissom " LISSOM_VERSION
                     "\" \"User Commands\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n",
                     roff(name), roff(name), roff(description));
}

// "--base file|fixed", "--json"
std::string with_value(const CLI::Option& option) {
  auto text = "\\fB" + roff(usage::name(option)) + "\\fR";
  if (usage::takes_value(option)) text += " \\fI" + roff(option.get_type_name()) + "\\fR";
  return text;
}

std::string exit_status(const CLI::App& verb) {
  std::string out = ".SH EXIT STATUS\n";
  const auto footer = verb.get_footer();
  if (const auto at = footer.find("Exit code: "); at != std::string::npos)
    return out + roff(footer.substr(at + std::string("Exit code: ").size())) + "\n";
  return out +
         "0 success, 1 problems were found, 2 wrong use or input, 130 interrupted (Ctrl\\-C, SIGTERM) after the report "
         "and closed files.\n";
}

}  // namespace

std::string manual_page(const CLI::App& app) {
  auto out = heading("lissom", "kinematics, dynamics, simulation and control of robots");
  out += ".B lissom\n\\fIVERB\\fR [\\fIOPTION\\fR]... [\\fIFILE\\fR]...\n.SH DESCRIPTION\n";
  out += roff(app.get_description()) + ".\nEach verb has a page of its own.\n.SH VERBS\n";
  std::string pages;
  for (const auto* verb : usage::verbs(app)) {
    out += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(verb->get_name()), roff(verb->get_description()));
    pages += fmt::format("{}.BR lissom\\-{} (1)", pages.empty() ? "" : ",\n", verb->get_name());
  }
  out += ".SH OPTIONS\n.TP\n\\fB\\-\\-help\\fR\nprint the help\n.TP\n\\fB\\-\\-version\\fR\nprint the version\n";
  out += exit_status(app);
  out +=
      ".SH ENVIRONMENT\n.TP\n.B LISSOM_MAX_ISA\nthe widest instruction set that may be used: baseline or avx2\n"
      ".TP\n.B LISSOM_PACKAGE_PATH\ndirectories that contain ROS packages, separated by colons; also "
      "ROS_PACKAGE_PATH\n"
      ".TP\n.B LISSOM_PYTHON\nthe Python that has the package lissom, for lissom sweep\n";
  return out + ".SH SEE ALSO\n" + pages + "\n";
}

std::string manual_page(const CLI::App& app, const CLI::App& verb) {
  const auto name = app.get_name() + " " + verb.get_name();
  auto out = heading("lissom-" + verb.get_name(), verb.get_description());
  out += fmt::format(".B {}\n[\\fIOPTION\\fR]...", roff(name));
  for (const auto* one : usage::positionals(verb)) {
    const auto word = "\\fI" + roff(one->get_name()) + "\\fR" + (one->get_items_expected_max() > 1 ? "..." : "");
    out += one->get_required() ? " " + word : " [" + word + "]";
  }
  out += "\n.SH DESCRIPTION\n" + roff(verb.get_description()) + ".\n";
  for (const auto* one : usage::positionals(verb))
    out += fmt::format(".TP\n\\fI{}\\fR\n{}\n", roff(one->get_name()), roff(one->get_description()));
  out += ".SH OPTIONS\n";
  for (const auto* one : usage::options(verb))
    out += fmt::format(".TP\n{}\n{}\n", with_value(*one), roff(one->get_description()));
  out += ".TP\n\\fB\\-\\-help\\fR\nprint the help\n";
  if (const auto notes = verb.get_footer().substr(0, verb.get_footer().find("Exit code: ")); !notes.empty())
    out += ".SH NOTES\n" + roff(notes) + (notes.ends_with('\n') ? "" : "\n");
  return out + exit_status(verb) + ".SH SEE ALSO\n.BR lissom (1)\n";
}
