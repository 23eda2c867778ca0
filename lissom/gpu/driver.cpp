#include "lissom/gpu/driver.h"

#include <cstdlib>
#include <memory>

#include "lissom/model/diagnostic.h"

namespace lissom::gpu {
namespace {

// The name of the first function that the library lacks, or nullptr.
const char* load_functions(Driver& d) {
  const auto& library = d.library;
  const char* missing = nullptr;
  const auto load = [&](auto*& function, const char* name) {
    if (!library.find(name, function) && !missing) missing = name;
  };
  load(d.init, "cuInit");
  load(d.driver_version, "cuDriverGetVersion");
  load(d.error_text, "cuGetErrorString");
  load(d.device_count, "cuDeviceGetCount");
  load(d.device, "cuDeviceGet");
  load(d.device_name, "cuDeviceGetName");
  load(d.device_attribute, "cuDeviceGetAttribute");
  load(d.device_memory, "cuDeviceTotalMem_v2");
  load(d.retain_context, "cuDevicePrimaryCtxRetain");
  load(d.release_context, "cuDevicePrimaryCtxRelease_v2");
  load(d.push_context, "cuCtxPushCurrent_v2");
  load(d.pop_context, "cuCtxPopCurrent_v2");
  load(d.load_module, "cuModuleLoadData");
  load(d.unload_module, "cuModuleUnload");
  load(d.function, "cuModuleGetFunction");
  load(d.function_attribute, "cuFuncGetAttribute");
  load(d.set_function_attribute, "cuFuncSetAttribute");
  load(d.allocate, "cuMemAlloc_v2");
  load(d.free, "cuMemFree_v2");
  load(d.copy_to_device, "cuMemcpyHtoDAsync_v2");
  load(d.copy_to_host, "cuMemcpyDtoHAsync_v2");
  load(d.fill_bytes, "cuMemsetD8Async");
  load(d.create_stream, "cuStreamCreate");
  load(d.destroy_stream, "cuStreamDestroy_v2");
  load(d.wait_for_stream, "cuStreamSynchronize");
  load(d.create_event, "cuEventCreate");
  load(d.destroy_event, "cuEventDestroy_v2");
  load(d.record_event, "cuEventRecord");
  load(d.wait_for_event, "cuEventSynchronize");
  load(d.elapsed, "cuEventElapsedTime");
  load(d.launch, "cuLaunchKernel");
  return missing;
}

struct FoundDriver {
  std::unique_ptr<Driver> driver;
  std::string why_not;
};

FoundDriver look_for_driver() {
  FoundDriver found;
  auto driver = std::make_unique<Driver>();
  const char* const chosen = std::getenv("LISSOM_CUDA_DRIVER");
  driver->library = SharedLibrary(chosen && *chosen ? std::vector<std::string>{chosen}
                                                    : std::vector<std::string>{"libcuda.so.1", "libcuda.so"});
  if (!driver->library.is_open()) {
    found.why_not = "no CUDA driver was found (" + driver->library.why() + "); install the driver of the graphics card";
    return found;
  }
  if (const char* const missing = load_functions(*driver)) {
    found.why_not =
        driver->library.name() + " has no function " + missing + "; install a driver for CUDA 11.1 or newer";
    return found;
  }
  if (const auto result = driver->init(0); result != cuda::success) {
    const char* text = nullptr;
    driver->error_text(result, &text);
    found.why_not = "the CUDA driver " + driver->library.name() +
                    " cannot be used: " + (text ? text : "unknown error") + "; see whether nvidia-smi lists a device";
    return found;
  }
  found.driver = std::move(driver);
  return found;
}

const FoundDriver& driver_of_this_machine() {
  static const FoundDriver found = look_for_driver();
  return found;
}

}  // namespace

const Driver* Driver::find() {
  return driver_of_this_machine().driver.get();
}
std::string Driver::why_not() {
  return driver_of_this_machine().why_not;
}

void Driver::check(cuda::Result result, const std::string& doing) const {
  if (result == cuda::success) return;
  const char* text = nullptr;
  error_text(result, &text);
  std::string message =
      doing + ": the CUDA driver answers '" + (text ? text : "unknown error") + "' (" + std::to_string(result) + ")";
  if (result == cuda::out_of_memory) message += "; take a batch of fewer robots, or free memory of the device";
  if (result == cuda::no_binary_for_device)
    message += "; the kernel was compiled for another device: remove it from the cache";
  throw Error(message);
}

}  // namespace lissom::gpu
