#pragma once
// What the command prints. Names in files and names of files may contain anything; what a terminal would take as a
// command is shown in digits. That the results could not be written is an error.
#include <iostream>
#include <streambuf>
#include <string>
#include <string_view>

#include "lissom/model/printable.h"

// JSON as text. Names that are not UTF-8 get the character �.
template <class Json>
std::string json_text(const Json& value, int indent = -1) {
  constexpr auto replace = Json::error_handler_t::replace;
  auto text = value.dump(indent, ' ', false, replace);
  // Control characters beyond ASCII stand in JSON as they are; then, all of these are written in digits.
  const auto printable = lissom::printable(text, lissom::LineBreaks::keep);
  return printable == text ? text : value.dump(indent, ' ', true, replace);
}
template <class Json>
void print_json(const Json& value, int indent = 2) {
  std::cout << json_text(value, indent) << "\n";
}

// Prints "lissom: MESSAGE" on standard error.
void complain(std::string_view message);

// Replaces the buffer of std::cout during its lifetime.
class StandardOutput final : public std::streambuf {
 public:
  StandardOutput();
  ~StandardOutput() override;
  StandardOutput(const StandardOutput&) = delete;
  StandardOutput& operator=(const StandardOutput&) = delete;
  // Writes what is left. Returns the exit code, or 2, with a complaint, if something could not be written.
  int finish(int exit_code);

 protected:
  int overflow(int c) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;

 private:
  void write(std::size_t size);

  std::string waiting_;
  std::streambuf* before_;
  bool lines_;      // each line is written at once: a person reads it
  int reason_ = 0;  // why something could not be written, as errno
};
