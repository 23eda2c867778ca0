// Kernels compiled for a device by CUDA's own compilers, where there are any: in PATH or CUDA_HOME, or those that
// ./test installs from PyPI into build/cuda-venv. No device is needed.
#include <filesystem>
#include <iostream>

#include "fake_device.h"
#include "lissom/api/load.h"
#include "lissom/gpu/compiled_kernel.h"

namespace lissom::test::gpu_compile {
namespace {

namespace fs = std::filesystem;

// The file of this name in a folder of the virtual environment; empty if there is none.
std::string installed(const std::string& folder, const std::string& name) {
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(LISSOM_CUDA_VENV, error))
    if (entry.path().filename() == name && entry.path().parent_path().filename() == folder)
      return entry.path().string();
  return {};
}
std::optional<gpu::Compiler> nvcc() {
  ::unsetenv("LISSOM_NVCC");
  if (const auto path = installed("bin", "nvcc"); !path.empty()) return gpu::Compiler::nvcc(path);
  return gpu::Compiler::find();
}

Model humanoid() {
  return load(std::string(LISSOM_MODELS_DIR) + "/humanoid.urdf", {.base = Base::free});
}

struct Limits {
  const char* algorithm;
  bool single;
  int local_bytes;
};

TEST(GpuCompile, HumanoidFitsTheDevice) {
  const auto compiler = nvcc();
  if (!compiler) GTEST_SKIP() << gpu::Compiler::why_none();
  const TestFolder folder;
  const auto model = humanoid();
  // What the fastest prototypes had, and some more.
  for (const auto& [algorithm, single, local_bytes] :
       {Limits{"rnea", true, 0}, Limits{"rnea", false, 256}, Limits{"aba", true, 300}, Limits{"aba", false, 1600},
        Limits{"aba_vjp", true, 1200}}) {
    const auto kernel = compile_kernel(gpu::tracer(model, codegen::algorithm_of(algorithm)), single, *compiler, "sm_90",
                                       Cache(folder.path()));
    const auto& r = kernel.resources;
    std::cout << compiler->version() << ": " << kernel.source.name << (single ? " float: " : " double: ") << r.registers
              << " registers, " << r.local_bytes << " bytes of local memory, " << r.code_bytes << " bytes of code, "
              << kernel.source.loops.size() << " loops\n";
    EXPECT_GT(r.registers, 32);
    EXPECT_GT(r.code_bytes, 20'000);
    EXPECT_FALSE(kernel.from_cache);
    EXPECT_LE(r.code_bytes, gpu::max_code_bytes);
    EXPECT_LE(r.local_bytes, local_bytes);
  }
}

TEST(GpuCompile, EveryVariant) {
  const auto compiler = nvcc();
  if (!compiler) GTEST_SKIP() << gpu::Compiler::why_none();
  const auto arm = load(std::string(LISSOM_MODELS_DIR) + "/quadruped.urdf", {.base = Base::free});
  for (const bool tile : {false, true})
    for (const bool again : {false, true}) {
      const gpu::KernelOptions options{
          .single_precision = tile, .roll_limbs = again, .tile = tile, .repeat_sincos = again, .synchronize = tile};
      for (const char* const algorithm : {"step", "crba", "placements", "jacobian"})
        EXPECT_NO_THROW(compiler->compile(
            gpu::kernel_source(gpu::tracer(arm, codegen::algorithm_of(algorithm)), options).text, "kernel", "sm_90"));
    }
}

TEST(GpuCompile, Nvrtc) {
  const auto library = installed("lib", "libnvrtc.so.13");
  if (library.empty()) GTEST_SKIP() << "NVRTC is not in " << LISSOM_CUDA_VENV;
  const auto compiler = gpu::Compiler::nvrtc(library);
  EXPECT_EQ(compiler.version().find("NVRTC 13."), 0u);
  const auto source = gpu::kernel_source(gpu::tracer(humanoid(), codegen::Algorithm::aba), gpu::KernelOptions{});
  const auto code = compiler.compile(source.text, source.name, "sm_90");
  EXPECT_EQ(code.substr(1, 3), "ELF");
  try {
    compiler.compile("this is no kernel", "nonsense", "sm_90");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("kernel nonsense for sm_90 could not be compiled by NVRTC 13."),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace lissom::test::gpu_compile
