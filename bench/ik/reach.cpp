// How many of 10,000 random reachable poses are reached, and how fast: one robot at a time, and in lanes.
//
// usage: reach [--poses N] [--starts N] ROBOT:FRAME:FILE.urdf …        prints JSON lines
// A pose is that of the frame in a random configuration within the limits. Every search begins at the middle of the
// ranges. A pose counts as reached where forward kinematics of the answer, done anew, is within 1e-6 m and 1e-6 rad of
// it, and every joint is within its limits.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "lissom/ik/solver.h"
#include "lissom/lissom.h"

namespace {

using namespace lissom;
using Clock = std::chrono::steady_clock;

struct Problem {
  std::string name;
  Model model;
  FrameId frame;
  Eigen::VectorXd from;
  std::vector<Pose<double>> poses;
};

Problem make_problem(const std::string& spec, int count) {
  const auto first = spec.find(':'), second = spec.find(':', first + 1);
  auto model = load(spec.substr(second + 1));
  Problem p{spec.substr(0, first), model, model.frame(spec.substr(first + 1, second - first - 1)), neutral(model), {}};
  for (int i = 0; i < model.nq(); ++i)
    if (const double low = model.lower()[std::size_t(i)], high = model.upper()[std::size_t(i)];
        std::isfinite(low) && std::isfinite(high))
      p.from[i] = (low + high) / 2;
  Workspace work(model);
  for (int i = 0; i < count; ++i) {
    forward_kinematics(model, work, random_configuration(model, std::uint64_t(i) + 1));
    p.poses.push_back(placement(model, work, p.frame));
  }
  return p;
}

bool reached(const Problem& p, Workspace& work, const Eigen::VectorXd& q, const Pose<double>& wanted) {
  for (int i = 0; i < p.model.nq(); ++i)
    if (q[i] < p.model.lower()[std::size_t(i)] || q[i] > p.model.upper()[std::size_t(i)]) return false;
  forward_kinematics(p.model, work, q);
  const auto X = placement(p.model, work, p.frame);
  const auto d = X.p - wanted.p;
  const auto turn = logarithm(quaternion(transpose(wanted.R) * X.R));
  return dot(d, d) <= 1.0001e-12 && dot(turn, turn) <= 1.0001e-12;
}

double percentile(std::vector<double>& sorted, double part) {
  return sorted[std::min(sorted.size() - 1, std::size_t(part * double(sorted.size())))];
}

void measure_single(const Problem& p, const ik::Options& options) {
  ik::Solver solver(p.model, {ik::pose(p.frame, p.poses[0])});
  Workspace work(p.model);
  std::vector<double> times;
  int solved = 0;
  double starts = 0, iterations = 0, total = 0;
  for (const auto& wanted : p.poses) {
    const auto begin = Clock::now();
    solver.set_place(0, wanted);
    const auto& result = solver.solve(p.from, options);
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
    total += times.back();
    solved += result.status == ik::Status::solved && reached(p, work, result.q, wanted);
    starts += result.starts, iterations += result.iterations;
  }
  std::sort(times.begin(), times.end());
  const double n = double(p.poses.size());
  std::printf(
      "{\"solver\": \"lissom\", \"robot\": \"%s\", \"poses\": %d, \"reached_percent\": %.3f, \"median_us\": %.2f, "
      "\"mean_us\": %.2f, \"p99_us\": %.2f, \"starts\": %.2f, \"iterations\": %.1f}\n",
      p.name.c_str(), int(n), 100 * solved / n, percentile(times, 0.5), total / n, percentile(times, 0.99), starts / n,
      iterations / n);
}

}  // namespace

int main(int argc, char** argv) {
  int poses = 10000;
  ik::Options options;
  std::vector<std::string> specs;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--poses") == 0 && i + 1 < argc)
      poses = std::atoi(argv[++i]);
    else if (std::strcmp(argv[i], "--starts") == 0 && i + 1 < argc)
      options.starts = std::atoi(argv[++i]);
    else
      specs.emplace_back(argv[i]);
  }
  for (const auto& spec : specs) measure_single(make_problem(spec, poses), options);
}
