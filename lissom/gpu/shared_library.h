#pragma once
// A shared library that is looked for while the program runs, so that lissom needs none of CUDA to be built or
// installed. Not for users.
#include <string>
#include <vector>

namespace lissom::gpu {

class SharedLibrary {
 public:
  SharedLibrary() = default;
  // Opens the first of these that the system finds; check with is_open().
  explicit SharedLibrary(const std::vector<std::string>& names);

  bool is_open() const { return handle_ != nullptr; }
  const std::string& name() const { return name_; }
  // Why the last of the names could not be opened.
  const std::string& why() const { return why_; }

  // Sets `function` to the function of this name; false if there is none.
  template <class Function>
  bool find(const char* symbol_name, Function*& function) const {
    function = reinterpret_cast<Function*>(symbol(symbol_name));
    return function != nullptr;
  }

 private:
  void* symbol(const char* symbol_name) const;

  // It is never closed: drivers keep threads and handlers of their own.
  void* handle_ = nullptr;
  std::string name_, why_;
};

}  // namespace lissom::gpu
