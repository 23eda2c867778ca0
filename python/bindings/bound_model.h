#pragma once
// The Model of Python: a lissom::Model with the workspaces that its methods need. Any number of threads may call the
// methods of one model: each call takes a workspace for its time.
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

#include "casters.h"
#include "lissom/api/workspace.h"

namespace lissom::python {

/// Objects that are made when they are needed, and kept for the next call.
template <class T>
class Pool {
 public:
  ~Pool() { delete spare_.load(); }
  /// One of them, for as long as it lives.
  class Lease {
   public:
    Lease(Pool& pool, std::unique_ptr<T> object) : pool_(pool), object_(std::move(object)) {}
    ~Lease() { pool_.put(std::move(object_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    T& operator*() const { return *object_; }

   private:
    Pool& pool_;
    std::unique_ptr<T> object_;
  };
  template <class Make>
  Lease take(const Make& make) {
    return take(make, [](const T&) { return true; });
  }
  /// The same; those that do not fit (any more) are given up.
  template <class Make, class Fits>
  Lease take(const Make& make, const Fits& fits) {
    // Most programs have one caller at a time: it finds its object here without a lock.
    std::unique_ptr<T> object(spare_.exchange(nullptr, std::memory_order_acquire));
    if (object && !fits(*object)) object.reset();
    if (!object) {
      const std::lock_guard lock(mutex_);
      while (!object && !others_.empty()) {
        object = std::move(others_.back()), others_.pop_back();
        if (!fits(*object)) object.reset();
      }
    }
    if (!object) object = make();
    return Lease(*this, std::move(object));
  }

 private:
  void put(std::unique_ptr<T> object) {
    std::unique_ptr<T> before(spare_.exchange(object.release(), std::memory_order_acq_rel));
    if (!before) return;
    const std::lock_guard lock(mutex_);
    others_.push_back(std::move(before));
  }
  std::atomic<T*> spare_ = nullptr;
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> others_;
};

/// Threads of calls on many states; 0: as many as the machine has.
int batch_threads();
void set_batch_threads(int threads);

class BoundModel : public Model {
 public:
  explicit BoundModel(Model model, std::vector<Diagnostic> diagnostics = {})
      : Model(std::move(model)), diagnostics(std::move(diagnostics)), pools_(std::make_unique<Pools>()) {}
  BoundModel(const BoundModel& other) : BoundModel(static_cast<const Model&>(other), other.diagnostics) {}

  /// A workspace for one state.
  auto workspace() const {
    return pools_->one.take([this] { return std::make_unique<Workspace>(*this); });
  }
  /// A workspace for many states; small batches do not pay for threads.
  template <class S>
  auto batch_workspace(long rows) const {
    const bool threaded = rows * nv() > 8192;
    const int threads = threaded ? batch_threads() : 1;
    auto& pool = [&]() -> auto& {
      if constexpr (std::is_same_v<S, double>)
        return threaded ? pools_->doubles : pools_->doubles_alone;
      else
        return threaded ? pools_->floats : pools_->floats_alone;
    }();
    // (Their threads may have been made before set_threads() was called.)
    const int expected = threads > 0 ? threads : int(std::max(1U, std::thread::hardware_concurrency()));
    return pool.take([&] { return std::make_unique<batch::Workspace<S>>(*this, threads); },
                     [&](const batch::Workspace<S>& work) { return work.threads() == expected; });
  }

  std::vector<Diagnostic> diagnostics;  ///< what load() had to say

 private:
  struct Pools {
    Pool<Workspace> one;
    Pool<batch::Workspace<double>> doubles, doubles_alone;
    Pool<batch::Workspace<float>> floats, floats_alone;
  };
  std::unique_ptr<Pools> pools_;
};

/// Calls f(begin, end) for parts of first … first + count - 1, one on each thread. Throws the error of the first part
/// that failed, so that the message does not depend on timing.
void on_threads(long first, long count, long threads, const std::function<void(long begin, long end)>& f);
/// Calls f(work, row) for all rows, without the GIL, on threads where there are many.
void for_rows(const BoundModel& model, long rows, const std::function<void(Workspace&, long)>& f);

void bind_description(nb::module_& m);
void bind_writing(nb::module_& m);
void bind_model(nb::module_& m);
void bind_kinematics(nb::class_<BoundModel>& model);
void bind_dynamics(nb::class_<BoundModel>& model);
void bind_derivatives(nb::module_& m, nb::class_<BoundModel>& model);
void bind_second_order(nb::class_<BoundModel>& model);
void bind_states(nb::class_<BoundModel>& model);
void bind_html(nb::class_<BoundModel>& model);
void bind_variants(nb::module_& m, nb::class_<BoundModel>& model);
void bind_model_loops(nb::class_<BoundModel>& model);
void bind_codegen(nb::module_& m);
void bind_equations(nb::module_& m, nb::class_<BoundModel>& model);
void bind_gpu(nb::module_& m);

}  // namespace lissom::python
