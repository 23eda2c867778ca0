#include "bound_model.h"

#include <exception>
#include <thread>

namespace lissom::python {

namespace {
std::atomic<int> threads_setting = 0;
}

int batch_threads() {
  return threads_setting;
}
void set_batch_threads(int threads) {
  if (threads < 0 || threads > 4096)
    throw Error("threads is " + std::to_string(threads) + ", expected 0 (as many as the machine has) to 4096");
  threads_setting = threads;
}

void on_threads(long first, long count, long threads, const std::function<void(long begin, long end)>& f) {
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(threads));
  const auto work_on = [&](long part) {
    try {
      f(first + part * count / threads, first + (part + 1) * count / threads);
    } catch (...) {
      errors[std::size_t(part)] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (long part = 1; part < threads; ++part) others.emplace_back(work_on, part);
    work_on(0);
  }
  for (const auto& error : errors)
    if (error) std::rethrow_exception(error);
}

void for_rows(const BoundModel& model, long rows, const std::function<void(Workspace&, long)>& f) {
  const long wanted = threads_setting ? int(threads_setting) : long(std::thread::hardware_concurrency());
  in_pieces(rows, 16384, [&](long first, long count) {
    // A thread costs some 20 µs; a row, one or more.
    const long threads = std::clamp(count / 64, 1L, std::max(1L, wanted));
    on_threads(first, count, threads, [&](long begin, long end) {
      const auto work = model.workspace();
      for (long i = begin; i < end; ++i) f(*work, i);
    });
  });
}

}  // namespace lissom::python
