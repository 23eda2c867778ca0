#include "lissom/constraints/precise_rows.h"

#include <algorithm>

#include "lissom/constraints/relative_motion.h"
#include "lissom/kernels/in_model_coordinates.h"

namespace lissom {
namespace {
using Real = long double;
}

struct PreciseRows::Scratch {
  explicit Scratch(const Model& model)
      : kinematics(ModelView<double>(model)), q(std::size_t(model.nq())), v(std::size_t(model.nv())), a(v) {}
  in_model_coordinates::KinematicsInModel<Real> kinematics;
  std::vector<Real> q, v, a;
};

PreciseRows::PreciseRows(const Model& model, const LoopRows& rows)
    : scratch_(std::make_unique<Scratch>(model)),
      residual_(Eigen::VectorXd::Zero(rows.count())),
      rate_(residual_),
      acceleration_(residual_) {}
PreciseRows::~PreciseRows() = default;
PreciseRows::PreciseRows(PreciseRows&&) noexcept = default;
PreciseRows& PreciseRows::operator=(PreciseRows&&) noexcept = default;

void PreciseRows::evaluate(const Model& model, const LoopRows& rows, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                           const Eigen::VectorXd& a) {
  auto& s = *scratch_;
  std::copy(q.begin(), q.end(), s.q.begin());
  std::copy(v.begin(), v.end(), s.v.begin());
  std::copy(a.begin(), a.end(), s.a.begin());
  in_model_coordinates::accelerations<Real>(ModelView<double>(model), s.kinematics, s.q.data(), s.v.data(), s.a.data());

  int row = 0;
  const auto put = [&](const RowMotion<Real>& m) {
    residual_[row] = double(m.c);
    rate_[row] = double(m.rate);
    acceleration_[row] = double(m.acceleration);
    ++row;
  };
  const auto& k = s.kinematics.kinematics;
  const auto end = [&](const LoopEnd& e) {
    const auto& frame = model.frames()[std::size_t(e.frame.index)];
    return frame_motion(k.X[frame.body], k.v[frame.body], k.a[frame.body],
                        Pose<Real>{} * frame.placement * e.placement);
  };
  rows.for_each(
      [&](const Loop& loop, const auto& perpendicular_axes) {
        const auto A = end(loop.a), B = end(loop.b);
        const RelativePosition<Real> position(A, B);
        if (loop.kind == LoopKind::distance) {
          put(position.distance(*loop.length));
          return;
        }
        for (int axis = 0; axis < 3; ++axis)
          if (loop.axes.along[std::size_t(axis)]) put(position.along(axis));
        for (const auto& [axis, axes] : perpendicular_axes) put(product_of_axes(A, B, axes.u, axes.w));
      },
      [&](const auto& relation, const std::vector<double>& coefficients) {
        Real value = 0, slope = 0, curvature = 0, x = 0, x_dot = 0, x_ddot = 0;
        if (relation.of_v >= 0)
          x = s.q[std::size_t(relation.of_q)], x_dot = s.v[std::size_t(relation.of_v)],
          x_ddot = s.a[std::size_t(relation.of_v)];
        for (std::size_t i = coefficients.size(); i-- > 0;)
          curvature = curvature * x + 2 * slope, slope = slope * x + value, value = value * x + coefficients[i];
        put({s.q[std::size_t(relation.q)] - value, s.v[std::size_t(relation.v)] - slope * x_dot,
             s.a[std::size_t(relation.v)] - slope * x_ddot - curvature * x_dot * x_dot});
      });
}

}  // namespace lissom
