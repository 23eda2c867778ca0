#pragma once
// A pool of threads: run(f) calls f(0) … f(threads - 1), each on its own thread (f(0) on the caller's), and returns
// when all are done. A call allocates nothing. Not installed.
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace lissom::batch {

class Pool {
 public:
  /// threads = 0: as many as the machine has hardware threads.
  explicit Pool(int threads);
  ~Pool();
  int threads() const { return int(workers_.size()) + 1; }

  template <class F>
  void run(const F& f) {
    run_erased([](const void* g, int thread) { (*static_cast<const F*>(g))(thread); }, &f);
  }

 private:
  using Task = void (*)(const void*, int);
  void run_erased(Task task, const void* argument);
  void work(int thread);

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable start_, done_;
  Task task_ = nullptr;
  const void* argument_ = nullptr;
  unsigned long round_ = 0;
  int busy_ = 0;
  bool stop_ = false;
};

}  // namespace lissom::batch
