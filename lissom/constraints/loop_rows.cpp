#include "lissom/constraints/loop_rows.h"

#include <cmath>

#include <Eigen/Geometry>

#include "lissom/api/unchecked.h"
#include "lissom/constraints/relative_motion.h"
#include "lissom/model/text.h"

namespace lissom {

// One end of a loop at the present state, in world coordinates.
struct LoopRows::Side {
  int body;
  Pose<double> X;
};

namespace {

// A row is rounding if no joint moves b relative to a by more than this, relative to how it moves either of them: both
// ends are on one body, or the motion is out of the plane of a planar mechanism. Such a row does not constrain
// anything.
constexpr double negligible_jacobian = 1e-9;
// If b's origin lies on the axes that move it, its lever arms are rounding too: this many meters at a distance of a
// meter from the world's origin, and proportionally more farther away.
constexpr double negligible_arm = 1e-13;
// Rounding error of sums and products of numbers around 1.
constexpr double rounding_of_one = 4e-16;

// The smallest rotation that takes a's axes to b's, or a's free axis to b's, as a rotation vector. R: of b in a.
Eigen::Vector3d rotation_error(const Mat3<double>& R, const LoopAxes& axes) {
  Eigen::Matrix3d b;
  b << R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz;
  for (int free = 0; free < 3; ++free) {
    if (axes.about[std::size_t(free)]) continue;
    const Eigen::Vector3d axis = Eigen::Vector3d::Unit(free), normal = axis.cross(b.col(free));
    const double sine = normal.norm(), angle = std::atan2(sine, b(free, free));
    // The axis of a rotation by π is not determined.
    return sine > 1e-9 ? Eigen::Vector3d(angle / sine * normal)
                       : Eigen::Vector3d(angle * Eigen::Vector3d::Unit((free + 1) % 3));
  }
  const Eigen::AngleAxisd all(b);
  return all.angle() * all.axis();
}

const Joint& single_joint(const Model& model, const JointCoupling& c, const std::string& name) {
  const auto& joint = model.joint(name);
  if (joint.nv != 1)
    throw Error("coupling '" + c.name + "': joint '" + name + "' has " + std::to_string(joint.nv) +
                " degrees of freedom, expected 1");
  return joint;
}

}  // namespace

std::vector<std::pair<int, LoopRows::PerpendicularAxes>> LoopRows::perpendicular_axes(const LoopAxes& axes) {
  const auto& constrained = axes.about;
  std::vector<std::pair<int, PerpendicularAxes>> result;
  const int n = constrained[0] + constrained[1] + constrained[2];
  for (int k = 0; k < 3; ++k) {
    if (!constrained[std::size_t(k)]) continue;
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    if (n == 2) {
      // b's free axis stays parallel to a's, that is perpendicular to the two others of a.
      const int free = constrained[std::size_t(i)] ? j : i, other = 3 - free - k;
      result.push_back({k, {other, free}});
    } else {
      result.push_back({k, {i, j}});
    }
  }
  return result;
}

void LoopRows::set_length(const Model& model, Workspace& work, Loop& rod) const {
  if (!rod.length) {
    Eigen::VectorXd q = Eigen::VectorXd::Zero(model.nq());  // also outside of limits: it is the posture of the file
    for (const int at : model.quaternions()) q[at] = 1;
    Unchecked(model, work).placements(q.data());
    const auto r = side(model, work, rod.b).X.p - side(model, work, rod.a).X.p;
    rod.length = std::sqrt(dot(r, r));
  }
  if (!(*rod.length > 0 && std::isfinite(*rod.length)))
    throw Error("rod '" + rod.name + "' has length " + to_text(*rod.length) +
                " m, expected a positive number; to keep two points together, use a loop with the axes xyz");
}

LoopRows::LoopRows(const Model& model, Closures description) : description_(std::move(description)) {
  Workspace work(model);
  for (auto& loop : description_.loops) {
    for (const auto* end : {&loop.a, &loop.b}) model.frame_at(end->frame, "frame of loop '" + loop.name + "'");
    if (loop.kind == LoopKind::distance) {
      set_length(model, work, loop);
      perpendicular_.emplace_back();
      labels_.push_back({loop.name + ", length", "m"});
      continue;
    }
    if (loop.axes.count() == 0)
      throw Error("loop '" + loop.name + "' constrains no axis; expected at least one of x y z rx ry rz");
    perpendicular_.push_back(perpendicular_axes(loop.axes));
    for (int k = 0; k < 3; ++k)
      if (loop.axes.along[std::size_t(k)]) labels_.push_back(axis_label(loop.name, k));
    for (const auto& [k, axes] : perpendicular_.back()) labels_.push_back(axis_label(loop.name, 3 + k));
  }
  for (std::size_t i = 0; i < description_.couplings.size(); ++i) {
    const auto& c = description_.couplings[i];
    if (c.coefficients.empty())
      throw Error("coupling '" + c.name + "' has no coefficients; expected c0, c1, … of q[joint] = c0 + c1 q[of] + …");
    const auto& joint = single_joint(model, c, c.joint);
    Relation r{joint.q_index, joint.v_index, -1, -1, int(i)};
    if (!c.of.empty()) {
      const auto& of = single_joint(model, c, c.of);
      r.of_q = of.q_index, r.of_v = of.v_index;
    }
    relations_.push_back(r);
    labels_.push_back({c.name, joint_traits(joint.type).is_length(0) ? "m" : "rad"});
  }
  count_ = int(labels_.size());
  residual_ = rounding_ = scale_ = Jdot_v_ = Eigen::VectorXd::Zero(count_);
  J_ = Matrix::Zero(count_, model.nv());
  J_a_ = J_b_ = Columns6::Zero(6, model.nv());
}

std::vector<int> LoopRows::first_rows() const {
  std::vector<int> first{0};
  for (const auto& loop : description_.loops) first.push_back(first.back() + loop.row_count());
  for (std::size_t i = 0; i < relations_.size(); ++i) first.push_back(first.back() + 1);
  return first;
}

LoopRows::Side LoopRows::side(const Model& model, Workspace& work, const LoopEnd& end) const {
  const auto& frame = model.frames()[std::size_t(end.frame.index)];
  const Pose<double> X = Unchecked(model, work).pose(frame.body) * frame.placement * end.placement;
  return {frame.body, X};
}

// Computes the Jacobians of both bodies' particles at b's origin, along a's axes; their difference, and its scale.
void LoopRows::compare(const Model& model, Workspace& work, const Side& a, const Side& b) {
  body_jacobian(model, work, a.body, b.X.p, a.X.R, J_a_);
  body_jacobian(model, work, b.body, b.X.p, a.X.R, J_b_);
  scale_along_ = std::max(J_a_.topRows<3>().lpNorm<Eigen::Infinity>(), J_b_.topRows<3>().lpNorm<Eigen::Infinity>());
  scale_about_ =
      std::max(J_a_.bottomRows<3>().lpNorm<Eigen::Infinity>(), J_b_.bottomRows<3>().lpNorm<Eigen::Infinity>());
  const double distance = 1 + std::abs(b.X.p.x) + std::abs(b.X.p.y) + std::abs(b.X.p.z);
  negligible_along_ = std::max(negligible_jacobian * scale_along_, negligible_arm * distance * scale_about_);
  negligible_about_ = negligible_jacobian * scale_about_;
  J_b_ -= J_a_;
  // Every joint of the loop rotates the bodies after it by a rounding error of its own.
  int joints = 1;
  for (int j = 0; j < J_b_.cols(); ++j) joints += J_b_.col(j).isZero(0) ? 0 : 1;
  rounding_about_ = rounding_of_one * std::sqrt(double(joints));
  rounding_along_ = rounding_about_ * distance;
}

void LoopRows::put_along(int row, double residual) {
  put(row, residual, negligible_along_, rounding_along_, scale_along_);
}
void LoopRows::put_about(int row, double residual) {
  put(row, residual, negligible_about_, rounding_about_, scale_about_);
}
void LoopRows::put(int row, double residual, double negligible, double rounding, double scale) {
  residual_[row] = residual;
  rounding_[row] = rounding;
  scale_[row] = scale;
  if (J_.row(row).lpNorm<Eigen::Infinity>() < negligible) J_.row(row).setZero();
}

void LoopRows::evaluate(const RobotSnapshot& robot) {
  evaluate_here(robot.model, robot.work_, robot.q);
  evaluate_Jdot_v_here(robot.model, robot.work_, robot.q, robot.v);
}

void LoopRows::evaluate(const Model& model, Workspace& work, const Eigen::VectorXd& q) {
  Unchecked(model, work).placements(q.data());
  evaluate_here(model, work, q);
}

void LoopRows::evaluate_here(const Model& model, Workspace& work, const Eigen::VectorXd& q) {
  int row = 0;
  for (std::size_t i = 0; i < description_.loops.size(); ++i) {
    const auto& loop = description_.loops[i];
    const Side a = side(model, work, loop.a), b = side(model, work, loop.b);
    const auto& R = a.X.R;
    compare(model, work, a, b);
    const auto offset = transpose_times(R, b.X.p - a.X.p);
    if (loop.kind == LoopKind::distance) {
      const double distance = std::sqrt(dot(offset, offset));
      // Where the ends meet, every direction takes them apart.
      const auto u = distance > 0 ? (1 / distance) * offset : Vec3<double>{1, 0, 0};
      J_.row(row) = u.x * J_b_.row(0) + u.y * J_b_.row(1) + u.z * J_b_.row(2);
      put_along(row++, distance - *loop.length);
      continue;
    }
    for (int k = 0; k < 3; ++k) {
      if (!loop.axes.along[std::size_t(k)]) continue;
      J_.row(row) = J_b_.row(k);
      put_along(row++, component(offset, k));
    }
    for (const auto& [k, axes] : perpendicular_[i]) {
      const auto u = axis_of(a.X.R, axes.u), v = axis_of(b.X.R, axes.w);
      const auto n = transpose_times(R, cross(v, u));  // d(u·w) = (ω_b - ω_a)·(w × u)
      J_.row(row) = n.x * J_b_.row(3) + n.y * J_b_.row(4) + n.z * J_b_.row(5);
      put_about(row++, dot(u, v));
    }
  }
  for (const auto& r : relations_) {
    const auto& c = description_.couplings[std::size_t(r.coupling)].coefficients;
    double value = 0, slope = 0;
    const double x = r.of_q < 0 ? 0 : q[r.of_q];
    for (std::size_t k = c.size(); k-- > 0;) slope = slope * x + value, value = value * x + c[k];
    residual_[row] = q[r.q] - value;
    rounding_[row] = rounding_of_one * (1 + std::abs(value));
    scale_[row] = 1;
    J_.row(row).setZero();
    J_(row, r.v) += 1;
    if (r.of_v >= 0) J_(row, r.of_v) -= slope;
    ++row;
  }
}

void LoopRows::evaluate_far(const Model& model, Workspace& work, const Eigen::VectorXd& q) {
  evaluate(model, work, q);
  int row = 0;
  for (std::size_t i = 0; i < description_.loops.size(); ++i) {
    const auto& loop = description_.loops[i];
    row += loop.row_count() - int(perpendicular_[i].size());
    if (perpendicular_[i].size() < 2) {  // a single rotation row has no spurious solutions
      row += int(perpendicular_[i].size());
      continue;
    }
    const Side a = side(model, work, loop.a), b = side(model, work, loop.b);
    compare(model, work, a, b);
    const auto rotation = rotation_error(transpose(a.X.R) * b.X.R, loop.axes);
    for (const auto& [k, axes] : perpendicular_[i]) {
      J_.row(row) = J_b_.row(3 + k);
      put_about(row++, rotation[k]);
    }
  }
}

void LoopRows::evaluate_Jdot_v(const Model& model, Workspace& work, const Eigen::VectorXd& q,
                               const Eigen::VectorXd& v) {
  Unchecked kernels(model, work);
  kernels.accelerations(q.data(), v.data(), kernels.zero());
  evaluate_Jdot_v_here(model, work, q, v);
}

void LoopRows::evaluate_Jdot_v_here(const Model& model, Workspace& work, const Eigen::VectorXd& q,
                                    const Eigen::VectorXd& v) {
  Unchecked kernels(model, work);
  const auto end = [&](const LoopEnd& e) {
    const auto& frame = model.frames()[std::size_t(e.frame.index)];
    const int body = frame.body;
    return frame_motion(kernels.pose(body), kernels.velocity(body), kernels.acceleration(body),
                        frame.placement * e.placement);
  };
  int row = 0;
  for (std::size_t i = 0; i < description_.loops.size(); ++i) {
    const auto& loop = description_.loops[i];
    const auto a = end(loop.a), b = end(loop.b);
    const RelativePosition<double> position(a, b);
    if (loop.kind == LoopKind::distance) {
      Jdot_v_[row++] = position.distance(*loop.length).acceleration;
      continue;
    }
    for (int k = 0; k < 3; ++k)
      if (loop.axes.along[std::size_t(k)]) Jdot_v_[row++] = position.along(k).acceleration;
    for (const auto& [k, axes] : perpendicular_[i]) Jdot_v_[row++] = product_of_axes(a, b, axes.u, axes.w).acceleration;
  }
  for (const auto& r : relations_) {
    const auto& c = description_.couplings[std::size_t(r.coupling)].coefficients;
    double curvature = 0;
    for (std::size_t k = c.size(); k-- > 2 && r.of_q >= 0;)
      curvature = curvature * q[r.of_q] + double(k * (k - 1)) * c[k];
    Jdot_v_[row++] = r.of_v < 0 ? 0 : -curvature * v[r.of_v] * v[r.of_v];
  }
}

}  // namespace lissom
