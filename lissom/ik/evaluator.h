#pragma once
// Evaluates the residuals of the targets, their Jacobian and their cost, for as many robots at once as a table of
// kernels has lanes. Not for users.
#include <memory>
#include <span>
#include <vector>

#include "lissom/ik/kernels.h"
#include "lissom/ik/result.h"
#include "lissom/ik/search_space.h"
#include "lissom/ik/target.h"
#include "lissom/tree/array.h"

namespace lissom::ik {

// One configuration per lane, and its residuals. Element (r, c) of J is at c * height + r.
struct Iterate {
  Array<double> q, e, J, error;
  double extra = 0;  // norm of the residuals of the extra rows
};

class Evaluator {
 public:
  // `extra` may be null; otherwise the table must have one lane, because extra rows are evaluated for one robot.
  // locked: as in SearchSpace.
  Evaluator(const Model& model, const IkKernels<double>& kernels, std::span<const TargetRows<double>> targets,
            const ExtraRows* extra, const std::vector<bool>& locked = {});

  const IkKernels<double>& kernels() const { return kernels_; }
  const SearchSpace& space() const { return space_; }
  int width() const { return kernels_.width; }
  int height() const { return height_; }  // rows of all targets and extra rows
  int columns() const { return space_.columns(); }
  int nq() const { return model_.nq(); }
  std::size_t targets() const { return targets_.size(); }
  SearchSpace::Lane at(int lane) const { return {lane, kernels_.width}; }

  void set_target_pose(int lane, std::size_t target, const Pose<double>& pose);
  void set_weights(std::size_t target, const Vec3<double>& linear, const Vec3<double>& angular);
  void set_tolerance(const Tolerance& tolerance) { tolerance_ = tolerance; }

  Iterate make_iterate() const;
  // Evaluates everything else in the iterate at iterate.q.
  void evaluate(Iterate& iterate);
  // The weighted sum of squares.
  double cost(const Iterate& iterate, int lane) const;
  // Whether all targets and extra rows are within their tolerances.
  bool meets(const Iterate& iterate, int lane) const;
  Residual residual(const Iterate& iterate, int lane, std::size_t target) const;

 private:
  void evaluate_extra(Iterate& iterate);

  Model model_;
  const IkKernels<double>& kernels_;
  std::vector<TargetRows<double>> targets_;
  const ExtraRows* extra_;
  SearchSpace space_;
  int height_;
  Tolerance tolerance_;
  std::unique_ptr<KernelScratch> scratch_;
  Array<double> target_poses_;
  // Used for the extra rows only.
  std::unique_ptr<Workspace> work_;
  Eigen::VectorXd extra_q_, extra_residual_;
  Matrix extra_jacobian_;
};

// A buffer of n elements per lane.
Array<double> lane_array(int n, int width);

}  // namespace lissom::ik
