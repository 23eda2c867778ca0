// Orocos KDL's two solvers of positions on the chains and poses that ik_reach --export wrote.
//
// usage: kdl [--starts N] [--poses N] FILE.txt …        prints JSON lines
// As with ours: every search begins at the middle of the ranges; where that does not reach, at random configurations
// within the limits, up to N. ChainIkSolverPos_LMA ignores limits: its joints are brought into their limits by
// whole revolutions if that is possible, and otherwise another start is tried. Both are asked for 1e-6 m and rad,
// with equal weights, and checked by forward kinematics.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <kdl/chain.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainiksolverpos_lma.hpp>
#include <kdl/chainiksolverpos_nr_jl.hpp>
#include <kdl/chainiksolvervel_pinv.hpp>
#include <random>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using Solve = std::function<int(const KDL::JntArray&, const KDL::Frame&, KDL::JntArray&)>;

struct Problem {
  std::string name;
  KDL::Chain chain;
  std::vector<double> lower, upper;
  std::vector<KDL::Frame> poses;

  explicit Problem(const std::string& file) {
    const auto slash = file.rfind('/') + 1;
    name = file.substr(slash, file.rfind('.') - slash);
    std::ifstream in(file);
    const auto frame = [&] {
      double r[9], p[3];
      for (double& x : r) in >> x;
      for (double& x : p) in >> x;
      return KDL::Frame(KDL::Rotation(r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]),
                        KDL::Vector(p[0], p[1], p[2]));
    };
    int count = 0;
    in >> count;
    for (int i = 0; i < count; ++i) {
      int kind = 0;
      in >> kind;
      const auto X = frame();
      double a[3], low = 0, high = 0;
      in >> a[0] >> a[1] >> a[2] >> low >> high;
      const KDL::Vector axis = X.M * KDL::Vector(a[0], a[1], a[2]);
      const auto joint = "j" + std::to_string(i);
      if (kind == 0) {
        chain.addSegment(KDL::Segment(KDL::Joint(joint, KDL::Joint::Fixed), X));
        continue;
      }
      chain.addSegment(
          KDL::Segment(KDL::Joint(joint, X.p, axis, kind == 1 ? KDL::Joint::RotAxis : KDL::Joint::TransAxis), X));
      lower.push_back(low), upper.push_back(high);
    }
    in >> count;
    for (int i = 0; i < count; ++i) poses.push_back(frame());
  }
};

// Adds whole revolutions that bring q into the limits; false if that is impossible.
bool bring_inside(const Problem& p, KDL::JntArray& q) {
  for (unsigned i = 0; i < q.rows(); ++i) {
    while (q(i) > p.upper[i]) q(i) -= 2 * M_PI;
    while (q(i) < p.lower[i]) q(i) += 2 * M_PI;
    if (q(i) > p.upper[i]) return false;
  }
  return true;
}

bool reached(KDL::ChainFkSolverPos_recursive& forward, const KDL::JntArray& q, const KDL::Frame& desired) {
  KDL::Frame X;
  forward.JntToCart(q, X);
  const auto d = KDL::diff(X, desired);
  return d.vel.Norm() <= 1.0001e-6 && d.rot.Norm() <= 1.0001e-6;
}

void measure(const Problem& p, const char* solver, int poses, int starts, const Solve& solve) {
  KDL::ChainFkSolverPos_recursive forward(p.chain);
  const auto n = unsigned(p.lower.size());
  std::vector<double> times;
  int solved = 0, from_first = 0;
  double tries = 0, total = 0;
  std::mt19937_64 random(1);
  poses = std::min(poses, int(p.poses.size()));
  for (int k = 0; k < poses; ++k) {
    const auto& desired = p.poses[std::size_t(k)];
    const auto begin = Clock::now();
    bool found = false;
    KDL::JntArray from(n), q(n);
    for (int s = 0; s < starts && !found; ++s, ++tries) {
      for (unsigned i = 0; i < n; ++i) {
        const double part = s == 0 ? 0.5 : double(random() >> 11) * 0x1p-53;
        from(i) = p.lower[i] + part * (p.upper[i] - p.lower[i]);
      }
      solve(from, desired, q);
      found = bring_inside(p, q) && reached(forward, q, desired);
      from_first += found && s == 0;
    }
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
    total += times.back();
    solved += found;
  }
  std::sort(times.begin(), times.end());
  std::printf(
      "{\"solver\": \"%s\", \"robot\": \"%s\", \"poses\": %d, \"reached_percent\": %.3f, \"median_us\": %.2f, "
      "\"mean_us\": %.2f, \"p99_us\": %.2f, \"starts\": %.2f, \"first_start_percent\": %.2f}\n",
      solver, p.name.c_str(), poses, 100.0 * solved / poses, times[times.size() / 2], total / poses,
      times[std::size_t(0.99 * double(times.size()))], tries / poses, 100.0 * from_first / poses);
  std::fflush(stdout);
}

void measure_all(const Problem& p, int poses, int starts) {
  Eigen::Matrix<double, 6, 1> weights;
  weights.setOnes();
  KDL::ChainIkSolverPos_LMA lma(p.chain, weights, 1e-6);
  measure(p, "KDL LMA", poses, starts,
          [&](const auto& from, const auto& desired, auto& q) { return lma.CartToJnt(from, desired, q); });
  KDL::ChainFkSolverPos_recursive forward(p.chain);
  KDL::ChainIkSolverVel_pinv velocities(p.chain);
  const auto n = unsigned(p.lower.size());
  KDL::JntArray lower(n), upper(n);
  for (unsigned i = 0; i < n; ++i) lower(i) = p.lower[i], upper(i) = p.upper[i];
  KDL::ChainIkSolverPos_NR_JL newton(p.chain, lower, upper, forward, velocities, 100, 1e-6);
  measure(p, "KDL NR_JL", poses, starts,
          [&](const auto& from, const auto& desired, auto& q) { return newton.CartToJnt(from, desired, q); });
}

}  // namespace

int main(int argc, char** argv) {
  int starts = 100, poses = 10000;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--starts") == 0 && i + 1 < argc)
      starts = std::atoi(argv[++i]);
    else if (std::strcmp(argv[i], "--poses") == 0 && i + 1 < argc)
      poses = std::atoi(argv[++i]);
    else
      measure_all(Problem(argv[i]), poses, starts);
  }
}
