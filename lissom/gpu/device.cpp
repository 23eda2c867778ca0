#include "lissom/gpu/device.h"

#include "lissom/gpu/cubin.h"
#include "lissom/gpu/driver.h"
#include "lissom/model/diagnostic.h"

namespace lissom::gpu {
namespace {

cuda::StreamHandle handle(StreamHandle stream) {
  return static_cast<cuda::StreamHandle>(stream);
}
cuda::Address address(const void* p) {
  return reinterpret_cast<cuda::Address>(p);
}

int count_devices(const Driver& driver) {
  int count = 0;
  const auto result = driver.device_count(&count);
  if (result == cuda::no_device) return 0;
  driver.check(result, "counting the devices");
  return count;
}

DeviceInfo info_of(const Driver& driver, int index) {
  const std::string doing = "asking for the properties of device " + std::to_string(index);
  cuda::DeviceIndex device = 0;
  driver.check(driver.device(&device, index), doing);
  char name[256] = {};
  driver.check(driver.device_name(name, int(sizeof name) - 1, device), doing);
  const auto attribute = [&](int which) {
    int value = 0;
    driver.check(driver.device_attribute(&value, which, device), doing);
    return value;
  };
  DeviceInfo info{.index = index,
                  .name = name,
                  .major = attribute(cuda::capability_major),
                  .minor = attribute(cuda::capability_minor),
                  .multiprocessors = attribute(cuda::multiprocessor_count),
                  .max_shared_memory = std::size_t(attribute(cuda::max_shared_memory))};
  driver.check(driver.device_memory(&info.memory, device), doing);
  return info;
}

}  // namespace

std::vector<DeviceInfo> devices() {
  std::vector<DeviceInfo> list;
  if (const auto* const driver = Driver::find())
    for (int i = 0, n = count_devices(*driver); i < n; ++i) list.push_back(info_of(*driver, i));
  return list;
}

std::string why_no_device() {
  const auto* const driver = Driver::find();
  if (!driver) return Driver::why_not();
  if (count_devices(*driver) == 0)
    return "the CUDA driver finds no device; see whether nvidia-smi lists one, and whether CUDA_VISIBLE_DEVICES hides "
           "it";
  return {};
}

struct Device::Impl {
  const Driver& driver;
  DeviceInfo info;
  cuda::DeviceIndex device = 0;
  cuda::Context context = nullptr;

