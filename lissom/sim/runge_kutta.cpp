// Explicit Runge–Kutta methods on the manifold (Munthe-Kaas 1998): the stages are computed in the chart of the step,
// where q = q0 exp(u), and u̇ has the correction without which a method of order 4 has order 2 for spherical and free
// joints.
#include <algorithm>
#include <cmath>

#include "lissom/sim/integrators.h"

namespace lissom::sim {
namespace {

constexpr double euler_a[] = {0}, euler_b[] = {1}, euler_c[] = {0};
constexpr double midpoint_a[] = {0, 0, 1. / 2, 0}, midpoint_b[] = {0, 1}, midpoint_c[] = {0, 1. / 2};
constexpr double rk4_a[] = {0, 0, 0, 0, 1. / 2, 0, 0, 0, 0, 1. / 2, 0, 0, 0, 0, 1, 0};
constexpr double rk4_b[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6}, rk4_c[] = {0, 1. / 2, 1. / 2, 1};
// Dormand, Prince: A family of embedded Runge–Kutta formulae, 1980, table 2.
constexpr double dopri_a[] = {0,
                              0,
                              0,
                              0,
                              0,
                              0,
                              0,  //
                              1. / 5,
                              0,
                              0,
                              0,
                              0,
                              0,
                              0,  //
                              3. / 40,
                              9. / 40,
                              0,
                              0,
                              0,
                              0,
                              0,  //
                              44. / 45,
                              -56. / 15,
                              32. / 9,
                              0,
                              0,
                              0,
                              0,  //
                              19372. / 6561,
                              -25360. / 2187,
                              64448. / 6561,
                              -212. / 729,
                              0,
                              0,
                              0,  //
                              9017. / 3168,
                              -355. / 33,
                              46732. / 5247,
                              49. / 176,
                              -5103. / 18656,
                              0,
                              0,  //
                              35. / 384,
                              0,
                              500. / 1113,
                              125. / 192,
                              -2187. / 6784,
                              11. / 84,
                              0};
constexpr double dopri_b[] = {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84, 0};
constexpr double dopri_c[] = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
constexpr double dopri_error[] = {71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40};

class RungeKutta : public Integrator {
 public:
  RungeKutta(const Model& model, const Tableau& tableau, const IntegratorOptions& options)
      : tableau_(tableau), options_(options), chart_(model, options) {
    const auto stages = std::size_t(tableau.stages);
    u_dot_.assign(stages, Eigen::VectorXd::Zero(chart_.size()));
    a_.assign(stages, Eigen::VectorXd::Zero(model.nv()));
    u_ = u_dot_[0];
    v_ = a_[0];
    q_ = Eigen::VectorXd::Zero(model.nq());
  }

 protected:
  // Computes the stages of a step, then its end in u_ and v_. Work is integrated as if it were part of the state.
  void stages(System& system, const State& x, double h) {
    const int s = tableau_.stages;
    stage_work_ = {};
    if (applied_.tau.size() == 0) applied_ = system.applied();
    for (int i = 0; i < s; ++i) {
      combine(x, h, tableau_.a.subspan(std::size_t(i * s), std::size_t(i)));
      chart_.point(system.model(), x.q, u_, q_);
      const double t = x.t + tableau_.c[std::size_t(i)] * h;
      if (i == 0 || !options_.zero_order_hold) system.evaluate(t, q_, v_, applied_);
      system.acceleration(t, q_, v_, applied_, a_[std::size_t(i)]);
      chart_.rate(system.model(), x.q, u_, v_, u_dot_[std::size_t(i)]);
      if (const double weight = tableau_.b[std::size_t(i)]; weight != 0)
        stage_work_.add(h * weight, system.power(applied_, q_, v_));
    }
    combine(x, h, tableau_.b);
  }
  void advance(System& system, State& x, double h) override {
    stages(system, x, h);
    chart_.point(system.model(), x.q, u_, q_);
    x.q = q_;
    x.v = v_;
    x.t += h;
    work_ = stage_work_;
    evaluations_ = tableau_.stages;
  }

  const Tableau& tableau_;
  IntegratorOptions options_;
  StepChart chart_;
  Applied applied_;
  Work stage_work_;
  std::vector<Eigen::VectorXd> u_dot_, a_;
  Eigen::VectorXd u_, v_, q_;

