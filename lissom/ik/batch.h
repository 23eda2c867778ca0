#pragma once
// Many places for one target at once: the same robot asked for thousands of poses of its hand. Searches fill the lanes
// of the processor's registers, and a lane whose search has ended takes the next place; threads share the places. What
// is found for a place depends on that place alone: the same answers for any number of threads and any order.
#include <memory>
#include <span>

#include "lissom/batch/batch.h"
#include "lissom/ik/result.h"
#include "lissom/ik/target.h"

namespace lissom::ik {

class Batch {
 public:
  // threads = 0: as many as the machine runs at once.
  Batch(const Model& model, const Target& target, int threads = 0);
  ~Batch();
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;
  int threads() const;
  int lanes() const;

  struct Report {
    Status status = Status::stopped;
    double distance = 0, angle = 0;  // left, in meters and radians
    int iterations = 0, starts = 0;
  };
  // from: a row of q for each place, or one row for all; q: a row for each place; reports: one for each place, or none.
  void solve(std::span<const Pose<double>> places, const batch::RowsIn<double>& from, batch::RowsOut<double> q,
             std::span<Report> reports = {}, const Options& options = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lissom::ik
