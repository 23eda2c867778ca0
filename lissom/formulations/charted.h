#pragma once
// Coordinates whose rates are true derivatives: q̃ holds, joint by joint, the numbers of the chosen charts; its rates
// are q̃̇, not the model's velocities v. Between the two stands the matrix E of the charts:
//   v = E q̃̇,   v̇ = E q̃̈ + Ė q̃̇,   and for forces   Q̃ = Eᵀ tau
// Where a chart has more than three numbers, they keep C(q̃) = 0.
#include <map>
#include <optional>
#include <string>

#include "lissom/coordinates/charts.h"
#include "lissom/formulations/mechanism.h"

namespace lissom::formulations {

class Charted {
 public:
  // `charts`: for free and ball joints by name; all others get `otherwise`. Error for a joint that has no orientation.
  explicit Charted(const Model& model, const std::map<std::string, std::string>& charts = {},
                   const std::string& otherwise = "quaternion");
  Charted(const Model& model, const std::map<std::string, Chart>& charts, const Chart& otherwise);

  // The numbers of one joint.
  struct Slot {
    std::string joint;
    JointType type;
    int at, size;                // in q̃
    int q, v, nv;                // in the model
    std::optional<Chart> chart;  // of free and ball joints; its numbers are the last ones
    int constraint = 0;          // where its constraints begin
  };
  const std::vector<Slot>& slots() const { return slots_; }
  const Mechanism& mechanism() const { return mechanism_; }
  int size() const { return size_; }
  int constraints() const { return constraints_; }

  // Points.
  Eigen::VectorXd from_model(const VectorIn& q) const;
  Eigen::VectorXd to_model(const VectorIn& charted) const;
  // E and Ė; and E⁺ with E E⁺ = 1, whose columns are rates that keep the constraints.
  Eigen::MatrixXd velocity_map(const VectorIn& charted) const;
  Eigen::MatrixXd velocity_map_rate(const VectorIn& charted, const VectorIn& rates) const;
  Eigen::MatrixXd rates_map(const VectorIn& charted) const;
  // C, ∂C/∂q̃, and what C̈ has beside ∂C/∂q̃ q̃̈.
  Eigen::VectorXd constraint(const VectorIn& charted) const;
  Eigen::MatrixXd constraint_jacobian(const VectorIn& charted) const;
  Eigen::VectorXd constraint_rest(const VectorIn& charted, const VectorIn& rates) const;

  // The joint whose chart is nearest to breaking down, and how near: 1 is good, 0 is broken.
  struct Singularity {
    std::string joint;
    double measure = 1;
  };
  Singularity inverse_condition(const VectorIn& charted) const;

 private:
  Mechanism mechanism_;
  std::vector<Slot> slots_;
  int size_ = 0, constraints_ = 0;
};

}  // namespace lissom::formulations
