// The compiler as a library.
#include "lissom/gpu/compiler_impl.h"
#include "lissom/gpu/shared_library.h"
#include "lissom/model/diagnostic.h"

namespace lissom::gpu {
namespace {

using Result = int;
using NvrtcProgram = struct ProgramOfNvrtc*;

class Nvrtc final : public Compiler::Impl {
 public:
  explicit Nvrtc(SharedLibrary library) : library_(std::move(library)) {}

  // Returns why it cannot be used; empty where it can.
  std::string load() {
    const char* missing = nullptr;
    const auto function = [&](auto*& to, const char* name) {
      if (!library_.find(name, to) && !missing) missing = name;
    };
    function(version_, "nvrtcVersion");
    function(error_text_, "nvrtcGetErrorString");
    function(create_, "nvrtcCreateProgram");
    function(destroy_, "nvrtcDestroyProgram");
    function(compile_, "nvrtcCompileProgram");
    function(code_size_, "nvrtcGetCUBINSize");
    function(code_, "nvrtcGetCUBIN");
    function(log_size_, "nvrtcGetProgramLogSize");
    function(log_, "nvrtcGetProgramLog");
    if (missing) return library_.name() + " has no function " + missing + ", expected NVRTC 11.1 or newer";
    int major = 0, minor = 0;
    if (version_(&major, &minor) != 0) return library_.name() + " does not tell its version";
    version = "NVRTC " + std::to_string(major) + "." + std::to_string(minor);
    flags = "--std=c++17";
    return {};
  }

  std::string compile(const std::string& source, const std::string& name,
                      const std::string& architecture) const override {
    struct Held {
      const Nvrtc& nvrtc;
      NvrtcProgram program = nullptr;
      ~Held() {
        if (program) nvrtc.destroy_(&program);
      }
    } held{*this};
    check(create_(&held.program, source.c_str(), (name + ".cu").c_str(), 0, nullptr, nullptr), name);
    const auto target = "--gpu-architecture=" + architecture;
    const char* const options[] = {target.c_str(), "--std=c++17"};
    if (const auto result = compile_(held.program, 2, options); result != 0)
      throw Error("kernel " + name + " for " + architecture + " could not be compiled by " + version + " (" +
                  error_text_(result) + "):\n" + last_lines(log(held.program), 20));
    std::size_t size = 0;
    check(code_size_(held.program, &size), name);
    std::string code(size, '\0');
    check(code_(held.program, code.data()), name);
    return code;
  }

 private:
  void check(Result result, const std::string& name) const {
    if (result != 0) throw Error("kernel " + name + ": " + version + " answers '" + error_text_(result) + "'");
  }
  std::string log(NvrtcProgram program) const {
    std::size_t size = 0;
    if (log_size_(program, &size) != 0 || size < 2) return {};
    std::string text(size, '\0');
    if (log_(program, text.data()) != 0) return {};
    text.resize(size - 1);  // it ends with a zero
    return text;
  }

  SharedLibrary library_;
  Result (*version_)(int*, int*) = nullptr;
  const char* (*error_text_)(Result) = nullptr;
  Result (*create_)(NvrtcProgram*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
  Result (*destroy_)(NvrtcProgram*) = nullptr;
  Result (*compile_)(NvrtcProgram, int, const char* const*) = nullptr;
  Result (*code_size_)(NvrtcProgram, std::size_t*) = nullptr;
  Result (*code_)(NvrtcProgram, char*) = nullptr;
  Result (*log_size_)(NvrtcProgram, std::size_t*) = nullptr;
  Result (*log_)(NvrtcProgram, char*) = nullptr;
};

}  // namespace

std::shared_ptr<const Compiler::Impl> open_nvrtc(const std::vector<std::string>& libraries, std::string& why) {
  SharedLibrary library(libraries);
  if (!library.is_open()) {
    why = library.why();
    return nullptr;
  }
  auto nvrtc = std::make_shared<Nvrtc>(std::move(library));
  why = nvrtc->load();
  return why.empty() ? std::shared_ptr<const Compiler::Impl>(std::move(nvrtc)) : nullptr;
}

}  // namespace lissom::gpu
