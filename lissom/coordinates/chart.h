#pragma once
// A chart of SO(3): n numbers θ that name a rotation R = ρ(θ), and where n > 3 the equations C(θ) = 0 that they keep.
// All else follows from ρ and C alone, by dual numbers: with R_i the i-th column of R, the angular velocity is
//   ω = J θ̇,   J = R₃ R₂ᵀ ∂R₁/∂θ + R₂ R₁ᵀ ∂R₃/∂θ + R₁ R₃ᵀ ∂R₂/∂θ          (Bouyarmane & Kheddar, eq. 10)
// charts.h lists those that are built in; custom_chart() makes one from two functions of yours.
#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "lissom/math/dual.h"
#include "lissom/math/mat3.h"
#include "lissom/model/diagnostic.h"

namespace lissom {

/// The axes along which an angular velocity is expressed: those of the frame that R maps to (the world, say), or those
/// of the rotating body.
enum class ExpressedIn { world, body };

class Chart {
 public:
  using Vector = Eigen::VectorXd;
  using VectorIn = Eigen::Ref<const Eigen::VectorXd>;
  using First = Dual<double>;  // for one derivative
  using Second = Dual<First>;  // for two

  const std::string& name() const;
  int size() const;         // numbers in θ
  int constraints() const;  // equations between them

  // Error where θ has another size, is not finite, or breaks C by more than `tolerance`.
  void check(const VectorIn& theta, double tolerance = 1e-6) const;

  // R. (The numbers of θ are taken as they are: check() tells whether they keep C.)
  Mat3<double> rotation(const VectorIn& theta) const;
  // θ of a rotation. Error where R is none. Where many θ name R, one of them: for a built-in chart the
  // shortest turn, or angles within half a turn.
  Vector coordinates(const Mat3<double>& R) const;
  // θ of the same rotation as before, far from where the chart breaks down: an exponential map near a whole turn
  // becomes short. θ itself for charts that have no such choice.
  Vector recharted(const VectorIn& theta) const;

  // J with ω = J θ̇, and its rate.
  Eigen::Matrix3Xd rate_map(const VectorIn& theta, ExpressedIn frame = ExpressedIn::world) const;
  Eigen::Matrix3Xd rate_map_rate(const VectorIn& theta, const VectorIn& theta_rate,
                                 ExpressedIn frame = ExpressedIn::world) const;
  // The θ̇ with J θ̇ = ω that keeps the constraints. Not to be trusted where singularity() is near 0.
  Vector rates(const VectorIn& theta, const Vec3<double>& omega, ExpressedIn frame = ExpressedIn::world) const;
  Vec3<double> angular_velocity(const VectorIn& theta, const VectorIn& theta_rate,
                                ExpressedIn frame = ExpressedIn::world) const;

  // C(θ), ∂C/∂θ, and the rest of C̈ = ∂C/∂θ θ̈ + rest.
  Vector constraint(const VectorIn& theta) const;
  Eigen::MatrixXd constraint_jacobian(const VectorIn& theta) const;
  Vector constraint_rest(const VectorIn& theta, const VectorIn& theta_rate) const;

  // 1 where rates and velocities are as good as each other, 0 where some velocity has no rates: the quotient of the
  // smallest and the largest singular value of (J; ∂C/∂θ).
  double inverse_condition(const VectorIn& theta) const;

  // ρ and its constraint, for a scalar type: what the formulations run on.
  template <class T>
  Mat3<T> rotation_of(const T* theta) const {
    return impl_->rotation(theta);
  }
  // J in another scalar type (double or First): n columns.
  template <class T>
  std::vector<Vec3<T>> rate_columns(const T* theta) const;

  // How a chart is made: see custom_chart().
  struct Impl {
    std::string name;
    int size = 0, constraints = 0;
    virtual ~Impl() = default;
    virtual Mat3<double> rotation(const double* theta) const = 0;
    virtual Mat3<First> rotation(const First* theta) const = 0;
    virtual Mat3<Second> rotation(const Second* theta) const = 0;
    virtual void constraint(const double* theta, double* C) const = 0;
    virtual void constraint(const First* theta, First* C) const = 0;
    virtual void constraint(const Second* theta, Second* C) const = 0;
    virtual Vector coordinates(const Mat3<double>& R) const = 0;
    virtual Vector recharted(const VectorIn& theta) const { return theta; }
  };
  explicit Chart(std::shared_ptr<const Impl> inside) : impl_(std::move(inside)) {}

 private:
  std::shared_ptr<const Impl> impl_;
};

// Rotation and Constraint are function objects that take any scalar type T: Mat3<T> rotation(const T* theta), and
// void constraint(const T* theta, T* C) that writes `constraints` numbers.
template <class Rotation, class Constraint>
struct ChartOf : Chart::Impl {
  Rotation rho;
  Constraint C;
  ChartOf(std::string its_name, int its_size, int its_constraints, Rotation r, Constraint c) : rho(r), C(c) {
    name = std::move(its_name), size = its_size, constraints = its_constraints;
  }
  Mat3<double> rotation(const double* theta) const override { return rho(theta); }
  Mat3<Chart::First> rotation(const Chart::First* theta) const override { return rho(theta); }
  Mat3<Chart::Second> rotation(const Chart::Second* theta) const override { return rho(theta); }
  void constraint(const double* theta, double* out) const override { C(theta, out); }
  void constraint(const Chart::First* theta, Chart::First* out) const override { C(theta, out); }
  void constraint(const Chart::Second* theta, Chart::Second* out) const override { C(theta, out); }
  Chart::Vector coordinates(const Mat3<double>& R) const override;
};
struct Unconstrained {
  template <class T>
  void operator()(const T*, T*) const {}
};

// θ with ρ(θ) = R and C(θ) = 0 by Gauss–Newton steps from several starts; Error where none arrives.
Chart::Vector solve_for_coordinates(const Chart::Impl& chart, const Mat3<double>& R);

template <class Rotation, class Constraint>
Chart::Vector ChartOf<Rotation, Constraint>::coordinates(const Mat3<double>& R) const {
  return solve_for_coordinates(*this, R);
}

// A chart of your own, from ρ and its constraint and nothing else:
//   const auto mrp = custom_chart("mrp", 3, [](const auto* s) { … return R; });
template <class Rotation, class Constraint = Unconstrained>
Chart custom_chart(std::string name, int size, Rotation rho, int constraints = 0, Constraint C = {}) {
  if (size < 3 || constraints < size - 3)
    throw Error("chart " + name + ": " + std::to_string(size) + " numbers and " + std::to_string(constraints) +
                " equations between them; a rotation has three free numbers, so expected at least " +
                std::to_string(size < 3 ? 3 : size) + " numbers and " + std::to_string(size < 3 ? 0 : size - 3) +
                " equations");
  return Chart(std::make_shared<ChartOf<Rotation, Constraint>>(std::move(name), size, constraints, rho, C));
}

}  // namespace lissom
