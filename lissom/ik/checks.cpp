#include "lissom/ik/checks.h"

#include <cmath>

namespace lissom::ik {
namespace {

void expect_numbers(const VectorIn& x, int size, ArgumentName name) {
  if (x.size() != size)
    throw Error(name.with() + " has " + std::to_string(x.size()) + " numbers; this model expects " +
                std::to_string(size));
  for (long i = 0; i < x.size(); ++i)
    if (!std::isfinite(x[i]))
      throw Error(name.with() + "[" + std::to_string(i) + "] is " + (std::isnan(x[i]) ? "NaN" : "infinite") +
                  "; expected a finite number");
}

}  // namespace

void expect_configuration(const Model& model, const VectorIn& q, ArgumentName name) {
  expect_numbers(q, model.nq(), name);
  for (const int at : model.quaternions())
    if (const double length = q.segment<4>(at).norm(); std::abs(length - 1) > 1e-6)
      throw Error(name.with() + "[" + std::to_string(at) + " … " + std::to_string(at + 3) +
                  "], a quaternion (w x y z), has length " + std::to_string(length) +
                  "; expected 1: call normalize(model, q) first");
}

void expect_velocity(const Model& model, const VectorIn& v, ArgumentName name) {
  expect_numbers(v, model.nv(), name);
}

void expect_options(const Model& model, const Options& options) {
  for (const auto& [name, x] :
       {std::pair{"tolerance.position", options.tolerance.position}, {"tolerance.angle", options.tolerance.angle}})
    if (!(x > 0 && std::isfinite(x)))
      throw Error("options." + std::string(name) + " is " + std::to_string(x) + "; expected a number above 0");
  if (options.starts < 1) throw Error("options.starts is " + std::to_string(options.starts) + "; expected 1 or more");
  if (options.iterations < 1)
    throw Error("options.iterations is " + std::to_string(options.iterations) + "; expected 1 or more");
  if (options.posture.size() > 0) expect_configuration(model, options.posture, {"options.posture"});
}

}  // namespace lissom::ik
