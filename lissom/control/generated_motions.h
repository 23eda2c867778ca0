#pragma once
// Motions for any robot that stands on feet: standing, squatting, swaying, lifting each foot in turn, stepping. They
// are made from its feet and a posture in which it stands; times follow from its size, so that its contacts can carry
// it.
//
//   const auto plan = generate_motion(model, feet, q, "lift");
//   const auto report = run(model, plan);
#include <functional>

#include "lissom/control/motion_plan.h"

namespace lissom::control {

/// A motion that can be generated.
struct GeneratedMotion {
  const char* name;
  const char* description;
};
/// All of them.
const std::vector<GeneratedMotion>& generated_motions();
bool is_generated_motion(const std::string& name);

/// Why a mechanism cannot do a motion: which foot cannot be lifted, and what is missing.
class ImpossibleMotion : public Error {
 public:
  using Error::Error;
};

/// Generates a motion for a robot that stands with all `feet` on the ground z = 0 in the configuration q. Throws
/// ImpossibleMotion if there are no static postures for it, and an Error if there is no motion of this name. `stop` is
/// asked while postures are searched for; if true, none is found. It may throw, which ends the call.
MotionPlan generate_motion(const Model& model, const std::vector<Contact>& feet, const Eigen::VectorXd& q,
                           const std::string& name, const std::function<bool()>& stop = {});

}  // namespace lissom::control
