#pragma once
// Forward dynamics by Featherstone's articulated-body algorithm in Mirtich's form. Frames are at the links' centers of
// mass; spatial velocity is (ω; v) and spatial force is (f; τ), so that one matrix X̂ transforms both; the spatial
// transpose is (a; b)' = (bᵀ aᵀ). The lecture slides have it for serial chains; here it is for trees, and for joints
// with any number of axes. The fast form is dynamics/aba.h.
#include "lissom/formulations/mechanism.h"

namespace lissom::formulations {

/// The acceleration v̇. Throws an Error if there are mimic joints: build the model with mimic = false.
Eigen::VectorXd forward_dynamics_mirtich(const Mechanism& mechanism, const VectorIn& q, const VectorIn& v,
                                         const VectorIn& tau);

}  // namespace lissom::formulations
