#pragma once
// How lissom bench measures: random states, and functions that are run over them in turns.
#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "interrupt.h"
#include "lissom/lissom.h"
#include "lissom/tree/array.h"
#include "progress.h"

namespace verb::bench {

using lissom::Model;
using Clock = std::chrono::steady_clock;

inline constexpr int states = 1024;
// A run must be shorter than what a busy machine gives a program without a break (some milliseconds): else no run is
// undisturbed. So matrices of derivatives are evaluated at fewer states, and second derivatives at fewer still.
inline constexpr int states_of_derivatives = 256, states_of_second_order = 32;
// Second derivatives are 9 nv² elements for every robot in the lanes.
inline constexpr int max_nv_of_second_order = 256;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Modes are measured one after another, each with a stopwatch of its own.
struct BenchProgress {
  Progress line;
  int groups = 6;
  int group = 0;
  void show(double done, const std::string& mode) {
    line.show((group + std::min(done, 1.)) / groups, "measuring " + mode);
  }
};

struct Effort {
  double seconds = 0.1;  // per figure
  bool best = false;     // the fastest run instead of the median
  std::string only;      // one algorithm, or all
  BenchProgress* progress = nullptr;
  mutable std::vector<std::string> known = {};  // the algorithms that could be asked for
  bool asks_for(const std::string& algorithm) const {
    if (std::ranges::find(known, algorithm) == known.end()) known.push_back(algorithm);
    return only.empty() || only == algorithm;
  }
};

struct Row {
  std::string algorithm, mode;
  double us = 0;  // per robot
};

// Collects the functions to measure, then runs them in turns, so that a short load on the machine disturbs one run of
// each figure and not all runs of one. The figure is the median of the runs; a run goes through all states.
class Stopwatch {
 public:
  explicit Stopwatch(const Effort& effort) : effort_(effort) {}
  // f(i) evaluates group i of `groups` groups of robots.
  template <class F>
  void add(const std::string& algorithm, const std::string& mode, int groups, int robots_per_group, F f) {
    if (!effort_.asks_for(algorithm)) return;
    cells_.push_back({{algorithm, mode},
                      [f, groups](bool may_end) {
                        for (int i = 0; i < groups && !(may_end && interrupted()); ++i) f(i);
                      },
                      groups * robots_per_group,
                      {}});
  }
  void measure(std::vector<Row>& rows) {
    if (interrupted() || cells_.empty()) return cells_.clear();
    for (auto& cell : cells_) {
      const auto before = Clock::now();
      cell.run(true);
      cell.slow = seconds_since(before) > may_wait;
      if (interrupted()) return cells_.clear();
    }
    const auto start = Clock::now();
    const double seconds = effort_.seconds * double(cells_.size());
    for (int round = 0; round < 15 || seconds_since(start) < seconds; ++round) {
      effort_.progress->show(seconds_since(start) / seconds, cells_.front().row.mode);
      for (auto& cell : cells_) {
        const auto before = Clock::now();
        cell.run(cell.slow);
        if (interrupted()) return cells_.clear();
        cell.times.push_back(1e6 * seconds_since(before) / cell.robots);
      }
    }
    ++effort_.progress->group;
    for (auto& cell : cells_) {
      const auto middle = cell.times.begin() + (effort_.best ? 0 : long(cell.times.size() / 2));
      std::nth_element(cell.times.begin(), middle, cell.times.end());
      rows.push_back({cell.row.algorithm, cell.row.mode, *middle});
    }
    cells_.clear();
  }

 private:
  static constexpr double may_wait = 0.1;  // s
  const Effort& effort_;
  struct Cell {
    Row row;
    std::function<void(bool may_end)> run;
    int robots;
    std::vector<double> times;
    bool slow = false;  // a run asks whether it is interrupted, which takes as long as a hundredth of a quick algorithm
  };
  std::vector<Cell> cells_;
};

// Random states; each element is stored for `width` robots side by side.
template <class S>
struct States {
  int groups;
  std::vector<lissom::Array<S>> q, v, a, tau;

  States(const Model& model, int width) : groups(std::max(128, states / width)) {
    const auto lanes = std::size_t(width);
    for (int g = 0; g < groups; ++g) {
      q.emplace_back(std::size_t(model.nq()) * lanes);
      for (auto* x : {&v, &a, &tau}) x->emplace_back(std::size_t(model.nv()) * lanes);
      for (std::size_t l = 0; l < lanes; ++l) {
        const auto seed = std::uint64_t(g) * lanes + l;
        const auto configuration = random_configuration(model, seed);
        for (int i = 0; i < model.nq(); ++i) q.back()[std::size_t(i) * lanes + l] = S(configuration[i]);
        const Eigen::MatrixXd rates = Eigen::MatrixXd::Random(model.nv(), 3);
        for (int i = 0; i < model.nv(); ++i) {
          v.back()[std::size_t(i) * lanes + l] = S(rates(i, 0));
          a.back()[std::size_t(i) * lanes + l] = S(rates(i, 1));
          tau.back()[std::size_t(i) * lanes + l] = S(rates(i, 2));
        }
      }
    }
  }
};

}  // namespace verb::bench
