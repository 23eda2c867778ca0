#pragma once
// The same robot with another link as its base. The joints on the path between the two bases are reversed; their
// coordinates keep their values where possible (an angle stays the same angle). States are converted through the poses
// and velocities of the links, so that every joint type works. Motion, energies and wrenches do not change.
#include "lissom/formulations/conversions.h"

namespace lissom::formulations {

/// A model with another base link, and the conversion of states and forces.
class Rerooted {
 public:
  /// Throws an Error if the model's base is not free, or there is no such link.
  Rerooted(const Model& model, const std::string& base_link);

  const Model& model() const { return model_; }
  struct State {
    Eigen::VectorXd q, v;
  };
  /// The same state in the new model's coordinates. Angles keep their values; with `near`, a q of the new model, they
  /// are within ±π of its angles.
  State convert(const VectorIn& q, const VectorIn& v, const Eigen::VectorXd* near = nullptr) const;
  /// The matrix A with v_new = A v at q. Its transpose converts forces: tau = Aᵀ tau_new.
  Eigen::MatrixXd velocity_map(const VectorIn& q) const;

 private:
  MaximalState state_of_new_links(const MaximalState& old) const;
  Mechanism old_;
  Model model_;
  Mechanism new_;
};

/// The description with another link as the root of its tree. A reversed joint gets a massless child link,
/// "parent@joint", to which its old parent is fixed, so that every link keeps its frame.
Description rerooted(const Description& description, const std::string& base_link);

}  // namespace lissom::formulations
