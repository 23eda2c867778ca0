#include "lissom/gpu/compiler.h"

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "lissom/gpu/compiler_impl.h"
#include "lissom/model/diagnostic.h"

namespace lissom::gpu {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

// Where a toolkit may be installed.
std::vector<std::string> toolkits() {
  std::vector<std::string> list;
  for (const auto& folder : {variable("CUDA_HOME"), variable("CUDA_PATH"), std::string("/usr/local/cuda")})
    if (!folder.empty()) list.push_back(folder);
  return list;
}

std::vector<std::string> nvrtc_libraries() {
  static const char* const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
  if (const auto chosen = variable("LISSOM_NVRTC"); !chosen.empty()) return {chosen};
  std::vector<std::string> list(std::begin(names), std::end(names));
  for (const auto& folder : toolkits())
    for (const char* const name : names) list.push_back(folder + "/lib64/" + name);
  return list;
}

bool is_program(const std::string& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  return fs::is_regular_file(status) && (status.permissions() & fs::perms::owner_exec) != fs::perms::none;
}

std::string nvcc_program() {
  for (const auto& folder : toolkits())
    if (const auto path = folder + "/bin/nvcc"; is_program(path)) return path;
  std::istringstream folders(variable("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const auto path = folder + "/nvcc"; !folder.empty() && is_program(path)) return path;
  return {};
}

struct FoundCompiler {
  std::shared_ptr<const Compiler::Impl> compiler;
  std::string why_not;
};
FoundCompiler look_for_compiler() {
  FoundCompiler found;
  if (const auto chosen = variable("LISSOM_NVCC"); !chosen.empty()) {
    found.compiler = open_nvcc(chosen, found.why_not);
    return found;
  }
  std::string why;
  found.compiler = open_nvrtc(nvrtc_libraries(), why);
  if (found.compiler) return found;
  const auto program = nvcc_program();
  if (!program.empty()) found.compiler = open_nvcc(program, found.why_not);
  if (found.compiler) return found;
  found.why_not = "no CUDA compiler was found: neither NVRTC (" + why + ") nor nvcc" +
                  (program.empty() ? " (in PATH, CUDA_HOME, /usr/local/cuda)" : " (" + found.why_not + ")") +
                  "; install the CUDA toolkit, or name its nvcc in LISSOM_NVCC";
  return found;
}

}  // namespace

std::optional<Compiler> Compiler::find() {
  const auto found = look_for_compiler();
  if (!found.compiler) return {};
  return Compiler(found.compiler);
}
std::string Compiler::why_none() {
  return look_for_compiler().why_not;
}
Compiler Compiler::nvcc(const std::string& program) {
  std::string why;
  auto impl = open_nvcc(program, why);
  if (!impl) throw Error(why);
  return Compiler(std::move(impl));
}
Compiler Compiler::nvrtc(const std::string& library) {
  std::string why;
  auto impl = open_nvrtc({library}, why);
  if (!impl) throw Error(why);
  return Compiler(std::move(impl));
}

const std::string& Compiler::version() const {
  return impl_->version;
}

std::string Compiler::compile(const std::string& source, const std::string& name,
                              const std::string& architecture) const {
  return impl_->compile(source, name, architecture);
}

std::string Compiler::compile(const std::string& source, const std::string& name, const std::string& architecture,
                              const Cache& cache, bool* from_cache) const {
  const auto key = "lissom " LISSOM_VERSION "\ncompiler " + impl_->version + "\nflags " + impl_->flags +
                   "\narchitecture " + architecture + "\n" + source;
  auto code = cache.find(key);
  if (from_cache) *from_cache = code.has_value();
  if (code) return *code;
  auto compiled = compile(source, name, architecture);
  if (const auto why = cache.store(key, compiled); !why.empty()) {
    static std::atomic<bool> said = false;
    if (!said.exchange(true))
      std::cerr << "lissom: compiled kernels are not kept, because " << cache.folder() << " cannot be written (" << why
                << "); name another folder in LISSOM_CACHE\n";
  }
  return compiled;
}

std::string last_lines(const std::string& text, int count) {
  std::size_t begin = text.find_last_not_of(" \n\t");
  if (begin == std::string::npos) return {};
  const auto end = begin + 1;
  for (int i = 0; i < count && begin != std::string::npos; ++i)
    begin = begin == 0 ? std::string::npos : text.rfind('\n', begin - 1);
  return text.substr(begin == std::string::npos ? 0 : begin + 1, end - (begin == std::string::npos ? 0 : begin + 1));
}

}  // namespace lissom::gpu
