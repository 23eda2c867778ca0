#include "lissom/gpu/shared_library.h"

#include <dlfcn.h>

namespace lissom::gpu {

SharedLibrary::SharedLibrary(const std::vector<std::string>& names) {
  for (const auto& name : names) {
    if (name.empty()) continue;
    handle_ = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_) {
      name_ = name;
      why_.clear();
      return;
    }
    if (const char* const why = ::dlerror()) why_ = why;
  }
}

void* SharedLibrary::symbol(const char* symbol_name) const {
  return handle_ ? ::dlsym(handle_, symbol_name) : nullptr;
}

}  // namespace lissom::gpu
