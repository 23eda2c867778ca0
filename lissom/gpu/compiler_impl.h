#pragma once
// What NVRTC and nvcc have in common. Not for users.
#include <memory>
#include <string>
#include <vector>

#include "lissom/gpu/compiler.h"

namespace lissom::gpu {

struct Compiler::Impl {
  std::string version;
  // Everything besides the source that the machine code depends on, as text.
  std::string flags;

  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  virtual ~Impl() = default;
  virtual std::string compile(const std::string& source, const std::string& name,
                              const std::string& architecture) const = 0;
};

// nullptr, and why, if it cannot be used.
std::shared_ptr<const Compiler::Impl> open_nvrtc(const std::vector<std::string>& libraries, std::string& why);
std::shared_ptr<const Compiler::Impl> open_nvcc(const std::string& program, std::string& why);

// The last lines of what a compiler printed.
std::string last_lines(const std::string& text, int count);

}  // namespace lissom::gpu
