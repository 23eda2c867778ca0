#pragma once
// Evaluates all formulations at the same random states and reports how far any two of them disagree, and where.
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "lissom/model/model.h"

namespace lissom::formulations {

/// What is compared, and at how many states.
struct VerifyOptions {
  std::map<std::string, std::string> charts = {};  ///< of free and spherical joints, by joint name
  std::string chart = "quaternion";                ///< of the joints that `charts` does not list
  int states = 20;
  std::uint64_t seed = 1;
  /// States at which a chart has a smaller inverse condition (Chart::inverse_condition) are not compared; a remark says
  /// so.
  double min_inverse_condition = 1e-3;
  /// Asked before each state and between the formulations of one, with the number of states done; if true, the report
  /// is about those.
  std::function<bool(int states)> stop = {};
};

/// One quantity, computed by several formulations.
struct Comparison {
  std::string quantity;  ///< "accelerations", "joint forces", "mass matrix"
  std::vector<std::string> formulations;
  /// The largest disagreement of each pair, formulations × formulations, row by row; relative, see verify.cpp.
  std::vector<double> disagreement;
  double max_disagreement = 0;
  std::string first, second;  ///< the two formulations that disagree most
  std::uint64_t seed = 0;     ///< verify() with this seed and one state reproduces it
  std::string joint;          ///< the joint at which they disagree most
};
struct VerifyReport {
  std::vector<Comparison> comparisons;
  int states = 0, compared = 0;  ///< number of states, and of those that were compared
  /// What was left out, and why: nearly singular charts, singular mass matrices, formulations that do not apply.
  std::vector<std::string> remarks;
  double max_disagreement() const;  ///< over all comparisons
};
/// Compares all formulations.
VerifyReport verify(const Model& model, const VerifyOptions& options = {});

}  // namespace lissom::formulations
