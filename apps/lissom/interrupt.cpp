#include "interrupt.h"

#include <csignal>
#include <initializer_list>

namespace {

volatile std::sig_atomic_t signal_arrived = 0;

void note_signal(int /*signal*/) {
  signal_arrived = 1;
  for (const int each : {SIGINT, SIGTERM, SIGHUP}) std::signal(each, SIG_DFL);
}

}  // namespace

void end_on_request() {
  struct sigaction action = {};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;  // a write to a file that is under way is not cut short
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {  // HUP: the terminal was closed
    struct sigaction before = {};
    sigaction(signal, nullptr, &before);
    // (A shell starts jobs in the background with SIGINT ignored.)
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
}

bool interrupted() {
  return signal_arrived != 0;
}
