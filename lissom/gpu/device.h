#pragma once
// A CUDA device: its memory, its streams, the kernels that run on it. All of it goes through the driver, which is
// looked for while the program runs. Objects made by a Device keep what they need alive; they may be used by one thread
// at a time.
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace lissom::gpu {

/// What a device is.
struct DeviceInfo {
  int index = 0;
  std::string name;          ///< "NVIDIA H200"
  int major = 0, minor = 0;  ///< compute capability
  int multiprocessors = 0;
  std::size_t memory = 0;             ///< in bytes
  std::size_t max_shared_memory = 0;  ///< that a block of threads can have, in bytes
  /// What compilers call it: "sm_90".
  std::string architecture() const { return "sm_" + std::to_string(major) + std::to_string(minor); }
};

/// The devices of this machine; none if there is no driver.
std::vector<DeviceInfo> devices();
/// Why devices() is empty, and what to do about it; empty if it is not.
std::string why_no_device();

/// A queue of work of the caller's, as the driver knows it (CUstream, cudaStream_t); nullptr is the default stream.
using StreamHandle = void*;

class Device;

/// Memory on a device; freed by the destructor.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  friend class Device;
  std::shared_ptr<void> owner_;
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// What the compiler made of a kernel.
struct KernelResources {
  int registers = 0;    ///< per thread
  int local_bytes = 0;  ///< per thread: spilled registers and arrays, in slow memory
  long code_bytes = 0;  ///< of machine code; a device fetches at most about 120 KB of it without waiting
};

/// A function that runs on a device.
class Kernel {
 public:
  Kernel() = default;
  explicit operator bool() const { return function_ != nullptr; }
  const KernelResources& resources() const { return resources_; }

 private:
  friend class Device;
  std::shared_ptr<void> module_;
  void* function_ = nullptr;
  KernelResources resources_;
};

/// Takes the time between two marks in a stream.
class Stopwatch {
 public:
  void start(StreamHandle stream = nullptr);
  /// Waits until everything since start() is done; returns seconds.
  double stop(StreamHandle stream = nullptr);

 private:
  friend class Device;
  struct Events;
  std::shared_ptr<Events> events_;
};

/// A graphics card: its memory, kernels and streams.
class Device {
 public:
  /// Throws an Error if there is no such device.
  explicit Device(int index = 0);
  const DeviceInfo& info() const;

  DeviceMemory allocate(std::size_t bytes) const;
  /// Copies wait for each other and for kernels in the same stream; the calls return when the copy is done.
  void copy_to_device(void* to, const void* from, std::size_t bytes, StreamHandle stream = nullptr) const;
  void copy_to_host(void* to, const void* from, std::size_t bytes, StreamHandle stream = nullptr) const;
  /// Sets all bytes to a value.
  void fill(void* to, unsigned char value, std::size_t bytes, StreamHandle stream = nullptr) const;
  void wait(StreamHandle stream = nullptr) const;

  /// The kernel of this name in machine code for this device (Compiler::compile). `dynamic_shared_bytes` is the most
  /// shared memory that a launch will ask for.
  Kernel load(std::span<const char> machine_code, const std::string& name, std::size_t dynamic_shared_bytes = 0) const;
  /// Starts blocks × threads threads; arguments are addresses of the kernel's arguments. Returns at once.
  void launch(const Kernel& kernel, unsigned blocks, unsigned threads, std::size_t shared_bytes,
              std::span<void* const> arguments, StreamHandle stream = nullptr) const;
  Stopwatch stopwatch() const;

 private:
  struct Impl;
  class Current;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace lissom::gpu
