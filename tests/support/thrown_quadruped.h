#pragma once
// A quadruped with bent legs that is thrown by twice its weight, beside its center, for one second, and then flies for
// two. The trunk rotates and all joints move: with straight legs and a force through the center, symmetry would leave
// little more than a falling point.
#include <array>
#include <cmath>
#include <string>

#include "largest.h"
#include "lissom/lissom.h"
#include "lissom/sim/integrator.h"

namespace lissom::sim {

struct Thrown {
  double energy_error = 0;    // J²: mean of (E - E at the end of the thrust)², over the flight
  double kinetic_energy = 0;  // J: of the motion about the center of mass, at the end of the thrust
  Eigen::VectorXd max_speed;  // of each degree of freedom, during the flight
};

inline State with_bent_legs(const Model& quadruped) {
  State x{0, neutral(quadruped), Eigen::VectorXd::Zero(quadruped.nv()), 0};
  const std::array legs{"front_left", "front_right", "rear_left", "rear_right"};
  for (std::size_t k = 0; k < legs.size(); ++k) {
    const std::string leg = legs[k];
    x.q[quadruped.joint(leg + "_abduction").q_index] = .1 * double(k);
    x.q[quadruped.joint(leg + "_flexion").q_index] = .7;
    x.q[quadruped.joint(leg + "_knee").q_index] = -1.4;
  }
  return x;
}

inline Thrown throw_quadruped(const Model& model, const std::string& method_name, double step = 1e-3) {
  System system(model, {.passive_forces = false});
  const FrameId trunk = model.frame(model.links().front().name);
  const Vec3<double> force{0, 0, 2 * 9.81 * model.mass()};
  system.add(Push{{.on = trunk, .force = force, .at = {trunk, {.01, .005, 0}}}, 0, 1 - 1e-9});
  State x = with_bent_legs(model);
  const auto method = integrator(model, method_name);
  const long steps = std::lround(1 / step);
  for (long i = 0; i < steps; ++i) method->step(system, x, step);
  Thrown result;
  const auto energy = [&] { return system.kinetic_energy(x.q, x.v) + system.potential_energy(x.q); };
  const double before = energy();
  const Eigen::Vector3d momentum = centroidal_momentum(model, system.work(), x.q, x.v).head<3>();
  result.kinetic_energy = system.kinetic_energy(x.q, x.v) - momentum.squaredNorm() / (2 * model.mass());
  result.max_speed = Eigen::VectorXd::Zero(model.nv());
  for (long i = 0; i < 2 * steps; ++i) {
    method->step(system, x, step);
    result.energy_error += std::pow(energy() - before, 2) / double(2 * steps);
    for (int k = 0; k < model.nv(); ++k) result.max_speed[k] = test::larger(result.max_speed[k], std::abs(x.v[k]));
  }
  return result;
}

}  // namespace lissom::sim
