#pragma once
// Forward dynamics by Featherstone's articulated-body algorithm in Mirtich's form: frames at the links' centers of
// mass, spatial velocity (ω; v), spatial force (f; τ), which both transform by one matrix X̂, and the spatial transpose
// (a; b)' = (bᵀ aᵀ). The slides give it for serial chains; here for trees and joints of any number of axes. The fast
// form is dynamics/aba.h.
#include "lissom/formulations/mechanism.h"

namespace lissom::formulations {

// Error where joints mimic others: build the model with independent coordinates.
Eigen::VectorXd forward_dynamics_mirtich(const Mechanism& mechanism, const VectorIn& q, const VectorIn& v,
                                         const VectorIn& tau);

}  // namespace lissom::formulations
