#include "lissom/formulations/verify.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <set>

#include "lissom/api/dynamics.h"
#include "lissom/api/state.h"
#include "lissom/formulations/gauss.h"
#include "lissom/formulations/lagrange.h"
#include "lissom/formulations/link_frames.h"
#include "lissom/formulations/maximal.h"
#include "lissom/formulations/mirtich.h"
#include "lissom/math/dense.h"

namespace lissom::formulations {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

using Answers = std::vector<std::pair<std::string, VectorXd>>;

VectorXd random_vector(std::mt19937_64& engine, int n) {
  std::uniform_real_distribution<double> number(-1, 1);
  VectorXd x(n);
  for (auto& e : x) e = number(engine);
  return x;
}

// What two answers differ by, weighed: joint forces by the largest of them; accelerations by the inertia that they
// move, (δᵀ M δ / aᵀ M a)^½, so that a finger of a few grams does not drown the rest.
struct Measure {
  std::optional<MatrixXd> weight;
  double scale(const VectorXd& x) const {
    return weight ? std::sqrt(std::max(0.0, x.dot(*weight * x))) : x.cwiseAbs().maxCoeff();
  }
};

void compare(Comparison& c, const Answers& answers, const Measure& measure, std::uint64_t seed,
             const std::vector<std::string>& coordinate_names) {
  const auto n = answers.size();
  if (c.formulations.empty()) {
    for (const auto& [name, unused] : answers) c.formulations.push_back(name);
    c.disagreement.assign(n * n, 0.0);
  }
  double scale = 1e-300;
  for (const auto& [name, x] : answers)
    if (x.allFinite()) scale = std::max(scale, measure.scale(x));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) {
      const VectorXd difference = answers[i].second - answers[j].second;
      const bool finite = answers[i].second.allFinite() && answers[j].second.allFinite();
      const double off = finite ? measure.scale(difference) / scale : std::numeric_limits<double>::infinity();
      auto& largest = c.disagreement[i * n + j];
      largest = c.disagreement[j * n + i] = std::max(largest, off);
      if (off > c.largest) {
        c.largest = off;
        c.between = answers[i].first, c.and_between = answers[j].first;
        c.seed = seed;
        long at = 0;
        difference.cwiseAbs().maxCoeff(&at);
        c.joint = std::size_t(at) < coordinate_names.size() ? coordinate_names[std::size_t(at)] : "";
      }
    }
}

std::vector<std::string> names_of_coordinates(const Model& model) {
  std::vector<std::string> names;
  for (const auto& joint : model.joints())
    for (int k = 0; k < joint.nv; ++k)
      names.push_back(joint.nv == 1 ? joint.name : joint.name + "[" + std::to_string(k) + "]");
  return names;
}

bool all_quaternions(const Charted& c) {
  return c.constraints() > 0 && std::ranges::all_of(c.slots(), [](const auto& s) {
           return !s.chart || s.chart->constraints() == 0 || s.chart->name() == "quaternion";
         });
}

// Equations in charted rates, and what the model's own words make of them.
struct InRates {
  const Charted& c;
  VectorXd x, rates;
  MatrixXd E, E_rate, E_inverse;
  InRates(const Charted& coordinates, const VectorXd& q, const VectorXd& v)
      : c(coordinates), x(c.from_model(q)), E(c.velocity_map(x)), E_inverse(c.rates_map(x)) {
    rates = E_inverse * v;
    E_rate = c.velocity_map_rate(x, rates);
  }
  VectorXd acceleration(const VectorXd& second) const { return E * second + E_rate * rates; }
  // q̃̈ for v̇, keeping the constraints.
  VectorXd second_rates(const VectorXd& a) const {
    const VectorXd wanted = a - E_rate * rates;
    if (c.constraints() == 0) return E_inverse * wanted;
    const VectorXd held = dense::least_squares(c.constraint_jacobian(x), -c.constraint_rest(x, rates));
    return E_inverse * (wanted - E * held) + held;  // the columns of E⁺ keep the constraints
  }
  VectorXd joint_forces(const VectorXd& Q) const { return E_inverse.transpose() * Q; }
};

}  // namespace

double VerifyReport::largest() const {
  double most = 0;
  for (const auto& c : comparisons) most = std::max(most, c.largest);
  return most;
}

