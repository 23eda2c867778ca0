#pragma once
// A chart of SO(3): n coordinates θ of a rotation R = ρ(θ) and, if n > 3, the constraints C(θ) = 0 between them.
// Everything else follows from ρ and C alone, by dual numbers: with R_i the i-th column of R, the angular velocity is
//   ω = J θ̇,   J = R₃ R₂ᵀ ∂R₁/∂θ + R₂ R₁ᵀ ∂R₃/∂θ + R₁ R₃ᵀ ∂R₂/∂θ          (Bouyarmane & Kheddar, eq. 10)
// charts.h lists the built-in charts; custom_chart() makes one from your own ρ and C.
#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "lissom/math/dual.h"
#include "lissom/math/eigen_arguments.h"
#include "lissom/math/mat3.h"
#include "lissom/model/diagnostic.h"

namespace lissom {

/// The axes along which an angular velocity is expressed: those of the frame that R maps to (the world, say), or those
/// of the rotating body.
enum class ExpressedIn { world_axes, body_axes };

/// Coordinates of a rotation, with their derivatives and constraints.
class Chart {
 public:
  using Vector = Eigen::VectorXd;
  using VectorIn = lissom::VectorIn;
  using First = Dual<double>;  ///< for first derivatives
  using Second = Dual<First>;  ///< for second derivatives

  const std::string& name() const;
  int size() const;         ///< number of coordinates θ
  int constraints() const;  ///< number of constraints between them

  /// Throws an Error if θ has the wrong size, is not finite, or violates C by more than `tolerance`.
  void check(const VectorIn& theta, double tolerance = 1e-6) const;

  /// R = ρ(θ). The constraints are not checked here: see check().
  Mat3<double> rotation(const VectorIn& theta) const;
  /// Coordinates of a rotation matrix; throws an Error if R is not one. If several θ give the same R, built-in charts
  /// return the smallest rotation angle, or Euler angles within ±π.
  Vector coordinates(const Mat3<double>& R) const;
  /// Coordinates of the same rotation, farther from the chart's singularity: a rotation vector longer than π is
  /// replaced by the equivalent shorter one. Charts without such a choice return θ itself.
  Vector away_from_singularity(const VectorIn& theta) const;

  /// J with ω = J θ̇.
  Eigen::Matrix3Xd rate_map(const VectorIn& theta, ExpressedIn frame = ExpressedIn::world_axes) const;
  /// Its time derivative J̇.
  Eigen::Matrix3Xd rate_map_rate(const VectorIn& theta, const VectorIn& theta_rate,
                                 ExpressedIn frame = ExpressedIn::world_axes) const;
  /// The θ̇ with J θ̇ = ω that satisfies the constraints. Inaccurate if inverse_condition() is near 0.
  Vector rates(const VectorIn& theta, const Vec3<double>& omega, ExpressedIn frame = ExpressedIn::world_axes) const;
  /// ω = J θ̇.
  Vec3<double> angular_velocity(const VectorIn& theta, const VectorIn& theta_rate,
                                ExpressedIn frame = ExpressedIn::world_axes) const;

  /// C(θ).
  Vector constraint(const VectorIn& theta) const;
  /// ∂C/∂θ.
  Eigen::MatrixXd constraint_jacobian(const VectorIn& theta) const;
  /// The bias in C̈ = ∂C/∂θ θ̈ + bias.
  Vector constraint_bias(const VectorIn& theta, const VectorIn& theta_rate) const;

  /// Smallest over largest singular value of (J; ∂C/∂θ): 1 is well conditioned; 0 is singular, and then no θ̇ gives
  /// some angular velocities.
  double inverse_condition(const VectorIn& theta) const;

  /// ρ in another scalar type (double, First or Second), for the formulations.
  template <class T>
  Mat3<T> rotation_of(const T* theta) const {
    return impl_->rotation(theta);
  }
  /// J in another scalar type (double or First): n columns.
  template <class T>
  std::vector<Vec3<T>> rate_columns(const T* theta) const;

  /// What defines a chart; custom_chart() makes one.
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
    virtual Vector away_from_singularity(const VectorIn& theta) const { return theta; }
  };
  explicit Chart(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

 private:
  std::shared_ptr<const Impl> impl_;
};

/// A chart from two function objects that take any scalar type T: Mat3<T> rotation(const T* theta), and
/// void constraint(const T* theta, T* C), which writes `constraints` elements.
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
/// The constraint of a chart that has none.
struct Unconstrained {
  template <class T>
  void operator()(const T*, T*) const {}
};

/// θ with ρ(θ) = R and C(θ) = 0, by Gauss–Newton steps from several starts; throws an Error if none converges.
Chart::Vector solve_for_coordinates(const Chart::Impl& chart, const Mat3<double>& R);

template <class Rotation, class Constraint>
Chart::Vector ChartOf<Rotation, Constraint>::coordinates(const Mat3<double>& R) const {
  return solve_for_coordinates(*this, R);
}

/// A chart of your own, from ρ and its constraint alone:
///   const auto mrp = custom_chart("mrp", 3, [](const auto* s) { … return R; });
template <class Rotation, class Constraint = Unconstrained>
Chart custom_chart(std::string name, int size, Rotation rho, int constraints = 0, Constraint C = {}) {
  if (size < 3 || constraints < size - 3)
    throw Error("chart '" + name + "' has " + std::to_string(size) + " coordinates and " + std::to_string(constraints) +
                " constraints; a rotation has three degrees of freedom, so expected at least " +
                std::to_string(size < 3 ? 3 : size) + " coordinates and " + std::to_string(size < 3 ? 0 : size - 3) +
                " constraints");
  return Chart(std::make_shared<ChartOf<Rotation, Constraint>>(std::move(name), size, constraints, rho, C));
}

}  // namespace lissom
