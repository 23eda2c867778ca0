#include "lissom/api/kinematics.h"

#include "lissom/api/inside.h"

namespace lissom {
namespace {

using View = ModelView<double>;

const Frame& frame_at(const Model& model, FrameId id, const char* name) {
  const auto& frames = model.frames();
  if (id.index < 0 || id.index >= int(frames.size()))
    throw Error(std::string(name) + ": model '" + model.name() + "' has no frame number " + std::to_string(id.index) +
                "; get frames from model.frame(\"name\")");
  return frames[std::size_t(id.index)];
}

// Before anything is computed.
void check_frames(const Model& model, FrameId of, const Point& at, FrameId in) {
  frame_at(model, of, "of");
  frame_at(model, at.frame, "at");
  frame_at(model, in, "in");
}

const Pose<double>& pose_of_body(const Workspace::Inside& w, int body) {
  return reinterpret_cast<const Pose<double>*>(w.kernels.poses(*w.scratch))[body];
}
const Motion<double>& twist_of_body(const Workspace::Inside& w, int body) {
  return reinterpret_cast<const Motion<double>*>(w.kernels.twists(*w.scratch))[body];
}
const Motion<double>& acceleration_of_body(const Workspace::Inside& w, int body) {
  return reinterpret_cast<const Motion<double>*>(w.kernels.spatial_accelerations(*w.scratch))[body];
}
Pose<double> pose_of(const Model& model, const Workspace::Inside& w, FrameId id, const char* name) {
  const auto& frame = frame_at(model, id, name);
  return pose_of_body(w, frame.body) * frame.placement;
}
Vec3<double> in_world(const Model& model, const Workspace::Inside& w, const Point& at) {
  return pose_of(model, w, at.frame, "at") * at.position;
}
SpatialVector velocity_in_world(const Workspace::Inside& w, int body, const Vec3<double>& p) {
  const auto m = seen_from_world(pose_of_body(w, body), twist_of_body(w, body));
  return {plus_cross(m.linear, m.angular, p), m.angular};
}
SpatialVector along(const Mat3<double>& R_WE, const SpatialVector& x) {
  return {transpose_times(R_WE, x.linear), transpose_times(R_WE, x.angular)};
}
const double* numbers(const Vec3<double>& v) {
  return &v.x;
}
const double* numbers(const Mat3<double>& m) {
  return &m.xx;
}

}  // namespace

void forward_kinematics(const Model& model, Workspace& work, const VectorIn& q) {
  auto& w = work.inside();
  w.check(model);
  w.check_q(q);
  w.kernels.placements(View(model), *w.scratch, q.data());
}
void forward_kinematics(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v) {
  auto& w = work.inside();
  w.check(model);
  w.check_q(q);
  w.check_v("v", v);
  w.kernels.velocities(View(model), *w.scratch, q.data(), v.data());
}
void forward_kinematics(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, const VectorIn& a) {
  auto& w = work.inside();
  w.check(model);
  w.check_q(q);
  w.check_v("v", v);
  w.check_v("a", a);
  w.kernels.accelerations(View(model), *w.scratch, q.data(), v.data(), a.data());
}

Pose<double> placement(const Model& model, const Workspace& work, FrameId frame) {
  work.inside().check(model);
  return pose_of(model, work.inside(), frame, "frame");
}
SpatialVector velocity(const Model& model, const Workspace& work, FrameId of, const Point& at, FrameId in) {
  const auto& w = work.inside();
  w.check(model);
  const auto p = in_world(model, w, at);
  return along(pose_of(model, w, in, "in").R, velocity_in_world(w, frame_at(model, of, "of").body, p));
}
SpatialVector velocity(const Model& model, const Workspace& work, FrameId of) {
  return velocity(model, work, of, Point{of, {0, 0, 0}});
}
SpatialVector acceleration(const Model& model, const Workspace& work, FrameId of, const Point& at, FrameId in) {
  const auto& w = work.inside();
  w.check(model);
  const int body = frame_at(model, of, "of").body;
  const auto& X = pose_of_body(w, body);
  const auto &v = twist_of_body(w, body), &a = acceleration_of_body(w, body);
  const auto r = transpose_times(X.R, in_world(model, w, at) - X.p);  // from the body's origin, in its frame
  const auto origin = plus_cross(a.linear, v.angular, v.linear);
  const auto linear = plus_cross(plus_cross(origin, a.angular, r), v.angular, cross(v.angular, r));
  return along(pose_of(model, w, in, "in").R, {X.R * linear, X.R * a.angular});
}
SpatialVector acceleration(const Model& model, const Workspace& work, FrameId of) {
  return acceleration(model, work, of, Point{of, {0, 0, 0}});
}

const Columns6& jacobian(const Model& model, Workspace& work, const VectorIn& q, FrameId of, const Point& at,
                         FrameId in) {
  check_frames(model, of, at, in);
  forward_kinematics(model, work, q);
  auto& w = work.inside();
  const auto p = in_world(model, w, at);
  const auto R = pose_of(model, w, in, "in").R;
  w.kernels.jacobian(View(model), *w.scratch, frame_at(model, of, "of").body, numbers(p), numbers(R), w.J.data());
  return w.J;
}
const Columns6& jacobian(const Model& model, Workspace& work, const VectorIn& q, FrameId of) {
  return jacobian(model, work, q, of, Point{of, {0, 0, 0}});
}
const Columns6& jacobian_rate(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, FrameId of,
                              const Point& at, FrameId in) {
  check_frames(model, of, at, in);
  forward_kinematics(model, work, q, v);
  auto& w = work.inside();
  const auto p = in_world(model, w, at);
  const auto p_dot = velocity_in_world(w, frame_at(model, at.frame, "at").body, p).linear;
  const auto R = pose_of(model, w, in, "in").R;
  const auto omega = velocity_in_world(w, frame_at(model, in, "in").body, p).angular;
  w.kernels.jacobian_rate(View(model), *w.scratch, frame_at(model, of, "of").body, numbers(p), numbers(p_dot),
                          numbers(R), numbers(omega), w.J_dot.data());
  return w.J_dot;
}
const Columns6& jacobian_rate(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, FrameId of) {
  return jacobian_rate(model, work, q, v, of, Point{of, {0, 0, 0}});
}
const Columns6& joint_jacobians(const Model& model, Workspace& work, const VectorIn& q) {
  auto& w = work.inside();
  w.check(model);
  w.check_q(q);
  w.kernels.jacobians(View(model), *w.scratch, q.data(), w.J.data());
  return w.J;
}

Vec3<double> center_of_mass(const Model& model, Workspace& work, const VectorIn& q) {
  forward_kinematics(model, work, q);
  auto& w = work.inside();
  Vec3<double> com;
  w.kernels.center_of_mass(View(model), *w.scratch, &com.x);
  return com;
}
const Eigen::Matrix3Xd& center_of_mass_jacobian(const Model& model, Workspace& work, const VectorIn& q) {
  auto& w = work.inside();
  w.check(model);
  w.check_q(q);
  w.kernels.placements(View(model), *w.scratch, q.data());
  w.kernels.centroidal_map(View(model), *w.scratch, w.A.data());
  w.J_com.noalias() = w.A.topRows<3>() * (model.mass() != 0 ? 1 / model.mass() : 0);
  return w.J_com;
}

}  // namespace lissom