 private:
  // u = h Σ w u̇, v = v0 + h Σ w a
  void combine(const State& x, double h, std::span<const double> weights) {
    u_.setZero();
    v_ = x.v;
    for (std::size_t j = 0; j < weights.size(); ++j) {
      if (weights[j] == 0) continue;
      u_ += (h * weights[j]) * u_dot_[j];
      v_ += (h * weights[j]) * a_[j];
    }
  }
};

// Takes inner steps whose error, estimated by the embedded method of order 4, stays below the tolerances: the root mean
// square over all elements of error / (absolute + relative · size) is at most 1. Step sizes: Hairer, Nørsett, Wanner,
// II.4.
// How many inner steps may be tried in one step; forces that are not smooth could otherwise need any number.
constexpr int max_tries = 50'000;

class DormandPrince final : public RungeKutta {
 public:
  DormandPrince(const Model& model, const IntegratorOptions& options)
      : RungeKutta(model, dormand_prince_tableau, options), error_u_(u_), error_v_(v_) {}

 private:
  void advance(System& system, State& x, double step) override {
    const double end = x.t + step;
    double h = x.next_step > 0 ? x.next_step : std::min(step, 1e-3);
    evaluations_ = 0;
    for (int tries = 0; x.t < end; ++tries) {
      if (tries == max_tries)
        throw Error("dopri5: " + std::to_string(max_tries) + " steps were not enough to get from t = " +
                    std::to_string(end - step) + " s beyond " + std::to_string(x.t) +
                    " s; loosen the tolerances, set min_step, take implicit_joints where dry friction or stiff joints "
                    "need such short steps, or look for loops that are singular there");
      // A tiny remainder is not worth a step of its own, so it is added to the last one.
      const bool last = x.t + 1.0000001 * h >= end;
      const double now = last ? end - x.t : std::max(h, options_.min_step);
      stages(system, x, now);
      evaluations_ += tableau_.stages;
      const double error = error_of(system, x, now);
      const double next = now * std::clamp(0.9 * std::pow(std::max(error, 1e-10), -0.2), 0.2, 5.0);
      if (error <= 1 || now <= options_.min_step) {
        chart_.point(system.model(), x.q, u_, q_);
        x.q = q_;
        x.v = v_;
        x.t = last ? end : x.t + now;
        work_.add(1, stage_work_);
        system.project(x.q, x.v, work_);
        // (A step that was shortened to reach the end says little about the next one.)
        h = last && now < 0.5 * h ? std::max(h, next) : next;
      } else {
        h = next;
        if (!(now > 1e-14 * std::max(1.0, std::abs(x.t))))
          throw Error("dopri5: the step has shrunk to " + std::to_string(now) + " s at t = " + std::to_string(x.t) +
                      " s without reaching the tolerances; loosen them, set min_step, or look for forces that are "
                      "not smooth, or loops that are singular there");
      }
    }
    x.next_step = h;
  }

  double error_of(System& system, const State& x, double h) {
    error_u_.setZero();
    error_v_.setZero();
    for (std::size_t j = 0; j < tableau_.error.size(); ++j) {
      error_u_ += (h * tableau_.error[j]) * u_dot_[j];
      error_v_ += (h * tableau_.error[j]) * a_[j];
    }
    // The end of the step is projected, so the part of the error that a projection removes does not count. Near a
    // singular configuration it holds most of the rounding of the accelerations. (The loops were last evaluated at the
    // end of the step, which is the last stage.)
    if (auto* const loops = system.loops()) {
      loops->keep_allowed(error_v_);
      if (error_u_.size() == error_v_.size()) loops->keep_allowed(error_u_);
    }
    const auto part = [&](double error, double size) {
      const double e = error / (options_.absolute_tolerance + options_.relative_tolerance * size);
      return e * e;
    };
    double sum = 0;
    for (int i = 0; i < error_u_.size(); ++i) sum += part(error_u_[i], std::max(1.0, std::abs(u_[i])));
    for (int i = 0; i < error_v_.size(); ++i) sum += part(error_v_[i], std::max(std::abs(x.v[i]), std::abs(v_[i])));
    const auto n = double(error_u_.size() + error_v_.size());
    return n == 0 ? 0 : std::sqrt(sum / n);
  }

  Eigen::VectorXd error_u_, error_v_;
};

}  // namespace

const Tableau explicit_euler_tableau{1, euler_a, euler_b, euler_c, {}};
const Tableau midpoint_tableau{2, midpoint_a, midpoint_b, midpoint_c, {}};
const Tableau rk4_tableau{4, rk4_a, rk4_b, rk4_c, {}};
const Tableau dormand_prince_tableau{7, dopri_a, dopri_b, dopri_c, dopri_error};

std::unique_ptr<Integrator> runge_kutta(const Model& model, const Tableau& tableau, const IntegratorOptions& options) {
  return std::make_unique<RungeKutta>(model, tableau, options);
}
std::unique_ptr<Integrator> dormand_prince(const Model& model, const IntegratorOptions& options) {
  return std::make_unique<DormandPrince>(model, options);
}

}  // namespace lissom::sim
