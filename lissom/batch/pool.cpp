#include "lissom/batch/pool.h"

#include <algorithm>

namespace lissom::batch {

Pool::Pool(int threads) {
  const int count = threads > 0 ? threads : std::max(1, int(std::thread::hardware_concurrency()));
  for (int i = 1; i < count; ++i) workers_.emplace_back([this, i] { work(i); });
}

Pool::~Pool() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  start_.notify_all();
  for (auto& worker : workers_) worker.join();
}

void Pool::run_erased(Task task, const void* argument) {
  if (!workers_.empty()) {
    const std::lock_guard lock(mutex_);
    task_ = task;
    argument_ = argument;
    busy_ = int(workers_.size());
    ++round_;
    start_.notify_all();
  }
  task(argument, 0);
  if (!workers_.empty()) {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return busy_ == 0; });
  }
}

void Pool::work(int thread) {
  for (unsigned long seen = 0;;) {
    std::unique_lock lock(mutex_);
    start_.wait(lock, [&] { return stop_ || round_ != seen; });
    if (stop_) return;
    seen = round_;
    const auto task = task_;
    const auto* const argument = argument_;
    lock.unlock();
    task(argument, thread);
    lock.lock();
    if (--busy_ == 0) done_.notify_one();
  }
}

}  // namespace lissom::batch
