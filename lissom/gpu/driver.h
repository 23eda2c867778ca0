#pragma once
// The functions of CUDA's driver that we call, declared here so that no header of CUDA is needed, and loaded while the
// program runs. Names and numbers are those of the driver's interface. Not for users.
#include <cstddef>
#include <string>

#include "lissom/gpu/shared_library.h"

namespace lissom::gpu {

namespace cuda {
// Handles, and what the functions return.
using Result = int;
using DeviceIndex = int;
using Address = unsigned long long;
using Context = struct ContextOfDriver*;
using ModuleHandle = struct ModuleOfDriver*;
using FunctionHandle = struct FunctionOfDriver*;
using StreamHandle = struct StreamOfDriver*;
using EventHandle = struct EventOfDriver*;

inline constexpr Result success = 0, out_of_memory = 2, no_device = 100, no_binary_for_device = 209;
// Attributes of devices and functions.
inline constexpr int multiprocessor_count = 16, capability_major = 75, capability_minor = 76, max_shared_memory = 97;
inline constexpr int local_bytes = 3, register_count = 4, max_dynamic_shared_bytes = 8;
}  // namespace cuda

struct Driver {
  SharedLibrary library;

  cuda::Result (*init)(unsigned);
  cuda::Result (*driver_version)(int*);
  cuda::Result (*error_text)(cuda::Result, const char**);
  cuda::Result (*device_count)(int*);
  cuda::Result (*device)(cuda::DeviceIndex*, int);
  cuda::Result (*device_name)(char*, int, cuda::DeviceIndex);
  cuda::Result (*device_attribute)(int*, int, cuda::DeviceIndex);
  cuda::Result (*device_memory)(std::size_t*, cuda::DeviceIndex);
  cuda::Result (*retain_context)(cuda::Context*, cuda::DeviceIndex);
  cuda::Result (*release_context)(cuda::DeviceIndex);
  cuda::Result (*push_context)(cuda::Context);
  cuda::Result (*pop_context)(cuda::Context*);
  cuda::Result (*load_module)(cuda::ModuleHandle*, const void*);
  cuda::Result (*unload_module)(cuda::ModuleHandle);
  cuda::Result (*function)(cuda::FunctionHandle*, cuda::ModuleHandle, const char*);
  cuda::Result (*function_attribute)(int*, int, cuda::FunctionHandle);
  cuda::Result (*set_function_attribute)(cuda::FunctionHandle, int, int);
  cuda::Result (*allocate)(cuda::Address*, std::size_t);
  cuda::Result (*free)(cuda::Address);
  cuda::Result (*copy_to_device)(cuda::Address, const void*, std::size_t, cuda::StreamHandle);
  cuda::Result (*copy_to_host)(void*, cuda::Address, std::size_t, cuda::StreamHandle);
  cuda::Result (*fill_bytes)(cuda::Address, unsigned char, std::size_t, cuda::StreamHandle);
  cuda::Result (*create_stream)(cuda::StreamHandle*, unsigned);
  cuda::Result (*destroy_stream)(cuda::StreamHandle);
  cuda::Result (*wait_for_stream)(cuda::StreamHandle);
  cuda::Result (*create_event)(cuda::EventHandle*, unsigned);
  cuda::Result (*destroy_event)(cuda::EventHandle);
  cuda::Result (*record_event)(cuda::EventHandle, cuda::StreamHandle);
  cuda::Result (*wait_for_event)(cuda::EventHandle);
  cuda::Result (*elapsed)(float*, cuda::EventHandle, cuda::EventHandle);
  cuda::Result (*launch)(cuda::FunctionHandle, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                         unsigned block_y, unsigned block_z, unsigned shared_bytes, cuda::StreamHandle,
                         void** arguments, void** extra);

  // The driver of this machine, loaded and initialized by the first call; nullptr where there is none, and why_not()
  // says why. LISSOM_CUDA_DRIVER in the environment names another library than libcuda.so.1.
  static const Driver* find();
  static std::string why_not();

  // Throws an Error that says what was being done, and what the driver answers, unless the result is success.
  void check(cuda::Result result, const std::string& doing) const;
};

}  // namespace lissom::gpu
