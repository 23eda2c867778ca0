#pragma once
// Compiles CUDA source to machine code, with what is found on this machine: the library NVRTC, or the program nvcc. No
// device is needed.
#include <memory>
#include <optional>
#include <string>

#include "lissom/files/cache.h"

namespace lissom::gpu {

class Compiler {
 public:
  /// LISSOM_NVCC in the environment names the program; otherwise NVRTC (LISSOM_NVRTC, the system's libraries, those in
  /// CUDA_HOME, CUDA_PATH or /usr/local/cuda), and then nvcc in these folders and in PATH. Nothing if none is found;
  /// then why_none() says what was looked for.
  static std::optional<Compiler> find();
  static std::string why_none();
  /// These two, without looking for others; throw an Error if they cannot be used.
  static Compiler nvcc(const std::string& program);
  static Compiler nvrtc(const std::string& library);

  /// "NVRTC 13.0", "nvcc 13.0 V13.0.48"
  const std::string& version() const;

  /// The machine code of a source for an architecture such as "sm_90". `name` is what messages call it. Throws an Error
  /// with the compiler's own words.
  std::string compile(const std::string& source, const std::string& name, const std::string& architecture) const;
  /// The same from the cache, or else compiled and kept there. `from_cache` tells which.
  std::string compile(const std::string& source, const std::string& name, const std::string& architecture,
                      const Cache& cache, bool* from_cache = nullptr) const;

  struct Impl;  ///< internal
 private:
  explicit Compiler(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

}  // namespace lissom::gpu
