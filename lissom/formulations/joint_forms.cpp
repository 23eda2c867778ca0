// What a new joint type needs: its pose and columns in joint_form, its coordinates for a pose in joint_coordinates;
// and, where the opposite axis does not reverse it, a case in reversed_joint and reversed_coordinates.
#include "lissom/formulations/joint_forms.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lissom/formulations/rotation_about.h"
#include "lissom/math/dual.h"
#include "lissom/model/axes.h"
#include "lissom/spatial/rotation_checks.h"

namespace lissom::formulations {
namespace {

using Eigen::VectorXd;
constexpr double pi = std::numbers::pi;

Vec3<double> values(const Vec3<Dual<double>>& x) {
  return {x.x.value, x.y.value, x.z.value};
}
Vector6 values(const Vec3<Dual<double>>& v, const Vec3<Dual<double>>& omega) {
  Vector6 x;
  x << to_eigen(values(v)), to_eigen(values(omega));
  return x;
}
Vector6 slopes(const Vec3<Dual<double>>& v, const Vec3<Dual<double>>& omega) {
  Vector6 x;
  x << v.x.slope, v.y.slope, v.z.slope, omega.x.slope, omega.y.slope, omega.z.slope;
  return x;
}

// For joints with q̇ = v: S has the columns of the form, along the child's axes; its derivative is their slope.
void set_flat(JointMotion& j, const MechanismLink& link, const VectorIn& q, const VectorIn& v) {
  std::vector<Dual<double>> x;
  for (int k = 0; k < j.S.cols(); ++k)
    x.emplace_back(link.ratio * q[link.q_index + k] + link.offset, link.ratio * v[link.v_index + k]);
  const auto form = joint_form(link, x.data());
  const auto R_back = transpose(form.X.R);
  for (int k = 0; k < j.S.cols(); ++k) {
    const auto& column = form.columns[std::size_t(k)];
    const auto along = R_back * column.v, about = R_back * column.omega;
    j.S.col(k) = values(along, about);
    j.S_dot_v += slopes(along, about) * x[std::size_t(k)].slope;
  }
  j.X.p = values(form.X.p);
  j.X.R = from_rows(values(row_x(form.X.R)), values(row_y(form.X.R)), values(row_z(form.X.R)));
}

// The velocity of a planar joint is along the child's axes, so S is constant: the columns of the form at q = 0.
void set_planar(JointMotion& j, const MechanismLink& link, const VectorIn& q) {
  const double origin[3] = {0, 0, 0};
  const auto form = joint_form(link, origin);
  for (int k = 0; k < 3; ++k)
    j.S.col(k) << to_eigen(form.columns[std::size_t(k)].v), to_eigen(form.columns[std::size_t(k)].omega);
  j.X = joint_form(link, q.data() + link.q_index).X;
}

void set_with_quaternion(JointMotion& j, const MechanismLink& link, const VectorIn& q) {
  const int at = link.q_index + joint_traits(link.type).quaternion();
  j.X.R = matrix(Quaternion<double>{q[at], q[at + 1], q[at + 2], q[at + 3]});
  if (at > link.q_index) j.X.p = {q[link.q_index], q[link.q_index + 1], q[link.q_index + 2]};
  j.S.bottomRows(j.S.cols()).setIdentity();
}

// The angle about a whose rotation is nearest to R: it maximizes tr(Rᵀ rotation_about(a, angle)).
double angle_about(const Vec3<double>& a, const Mat3<double>& R) {
  const double s = dot(a, axial(R)), c = trace(R) - dot(a, R * a);
  return std::atan2(s, c);
}
// The angle plus a multiple of 2π, nearest to `near`.
double nearest_equivalent(double angle, double near) {
  return angle + 2 * pi * std::round((near - angle) / (2 * pi));
}

// The first angle rotates axis2 to its direction in R; the second is the angle that remains.
std::pair<double, double> universal_angles(const Vec3<double>& a, const Vec3<double>& b, const Mat3<double>& R) {
  const auto image = R * b;
  const auto flat = [&](const Vec3<double>& u) { return u - dot(a, u) * a; };
  const double first = std::atan2(dot(a, cross(flat(b), flat(image))), dot(flat(b), flat(image)));
  return {first, angle_about(b, transpose(rotation_about(a, first)) * R)};
}

VectorXd quaternion_coordinates(const MechanismLink& link, const Pose<double>& X, const VectorXd* near) {
  const int at = joint_traits(link.type).quaternion();
  auto w = quaternion_of(orthonormal(X.R));
  if (near) {  // choose the sign that is nearer
    const double* n = near->data() + link.q_index + at;
    if (w.w * n[0] + w.x * n[1] + w.y * n[2] + w.z * n[3] < 0) w = {-w.w, -w.x, -w.y, -w.z};
  }
  VectorXd q(at + 4);
  if (at) q.head<3>() = to_eigen(X.p);
  q.tail<4>() << w.w, w.x, w.y, w.z;
  return q;
}

}  // namespace

template <class T>
JointForm<T> joint_form(const MechanismLink& link, const T* x) {
  JointForm<T> j;
  const auto zero_vector = zero_vec3<T>();
  const auto a = cast<T>(link.axis), a2 = cast<T>(link.axis2);
  switch (link.type) {
    case JointType::revolute:
    case JointType::continuous:
      j.X.R = rotation_about(link.axis, x[0]);
      j.columns = {{zero_vector, a}};
      break;
    case JointType::prismatic:
      j.X.p = x[0] * a;
      j.columns = {{a, zero_vector}};
      break;
    case JointType::helical:
      j.X.R = rotation_about(link.axis, x[0]);
      j.X.p = T(link.pitch) * x[0] * a;
      j.columns = {{T(link.pitch) * a, a}};
      break;
    case JointType::cylindrical:
      j.X.R = rotation_about(link.axis, x[1]);
      j.X.p = x[0] * a;
      j.columns = {{a, zero_vector}, {zero_vector, a}};
      break;
    case JointType::universal: {
      const auto first = rotation_about(link.axis, x[0]);  // the second axis rotates with it
      j.X.R = first * rotation_about(link.axis2, x[1]);
      j.columns = {{zero_vector, a}, {zero_vector, first * a2}};
      break;
    }
    case JointType::planar: {
      const auto E = rotation_from_z_to(link.axis);
      const auto along_x = cast<T>(column_x(E)), along_y = cast<T>(column_y(E));
      j.X.R = rotation_about(link.axis, x[2]);
      j.X.p = x[0] * along_x + x[1] * along_y;
      j.columns = {{along_x, zero_vector}, {along_y, zero_vector}, {zero_vector, a}};
      break;
    }
    case JointType::fixed:
    case JointType::spherical:
    case JointType::free:
      break;
  }
  return j;
}
template JointForm<double> joint_form(const MechanismLink&, const double*);
template JointForm<Dual<double>> joint_form(const MechanismLink&, const Dual<double>*);

JointMotion joint_motion(const MechanismLink& link, const VectorIn& q, const VectorIn& v) {
  const auto& traits = joint_traits(link.type);
  JointMotion j;
  j.S = Matrix6X::Zero(6, traits.nv());
  if (traits.has_quaternion())
    set_with_quaternion(j, link, q);
  else if (traits.is_flat())
    set_flat(j, link, q, v);
  else
    set_planar(j, link, q);
  j.axes = j.S;
  if (link.follows) j.S *= link.ratio;
  return j;
}

VectorXd joint_coordinates(const MechanismLink& link, const Pose<double>& X, const VectorXd* near) {
  const auto& a = link.axis;
  const auto close_to = [&](int k) { return near ? (*near)[link.q_index + k] : 0.0; };
  const auto vector = [](std::initializer_list<double> x) -> VectorXd {
    return Eigen::Map<const VectorXd>(x.begin(), long(x.size()));
  };
  switch (link.type) {
    case JointType::fixed:
      break;
    case JointType::revolute:
    case JointType::continuous:
      return vector({nearest_equivalent(angle_about(a, X.R), close_to(0))});
    case JointType::prismatic:
      return vector({dot(a, X.p)});
    case JointType::helical: {
      // The displacement along the axis tells the number of full revolutions.
      const double guess = link.pitch != 0 ? dot(a, X.p) / link.pitch : close_to(0);
      return vector({nearest_equivalent(angle_about(a, X.R), guess)});
    }
    case JointType::cylindrical:
      return vector({dot(a, X.p), nearest_equivalent(angle_about(a, X.R), close_to(1))});
    case JointType::universal: {
      const auto [first, second] = universal_angles(a, link.axis2, X.R);
      return vector({nearest_equivalent(first, close_to(0)), nearest_equivalent(second, close_to(1))});
    }
    case JointType::planar: {
      const auto E = rotation_from_z_to(a);
      return vector(
          {dot(column_x(E), X.p), dot(column_y(E), X.p), nearest_equivalent(angle_about(a, X.R), close_to(2))});
    }
    case JointType::spherical:
    case JointType::free:
      return quaternion_coordinates(link, X, near);
  }
  return {};
}

JointDescription reversed_joint(const JointDescription& joint, const std::string& parent, const std::string& child) {
  JointDescription j = joint;
  j.parent = parent, j.child = child, j.origin = {};
  switch (joint.type) {
    case JointType::universal:  // the last axis comes first
      j.axis = -joint.axis2, j.axis2 = -joint.axis;
      std::ranges::reverse(j.lower), std::ranges::reverse(j.upper);
      break;
    case JointType::planar:  // x, y and the angle get new values, so the limits no longer apply
      j.lower.clear(), j.upper.clear();
      break;
    default:  // about the opposite axis, an angle or a displacement keeps its value
      j.axis = -joint.axis;
  }
  return j;
}

VectorXd reversed_coordinates(JointType type, const VectorIn& q) {
  if (type == JointType::universal) return q.reverse();
  if (type == JointType::planar) return -q;
  return q;
}

}  // namespace lissom::formulations
