#include "lissom/formulations/conventions.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lissom/model/arguments.h"
#include "lissom/model/text.h"

namespace lissom::formulations {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Joints agree with each other, and quaternions have norm 1, within this.
constexpr double agreement = 1e-6;

bool has_scalar_last(Convention c) {
  return c == Convention::pinocchio || c == Convention::ros;
}
bool has_quaternion(const Joint& joint) {
  return joint_traits(joint.type).has_quaternion();
}
// Number of elements that a joint has in q. A follower has as many as if it moved by itself.
int size_of(const Joint& joint, Convention c) {
  const bool angle_as_pair = joint.type == JointType::continuous || joint.type == JointType::planar;
  return joint_traits(joint.type).nq() + (c == Convention::pinocchio && angle_as_pair ? 1 : 0);
}
void check_length(const Joint& joint, double length, const char* what) {
  if (!(std::abs(length - 1) <= agreement))
    throw Error(std::string(what) + " of joint '" + joint.name + "' has norm " + to_text(length) + ", expected 1");
}

// The description's joint of this name; null for a base that build() added.
const JointDescription* in_file(const Model& model, const Joint& joint) {
  const auto& all = model.description().joints;
  const auto found = std::ranges::find(all, joint.name, &JointDescription::name);
  return found == all.end() ? nullptr : &*found;
}
// The coordinates of a joint from another convention to lissom's.
VectorXd read(const Joint& joint, const VectorIn& x, Convention from) {
  const int nq = joint_traits(joint.type).nq();
  VectorXd q = x.head(nq);
  if (has_quaternion(joint)) {
    const long at = nq - 4;
    if (has_scalar_last(from)) q.tail<4>() = Eigen::Vector4d(x[at + 3], x[at], x[at + 1], x[at + 2]);
    check_length(joint, q.tail<4>().norm(), "quaternion");
  } else if (x.size() != nq) {  // … cos, sin
    check_length(joint, x.tail<2>().norm(), "(cos, sin)");
    q[nq - 1] = std::atan2(x[nq], x[nq - 1]);
  }
  return q;
}
// The coordinates of a joint from lissom's convention to another.
VectorXd written(const Joint& joint, const VectorXd& q, Convention to) {
  VectorXd x(size_of(joint, to));
  x.head(q.size()) = q;
  const long last = q.size() - 1;
  if (has_quaternion(joint) && has_scalar_last(to))
    x.tail<4>() = Eigen::Vector4d(q[last - 2], q[last - 1], q[last], q[last - 3]);
  else if (x.size() != q.size())
    x.tail<2>() << std::cos(q[last]), std::sin(q[last]);
  return x;
}
Eigen::Quaterniond attitude(const VectorIn& q) {
  const auto w = q.tail<4>();
  return Eigen::Quaterniond(w[0], w[1], w[2], w[3]).normalized();
}
// The pose of a free joint, relative to another frame in which its own frame has the pose `frame`.
VectorXd moved(const Pose<double>& frame, const VectorXd& q) {
  if (frame.R.xx == 1 && frame.R.yy == 1 && frame.R.zz == 1 && frame.p.x == 0 && frame.p.y == 0 && frame.p.z == 0)
    return q;  // to the last bit
  const Eigen::Isometry3d X = to_eigen(frame);
  const Eigen::Quaterniond Q = Eigen::Quaterniond(X.linear()) * attitude(q);
  VectorXd result(7);
  result << X * Vector3d(q.head<3>()), Q.w(), Q.x(), Q.y(), Q.z();
  return result;
}
Pose<double> inverse_of(const Pose<double>& X) {
  return from_eigen(Eigen::Isometry3d(to_eigen(X).inverse()));
}

}  // namespace

Conversion::Conversion(const Model& model, Convention other) : model_(model), other_(other) {
  set_joints(joint_order(model, other));
}

