#include "lissom/coordinates/chart.h"

#include <cmath>
#include <random>

#include "lissom/math/dense.h"
#include "lissom/math/random.h"
#include "lissom/model/arguments.h"
#include "lissom/model/diagnostic.h"
#include "lissom/spatial/rotation_checks.h"

namespace lissom {
namespace {

using VectorIn = Chart::VectorIn;
using First = Chart::First;
using Second = Chart::Second;

template <class T>
Mat3<T> slope(const Mat3<Dual<T>>& m) {
  return {m.xx.slope, m.xy.slope, m.xz.slope, m.yx.slope, m.yy.slope, m.yz.slope, m.zx.slope, m.zy.slope, m.zz.slope};
}
template <class T>
Mat3<T> value(const Mat3<Dual<T>>& m) {
  return {m.xx.value, m.xy.value, m.xz.value, m.yx.value, m.yy.value, m.yz.value, m.zx.value, m.zy.value, m.zz.value};
}

void check_size(const Chart& chart, const VectorIn& theta, const char* what) {
  if (theta.size() == chart.size() && theta.allFinite()) return;
  const std::string argument = std::string(what) + " of chart '" + chart.name() + "'";
  expect_size(argument.c_str(), theta.size(), chart.size());
  expect_finite(argument.c_str(), theta.data(), theta.size());
}

Eigen::Matrix3Xd to_eigen(const std::vector<Vec3<double>>& columns) {
  Eigen::Matrix3Xd m(3, long(columns.size()));
  for (long k = 0; k < m.cols(); ++k) {
    const auto& c = columns[std::size_t(k)];
    m.col(k) << c.x, c.y, c.z;
  }
  return m;
}

// (J; ∂C/∂θ): square if there are no redundant constraints, and singular only where the chart is.
Eigen::MatrixXd stacked(const Chart& chart, const VectorIn& theta, ExpressedIn frame) {
  Eigen::MatrixXd both(3 + chart.constraints(), chart.size());
  both << chart.rate_map(theta, frame), chart.constraint_jacobian(theta);
  return both;
}

}  // namespace

const std::string& Chart::name() const {
  return impl_->name;
}
int Chart::size() const {
  return impl_->size;
}
int Chart::constraints() const {
  return impl_->constraints;
}

void Chart::check(const VectorIn& theta, double tolerance) const {
  check_size(*this, theta, "theta");
  if (constraints() == 0) return;
  const double off = constraint(theta).cwiseAbs().maxCoeff();
  if (off > tolerance)
    throw Error("theta violates the constraint of chart '" + name() + "' by " + std::to_string(off) +
                "; normalize the quaternion, or use coordinates() of a rotation");
}

Mat3<double> Chart::rotation(const VectorIn& theta) const {
  check_size(*this, theta, "theta");
  return impl_->rotation(theta.data());
}
Chart::Vector Chart::coordinates(const Mat3<double>& R) const {
  expect_rotation(("R of chart '" + name() + "'").c_str(), R);
  return impl_->coordinates(R);
}
Chart::Vector Chart::away_from_singularity(const VectorIn& theta) const {
  check_size(*this, theta, "theta");
  return impl_->away_from_singularity(theta);
}

template <class T>
std::vector<Vec3<T>> Chart::rate_columns(const T* theta) const {
  using D = Dual<T>;
  std::vector<D> direction;
  for (int k = 0; k < size(); ++k) direction.push_back(D(theta[k], zero<T>()));
  std::vector<Vec3<T>> J;
  for (int k = 0; k < size(); ++k) {
    direction[std::size_t(k)].slope = one<T>();
    const auto both = impl_->rotation(direction.data());
    direction[std::size_t(k)].slope = zero<T>();
    const auto R = value(both), dR = slope(both);
    const auto R1 = column_x(R), R2 = column_y(R), R3 = column_z(R);
    J.push_back(dot(R2, column_x(dR)) * R3 + dot(R1, column_z(dR)) * R2 + dot(R3, column_y(dR)) * R1);  // (10)
  }
  return J;
}
template std::vector<Vec3<double>> Chart::rate_columns(const double*) const;
template std::vector<Vec3<First>> Chart::rate_columns(const First*) const;

Eigen::Matrix3Xd Chart::rate_map(const VectorIn& theta, ExpressedIn frame) const {
  check_size(*this, theta, "theta");
  auto J = rate_columns(theta.data());
  if (frame == ExpressedIn::body_axes) {
    const auto R = impl_->rotation(theta.data());
    for (auto& column : J) column = transpose_times(R, column);
  }
  return to_eigen(J);
}

Eigen::Matrix3Xd Chart::rate_map_rate(const VectorIn& theta, const VectorIn& theta_rate, ExpressedIn frame) const {
  check_size(*this, theta, "theta");
  check_size(*this, theta_rate, "theta_rate");
  std::vector<First> moving;
  for (int k = 0; k < size(); ++k) moving.push_back({theta[k], theta_rate[k]});
  auto J = rate_columns(moving.data());
  if (frame == ExpressedIn::body_axes) {
    const auto R = impl_->rotation(moving.data());
    for (auto& column : J) column = transpose_times(R, column);
  }
  std::vector<Vec3<double>> J_rate;
  for (const auto& column : J) J_rate.push_back({column.x.slope, column.y.slope, column.z.slope});
  return to_eigen(J_rate);
}

Chart::Vector Chart::rates(const VectorIn& theta, const Vec3<double>& omega, ExpressedIn frame) const {
  expect_finite("omega", omega);
  Vector desired = Vector::Zero(3 + constraints());
  desired.head(3) << omega.x, omega.y, omega.z;
  return dense::least_squares(stacked(*this, theta, frame), desired);
}
Vec3<double> Chart::angular_velocity(const VectorIn& theta, const VectorIn& theta_rate, ExpressedIn frame) const {
  check_size(*this, theta_rate, "theta_rate");
  const Eigen::Vector3d w = rate_map(theta, frame) * theta_rate;
  return {w.x(), w.y(), w.z()};
}

Chart::Vector Chart::constraint(const VectorIn& theta) const {
  check_size(*this, theta, "theta");
  Vector C(constraints());
  impl_->constraint(theta.data(), C.data());
  return C;
}

Eigen::MatrixXd Chart::constraint_jacobian(const VectorIn& theta) const {
  check_size(*this, theta, "theta");
  Eigen::MatrixXd J(constraints(), size());
  std::vector<First> direction(theta.begin(), theta.end()), C(std::size_t(constraints()), First(0.0));
  for (int k = 0; k < size(); ++k) {
    direction[std::size_t(k)].slope = 1;
    impl_->constraint(direction.data(), C.data());
    direction[std::size_t(k)].slope = 0;
    for (int i = 0; i < constraints(); ++i) J(i, k) = C[std::size_t(i)].slope;
  }
  return J;
}

Chart::Vector Chart::constraint_bias(const VectorIn& theta, const VectorIn& theta_rate) const {
  check_size(*this, theta, "theta");
  check_size(*this, theta_rate, "theta_rate");
  // The second derivative along θ̇ is the slope of the slope.
  std::vector<Second> along, C(std::size_t(constraints()), Second(0.0));
  for (int k = 0; k < size(); ++k) along.push_back({First(theta[k], theta_rate[k]), First(theta_rate[k], 0.0)});
  impl_->constraint(along.data(), C.data());
  Vector bias(constraints());
  for (int i = 0; i < constraints(); ++i) bias[i] = C[std::size_t(i)].slope.slope;
  return bias;
}

double Chart::inverse_condition(const VectorIn& theta) const {
  const Eigen::VectorXd s = dense::singular_values(stacked(*this, theta, ExpressedIn::world_axes));
  return s[s.size() - 1] / s[0];
}

Chart::Vector solve_for_coordinates(const Chart::Impl& impl, const Mat3<double>& R) {
  const Chart chart(std::shared_ptr<const Chart::Impl>(std::shared_ptr<void>{}, &impl));
  std::mt19937_64 engine(1);
  for (int start = 0; start < 50; ++start) {
    Chart::Vector theta(impl.size);
    for (auto& x : theta) x = start == 0 ? 0.1 : 4 * uniform01(engine()) - 2;
    for (int step = 0; step < 60; ++step) {
      // The rotation from ρ(θ) to R, as a rotation vector in the world frame.
      const auto error = rotation_vector(R * transpose(orthonormal(impl.rotation(theta.data()))));
      Chart::Vector desired(3 + impl.constraints);
      desired << error.x, error.y, error.z, -chart.constraint(theta);
      const double off = desired.cwiseAbs().maxCoeff();
      if (off < 1e-14 || (step > 20 && off < 1e-12)) return theta;
      const Chart::Vector change = dense::least_squares(stacked(chart, theta, ExpressedIn::world_axes), desired);
      if (!change.allFinite()) break;
      theta += change * std::min(1.0, 1.0 / change.norm());
    }
  }
  throw Error("chart '" + impl.name +
              "': found no coordinates of this rotation; check that every rotation is ρ(θ) of some θ with C(θ) = 0");
}

}  // namespace lissom
