#include "standard_input.h"

#include <unistd.h>

#include "lissom/files/read_bytes.h"
#include "lissom/io/read.h"

std::string standard_input() {
  std::string text;
  const auto problem = lissom::read_bytes(STDIN_FILENO, lissom::io::ReadOptions{}.max_bytes, text);
  if (problem && !problem->too_large)
    throw lissom::Error(std::string(standard_input_name) + ": " + problem->message + "; expected a robot");
  return text;
}
