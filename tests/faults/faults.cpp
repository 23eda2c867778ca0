// Makes one call of the C library fail, for programs that are started with this library preloaded (LD_PRELOAD):
//   LISSOM_FAIL_ALLOCATION=K   the K-th allocation of memory since main() began returns a null pointer
//   LISSOM_FAIL_WRITE=K        the K-th call of write() fails: there is no space left
//   LISSOM_COUNT_CALLS=FILE    writes both counts into FILE at the end, or before another program takes its place
// Programs that it starts are left alone. (Buffered output of the C library does not go through write(); a limit on the
// size of files does for that.)
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
}

namespace {

std::atomic<bool> counting = false;
std::atomic<long> allocations = 0, writes = 0;
long failing_allocation = 0, failing_write = 0;

bool fails() {
  return counting && ++allocations == failing_allocation;
}
void* none() {
  errno = ENOMEM;
  return nullptr;
}

void report() {
  counting = false;
  if (const char* const path = std::getenv("LISSOM_COUNT_CALLS"))
    if (std::FILE* const file = std::fopen(path, "w")) {
      std::fprintf(file, "%ld %ld\n", allocations.load(), writes.load());
      std::fclose(file);
    }
}

using Main = int (*)(int, char**, char**);
Main real_main = nullptr;
int counted_main(int argc, char** argv, char** environment) {
  const auto number = [](const char* name) {
    const char* const text = std::getenv(name);
    return text ? std::atol(text) : 0;
  };
  failing_allocation = number("LISSOM_FAIL_ALLOCATION");
  failing_write = number("LISSOM_FAIL_WRITE");
  std::atexit(report);
  unsetenv("LD_PRELOAD");
  counting = true;
  return real_main(argc, argv, environment);
}

}  // namespace

extern "C" {

void* malloc(size_t size) {
  return fails() ? none() : __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  return fails() ? none() : __libc_calloc(count, size);
}
void* realloc(void* before, size_t size) {
  return fails() ? none() : __libc_realloc(before, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  return fails() ? none() : __libc_memalign(alignment, size);
}
int posix_memalign(void** result, size_t alignment, size_t size) {
  if (fails()) return ENOMEM;
  *result = __libc_memalign(alignment, size);
  return *result ? 0 : ENOMEM;
}

ssize_t write(int file, const void* bytes, size_t size) {
  using Write = ssize_t (*)(int, const void*, size_t);
  static const auto real = reinterpret_cast<Write>(dlsym(RTLD_NEXT, "write"));
  if (counting && ++writes == failing_write) {
    errno = ENOSPC;
    return -1;
  }
  return real(file, bytes, size);
}

int execvp(const char* program, char* const* arguments) {
  using Execute = int (*)(const char*, char* const*);
  report();
  return reinterpret_cast<Execute>(dlsym(RTLD_NEXT, "execvp"))(program, arguments);
}

int __libc_start_main(Main main_function, int argc, char** argv, void (*init)(), void (*fini)(), void (*rtld_fini)(),
                      void* stack_end) {
  using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  const auto real = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  real_main = main_function;
  return real(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}

}  // extern "C"
