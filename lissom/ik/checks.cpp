#include "lissom/ik/checks.h"

#include <cmath>

#include "lissom/model/text.h"

namespace lissom::ik {
namespace {

void expect_vector(const VectorIn& x, int size, const Argument& name) {
  expect_size(name, x.size(), size);
  expect_finite(name, x.data(), size);
}

}  // namespace

void expect_weights(const Argument& name, const Vec3<double>& x) {
  expect_finite(name, x);
  if (x.x < 0 || x.y < 0 || x.z < 0) throw Error(name.text() + " has a negative element, expected 0 (free) or more");
}

void expect_configuration(const Model& model, const VectorIn& q, const Argument& name) {
  expect_vector(q, model.nq(), name);
  expect_unit_quaternions(name, model, q.data());
}

void expect_velocity(const Model& model, const VectorIn& v, const Argument& name) {
  expect_vector(v, model.nv(), name);
}

void expect_options(const Model& model, const Options& options) {
  for (const auto& [name, x] :
       {std::pair{"tolerance.position", options.tolerance.position}, {"tolerance.angle", options.tolerance.angle}})
    if (!(x > 0 && std::isfinite(x)))
      throw Error("options." + std::string(name) + " is " + to_text(x) + ", expected a positive number");
  if (options.starts < 1) throw Error("options.starts is " + std::to_string(options.starts) + ", expected 1 or more");
  if (options.iterations < 1)
    throw Error("options.iterations is " + std::to_string(options.iterations) + ", expected 1 or more");
  if (options.posture.size() > 0) expect_configuration(model, options.posture, {"options.posture"});
}

}  // namespace lissom::ik
