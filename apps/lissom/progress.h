#pragma once
// How far a long computation is, and how long it will take still: a line on standard error that is written over. It
// appears only on a terminal, and only if the computation takes more than a second.
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

class Progress {
 public:
  // Nothing is shown if `quiet`, or if standard error is not a terminal.
  explicit Progress(bool quiet);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // done: 0 … 1, or negative if nobody knows. It may be called as often as one likes.
  void show(double done, const std::string& what);
  void clear();
  // Whether anything would be shown.
  bool is_on() const { return on_; }

 private:
  using Clock = std::chrono::steady_clock;
  bool on_, shown_ = false;
  Clock::time_point begin_ = Clock::now(), next_ = begin_ + std::chrono::seconds(1);
};

// The same for a call that does not say how far it is: a thread shows what is done and for how long, as long as this
// object lives. Nothing else may be printed meanwhile.
class Waiting {
 public:
  Waiting(bool quiet, std::string what);
  ~Waiting();
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  Progress progress_;
  std::string what_;
  std::mutex mutex_;
  std::condition_variable_any ended_;
  std::jthread thread_;
};

// For parts of equal size, such as states, of which one alone may take long: in the first, how long it takes so far,
// and then how far all of them are.
class ProgressOfParts {
 public:
  ProgressOfParts(bool quiet, std::size_t count) : progress_(quiet), quiet_(quiet), count_(count) {}
  // Part `index` begins, or still goes on.
  void show(std::size_t index, const std::string& what);
  void clear();

 private:
  Progress progress_;
  std::optional<Waiting> first_;
  bool quiet_;
  std::size_t count_;
};

// "3 s", "4 min 10 s", "2 h 5 min"
std::string duration_text(double seconds);
