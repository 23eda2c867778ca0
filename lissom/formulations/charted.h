#pragma once
// Coordinates whose velocities are their time derivatives: q̃ has, joint by joint, the coordinates of the chosen
// charts, and its rates are q̃̇, not the model's velocities v. The matrix E of the charts relates the two:
//   v = E q̃̇,   v̇ = E q̃̈ + Ė q̃̇,   and for forces   Q̃ = Eᵀ tau
// The coordinates of charts with more than three of them satisfy C(q̃) = 0.
#include <map>
#include <optional>
#include <string>

#include "lissom/coordinates/charts.h"
#include "lissom/formulations/mechanism.h"

namespace lissom::formulations {

/// The coordinates q̃ of a model.
class Charted {
 public:
  /// `charts` has the charts of free and spherical joints, by joint name; those that are not listed get `otherwise`.
  /// Throws an Error if a listed joint has no orientation.
  explicit Charted(const Model& model, const std::map<std::string, std::string>& charts = {},
                   const std::string& otherwise = "quaternion");
  Charted(const Model& model, const std::map<std::string, Chart>& charts, const Chart& otherwise);

  /// The coordinates of one joint.
  struct Slot {
    std::string joint;
    JointType type;
    int at, size;                ///< first element and number of elements in q̃
    int q_index, v_index, nv;    ///< first elements in the model's q and v, number of elements in v
    std::optional<Chart> chart;  ///< of free and spherical joints; its coordinates are the last ones
    int constraint = 0;          ///< index of its first constraint
  };
  const std::vector<Slot>& slots() const { return slots_; }
  const Mechanism& mechanism() const { return mechanism_; }
  int size() const { return size_; }                ///< number of elements of q̃
  int constraints() const { return constraints_; }  ///< number of constraints C

  /// q̃ of the model's q.
  Eigen::VectorXd from_model(const VectorIn& q) const;
  /// q of q̃; throws an Error if q̃ violates C.
  Eigen::VectorXd to_model(const VectorIn& charted) const;
  /// E with v = E q̃̇.
  Eigen::MatrixXd velocity_map(const VectorIn& charted) const;
  /// Its time derivative Ė.
  Eigen::MatrixXd velocity_map_rate(const VectorIn& charted, const VectorIn& rates) const;
  /// E⁺ with E E⁺ = 1; its columns are rates that satisfy the constraints.
  Eigen::MatrixXd rates_map(const VectorIn& charted) const;
  /// C(q̃).
  Eigen::VectorXd constraint(const VectorIn& charted) const;
  /// ∂C/∂q̃.
  Eigen::MatrixXd constraint_jacobian(const VectorIn& charted) const;
  /// The bias in C̈ = ∂C/∂q̃ q̃̈ + bias.
  Eigen::VectorXd constraint_bias(const VectorIn& charted, const VectorIn& rates) const;

  /// The joint whose chart has the smallest inverse condition (see Chart::inverse_condition).
  struct WorstChart {
    std::string joint;
    double inverse_condition = 1;
  };
  WorstChart worst_chart(const VectorIn& charted) const;

 private:
  Mechanism mechanism_;
  std::vector<Slot> slots_;
  int size_ = 0, constraints_ = 0;
};

}  // namespace lissom::formulations