Conversion::Conversion(const Model& model, Convention other, std::span<const std::string> joints)
    : model_(model), other_(other) {
  std::vector<std::string> names(joints.begin(), joints.end());
  if (!names.empty() && names[0] == "universe" && !model.has_joint("universe")) names.erase(names.begin());
  // MuJoCo's three joints of a planar one are called NAME_TX, NAME_TY, NAME_RZ.
  for (std::size_t i = 0; other == Convention::mujoco && i + 2 < names.size(); ++i) {
    if (!names[i].ends_with("_TX") || model.has_joint(names[i])) continue;
    const auto name = names[i].substr(0, names[i].size() - 3);
    if (names[i + 1] != name + "_TY" || names[i + 2] != name + "_RZ") continue;
    names[i] = name;
    names.erase(names.begin() + long(i) + 1, names.begin() + long(i) + 3);
  }
  // The base has no name in the file, so that every program chooses its own.
  std::vector<std::string*> unknown;
  for (auto& name : names)
    if (!model.has_joint(name)) unknown.push_back(&name);
  if (const auto base = base_joints(model);
      unknown.size() == 1 && base.size() == 1 && std::ranges::find(names, base[0]) == names.end())
    *unknown[0] = base[0];
  set_joints(names);
}

void Conversion::set_joints(std::span<const std::string> joints) {
  std::vector<bool> found(model_.joints().size());
  for (const auto& name : joints) {
    const Joint& joint = model_.joint(name);
    const auto index = std::size_t(&joint - model_.joints().data());
    if (joint.type == JointType::fixed)
      throw Error("joint '" + name + "' is fixed and has no coordinates; leave it out of the list");
    if (found[index]) throw Error("joint '" + name + "' is in the list of joints twice");
    found[index] = true;
    Entry entry{name, int(index), nq_, size_of(joint, other_), nv_, joint_traits(joint.type).nv(), joint.nv == 0};
    if (other_ == Convention::mujoco && joint.type == JointType::free)
      if (const auto* description = in_file(model_, joint)) {
        const auto& parent = model_.link(joint.parent);
        if (parent.body != 0)
          throw Error("joint '" + name + "' is free and its parent '" + joint.parent +
                      "' moves; MuJoCo has free joints at the world only");
        entry.frame = parent.placement * description->origin;
      }
    nq_ += entry.nq, nv_ += entry.nv;
    entries_.push_back(std::move(entry));
  }
  std::string missing;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (model_.joints()[i].nv > 0 && !found[i])
      missing += (missing.empty() ? "'" : ", '") + model_.joints()[i].name + "'";
  if (!missing.empty()) throw Error("the list of joints lacks " + missing + "; expected all joints that move");
}

VectorXd Conversion::checked(const VectorIn& q) const {
  check_vector(q, model_.nq(), "q");
  for (const auto& e : entries_)
    if (has_quaternion(joint(e)))
      check_length(joint(e), q.segment<4>(joint(e).q_index + joint(e).nq - 4).norm(), "quaternion");
  return q;
}

State Conversion::to_state(const VectorIn& q, const VectorIn& v) const {
  const VectorXd here = checked(q);
  check_vector(v, model_.nv(), "v");
  State there{VectorXd(nq_), velocity_to(here, v)};
  for (const auto& e : entries_) {
    const auto& rule = joint(e).follows;
    const VectorXd own = e.follows ? VectorXd::Constant(1, rule->ratio * q[leader(e).q_index] + rule->offset)
                                   : VectorXd(q.segment(joint(e).q_index, joint(e).nq));
    there.q.segment(e.q_index, e.nq) = written(joint(e), moved(e.frame, own), other_);
  }
  return there;
}

State Conversion::from_state(const VectorIn& q_there, const VectorIn& v_there) const {
  check_vector(q_there, nq_, "q");
  check_vector(v_there, nv_, "v");
  State here{VectorXd(model_.nq()), VectorXd(model_.nv())};
  for (const auto& e : entries_)
    if (!e.follows)
      here.q.segment(joint(e).q_index, joint(e).nq) =
          moved(inverse_of(e.frame), read(joint(e), q_there.segment(e.q_index, e.nq), other_));
  here.v = rotated_from(here.q, v_there);
  check_followers(here, q_there, v_there);
  return here;
}

