#pragma once
// Shared by the programs that measure other libraries: their arguments, and measurement exactly as in `lissom bench`.
// All rows of a robot are measured in turn; a run covers all states, or as many as take about a millisecond; the figure
// is the median of the runs (at least 15), in µs per call, on one thread.
//
// usage: PROGRAM [--seconds S] [--best] BASE:NAME:FILE …          prints JSON lines
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

// How the library was compiled, where there are several ways (build_as in setup.sh).
#ifndef RIVAL_BUILD
#define RIVAL_BUILD ""
#endif

namespace harness {

constexpr int states = 1024;
constexpr double pi = 3.14159265358979323846;

// Keeps the compiler from optimizing x away.
template <class T>
void keep(const T& x) {
  asm volatile("" : : "g"(&x) : "memory");
}

// A generator that gives the same numbers in every run.
class Random {
 public:
  double operator()(double low, double high) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * double(state_ >> 11) * 0x1p-53;
  }

 private:
  unsigned long long state_ = 1;
};

struct Range {
  double low, high;
};
// The range of random values of a coordinate: its limits, or ±free if it has none, or limits beyond ±10.
inline Range drawn_from(double low, double high, double free) {
  return low < high && low > -10 && high < 10 ? Range{low, high} : Range{-free, free};
}

struct Robot {
  std::string base, name, file;
};

struct Arguments {
  double seconds = 0.1;  // per figure
  bool best = false;     // the fastest run instead of the median
  std::vector<Robot> robots;

  Arguments(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
      const std::string argument = argv[i];
      const auto first = argument.find(':'), second = argument.find(':', first + 1);
      if (argument == "--seconds" && i + 1 < argc) {
        seconds = std::atof(argv[++i]);
      } else if (argument == "--best") {
        best = true;
      } else if (first != std::string::npos && second != std::string::npos) {
        robots.push_back(
            {argument.substr(0, first), argument.substr(first + 1, second - first - 1), argument.substr(second + 1)});
      } else {
        std::fprintf(stderr, "'%s': expected --seconds S, --best or BASE:NAME:FILE\n", argv[i]);
        std::exit(2);
      }
    }
  }
};

// A state and what the library computes from it, printed for `compare`, which checks it against `lissom eval`.
class Results {
 public:
  using List = std::vector<double>;

  // `convention` is that of `lissom eval` in which the vectors are.
  Results(const std::string& rival, const Robot& robot, const std::string& convention)
      : head_("{\"rival\": \"" + rival + "\", \"robot\": \"" + robot.name + "\", \"convention\": \"" + convention +
              "\"") {}

  void state(const std::vector<std::pair<const char*, List>>& lists) {
    for (const auto& [name, list] : lists) append(state_, name, list);
  }
  // `name` is that of the result of `lissom eval`; matrices by rows.
  void add(const char* name, const List& list) { append(results_, name, list); }
  void print() const {
    std::printf("%s, \"state\": {%s}, \"results\": {%s}}\n", head_.c_str(), state_.c_str(), results_.c_str());
  }

 private:
  static void append(std::string& text, const char* name, const List& list) {
    text += (text.empty() ? "\"" : ", \"") + std::string(name) + "\": [";
    for (std::size_t i = 0; i < list.size(); ++i) {
      char number[32];
      std::snprintf(number, sizeof number, i ? ", %.17g" : "%.17g", list[i]);
      text += number;
    }
    text += "]";
  }
  std::string head_, state_, results_;
};

class Stopwatch {
 public:
  Stopwatch(std::string rival, std::string version, const Arguments& arguments, const Robot& robot, int nv)
      : rival_(std::move(rival)), version_(std::move(version)), arguments_(arguments), robot_(robot), nv_(nv) {}

  // f(i) evaluates state i. `algorithm` is the corresponding row of `lissom bench`; `how` says what was called.
  template <class F>
  void add(const char* algorithm, const char* how, F f) {
    rows_.push_back({algorithm,
                     how,
                     [f](int count) {
                       for (int i = 0; i < count; ++i) f(i);
                     },
                     states,
                     {}});
  }

  void measure_and_print() {
    for (auto& row : rows_) choose_count(row);
    const auto start = Clock::now();
    for (int round = 0; round < 15 || since(start) < arguments_.seconds * double(rows_.size()); ++round)
      for (auto& row : rows_) {
        const auto before = Clock::now();
        row.run(row.count);
        row.times.push_back(1e6 * since(before) / row.count);
      }
    for (auto& row : rows_) {
      const auto at = row.times.begin() + (arguments_.best ? 0 : long(row.times.size() / 2));
      std::nth_element(row.times.begin(), at, row.times.end());
      std::printf(
          "{\"rival\": \"%s\", \"version\": \"%s\", \"robot\": \"%s\", \"base\": \"%s\", \"nv\": %d, "
          "\"algorithm\": \"%s\", \"how\": \"%s\", \"build\": \"%s\", \"us\": %.5f}\n",
          rival_.c_str(), version_.c_str(), robot_.name.c_str(), robot_.base.c_str(), nv_, row.algorithm, row.how,
          RIVAL_BUILD, *at);
    }
    std::fflush(stdout);
    rows_.clear();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

  struct Row {
    const char *algorithm, *how;
    std::function<void(int)> run;  // on so many states
    int count;
    std::vector<double> times;
  };

  // On a busy machine no run of much more than a millisecond is undisturbed: slow rows take fewer states.
  static void choose_count(Row& row) {
    constexpr int few = 32;
    row.run(states);
    double fastest = 1;
    for (int i = 0; i < 9; ++i) {
      const auto before = Clock::now();
      row.run(few);
      fastest = std::min(fastest, since(before));
    }
    while (row.count > few && fastest * row.count > 1e-3 * few) row.count /= 2;
  }

  std::string rival_, version_;
  const Arguments& arguments_;
  const Robot& robot_;
  int nv_;
  std::vector<Row> rows_;
};

}  // namespace harness
