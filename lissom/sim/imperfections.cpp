#include "lissom/sim/imperfections.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lissom/api/state.h"
#include "lissom/math/random.h"
#include "lissom/model/limits.h"
#include "lissom/model/text.h"

namespace lissom::sim {

void check(const Model& model, const Imperfections& i) {
  const auto expect = [](bool good, const char* what, double found, const char* expected) {
    if (!good) throw Error(std::string("imperfections.") + what + " is " + to_text(found) + ", expected " + expected);
  };
  expect(i.mass_error >= 0 && i.mass_error < 1, "mass_error", i.mass_error, "at least 0 and less than 1");
  expect(i.mass_scale > 0 && std::isfinite(i.mass_scale), "mass_scale", i.mass_scale, "a positive number");
  expect(i.delay >= 0, "delay", i.delay, "at least 0 ticks");
  expect(i.delay <= limits::delay_ticks, "delay", i.delay, "at most 100000 ticks");
  expect(i.position_noise >= 0, "position_noise", i.position_noise, "at least 0");
  expect(i.velocity_noise >= 0, "velocity_noise", i.velocity_noise, "at least 0");
  for (const auto& push : i.pushes) check(model, push);
}

Model with_mass_error(const Model& model, double error, std::uint64_t seed, double scale) {
  if (error == 0 && scale == 1) return model;
  std::mt19937_64 random(seed ^ 0x6d617373);  // a sequence that differs from the sensors'
  auto description = model.description();
  for (auto& link : description.links) {
    const double factor = scale * (1 + error * (2 * uniform01(random()) - 1));
    auto& I = link.inertia;
    link.mass *= factor;
    I = {factor * I.xx, factor * I.xy, factor * I.xz, factor * I.yy, factor * I.yz, factor * I.zz};
  }
  return build(description, model.options());
}

Sensors::Sensors(const Model& model, const Imperfections& i)
    : position_noise_(i.position_noise),
      velocity_noise_(i.velocity_noise),
      random_(i.seed),
      noise_(Eigen::VectorXd::Zero(model.nv())) {}

double Sensors::normal() {
  const double u = 1 - uniform01(random_()), angle = 2 * std::numbers::pi * uniform01(random_());
  return std::sqrt(-2 * std::log(u)) * std::cos(angle);
}

void Sensors::read(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& sensed_q,
                   Eigen::VectorXd& sensed_v) {
  sensed_q = q;
  sensed_v = v;
  if (position_noise_ > 0) {
    for (auto& x : noise_) x = position_noise_ * normal();
    integrate(model, q, noise_, 1, sensed_q);
  }
  if (velocity_noise_ > 0)
    for (auto& x : sensed_v) x += velocity_noise_ * normal();
}

}  // namespace lissom::sim
