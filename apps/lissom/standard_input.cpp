#include "standard_input.h"

#include <cstdio>

#include "lissom/io/read.h"

std::string standard_input() {
  const auto max_bytes = lissom::io::ReadOptions{}.max_bytes + 1;
  std::string text;
  char buffer[1 << 16];
  while (text.size() < max_bytes)
    if (const auto count = std::fread(buffer, 1, sizeof buffer, stdin); count > 0)
      text.append(buffer, count);
    else
      break;
  return text;
}
