#pragma once
// Objects that belong to one caller at a time: a second call, from another thread or from a callback of the first one,
// gets an error instead of a data race.
#include <atomic>
#include <string>
#include <thread>

#include "lissom/model/diagnostic.h"

namespace lissom::python {

class OneCaller {
 public:
  OneCaller() = default;
  OneCaller(const OneCaller&) {}  // (a copy is another object, which nobody uses yet)
  OneCaller& operator=(const OneCaller&) { return *this; }

  /// In use for as long as it lives.
  class Scope {
   public:
    Scope(OneCaller& object, const char* type) : object_(object) {
      if (!object_.take()) refuse(type);
    }
    ~Scope() { object_.release(); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    OneCaller& object_;
  };
  /// While a callback of the caller runs, which may use the object: not in use. Without the GIL, since somebody else
  /// who uses it at the end may need that.
  class Pause {
   public:
    explicit Pause(OneCaller& object) : object_(object) { object_.release(); }
    ~Pause() {
      while (!object_.take()) std::this_thread::yield();
    }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    OneCaller& object_;
  };
  /// For reading: a callback may look at the object that has called it.
  class Reading {
   public:
    Reading(OneCaller& object, const char* type) : object_(object), taken_(object.take()) {
      if (!taken_ && object_.owner_.load() != std::this_thread::get_id()) refuse(type);
    }
    ~Reading() {
      if (taken_) object_.release();
    }
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;

   private:
    OneCaller& object_;
    bool taken_;
  };

 private:
  bool take() {
    if (taken_.exchange(true, std::memory_order_acquire)) return false;
    owner_ = std::this_thread::get_id();
    return true;
  }
  void release() {
    owner_ = std::thread::id();
    taken_.store(false, std::memory_order_release);
  }
  [[noreturn]] static void refuse(const char* type) {
    throw Error(std::string("this ") + type +
                " is in use by another call; it belongs to one caller at a time, so make one for each thread");
  }
  std::atomic<bool> taken_ = false;
  std::atomic<std::thread::id> owner_{};
};

}  // namespace lissom::python