  Impl(const Driver& d, int index) : driver(d), info(info_of(d, index)) {
    driver.check(driver.device(&device, index), "opening device " + std::to_string(index));
    // The context that PyTorch, CuPy and CUDA's runtime use, too: their pointers are valid here.
    driver.check(driver.retain_context(&context, device), "opening device " + std::to_string(index));
  }
  ~Impl() { driver.release_context(device); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
};

// Makes the device the one that this thread talks to, and afterwards the one before it again.
class Device::Current {
 public:
  explicit Current(const Impl& impl) : driver_(impl.driver) {
    driver_.check(driver_.push_context(impl.context), "switching to device " + std::to_string(impl.info.index));
  }
  ~Current() {
    cuda::Context before = nullptr;
    driver_.pop_context(&before);
  }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  const Driver& driver_;
};

Device::Device(int index) {
  if (const auto why = why_no_device(); !why.empty()) throw Error(why);
  const auto& driver = *Driver::find();
  if (const int count = count_devices(driver); index < 0 || index >= count)
    throw Error("device is " + std::to_string(index) + ", expected 0 to " + std::to_string(count - 1));
  impl_ = std::make_shared<const Impl>(driver, index);
}

const DeviceInfo& Device::info() const {
  return impl_->info;
}

DeviceMemory Device::allocate(std::size_t bytes) const {
  DeviceMemory memory;
  if (bytes == 0) return memory;
  const Current current(*impl_);
  cuda::Address at = 0;
  impl_->driver.check(impl_->driver.allocate(&at, bytes),
                      "allocating " + std::to_string(bytes) + " bytes on " + impl_->info.name);
  memory.data_ = reinterpret_cast<void*>(at);  // NOLINT(performance-no-int-to-ptr): addresses of a device are numbers
  memory.bytes_ = bytes;
  memory.owner_ = std::shared_ptr<void>(memory.data_, [impl = impl_, at](void*) {
    const Current freeing(*impl);
    impl->driver.free(at);
  });
  return memory;
}

void Device::copy_to_device(void* to, const void* from, std::size_t bytes, StreamHandle stream) const {
  const Current current(*impl_);
  impl_->driver.check(impl_->driver.copy_to_device(address(to), from, bytes, handle(stream)), "copying to the device");
  wait(stream);
}
void Device::copy_to_host(void* to, const void* from, std::size_t bytes, StreamHandle stream) const {
  const Current current(*impl_);
  impl_->driver.check(impl_->driver.copy_to_host(to, address(from), bytes, handle(stream)), "copying from the device");
  wait(stream);
}
void Device::fill(void* to, unsigned char value, std::size_t bytes, StreamHandle stream) const {
  const Current current(*impl_);
  impl_->driver.check(impl_->driver.fill_bytes(address(to), value, bytes, handle(stream)),
                      "filling memory of the device");
}
void Device::wait(StreamHandle stream) const {
  const Current current(*impl_);
  impl_->driver.check(impl_->driver.wait_for_stream(handle(stream)), "waiting for the device");
}

Kernel Device::load(std::span<const char> machine_code, const std::string& name,
                    std::size_t dynamic_shared_bytes) const {
  const Current current(*impl_);
  const auto& driver = impl_->driver;
  const auto resources =
      resources_of(machine_code, name);  // checks that it is machine code, before the driver reads it
  if (dynamic_shared_bytes > impl_->info.max_shared_memory)
    throw Error("kernel " + name + " needs " + std::to_string(dynamic_shared_bytes) + " bytes of shared memory, " +
                impl_->info.name + " has " + std::to_string(impl_->info.max_shared_memory));
  cuda::ModuleHandle module = nullptr;
  driver.check(driver.load_module(&module, machine_code.data()), "loading kernel " + name);
  Kernel kernel;
  kernel.module_ = std::shared_ptr<void>(module, [impl = impl_, module](void*) {
    const Current unloading(*impl);
    impl->driver.unload_module(module);
  });
  cuda::FunctionHandle function = nullptr;
  driver.check(driver.function(&function, module, name.c_str()), "loading kernel " + name);
  if (dynamic_shared_bytes > 0)
    driver.check(driver.set_function_attribute(function, cuda::max_dynamic_shared_bytes, int(dynamic_shared_bytes)),
                 "giving shared memory to kernel " + name);
  kernel.resources_ = resources;
  driver.check(driver.function_attribute(&kernel.resources_.registers, cuda::register_count, function),
               "asking for the registers of kernel " + name);
  driver.check(driver.function_attribute(&kernel.resources_.local_bytes, cuda::local_bytes, function),
               "asking for the memory of kernel " + name);
  kernel.function_ = function;
  return kernel;
}

void Device::launch(const Kernel& kernel, unsigned blocks, unsigned threads, std::size_t shared_bytes,
                    std::span<void* const> arguments, StreamHandle stream) const {
  const Current current(*impl_);
  std::vector<void*> list(arguments.begin(), arguments.end());
  impl_->driver.check(impl_->driver.launch(static_cast<cuda::FunctionHandle>(kernel.function_), blocks, 1, 1, threads,
                                           1, 1, unsigned(shared_bytes), handle(stream), list.data(), nullptr),
                      "launching a kernel");
}

struct Stopwatch::Events {
  std::shared_ptr<const void> device;
  const Driver& driver;
  cuda::Context context;
  cuda::EventHandle begin = nullptr, end = nullptr;

  Events(std::shared_ptr<const void> d, const Driver& of, cuda::Context in)
      : device(std::move(d)), driver(of), context(in) {
    driver.check(driver.create_event(&begin, 0), "creating an event");
    driver.check(driver.create_event(&end, 0), "creating an event");
  }
  ~Events() {
    driver.push_context(context);
    driver.destroy_event(begin);
    driver.destroy_event(end);
    cuda::Context before = nullptr;
    driver.pop_context(&before);
  }
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;
  // Records an event; events belong to the context, which is current only for the time of a call.
  void record(cuda::EventHandle event, StreamHandle stream) const {
    driver.check(driver.push_context(context), "switching to the device");
    const auto result = driver.record_event(event, handle(stream));
    cuda::Context before = nullptr;
    driver.pop_context(&before);
    driver.check(result, "recording an event");
  }
};

Stopwatch Device::stopwatch() const {
  const Current current(*impl_);
  Stopwatch watch;
  watch.events_ = std::make_shared<Stopwatch::Events>(impl_, impl_->driver, impl_->context);
  return watch;
}
void Stopwatch::start(StreamHandle stream) {
  events_->record(events_->begin, stream);
}
double Stopwatch::stop(StreamHandle stream) {
  const auto& driver = events_->driver;
  events_->record(events_->end, stream);
  float milliseconds = 0;
  driver.check(driver.wait_for_event(events_->end), "waiting for the device");
  driver.check(driver.elapsed(&milliseconds, events_->begin, events_->end), "taking the time");
  return 1e-3 * double(milliseconds);
}

}  // namespace lissom::gpu
