// What is refused, and in which words; failures of the driver and of the compiler.
#include "fake_device.h"
#include "lissom/api/load.h"
#include "lissom/gpu/batch.h"
#include "lissom/gpu/compiled_kernel.h"
#include "lissom/gpu/cubin.h"

namespace lissom::test::gpu_errors {
namespace {

using gpu::Batch;

Model arm() {
  return load(std::string(LISSOM_MODELS_DIR) + "/arm7.urdf");
}

template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}
#define EXPECT_SAYS(what, words) \
  EXPECT_NE(error_of([&] { what; }).find(words), std::string::npos) << error_of([&] { what; })

class GpuErrors : public FakeDevice {};

TEST_F(GpuErrors, WrongArguments) {
  const auto model = arm();
  EXPECT_SAYS(Batch<float>(model, {"abba"}, 10), "no algorithm 'abba'; did you mean 'aba'");
  EXPECT_SAYS(Batch<float>(model, {}, 10), "algorithms is empty");
  EXPECT_SAYS(Batch<float>(model, {"aba"}, 0), "capacity is 0, expected 1");
  EXPECT_SAYS(Batch<float>(model, {"aba"}, 10, {.device = 3}), "device is 3, expected 0 to 0");
  Batch<float> batch(model, {"aba"}, 10);
  EXPECT_SAYS(batch.run("rnea", 10), "the batch was made without 'rnea'; its algorithms: aba");
  EXPECT_SAYS(batch.run("aba", 11), "robots is 11, expected 0 to 10");
  EXPECT_SAYS(batch.data("qq"), "no array 'qq'; arrays: q, v, tau, a");
  EXPECT_SAYS(batch.upload("q", batch::Rows<float>::Zero(10, 6)), "q has 6 columns, expected 7");
  EXPECT_SAYS(batch.upload("q", batch::Rows<float>::Zero(11, 7)), "q has 11 rows, expected at most 10");
  batch::Rows<float> out(10, 8);
  EXPECT_SAYS(batch.download("a", out), "a has 8 columns, expected 7");
  batch.run("aba", 0);
}

TEST_F(GpuErrors, CallersArrays) {
  Batch<float> batch(arm(), {"aba"}, 10);
  alignas(16) float x[7 * 16] = {};
  const auto with = [&](const std::string& name, float* data, long pitch) {
    const gpu::CallerArray<float> given[] = {{name, data, pitch}};
    batch.run("aba", 10, nullptr, 0, given);
  };
  EXPECT_SAYS(with("a", x, 9), "array 'a' has rows of 9 elements, expected at least 10");
  EXPECT_SAYS(with("a", x, 13), "do not begin at multiples of 16 bytes; make their number of columns a multiple of 4");
  EXPECT_SAYS(with("a", x + 1, 12), "do not begin at multiples of 16 bytes");
  EXPECT_SAYS(with("a", nullptr, 16), "array 'a' is a null pointer");
  EXPECT_SAYS(with("b", x, 16), "'aba' has no array 'b'");
  EXPECT_SAYS(with("a", batch.data("q"), batch.pitch()), "cannot write to an array that it reads");
  EXPECT_EQ(error_of([&] { with("a", x, 12); }), "no error");
}

TEST_F(GpuErrors, FailuresOfTheDriver) {
  const auto model = arm();
  ::setenv("LISSOM_FAKE_FAIL", "cuModuleLoadData:200", 1);
  EXPECT_SAYS(Batch<float>(model, {"aba"}, 10),
              "loading kernel lissom_aba: the CUDA driver answers 'provoked failure' (200)");
  ::unsetenv("LISSOM_FAKE_FAIL");
  Batch<float> batch(model, {"aba"}, 10);
  ::setenv("LISSOM_FAKE_FAIL", "cuMemAlloc_v2:2", 1);
  EXPECT_SAYS(batch.data("q"), "out of memory");
  EXPECT_SAYS(batch.data("q"), "take a batch of fewer robots");
  ::unsetenv("LISSOM_FAKE_FAIL");
  batch.run("aba", 10);
  ::setenv("LISSOM_FAKE_FAIL", "cuLaunchKernel:700", 1);
  EXPECT_SAYS(batch.run("aba", 10), "launching a kernel");
  ::unsetenv("LISSOM_FAKE_FAIL");
  EXPECT_EQ(error_of([&] { batch.run("aba", 10); }), "no error");
}

TEST_F(GpuErrors, FailuresOfTheCompiler) {
  ::setenv("CXX", "false", 1);
  EXPECT_SAYS(Batch<float>(arm(), {"aba"}, 10), "kernel lissom_aba for sm_90 could not be compiled by nvcc 0.1");
  ::unsetenv("CXX");
  ::setenv("LISSOM_NVCC", "/nonexistent/nvcc", 1);
  Batch<float> batch(arm(), {"aba"}, 10);
  EXPECT_EQ(batch.where(), gpu::Where::cpu);
  EXPECT_NE(batch.description().find("'/nonexistent/nvcc --version' fails"), std::string::npos) << batch.description();
  EXPECT_SAYS(Batch<float>(arm(), {"aba"}, 10, {.place = gpu::BatchOptions::Place::device}), "/nonexistent/nvcc");
  EXPECT_SAYS(batch.device(), "the batch is computed on the CPU");
}

TEST_F(GpuErrors, NoMachineCode) {
  EXPECT_SAYS(gpu::resources_of(std::string("junk"), "lissom_aba"), "no machine code");
  EXPECT_SAYS(gpu::resources_of(std::string(), "lissom_aba"), "no machine code");
  const auto compiler = gpu::Compiler::nvcc(LISSOM_FAKE_NVCC);
  const auto code = compiler.compile(
      gpu::kernel_source(gpu::tracer(arm(), codegen::Algorithm::bias), gpu::KernelOptions{}).text, "bias", "sm_90");
  EXPECT_NO_THROW(gpu::resources_of(code, "lissom_bias"));
  EXPECT_SAYS(gpu::resources_of(code, "lissom_aba"), "has no function of this name");
  for (std::size_t n = 0; n < 4096; n += 61)
    EXPECT_THROW(gpu::resources_of(std::span(code).first(n), "lissom_bias"), Error);
}

TEST_F(GpuErrors, ModelWithoutCoordinates) {
  Description description;
  description.name = "stone";
  description.links.emplace_back().name = "stone";
  EXPECT_SAYS(Batch<float>(build(description), {"aba"}, 10), "has no degrees of freedom");
}

}  // namespace
}  // namespace lissom::test::gpu_errors
