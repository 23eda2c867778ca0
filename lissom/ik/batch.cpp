#include "lissom/ik/batch.h"

#include <atomic>

#include "lissom/batch/pool.h"
#include "lissom/ik/checks.h"
#include "lissom/ik/search.h"

namespace lissom::ik {

// The memory of one thread. (It is not in an unnamed namespace, because it is a part of Batch::Impl.)
struct Station {
  Evaluator in_lanes, alone;
  Descent descent{in_lanes};
  Polish polish{alone};
  std::vector<Search> searches;  // one for each lane
  std::vector<long> pose_index;  // of each lane

  Station(const Model& model, const TargetRows<double>& target)
      : in_lanes(model, lane_ik_kernels(), {&target, 1}, nullptr),
        alone(model, single_ik_kernels(), {&target, 1}, nullptr),
        searches(std::size_t(in_lanes.width()), Search(model, 1)),
        pose_index(std::size_t(in_lanes.width()), -1) {}
};

namespace {

struct Work {
  std::span<const Pose<double>> poses;
  const batch::RowsIn<double>& from;
  batch::RowsOut<double>& q;
  std::span<Batch::Report> reports;
  const Options& options;
  std::atomic<long> next = 0;
};

// Gives the lane the next pose; false if none is left.
bool refill(Station& s, int lane, Work& work) {
  const long i = work.next++;
  if (i >= long(work.poses.size())) {
    s.descent.stop(lane);
    return false;
  }
  s.pose_index[std::size_t(lane)] = i;
  s.in_lanes.set_target_pose(lane, 0, work.poses[std::size_t(i)]);
  const double* const from = work.from.data() + (work.from.rows() == 1 ? 0 : i * work.from.outerStride());
  s.searches[std::size_t(lane)].begin(s.descent, lane, from, work.options);
  return true;
}

void write_result(Station& s, int lane, Work& work) {
  auto& search = s.searches[std::size_t(lane)];
  const long i = s.pose_index[std::size_t(lane)];
  if (search.needs_polish()) {
    s.alone.set_target_pose(0, 0, work.poses[std::size_t(i)]);
    search.finish(s.polish, s.alone);
  }
  const auto& result = search.result();
  work.q.row(i) = result.q.transpose();
  if (!work.reports.empty())
    work.reports[std::size_t(i)] = {result.status, result.residuals[0].distance, result.residuals[0].angle,
                                    result.iterations, result.starts};
}

void run(Station& s, Work& work) {
  int busy = 0;
  s.in_lanes.set_tolerance(work.options.tolerance);
  s.alone.set_tolerance(work.options.tolerance);
  for (int lane = 0; lane < s.in_lanes.width(); ++lane) busy += refill(s, lane, work);
  while (busy > 0) {
    s.descent.advance();
    for (int lane = 0; lane < s.in_lanes.width(); ++lane) {
      if (s.descent.state(lane) == DescentState::running || s.descent.state(lane) == DescentState::idle) continue;
      if (s.searches[std::size_t(lane)].proceed(s.descent)) continue;
      write_result(s, lane, work);
      busy -= !refill(s, lane, work);
    }
  }
}

TargetRows<double> checked(const Model& model, const Target& target) {
  check(model, target, {"target"});
  return on_bodies(model, target);
}

}  // namespace

struct Batch::Impl {
  Model model;
  Target target;
  batch::Pool pool;
  std::vector<std::unique_ptr<Station>> stations;

  Impl(const Model& m, const Target& t, int threads) : model(m), target(t), pool(threads) {
    const auto rows = checked(m, t);
    for (int i = 0; i < pool.threads(); ++i) stations.push_back(std::make_unique<Station>(m, rows));
  }
};

Batch::Batch(const Model& model, const Target& target, int threads) {
  if (threads < 0 || threads > 4096)
    throw Error("threads is " + std::to_string(threads) + ", expected 0 (as many as the machine has) to 4096");
  checked(model, target);
  impl_ = std::make_unique<Impl>(model, target, threads);
}
Batch::~Batch() = default;
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;
int Batch::threads() const {
  return impl_->pool.threads();
}
int Batch::lanes() const {
  return impl_->stations[0]->in_lanes.width();
}

void Batch::solve(std::span<const Pose<double>> poses, const batch::RowsIn<double>& from, batch::RowsOut<double> q,
                  std::span<Report> reports, const Options& options) {
  auto& w = *impl_;
  const long n = long(poses.size());
  const auto expect_rows = [&](const char* name, long rows, long columns, bool or_one) {
    if ((rows == n || (or_one && rows == 1)) && columns == w.model.nq()) return;
    throw Error(std::string(name) + " is " + std::to_string(rows) + " × " + std::to_string(columns) + ", expected " +
                std::to_string(n) + (or_one ? " (or 1) × " : " × ") + std::to_string(w.model.nq()));
  };
  expect_rows("from", from.rows(), from.cols(), true);
  expect_rows("q", q.rows(), q.cols(), false);
  if (!reports.empty() && long(reports.size()) != n)
    throw Error("reports has " + std::to_string(reports.size()) + " elements, expected " + std::to_string(n) +
                " or none");
  expect_options(w.model, options);
  for (long i = 0; i < from.rows(); ++i)
    expect_configuration(w.model, Eigen::Map<const Eigen::VectorXd>(from.data() + i * from.outerStride(), from.cols()),
                         {"from", i});
  for (long i = 0; i < n; ++i)
    expect_target_pose(w.target.kind, poses[std::size_t(i)], {"poses", i, ".p"}, {"poses", i, ".R"});
  Work work{poses, from, q, reports, options};
  w.pool.run([&](int thread) { run(*w.stations[std::size_t(thread)], work); });
}

}  // namespace lissom::ik
