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
#include "lissom/math/random.h"

namespace lissom::formulations {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

using Answers = std::vector<std::pair<std::string, VectorXd>>;

VectorXd random_vector(std::mt19937_64& engine, int n) {
  VectorXd x(n);
  for (auto& e : x) e = 2 * uniform01(engine()) - 1;
  return x;
}

// The norm in which answers are compared. Forces: the largest element. Accelerations: weighted by the mass matrix,
// (δᵀ M δ / aᵀ M a)^½, so that a finger of a few grams does not dominate.
struct Measure {
  std::optional<MatrixXd> weight;
  double scale(const VectorXd& x) const {
    return weight ? std::sqrt(std::max(x.dot(*weight * x), 0.0))  // (NaN stays NaN in this order.)
                  : x.cwiseAbs().maxCoeff();
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
      double off = finite && std::isfinite(scale) ? measure.scale(difference) / scale : NAN;
      if (std::isnan(off)) off = std::numeric_limits<double>::infinity();  // std::max and > would pass over it
      auto& disagreement = c.disagreement[i * n + j];
      disagreement = c.disagreement[j * n + i] = std::max(disagreement, off);
      if (off > c.max_disagreement) {
        c.max_disagreement = off;
        c.first = answers[i].first, c.second = answers[j].first;
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

// A state in charted coordinates, and the conversion of accelerations and forces to and from the model's coordinates.
struct ChartedState {
  const Charted& c;
  VectorXd x, rates;
  MatrixXd E, E_rate, E_inverse;
  ChartedState(const Charted& coordinates, const VectorXd& q, const VectorXd& v)
      : c(coordinates), x(c.from_model(q)), E(c.velocity_map(x)), E_inverse(c.rates_map(x)) {
    rates = E_inverse * v;
    E_rate = c.velocity_map_rate(x, rates);
  }
  VectorXd acceleration(const VectorXd& second) const { return E * second + E_rate * rates; }
  // The q̃̈ of v̇ that satisfies the constraints.
  VectorXd second_rates(const VectorXd& a) const {
    const VectorXd desired = a - E_rate * rates;
    if (c.constraints() == 0) return E_inverse * desired;
    const VectorXd particular = dense::least_squares(c.constraint_jacobian(x), -c.constraint_bias(x, rates));
    return E_inverse * (desired - E * particular) + particular;  // the columns of E⁺ satisfy the constraints
  }
  VectorXd generalized_forces(const VectorXd& Q) const { return E_inverse.transpose() * Q; }
};

// A random state, torques that act on it, and an acceleration for which forces are computed.
struct Sample {
  std::uint64_t seed;
  VectorXd q, v, a, tau;
  Sample(const Model& model, std::uint64_t number) : seed(number), q(random_configuration(model, number)) {
    std::mt19937_64 engine(seed);
    v = random_vector(engine, model.nv()), a = random_vector(engine, model.nv()),
    tau = random_vector(engine, model.nv());
  }
};

// The equations of one formulation in charted coordinates: M q̃̈ + bias = Q + gravity.
struct Equations {
  std::string name;
  MatrixXd M;
  VectorXd bias, gravity;
};

// Thrown where VerifyOptions::stop asks for the end, which may be in the middle of a state.
struct Stopped {};

class Verification {
 public:
  Verification(const Model& model, const VerifyOptions& options)
      : model_(model),
        options_(options),
        charted_(model, options.charts, options.chart),
        mechanism_(charted_.mechanism()),
        names_(names_of_coordinates(model)),
        work_(model) {
    masses_.quantity = "mass matrix", forces_.quantity = "joint forces", accelerations_.quantity = "accelerations";
  }
  // Throws Stopped, and then nothing of this state is in the report.
  void compare_at(std::uint64_t seed);
  VerifyReport report();

 private:
  void stop_if_asked() const {
    if (options_.stop && options_.stop(states_)) throw Stopped();
  }
  std::vector<Equations> equations_of_all(const ChartedState& in) const;
  Answers masses(const ChartedState& in, const std::vector<Equations>& forms, const MatrixXd& M) const;
  Answers forces(const Sample& s, const ChartedState& in, const std::vector<Equations>& forms);
  Answers accelerations(const Sample& s, const ChartedState& in, const std::vector<Equations>& forms);

  const Model& model_;
  const VerifyOptions& options_;
  Charted charted_;
  const Mechanism& mechanism_;
  std::vector<std::string> names_;
  Workspace work_;
  Comparison masses_, forces_, accelerations_;
  int states_ = 0, compared_ = 0, singular_inertia_ = 0;
  std::set<std::string> singular_joints_;
};

void Verification::compare_at(std::uint64_t seed) {
  stop_if_asked();
  const Sample s(model_, seed);
  if (const auto worst = charted_.worst_chart(charted_.from_model(s.q));
      worst.inverse_condition < options_.min_inverse_condition) {
    singular_joints_.insert(worst.joint);
    ++states_;
    return;
  }
  const ChartedState in(charted_, s.q, s.v);
  const auto forms = equations_of_all(in);
  const MatrixXd M = mass_matrix(model_, work_, s.q);
  const auto masses_found = masses(in, forms, M), forces_found = forces(s, in, forms);
  const VectorXd values = dense::eigenvalues(M);
  const bool singular = !(values[0] > 1e-13 * values[values.size() - 1]);
  const auto accelerations_found = singular ? Answers() : accelerations(s, in, forms);
  compare(masses_, masses_found, {}, seed, {});
  compare(forces_, forces_found, {}, seed, names_);
  if (singular)
    ++singular_inertia_;
  else
    compare(accelerations_, accelerations_found, {M}, seed, names_);
  ++states_, ++compared_;
}

std::vector<Equations> Verification::equations_of_all(const ChartedState& in) const {
  stop_if_asked();
  const auto link_form = lagrange(charted_, in.x, in.rates);
  stop_if_asked();
  const auto energy_form = lagrange_by_energy_in_passes(charted_, in.x, in.rates, [this] { stop_if_asked(); });
  stop_if_asked();
  const auto gauss_form = gauss(charted_, in.x, in.rates);
  return {{"lagrange", link_form.M, link_form.C, link_form.gravity},
          {"energy", energy_form.M, energy_form.C, energy_form.gravity},
          {"gauss", gauss_form.M, gauss_form.N * in.rates, gauss_form.gravity}};
}

// The mass matrix in the model's coordinates, M = E⁺ᵀ M̃ E⁺.
Answers Verification::masses(const ChartedState& in, const std::vector<Equations>& forms, const MatrixXd& M) const {
  Answers answers{{"crba", M.reshaped()}};
  for (const auto& form : forms) {
    stop_if_asked();
    const MatrixXd M_model = in.E_inverse.transpose() * form.M * in.E_inverse;
    answers.emplace_back(form.name, M_model.reshaped());
  }
  return answers;
}

// The tau that an acceleration needs.
Answers Verification::forces(const Sample& s, const ChartedState& in, const std::vector<Equations>& forms) {
  Answers answers{{"rnea", inverse_dynamics(model_, work_, s.q, s.v, s.a)},
                  {"link frames", inverse_dynamics_in_link_frames(mechanism_, s.q, s.v, s.a)}};
  stop_if_asked();
  const VectorXd second = in.second_rates(s.a);
  for (const auto& form : forms)
    answers.emplace_back(form.name, in.generalized_forces(form.M * second + form.bias - form.gravity));
  return answers;
}

// The acceleration that tau causes.
Answers Verification::accelerations(const Sample& s, const ChartedState& in, const std::vector<Equations>& forms) {
  const VectorXd Q = in.E.transpose() * s.tau;
  Answers answers{{"aba", forward_dynamics(model_, work_, s.q, s.v, s.tau)},
                  {"maximal", maximal_dynamics(mechanism_, s.q, s.v, s.tau).a}};
  for (const auto& form : forms) {
    stop_if_asked();
    answers.emplace_back(
        form.name,
        in.acceleration(
            solve_with_multipliers(charted_, in.x, in.rates, form.M, form.bias, Q + form.gravity).acceleration));
  }
  const auto projected = [&](Projector projector) {
    stop_if_asked();
    const auto& form = forms.back();
    return in.acceleration(solve_projected(charted_, in.x, in.rates, form.M, form.bias, Q + form.gravity, projector));
  };
  answers.emplace_back("gauss projected", projected(Projector::orthogonal));
  if (all_quaternions(charted_)) answers.emplace_back("gauss oblique", projected(Projector::oblique));
  if (!mechanism_.coupled) answers.emplace_back("mirtich", forward_dynamics_mirtich(mechanism_, s.q, s.v, s.tau));
  const VectorXd bias = bias_forces(model_, work_, s.q, s.v);
  answers.emplace_back("factor", factorize_mass_matrix(model_, work_, s.q).solve(s.tau - bias));
  return answers;
}

VerifyReport Verification::report() {
  VerifyReport report;
  report.states = states_, report.compared = compared_;
  for (auto* c : {&masses_, &forces_, &accelerations_})
    if (!c->formulations.empty()) report.comparisons.push_back(std::move(*c));
  if (const int near_singular = states_ - compared_) {
    std::string who;
    for (const auto& joint : singular_joints_) who += (who.empty() ? "'" : ", '") + joint + "'";
    report.remarks.push_back(std::to_string(near_singular) + " of " + std::to_string(states_) +
                             " states are near a singularity of a chart (" + who +
                             ") and were not compared; choose another chart for these joints");
  }
  if (singular_inertia_)
    report.remarks.push_back("accelerations were not compared at " + std::to_string(singular_inertia_) +
                             " states, because the mass matrix is singular there (`lissom check` with the same --base "
                             "and --mimic tells why)");
  if (mechanism_.coupled)
    report.remarks.push_back(
        "Mirtich's form was left out, because there are mimic joints (--mimic independent includes it)");
  return report;
}

}  // namespace

double VerifyReport::max_disagreement() const {
  double max = 0;
  for (const auto& c : comparisons) max = std::max(max, c.max_disagreement);
  return max;
}

VerifyReport verify(const Model& model, const VerifyOptions& options) {
  if (model.nv() == 0) {
    VerifyReport report;
    report.remarks.push_back("the robot has no degrees of freedom, so there is nothing to compare");
    return report;
  }
  Verification verification(model, options);
  try {
    for (int state = 0; state < options.states; ++state) verification.compare_at(options.seed + std::uint64_t(state));
  } catch (const Stopped&) {  // NOLINT(bugprone-empty-catch): the report is about the states until here
  }
  return verification.report();
}

}  // namespace lissom::formulations