void Conversion::check_followers(const State& here, const VectorIn& q_there, const VectorIn& v_there) const {
  for (const auto& e : entries_) {
    if (!e.follows) continue;
    const auto& rule = *joint(e).follows;
    const auto& lead = leader(e);
    double error =
        read(joint(e), q_there.segment(e.q_index, e.nq), other_)[0] - (rule.ratio * here.q[lead.q_index] + rule.offset);
    if (e.nq == 2) error = std::remainder(error, 2 * std::numbers::pi);  // (cos, sin) lose full revolutions
    const double rate_error = v_there[e.v_index] - rule.ratio * here.v[lead.v_index];
    if (const double worst = std::max(std::abs(error), std::abs(rate_error)); !(worst <= agreement))
      throw Error("joint '" + e.name + "' mimics '" + lead.name + "' but is " + to_text(worst) +
                  " from where it follows; build the model with mimic = false (--mimic independent)");
  }
}

Conversion::Axes Conversion::axes(const Entry& e, const VectorXd& q) const {
  Axes result{Matrix3d::Identity(), Matrix3d::Identity()};
  const auto& j = joint(e);
  const bool linear = other_ == Convention::mujoco || other_ == Convention::world,
             angular = other_ == Convention::world;
  if (j.type == JointType::planar && other_ == Convention::mujoco)
    result.linear = Eigen::AngleAxisd(q[j.q_index + 2], Vector3d::UnitZ()).toRotationMatrix();
  if (!has_quaternion(j) || !(linear || angular)) return result;
  const Matrix3d R = to_eigen(e.frame.R) * attitude(q.segment(j.q_index, j.nq)).toRotationMatrix();
  if (linear) result.linear = R;
  if (angular) result.angular = R;
  return result;
}

MatrixXd Conversion::block(const Entry& e, const VectorXd& q) const {
  const auto [linear, angular] = axes(e, q);
  MatrixXd T = MatrixXd::Identity(e.nv, e.nv);
  if (joint(e).type == JointType::planar) T.topLeftCorner<2, 2>() = linear.topLeftCorner<2, 2>();
  if (joint(e).type == JointType::free) T.topLeftCorner<3, 3>() = linear;
  if (has_quaternion(joint(e))) T.bottomRightCorner<3, 3>() = angular;
  return T;
}
VectorXd Conversion::rotated_to(const VectorXd& q, const VectorXd& x) const {
  VectorXd there = VectorXd::Zero(nv_);
  for (const auto& e : entries_)
    if (!e.follows) there.segment(e.v_index, e.nv) = block(e, q) * x.segment(joint(e).v_index, e.nv);
  return there;
}
VectorXd Conversion::rotated_from(const VectorXd& q, const VectorXd& x_there) const {
  VectorXd here = VectorXd::Zero(model_.nv());
  for (const auto& e : entries_)
    if (!e.follows) here.segment(joint(e).v_index, e.nv) = block(e, q).transpose() * x_there.segment(e.v_index, e.nv);
  return here;
}
const Joint& Conversion::leader(const Entry& follower) const {
  return model_.joints()[std::size_t(joint(follower).follows->joint)];
}
VectorXd Conversion::velocity_to(const VectorXd& q, const VectorXd& v) const {
  VectorXd there = rotated_to(q, v);
  for (const auto& e : entries_)
    if (e.follows) there[e.v_index] = joint(e).follows->ratio * v[leader(e).v_index];
  return there;
}

MatrixXd Conversion::velocity_map(const VectorIn& q) const {
  const VectorXd here = checked(q);
  MatrixXd T = MatrixXd::Zero(nv_, model_.nv());
  for (const auto& e : entries_)
    if (e.follows)
      T(e.v_index, leader(e).v_index) = joint(e).follows->ratio;
    else
      T.block(e.v_index, joint(e).v_index, e.nv, e.nv) = block(e, here);
  return T;
}

