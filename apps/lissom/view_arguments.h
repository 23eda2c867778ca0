#pragma once
// The options with which verbs show something in a browser: --port --bind --no-browser, and --view where a verb does
// something else in the first place.
#include <iosfwd>
#include <string>

#include <CLI/CLI.hpp>

#include "lissom/view/server.h"

struct ViewArguments {
  bool view = false;  // --view
  bool no_browser = false;
  lissom::view::ServerOptions server;

  void add_to(CLI::App& verb);
  // Without --view.
  void add_options_to(CLI::App& verb);
  // Throws CLI::ValidationError if one of the options is given without --view.
  void check(const CLI::App& verb) const;
};

// Says where the page is, on a line of its own, and opens it in a browser if wanted and possible. Returns whether it
// did.
bool announce(const lissom::view::Server& server, const ViewArguments& arguments, std::ostream& out);
// Serves a scene, and answers the questions of its pages, until Ctrl-C.
void serve(lissom::view::Scene scene, const ViewArguments& arguments, std::ostream& out);
