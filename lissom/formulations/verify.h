#pragma once
// All formulations on the same states: how far any two of them disagree, and where.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lissom/model/model.h"

namespace lissom::formulations {

struct VerifyOptions {
  std::map<std::string, std::string> charts = {};  // of free and spherical joints, by joint; the others: `chart`
  std::string chart = "quaternion";
  int states = 20;
  std::uint64_t seed = 1;
  // A chart nearer to its singularity than this (Chart::singularity) is not compared, and said so.
  double singular = 1e-3;
};

// One question, put to several formulations.
struct Comparison {
  std::string quantity;  // "accelerations", "joint forces", "mass matrix"
  std::vector<std::string> formulations;
  // The largest disagreement of each pair, formulations × formulations, row by row; relative: see verify.cpp.
  std::vector<double> disagreement;
  double max_disagreement = 0;
  std::string between, and_between;  // the two that disagree most
  std::uint64_t seed = 0;            // verify with this seed and one state gives it again
  std::string joint;                 // and where in it they disagree most
};
struct VerifyReport {
  std::vector<Comparison> comparisons;
  int states = 0, compared = 0;
  // What was left out, and why: near singular charts, singular inertia, formulations that do not apply.
  std::vector<std::string> remarks;
  double max_disagreement() const;
};
VerifyReport verify(const Model& model, const VerifyOptions& options = {});

}  // namespace lissom::formulations
