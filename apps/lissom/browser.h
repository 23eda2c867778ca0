#pragma once
// Browsers of this machine: one that a person looks at, and one without a window that renders pictures.
#include <string>

#include "other_programs.h"

// Opens an address in the person's browser, if there is a desktop. Returns whether one was started.
bool open_browser(const std::string& address);

// A browser without a window, which has a page open until it is destroyed.
class HeadlessBrowser {
 public:
  // Throws an Error that says what to install if there is no Chromium or Chrome.
  HeadlessBrowser(const std::string& address, int width, int height);
  ~HeadlessBrowser();
  HeadlessBrowser(const HeadlessBrowser&) = delete;
  HeadlessBrowser& operator=(const HeadlessBrowser&) = delete;
  bool running();

 private:
  TemporaryFolder profile_;
  int process_ = -1;
  bool ended_ = false;
};
