#include "view_arguments.h"

#include <chrono>
#include <iostream>
#include <thread>

#include <fmt/format.h>

#include "browser.h"
#include "interrupt.h"
#include "lissom/view/answers.h"
#include "number_checks.h"
#include "output.h"

void ViewArguments::add_to(CLI::App& verb) {
  verb.add_flag("--view", view, "show it in a browser while it is computed: pause, step, pull links with the mouse");
  add_options_to(verb);
}

void ViewArguments::add_options_to(CLI::App& verb) {
  verb.add_option("--port", server.port,
                  fmt::format("port of the page (default: {}, or the next free one); 0: any", server.port))
      ->check(number_check::whole(0, 65535));
  verb.add_option("--bind", server.bind,
                  "address to listen on (default: 127.0.0.1, this machine only; 0.0.0.0: every network); the page's "
                  "address has a token that every request needs");
  verb.add_flag("--no-browser", no_browser, "open no browser; only print the address");
}

void ViewArguments::check(const CLI::App& verb) const {
  if (view) return;
  for (const char* name : {"--port", "--bind", "--no-browser"})
    if (verb.get_option(name)->count() > 0) throw CLI::ValidationError(name, "is for --view, which is not given");
}

bool announce(const lissom::view::Server& server, const ViewArguments& arguments, std::ostream& out) {
  out << server.address() << "\n" << std::flush;  // at once: someone may be waiting for it
  if (arguments.server.port != 0 && server.port() != arguments.server.port)
    complain(fmt::format("port {} is in use; the page is on port {}", arguments.server.port, server.port()));
  if (server.is_public())
    complain("the page can be opened from other machines, by everyone who has its address with the token");
  return !arguments.no_browser && open_browser(server.address());
}

void serve(lissom::view::Scene scene, const ViewArguments& arguments, std::ostream& out) {
  scene.set_abilities(lissom::view::Answers::abilities());
  const lissom::view::Server server(std::move(scene), arguments.server);
  end_on_request();
  announce(server, arguments, out);
  complain("the page stays until Ctrl-C");
  while (!interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
}
