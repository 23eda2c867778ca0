#include "lissom/sim/messages.h"

#include <cmath>

#include "lissom/api/mass_matrix_factor.h"
#include "lissom/model/short_text.h"
#include "lissom/model/text.h"

namespace lissom::sim {

void not_finite(const Model& model, const std::string& who, const char* name, const Eigen::VectorXd& x, double t,
                const std::string& remedy) {
  long i = 0;
  while (i + 1 < x.size() && std::isfinite(x[i])) ++i;
  std::string element = std::string(name) + "[" + std::to_string(i) + "]";
  const bool is_q = x.size() == model.nq() && name == std::string("q");
  for (const auto& joint : model.joints()) {
    const int first = is_q ? joint.q_index : joint.v_index, count = is_q ? joint.nq : joint.nv;
    if (i >= first && i < first + count) element += " (joint '" + joint.name + "')";
  }
  throw Error(who + " " + element + " is " + (std::isnan(x[i]) ? "NaN" : "infinite") + " at t = " + std::to_string(t) +
              " s, expected a finite number; " + remedy);
}

std::string divergence_remedy(const std::string& integrator) {
  const std::string other =
      integrator == "implicit_joints" || integrator == "implicit_euler"
          ? "or the integrator dopri5"
          : "or the integrator implicit_joints (for stiff gains, dampers and friction of joints) or "
            "dopri5";
  return "the motion has diverged" + (integrator.empty() ? "" : " with " + integrator) + " (try a smaller step, " +
         other + "), or the mass matrix is singular (try `lissom check`)";
}

std::string indefinite_mass(const Model& model, Workspace& work, const Eigen::VectorXd& q) {
  MassMatrixFactor factor(model);
  factor.factorize(model, work, q);
  const auto& D = factor.D();  // the inertias that joints feel; by Sylvester's law their signs are those of M
  int i = model.nv() - 1;      // (the factorization proceeds from the leaves, so that only the first fault is a number)
  while (i >= 0 && D[i] > 0) --i;
  for (const auto& joint : model.joints())
    if (i >= joint.v_index && i < joint.v_index + joint.nv)
      return "the mass matrix is " + std::string(D[i] < 0 ? "not positive definite" : "singular") + ": joint " +
             in_quotes(joint.name) + " feels an inertia of " + short_text(D[i]) +
             "; correct mass and inertia of the links that it moves (try `lissom check`)";
  return "";
}

}  // namespace lissom::sim
