#include "output.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <unistd.h>

namespace {

constexpr std::size_t max_waiting = std::size_t{1} << 16;

// The length of the text without an incomplete UTF-8 character at its end.
std::size_t whole_characters(std::string_view text) {
  for (std::size_t tail = 1; tail <= std::min<std::size_t>(3, text.size()); ++tail) {
    const auto byte = static_cast<unsigned char>(text[text.size() - tail]);
    if ((byte & 0xC0) == 0x80) continue;
    const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
    return length > tail ? text.size() - tail : text.size();
  }
  return text.size();
}

bool is_plain(char c) {
  return (c >= ' ' && c < 0x7F) || c == '\n' || c == '\t';
}

// Returns 0, or why it could not be written.
int write_all(std::string_view text) {
  while (!text.empty()) {
    const auto n = ::write(STDOUT_FILENO, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 ? errno : ENOSPC;
    text.remove_prefix(std::size_t(n));
  }
  return 0;
}

}  // namespace

void complain(std::string_view message) {
  std::cout.flush();
  std::fputs(("lissom: " + lissom::printable(message, lissom::LineBreaks::keep) + "\n").c_str(), stderr);
}

StandardOutput::StandardOutput() : before_(std::cout.rdbuf(this)), lines_(isatty(STDOUT_FILENO) != 0) {}

StandardOutput::~StandardOutput() {
  try {
    sync();
  } catch (const std::bad_alloc&) {
    reason_ = ENOMEM;  // main() has told that there is not enough memory
  }
  std::cout.rdbuf(before_);
}

int StandardOutput::finish(int exit_code) {
  std::cout.flush();
  write(waiting_.size());
  if (reason_ == 0 && !std::cout) reason_ = ENOMEM;  // a stream swallows what its buffer throws
  if (reason_ == 0) return exit_code;
  complain("standard output cannot be written: " + std::string(std::strerror(reason_)) +
           "; the results are lost, or incomplete: free disk space, or choose another file");
  return 2;
}

void StandardOutput::write(std::size_t size) {
  const std::string_view text = std::string_view(waiting_).substr(0, size);
  if (reason_ == 0)
    reason_ = std::ranges::all_of(text, is_plain) ? write_all(text)
                                                  : write_all(lissom::printable(text, lissom::LineBreaks::keep));
  waiting_.erase(0, size);
}

int StandardOutput::overflow(int c) {
  const char byte = char(c);
  return c == EOF || xsputn(&byte, 1) == 1 ? 0 : EOF;
}

std::streamsize StandardOutput::xsputn(const char* text, std::streamsize size) {
  waiting_.append(text, std::size_t(size));
  if (waiting_.size() >= max_waiting ||
      (lines_ && std::string_view(text, std::size_t(size)).find('\n') != std::string_view::npos))
    sync();
  return reason_ == 0 ? size : 0;
}

int StandardOutput::sync() {
  write(whole_characters(waiting_));
  return reason_ == 0 ? 0 : -1;
}
