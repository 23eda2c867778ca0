#include "browser.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "lissom/model/diagnostic.h"

bool open_browser(const std::string& address) {
  const auto is_set = [](const char* name) {
    const char* const value = std::getenv(name);
    return value && *value;
  };
  if (!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY")) return false;
  return start_program({"xdg-open", address}) > 0;
}

HeadlessBrowser::HeadlessBrowser(const std::string& address, int width, int height) : profile_("browser") {
  std::vector<std::string> words{"",
                                 "--headless",
                                 "--no-first-run",
                                 "--disable-extensions",
                                 "--hide-scrollbars",
                                 "--use-angle=swiftshader",
                                 "--enable-unsafe-swiftshader",
                                 "--disable-dev-shm-usage",
                                 "--user-data-dir=" + profile_.path().string(),
                                 "--window-size=" + std::to_string(width) + "," + std::to_string(height)};
  if (geteuid() == 0) words.emplace_back("--no-sandbox");  // Chromium refuses to start as root otherwise
  words.push_back(address);
  std::vector<std::string> names{"chromium", "chromium-browser", "google-chrome", "chrome"};
  if (const char* const chosen = std::getenv("LISSOM_CHROMIUM")) names = {chosen};
  for (const auto& name : names) {
    words[0] = name;
    process_ = start_program(words);
    if (process_ > 0) return;
  }
  throw lissom::Error("pictures are rendered by Chromium or Chrome, and none could be started: " + names[0] +
                      (names.size() > 1 ? "; install one (Debian: chromium), or set LISSOM_CHROMIUM to its path"
                                        : " of LISSOM_CHROMIUM; set it to the path of one"));
}

bool HeadlessBrowser::running() {
  ended_ = ended_ || waitpid(process_, nullptr, WNOHANG) != 0;
  return !ended_;
}

HeadlessBrowser::~HeadlessBrowser() {
  kill(-process_, SIGTERM);
  for (int i = 0; i < 100 && running(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  kill(-process_, SIGKILL);
  running();
}
