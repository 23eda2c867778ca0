#pragma once
// Inverse kinematics for many poses of one target, such as thousands of poses of a hand. Searches run side by side in
// the lanes of the processor's registers, and a lane whose search has ended takes the next pose; threads share the
// poses. The result for a pose depends on that pose alone, so it is the same for any number of threads and any order.
#include <memory>
#include <span>

#include "lissom/batch/batch.h"
#include "lissom/ik/result.h"
#include "lissom/ik/target.h"

namespace lissom::ik {

/// Solves one target for many poses. Belongs to one caller at a time.
class Batch {
 public:
  /// threads = 0: as many as the machine runs at once. Throws an Error if the target is invalid.
  Batch(const Model& model, const Target& target, int threads = 0);
  ~Batch();
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;
  int threads() const;
  int lanes() const;  ///< searches that a thread runs side by side

  /// The outcome for one pose; its configuration is a row of q.
  struct Report {
    Status status = Status::stopped;
    double distance = 0, angle = 0;  ///< remaining error, in meters and radians
    int iterations = 0, starts = 0;
  };
  /// Solves for each of the poses, which replace the target's own.
  /// from: a row of q for each pose, or one row for all; q: a row for each pose; reports: one for each pose, or none.
  /// Throws an Error if sizes do not match or a pose or a configuration is invalid.
  void solve(std::span<const Pose<double>> poses, const batch::RowsIn<double>& from, batch::RowsOut<double> q,
             std::span<Report> reports = {}, const Options& options = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lissom::ik
