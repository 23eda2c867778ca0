#include "allocation_counter.h"

#include <cstdlib>
#include <new>

std::atomic<long> lissom::test::allocations{0}, lissom::test::allocated_bytes{0};

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
namespace {
void count(std::size_t bytes) {
  ++lissom::test::allocations;
  lissom::test::allocated_bytes += long(bytes);
}
}  // namespace
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void* malloc(std::size_t size) noexcept {
  count(size);
  return __libc_malloc(size);
}
void* calloc(std::size_t n, std::size_t size) noexcept {
  count(n * size);
  return __libc_calloc(n, size);
}
void* realloc(void* p, std::size_t size) noexcept {
  count(size);
  return __libc_realloc(p, size);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  count(size);
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  count(size);
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** p, std::size_t alignment, std::size_t size) noexcept {
  count(size);
  *p = __libc_memalign(alignment, size);
  return *p ? 0 : 12;
}
}
#endif
