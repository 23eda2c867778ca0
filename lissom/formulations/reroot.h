#pragma once
// The same robot with another link as its base. Joints on the way between the two bases are turned round; their numbers
// keep their meaning where they can (an angle stays that angle), and states are carried over through the poses and
// velocities of the links, so that any joint will do. The motion, energies and wrenches stay what they are.
#include "lissom/formulations/conversions.h"

namespace lissom::formulations {

class Rerooted {
 public:
  // Error where the model's base is not free, or there is no such link.
  Rerooted(const Model& model, const std::string& base_link);

  const Model& model() const { return model_; }
  struct State {
    Eigen::VectorXd q, v;
  };
  // The same state in the new model's coordinates. Angles keep their values, or lie near those of `near`, a q of the
  // new model, where given.
  State convert(const VectorIn& q, const VectorIn& v, const Eigen::VectorXd* near = nullptr) const;
  // A with v_new = A v at q. Forces go back by its transpose: tau = Aᵀ tau_new.
  Eigen::MatrixXd velocity_map(const VectorIn& q) const;

 private:
  MaximalState carried_over(const MaximalState& old) const;
  Mechanism old_;
  Model model_;
  Mechanism new_;
};

// The description with its tree hung up at another link. A joint that is turned round carries a massless link of its
// own, "parent@joint", from which its old parent hangs fixed: so every link keeps its frame.
Description rerooted(const Description& description, const std::string& base_link);

}  // namespace lissom::formulations
