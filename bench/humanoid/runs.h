#pragma once
// Motions of MuJoCo's humanoid that are timed, the same for lissom and for MuJoCo: two start standing, four in random
// orientations in the air; half of them are driven by random torques, which change every 20 steps.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

namespace humanoid {

inline constexpr int runs = 6;

struct Run {
  explicit Run(int seed_) : seed(seed_) {
    if (seed < 2) return;
    std::mt19937 random(std::uint32_t(seed) + 100);
    std::normal_distribution<double> normal;
    double squares = 0;
    for (double& x : quaternion) x = normal(random), squares += x * x;
    for (double& x : quaternion) x /= std::sqrt(squares);
    height = 1;
  }
  int seed;
  double height = 1.283;
  double quaternion[4] = {1, 0, 0, 0};  // real part first
};

// The gears of the 21 motors, N m: abdomen 3, legs 6 each, arms 3 each.
inline constexpr std::array<double, 21> gears{40,  40, 40, 40, 40, 120, 80, 20, 20, 40, 40,
                                              120, 80, 20, 20, 20, 20,  40, 20, 20, 40};

class Torques {
 public:
  explicit Torques(const Run& run) : scale_(.3 * (run.seed % 2)), random_(std::uint32_t(run.seed)) {}
  const std::array<double, 21>& at(int step) {
    if (step % 20 == 0)
      for (std::size_t i = 0; i < gears.size(); ++i) now_[i] = gears[i] * scale_ * uniform_(random_);
    return now_;
  }

 private:
  double scale_;
  std::mt19937 random_;
  std::uniform_real_distribution<double> uniform_{-1, 1};
  std::array<double, 21> now_{};
};

// Everything is computed several times, and a step takes as long as the fastest of its repetitions: other processes
// disturb.
inline constexpr int repetitions = 5;

struct Step {
  double us = 0, residual = 0;
  int contacts = 0;  // that carry a force
  int candidates = 0, sweeps = 0, factorizations = 0;
};

class Steps {
 public:
  void begin() { next_ = 0; }
  void add(const Step& step) {
    if (next_ == steps_.size()) steps_.push_back(step);
    steps_[next_].us = std::min(steps_[next_].us, step.us);
    different_ += steps_[next_].contacts != step.contacts;
    ++next_;
  }

  // One line for each range of contacts.
  void print(const char* name, double h) const {
    std::printf("%s, h = %g ms; %zu steps of the repetitions differ\n", name, 1e3 * h, different_);
    std::printf("%-9s %7s %8s %8s %8s %8s %10s %9s %11s %7s %9s\n", "contacts", "steps", "mean us", "median", "p99",
                "max", "over 1e-6", "worst", "candidates", "sweeps", "factors");
    constexpr int all = 1 << 20, bounds[][2] = {{0, 0}, {1, 3}, {4, 9}, {10, all}, {0, all}};
    for (const auto& [lower, upper] : bounds) {
      char range[32];
      std::snprintf(range, sizeof range,
                    upper == 0     ? "%d"
                    : upper == all ? lower == 0 ? "all" : "%d-"
                                   : "%d-%d",
                    lower, upper);
      print_range(range, lower, upper);
    }
  }

 private:
  void print_range(const char* range, int lower, int upper) const {
    std::vector<double> times;
    double sum = 0, worst = 0, candidates = 0, sweeps = 0, factorizations = 0;
    long unsolved = 0;
    for (const auto& s : steps_) {
      if (s.contacts < lower || s.contacts > upper) continue;
      times.push_back(s.us);
      sum += s.us, candidates += s.candidates, sweeps += s.sweeps, factorizations += s.factorizations;
      unsolved += s.residual > 1e-6;
      worst = std::max(worst, s.residual);
    }
    if (times.empty()) return;
    std::sort(times.begin(), times.end());
    const auto n = double(times.size());
    std::printf("%-9s %7zu %8.2f %8.2f %8.2f %8.1f %10ld %9.1e %11.1f %7.2f %9.2f\n", range, times.size(), sum / n,
                times[times.size() / 2], times[times.size() * 99 / 100], times.back(), unsolved, worst, candidates / n,
                sweeps / n, factorizations / n);
  }

  std::vector<Step> steps_;
  std::size_t next_ = 0, different_ = 0;
};

}  // namespace humanoid