// Only linear velocities along other axes than the child's have such a term: d/dt (R v) = R (v̇ + ω × v).
VectorXd Conversion::velocity_map_rate(const VectorXd& q, const VectorXd& v) const {
  VectorXd rate = VectorXd::Zero(nv_);
  for (const auto& e : entries_) {
    const auto& j = joint(e);
    const auto R = axes(e, q).linear;
    if (R.isIdentity(0) && other_ != Convention::mujoco && other_ != Convention::world) continue;
    if (j.type == JointType::free) {
      const Vector3d linear = v.segment<3>(j.v_index), angular = v.segment<3>(j.v_index + 3);
      rate.segment<3>(e.v_index) = R * angular.cross(linear);
    } else if (j.type == JointType::planar && other_ == Convention::mujoco) {
      const Vector3d linear(v[j.v_index], v[j.v_index + 1], 0);
      rate.segment<2>(e.v_index) = (R * Vector3d(0, 0, v[j.v_index + 2]).cross(linear)).head<2>();
    }
  }
  return rate;
}

VectorXd Conversion::to_acceleration(const VectorIn& q, const VectorIn& v, const VectorIn& a) const {
  check_vector(v, model_.nv(), "v");
  check_vector(a, model_.nv(), "a");
  return velocity_to(checked(q), a) + velocity_map_rate(q, v);
}
VectorXd Conversion::from_acceleration(const VectorIn& q, const VectorIn& v, const VectorIn& a_there) const {
  check_vector(v, model_.nv(), "v");
  check_vector(a_there, nv_, "a");
  return rotated_from(checked(q), a_there - velocity_map_rate(q, v));
}
VectorXd Conversion::to_forces(const VectorIn& q, const VectorIn& tau) const {
  check_vector(tau, model_.nv(), "tau");
  return rotated_to(checked(q), tau);
}
VectorXd Conversion::from_forces(const VectorIn& q, const VectorIn& tau_there) const {
  check_vector(tau_there, nv_, "tau");
  VectorXd tau = rotated_from(checked(q), tau_there);
  for (const auto& e : entries_)
    if (e.follows) tau[leader(e).v_index] += joint(e).follows->ratio * tau_there[e.v_index];
  return tau;
}
// M a + h = tau with a = Tᵀ (a_there - Ṫ v), at a_there = 0.
VectorXd Conversion::to_bias_forces(const VectorIn& q, const VectorIn& v, const MatrixIn& M, const VectorIn& h) const {
  check_vector(v, model_.nv(), "v");
  check_vector(h, model_.nv(), "h");
  expect_shape("M", M.rows(), M.cols(), model_.nv(), model_.nv());
  const VectorXd here = checked(q);
  return rotated_to(here, h - M * rotated_from(here, velocity_map_rate(here, v)));
}

bool Conversion::has_followers() const {
  return std::ranges::any_of(entries_, &Entry::follows);
}
void Conversion::refuse_followers(const char* what) const {
  if (const auto found = std::ranges::find(entries_, true, &Entry::follows); found != entries_.end())
    throw Error(std::string(what) + " has columns for followers such as '" + found->name + "' in the convention '" +
                to_string(other_) +
                "', but none in the model; build the model with mimic = false (--mimic independent)");
}
MatrixXd Conversion::to_mass_matrix(const VectorIn& q, const MatrixIn& M) const {
  refuse_followers("the mass matrix");
  expect_shape("M", M.rows(), M.cols(), model_.nv(), model_.nv());
  const MatrixXd T = velocity_map(q);
  return T * M * T.transpose();
}
MatrixXd Conversion::from_mass_matrix(const VectorIn& q, const MatrixIn& M_there) const {
  expect_shape("M", M_there.rows(), M_there.cols(), nv_, nv_);
  const MatrixXd T = velocity_map(q);
  return T.transpose() * M_there * T;
}
MatrixXd Conversion::to_jacobian(const VectorIn& q, const MatrixIn& J) const {
  refuse_followers("the Jacobian");
  expect_shape("J", J.rows(), J.cols(), J.rows(), model_.nv());
  return J * velocity_map(q).transpose();
}
MatrixXd Conversion::from_jacobian(const VectorIn& q, const MatrixIn& J_there) const {
  expect_shape("J", J_there.rows(), J_there.cols(), J_there.rows(), nv_);
  return J_there * velocity_map(q);
}

State convert(const Model& model, const State& state, Convention from, Convention to) {
  const auto here = Conversion(model, from).from_state(state.q, state.v);
  return Conversion(model, to).to_state(here.q, here.v);
}

}  // namespace lissom::formulations
