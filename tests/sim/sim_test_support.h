#pragma once
// Systems that the tests of simulation share.
#include <cmath>

#include "close.h"
#include "largest.h"
#include "lissom/lissom.h"
#include "lissom/sim/integrator.h"

namespace lissom::sim::test {

using lissom::test::close;
using lissom::test::identical;
using lissom::test::larger;

inline std::string model_file(const std::string& name) {
  return std::string(LISSOM_MODELS_DIR) + "/" + name;
}
inline Model free_robot(const std::string& name) {
  return load(model_file(name), {.base = Base::free});
}
inline State at_rest(const Model& model) {
  return {0, neutral(model), Eigen::VectorXd::Zero(model.nv()), 0};
}
// A state with some velocity in every degree of freedom.
inline State moving(const Model& model) {
  State x = at_rest(model);
  for (int i = 0; i < model.nv(); ++i) x.v[i] = std::sin(12.9898 * (i + 1));
  return x;
}

// A link on one joint, whose parent is the ground.
inline Model one_joint(JointType type, JointDescription joint = {}) {
  Description d;
  d.name = "one_joint";
  LinkDescription ground, body;
  ground.name = "ground";
  body.name = "body";
  body.mass = 1;
  body.com = {0.02, 0, -0.5};
  body.inertia = {0.02, 0, 0, 0.03, 0, 0.01};
  joint.name = "joint";
  joint.type = type;
  joint.parent = "ground";
  joint.child = "body";
  d.links = {ground, body};
  d.joints = {joint};
  return build(d);
}

inline State run(System& system, State x, const std::string& name, double step, double seconds,
                 const IntegratorOptions& options = {}) {
  auto method = integrator(system.model(), name, options);
  const long n = std::lround(seconds / step);
  for (long i = 0; i < n; ++i) method->step(system, x, step);
  return x;
}
inline double distance(const Model& model, const State& a, const State& b) {
  return std::sqrt(difference(model, a.q, b.q).squaredNorm() + (a.v - b.v).squaredNorm());
}
inline double energy(System& system, const State& x) {
  return system.kinetic_energy(x.q, x.v) + system.potential_energy(x.q);
}

// The message of an Error, or an empty string.
template <class F>
std::string said(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}
inline ::testing::AssertionResult mentions(const std::string& text, std::initializer_list<const char*> words) {
  for (const char* word : words)
    if (text.find(word) == std::string::npos)
      return ::testing::AssertionFailure() << "\"" << text << "\" does not mention " << word;
  return ::testing::AssertionSuccess();
}

}  // namespace lissom::sim::test
