// Stands in for CUDA's driver in tests: a device whose memory is that of the processor, and which runs kernels made by
// fake/nvcc. Failures are provoked by LISSOM_FAKE_FAIL=FUNCTION:RESULT in the environment.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace {

int provoked(const char* function) {
  const char* const fail = std::getenv("LISSOM_FAKE_FAIL");
  const auto length = std::strlen(function);
  return fail && std::strncmp(fail, function, length) == 0 && fail[length] == ':' ? std::atoi(fail + length + 1) : 0;
}
struct Event {
  std::chrono::steady_clock::time_point time;
};
using Run = void(void**, unsigned, unsigned);
struct Module {
  void* library;
};
long allocated = 0;

}  // namespace

#define PROVOKE \
  if (const int result = provoked(__func__)) return result

extern "C" {
// For tests: how many allocations are not freed.
long lissom_fake_allocations() {
  return allocated;
}

int cuInit(unsigned) {
  PROVOKE;
  return 0;
}
int cuDriverGetVersion(int* version) {
  *version = 1000;
  return 0;
}
int cuGetErrorString(int result, const char** text) {
  *text = result == 2 ? "out of memory" : "provoked failure";
  return 0;
}
int cuDeviceGetCount(int* count) {
  PROVOKE;
  *count = 1;
  return 0;
}
int cuDeviceGet(int* device, int index) {
  *device = index;
  return 0;
}
int cuDeviceGetName(char* name, int size, int) {
  std::snprintf(name, std::size_t(size), "Fake device");
  return 0;
}
int cuDeviceGetAttribute(int* value, int which, int) {
  *value = which == 75 ? 9 : which == 76 ? 0 : which == 16 ? 1 : 227 * 1024;
  return 0;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  *bytes = std::size_t(1) << 30;
  return 0;
}
int cuDevicePrimaryCtxRetain(void** context, int) {
  PROVOKE;
  *context = context;
  return 0;
}
int cuDevicePrimaryCtxRelease_v2(int) {
  return 0;
}
int cuCtxPushCurrent_v2(void*) {
  return 0;
}
int cuCtxPopCurrent_v2(void** context) {
  *context = nullptr;
  return 0;
}
int cuModuleLoadData(void** module, const void* image) {
  PROVOKE;
  // The table of sections is the last part of a library.
  Elf64_Ehdr header;
  std::memcpy(&header, image, sizeof header);
  const auto size = header.e_shoff + std::size_t(header.e_shentsize) * header.e_shnum;
  auto path = (std::filesystem::temp_directory_path() / "lissom-fake-XXXXXX").string();
  const int file = ::mkstemp(path.data());
  const bool written = file >= 0 && ::write(file, image, size) == long(size);
  ::close(file);
  void* const library = written ? ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) : nullptr;
  ::unlink(path.c_str());
  if (!library) return 200;
  *module = new Module{library};
  return 0;
}
int cuModuleUnload(void* module) {
  ::dlclose(static_cast<Module*>(module)->library);
  delete static_cast<Module*>(module);
  return 0;
}
int cuModuleGetFunction(void** function, void* module, const char* name) {
  *function = ::dlsym(static_cast<Module*>(module)->library, (std::string("run_") + name).c_str());
  return *function ? 0 : 500;
}
int cuFuncGetAttribute(int* value, int, void*) {
  *value = 0;
  return 0;
}
int cuFuncSetAttribute(void*, int, int) {
  return 0;
}
int cuMemAlloc_v2(unsigned long long* address, std::size_t bytes) {
  PROVOKE;
  ++allocated;
  *address = reinterpret_cast<unsigned long long>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
  std::memset(reinterpret_cast<void*>(*address), 0xff, bytes);  // NaN: nothing is zero by itself
  return 0;
}
int cuMemFree_v2(unsigned long long address) {
  --allocated;
  std::free(reinterpret_cast<void*>(address));
  return 0;
}
int cuMemcpyHtoDAsync_v2(unsigned long long to, const void* from, std::size_t bytes, void*) {
  PROVOKE;
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return 0;
}
int cuMemcpyDtoHAsync_v2(void* to, unsigned long long from, std::size_t bytes, void*) {
  PROVOKE;
  std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  return 0;
}
int cuMemsetD8Async(unsigned long long to, unsigned char value, std::size_t bytes, void*) {
  std::memset(reinterpret_cast<void*>(to), value, bytes);
  return 0;
}
int cuStreamCreate(void** stream, unsigned) {
  *stream = nullptr;
  return 0;
}
int cuStreamDestroy_v2(void*) {
  return 0;
}
int cuStreamSynchronize(void*) {
  PROVOKE;
  return 0;
}
int cuEventCreate(void** event, unsigned) {
  *event = new Event;
  return 0;
}
int cuEventDestroy_v2(void* event) {
  delete static_cast<Event*>(event);
  return 0;
}
int cuEventRecord(void* event, void*) {
  static_cast<Event*>(event)->time = std::chrono::steady_clock::now();
  return 0;
}
int cuEventSynchronize(void*) {
  return 0;
}
int cuEventElapsedTime(float* milliseconds, void* begin, void* end) {
  *milliseconds =
      std::chrono::duration<float, std::milli>(static_cast<Event*>(end)->time - static_cast<Event*>(begin)->time)
          .count();
  return 0;
}
int cuLaunchKernel(void* function, unsigned blocks, unsigned, unsigned, unsigned threads, unsigned, unsigned, unsigned,
                   void*, void** arguments, void**) {
  PROVOKE;
  for (unsigned b = 0; b < blocks; ++b)
    for (unsigned t = 0; t < threads; ++t) reinterpret_cast<Run*>(function)(arguments, b, t);
  return 0;
}
}
