#pragma once
// Objects that belong to one caller at a time: a second call, from another thread or from a callback of the first one,
// gets an error instead of a data race.
#include <atomic>
#include <string>

#include "lissom/model/diagnostic.h"

namespace lissom::python {

class InUse {
 public:
  InUse() = default;
  InUse(const InUse&) {}  // (a copy is another object, which nobody uses yet)
  InUse& operator=(const InUse&) { return *this; }

  /// In use for as long as it lives.
  class Scope {
   public:
    Scope(InUse& object, const char* type) : object_(object) {
      if (object_.taken_.exchange(true, std::memory_order_acquire))
        throw Error(std::string("this ") + type + " is in use by another call; it belongs to one caller at a time, so make one for each thread");
    }
    ~Scope() { object_.taken_.store(false, std::memory_order_release); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    InUse& object_;
  };

 private:
  std::atomic<bool> taken_ = false;
};

}  // namespace lissom::python
