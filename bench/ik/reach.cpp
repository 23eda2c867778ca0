// How many random reachable poses are reached, and how fast: one robot at a time, and in lanes.
//
// usage: ik_reach [--poses N] [--starts N] [--export FOLDER] ROBOT:FRAME:FILE.urdf …        prints JSON lines
// A pose is that of the frame in a random configuration within the limits. Every search begins at the middle of the
// ranges. A pose counts as reached where forward kinematics of the answer, done anew, is within 1e-6 m and 1e-6 rad of
// it, and every joint is within its limits. Medians are of wall-clock time; means are of processor time, which other
// programs on the machine do not affect. --export writes each chain and its poses for the rivals (bench/ik/kdl.cpp).
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include "lissom/lissom.h"
#include "lissom/math/quantile.h"
#include "lissom/spatial/quaternion.h"

namespace {

using namespace lissom;
using Clock = std::chrono::steady_clock;

struct Problem {
  std::string name, frame_name;
  Model model;
  FrameId frame;
  Eigen::VectorXd from;
  std::vector<Pose<double>> poses;
};

Problem make_problem(const std::string& spec, int count) {
  const auto first = spec.find(':'), second = spec.find(':', first + 1);
  const auto frame = spec.substr(first + 1, second - first - 1);
  auto model = load(spec.substr(second + 1));
  Problem p{spec.substr(0, first), frame, model, model.frame(frame), neutral(model), {}};
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

bool reached(const Problem& p, Workspace& work, const Eigen::VectorXd& q, const Pose<double>& desired) {
  for (int i = 0; i < p.model.nq(); ++i)
    if (q[i] < p.model.lower()[std::size_t(i)] || q[i] > p.model.upper()[std::size_t(i)]) return false;
  forward_kinematics(p.model, work, q);
  const auto X = placement(p.model, work, p.frame);
  const auto d = X.p - desired.p;
  const auto rotation = logarithm(quaternion(transpose(desired.R) * X.R));
  return dot(d, d) <= 1.0001e-12 && dot(rotation, rotation) <= 1.0001e-12;
}

double microseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

double processor_microseconds() {
  return 1e6 * double(std::clock()) / double(CLOCKS_PER_SEC);
}

void measure_single(const Problem& p, const ik::Options& options) {
  ik::Solver solver(p.model, {ik::pose(p.frame, p.poses[0])});
  Workspace work(p.model);
  std::vector<double> times;
  int solved = 0;
  double starts = 0, iterations = 0;
  for (const auto& desired : p.poses) {
    const auto begin = Clock::now();
    solver.set_target_pose(0, desired);
    const auto& result = solver.solve(p.from, options);
    times.push_back(microseconds_since(begin));
    solved += result.status == ik::Status::solved && reached(p, work, result.q, desired);
    starts += result.starts, iterations += result.iterations;
  }
  std::sort(times.begin(), times.end());
  const double before = processor_microseconds();
  for (const auto& desired : p.poses) {
    solver.set_target_pose(0, desired);
    solver.solve(p.from, options);
  }
  const double total = processor_microseconds() - before, n = double(p.poses.size());
  std::printf(
      "{\"solver\": \"lissom\", \"robot\": \"%s\", \"poses\": %d, \"reached_percent\": %.3f, \"median_us\": %.2f, "
      "\"mean_us\": %.2f, \"p99_us\": %.2f, \"starts\": %.2f, \"iterations\": %.1f}\n",
      p.name.c_str(), int(n), 100 * solved / n, quantile(times, 0.5), total / n, quantile(times, 0.99), starts / n,
      iterations / n);
}

void measure_lanes(const Problem& p, const ik::Options& options) {
  ik::Batch batch(p.model, ik::pose(p.frame, p.poses[0]), 1);
  Workspace work(p.model);
  const batch::Rows<double> from = p.from.transpose();
  batch::Rows<double> q(long(p.poses.size()), p.model.nq());
  std::vector<double> runs;
  for (int run = 0; run < 5; ++run) {
    const double before = processor_microseconds();
    batch.solve(p.poses, from, q, {}, options);
    runs.push_back(processor_microseconds() - before);
  }
  std::sort(runs.begin(), runs.end());
  int solved = 0;
  for (std::size_t i = 0; i < p.poses.size(); ++i) solved += reached(p, work, q.row(long(i)).transpose(), p.poses[i]);
  const double n = double(p.poses.size());
  std::printf(
      "{\"solver\": \"lissom lanes\", \"robot\": \"%s\", \"poses\": %d, \"reached_percent\": %.3f, \"mean_us\": %.2f, "
      "\"lanes\": %d}\n",
      p.name.c_str(), int(n), 100 * solved / n, runs[runs.size() / 2] / n, batch.lanes());
}

// Joints from the root to the frame's link: kind (0 fixed, 1 revolute, 2 prismatic), placement in the parent's link
// frame by rows and origin, axis, limits; then poses.
void write_chain(const Problem& p, const std::string& folder) {
  const auto& joints = p.model.description().joints;
  std::vector<const JointDescription*> chain;
  for (std::string link = p.frame_name;;) {
    const auto above = std::find_if(joints.begin(), joints.end(), [&](const auto& j) { return j.child == link; });
    if (above == joints.end()) break;
    chain.insert(chain.begin(), &*above);
    link = above->parent;
  }
  std::ofstream out(folder + "/" + p.name + ".txt");
  out.precision(17);
  const auto put = [&](const Pose<double>& X) {
    for (int i = 0; i < 12; ++i) out << (&X.R.xx)[i] << " ";
  };
  out << chain.size() << "\n";
  for (const auto* j : chain) {
    out << (j->type == JointType::fixed ? 0 : j->type == JointType::prismatic ? 2 : 1) << " ";
    put(j->origin);
    out << j->axis.x << " " << j->axis.y << " " << j->axis.z << " " << (j->lower.empty() ? -3.2 : j->lower[0]) << " "
        << (j->upper.empty() ? 3.2 : j->upper[0]) << "\n";
  }
  out << p.poses.size() << "\n";
  for (const auto& X : p.poses) put(X), out << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  int poses = 10000;
  std::string folder;
  ik::Options options;
  std::vector<std::string> specs;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--poses") == 0 && i + 1 < argc)
      poses = std::max(1, std::atoi(argv[++i]));
    else if (std::strcmp(argv[i], "--starts") == 0 && i + 1 < argc)
      options.starts = std::atoi(argv[++i]);
    else if (std::strcmp(argv[i], "--export") == 0 && i + 1 < argc)
      folder = argv[++i];
    else if (std::count(argv[i], argv[i] + std::strlen(argv[i]), ':') == 2)
      specs.emplace_back(argv[i]);
    else
      return std::fprintf(stderr, "'%s': expected --poses N, --starts N, --export FOLDER, ROBOT:FRAME:FILE\n", argv[i]),
             2;
  }
  for (const auto& spec : specs) {
    const auto problem = make_problem(spec, poses);
    if (!folder.empty()) {
      write_chain(problem, folder);
      continue;
    }
    measure_single(problem, options);
    measure_lanes(problem, options);
  }
}