VerifyReport verify(const Model& model, const VerifyOptions& options) {
  VerifyReport report;
  if (model.nv() == 0) {
    report.remarks.push_back("the robot has no degrees of freedom: nothing to compare");
    return report;
  }
  const Charted charted(model, options.charts, options.chart);
  const auto& mechanism = charted.mechanism();
  const auto names = names_of_coordinates(model);
  Comparison masses, forces, accelerations;
  masses.quantity = "mass matrix", forces.quantity = "joint forces", accelerations.quantity = "accelerations";
  Workspace work(model);
  std::set<std::string> singular_joints;
  int near_singular = 0, singular_inertia = 0;
  const bool oblique = all_quaternions(charted);

  for (int state = 0; state < options.states; ++state) {
    ++report.states;
    const auto seed = options.seed + std::uint64_t(state);
    std::mt19937_64 engine(seed);
    const VectorXd q = random_configuration(model, seed), v = random_vector(engine, model.nv()),
                   a = random_vector(engine, model.nv()), tau = random_vector(engine, model.nv());
    if (const auto s = charted.singularity(charted.from_model(q)); s.measure < options.singular) {
      ++near_singular;
      singular_joints.insert(s.joint);
      continue;
    }
    ++report.compared;
    const InRates in(charted, q, v);
    const auto link_form = lagrange(charted, in.x, in.rates);
    const auto energy_form = lagrange_by_energy(charted, in.x, in.rates);
    const auto gauss_form = gauss(charted, in.x, in.rates);
    const MatrixXd M = mass_matrix(model, work, q);

    // M, seen through the charts: Eᵀ M E.
    const auto flat = [](const MatrixXd& m) { return VectorXd(m.reshaped()); };
    const auto through = [&](const MatrixXd& m) { return flat(in.E_inverse.transpose() * m * in.E_inverse); };
    compare(masses,
            {{"crba", flat(M)},
             {"lagrange", through(link_form.M)},
             {"energy", through(energy_form.M)},
             {"gauss", through(gauss_form.M)}},
            {}, seed, {});

    // tau for an acceleration.
    const VectorXd second = in.second_rates(a);
    const auto from_rates = [&](const MatrixXd& mass, const VectorXd& bias, const VectorXd& gravity) {
      return in.joint_forces(mass * second + bias - gravity);
    };
    const VectorXd gauss_bias = gauss_form.N * in.rates;
    compare(forces,
            {{"rnea", inverse_dynamics(model, work, q, v, a)},
             {"link frames", inverse_dynamics_in_link_frames(mechanism, q, v, a)},
             {"lagrange", from_rates(link_form.M, link_form.C, link_form.gravity)},
             {"energy", from_rates(energy_form.M, energy_form.C, energy_form.gravity)},
             {"gauss", from_rates(gauss_form.M, gauss_bias, gauss_form.gravity)}},
            {}, seed, names);

    // The acceleration for tau.
    const VectorXd values = dense::eigenvalues(M);
    if (!(values[0] > 1e-13 * values[values.size() - 1])) {
      ++singular_inertia;
      continue;
    }
    const VectorXd Q = in.E.transpose() * tau;
    const auto by_multipliers = [&](const MatrixXd& mass, const VectorXd& bias, const VectorXd& gravity) {
      return in.acceleration(solve_with_multipliers(charted, in.x, in.rates, mass, bias, Q + gravity).acceleration);
    };
    Answers answers{{"aba", forward_dynamics(model, work, q, v, tau)},
                    {"maximal", maximal_dynamics(mechanism, q, v, tau).a},
                    {"lagrange", by_multipliers(link_form.M, link_form.C, link_form.gravity)},
                    {"energy", by_multipliers(energy_form.M, energy_form.C, energy_form.gravity)},
                    {"gauss", by_multipliers(gauss_form.M, gauss_bias, gauss_form.gravity)},
                    {"gauss projected", in.acceleration(solve_projected(charted, in.x, in.rates, gauss_form.M,
                                                                        gauss_bias, Q + gauss_form.gravity))}};
    if (oblique)
      answers.emplace_back("gauss oblique",
                           in.acceleration(solve_projected(charted, in.x, in.rates, gauss_form.M, gauss_bias,
                                                           Q + gauss_form.gravity, Projector::oblique)));
    if (!mechanism.coupled) answers.emplace_back("mirtich", forward_dynamics_mirtich(mechanism, q, v, tau));
    const VectorXd bias = bias_forces(model, work, q, v);
    answers.emplace_back("factor", factorize_mass_matrix(model, work, q).solve(tau - bias));
    compare(accelerations, answers, {M}, seed, names);
  }

  for (auto* c : {&masses, &forces, &accelerations})
    if (!c->formulations.empty()) report.comparisons.push_back(std::move(*c));
  if (near_singular) {
    std::string who;
    for (const auto& joint : singular_joints) who += (who.empty() ? "'" : ", '") + joint + "'";
    report.remarks.push_back(std::to_string(near_singular) + " of " + std::to_string(report.states) +
                             " states are near a singularity of a chart (" + who +
                             ") and were not compared; choose another chart for them");
  }
  if (singular_inertia)
    report.remarks.push_back("accelerations were not compared at " + std::to_string(singular_inertia) +
                             " states: the mass matrix is singular there (lissom check tells why)");
  if (mechanism.coupled)
    report.remarks.push_back("Mirtich's form was left out: joints mimic others (--mimic independent takes it in)");
  return report;
}

}  // namespace lissom::formulations
