#pragma once
// How far robots are from meeting their targets, and how that changes with a step: residuals, their Jacobian, their
// cost, for as many robots at once as a table of kernels has lanes.
#include <memory>
#include <span>
#include <vector>

#include "lissom/ik/kernels.h"
#include "lissom/ik/result.h"
#include "lissom/ik/search_space.h"
#include "lissom/ik/target.h"
#include "lissom/tree/array.h"

namespace lissom::ik {

// One configuration per lane, and what was found there. Entry (r, c) of J is number c * height + r.
struct Iterate {
  Array<double> q, e, J, error;
  double extra = 0;  // length of the extra rows
};

class Evaluator {
 public:
  // `extra` may be null; it takes one robot at a time, so a table of one lane.
  Evaluator(const Model& model, const IkKernels<double>& kernels, std::span<const TargetRows<double>> targets,
            const ExtraRows* extra);

  const IkKernels<double>& kernels() const { return kernels_; }
  const SearchSpace& space() const { return space_; }
  int width() const { return kernels_.width; }
  int height() const { return height_; }  // rows of all targets and extra equations
  int columns() const { return space_.columns(); }
  int nq() const { return model_.nq(); }
  std::size_t targets() const { return targets_.size(); }
  SearchSpace::Lane at(int lane) const { return {lane, kernels_.width}; }

  void set_place(int lane, std::size_t target, const Pose<double>& place);
  void set_weights(std::size_t target, const Vec3<double>& linear, const Vec3<double>& angular);
  void set_tolerance(const Tolerance& tolerance) { tolerance_ = tolerance; }

  Iterate make_iterate() const;
  // At iterate.q, all else in it.
  void evaluate(Iterate& iterate);
  // Weighted sum of squares.
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
  Array<double> places_;
  // For the extra equations alone.
  std::unique_ptr<Workspace> work_;
  Eigen::VectorXd extra_q_, extra_residual_;
  Matrix extra_jacobian_;
};

// Room for n numbers per lane.
Array<double> lane_array(int n, int width);

}  // namespace lissom::ik
