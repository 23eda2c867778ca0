#include "lissom/api/kinematics.h"

#include "lissom/api/unchecked.h"
#include "lissom/api/write_columns.h"

namespace lissom {

struct KinematicsResults {
  explicit KinematicsResults(const Model& model) {
    for (auto* const matrix : {&jacobian, &jacobian_rate, &joint_jacobians}) matrix->setZero(6, model.nv());
    center_of_mass_jacobian.setZero(3, model.nv());
  }
  Columns6 jacobian, jacobian_rate, joint_jacobians;
  Eigen::Matrix3Xd center_of_mass_jacobian;
};
std::shared_ptr<KinematicsResults> make_kinematics_results(const Model& model) {
  return std::make_shared<KinematicsResults>(model);
}

namespace {

void check_frames(const Model& model, FrameId of, const Point& at, FrameId in) {
  expect_frame("of", model, of);
  expect_frame("at", model, at.frame);
  expect_frame("in", model, in);
}

// These expect frames that exist.
const Frame& frame_of(const Model& model, FrameId id) {
  return model.frames()[std::size_t(id.index)];
}
Pose<double> pose_of(const Model& model, const WorkspaceMemory& w, FrameId id) {
  const auto& frame = frame_of(model, id);
  return w.pose(frame.body) * frame.placement;
}
Vec3<double> in_world(const Model& model, const WorkspaceMemory& w, const Point& at) {
  return pose_of(model, w, at.frame) * at.position;
}
SpatialVector velocity_in_world(const WorkspaceMemory& w, int body, const Vec3<double>& p) {
  const auto m = to_world(w.pose(body), w.velocity(body));
  return {plus_cross(m.linear, m.angular, p), m.angular};
}
SpatialVector along(const Mat3<double>& R_WE, const SpatialVector& x) {
  return {transpose_times(R_WE, x.linear), transpose_times(R_WE, x.angular)};
}
Point origin_of(FrameId frame) {
  return {frame, {0, 0, 0}};
}

// These expect that the frames and the stage have been checked.
void write_jacobian(const Model& model, Workspace& work, FrameId of, const Point& at, FrameId in, double* J) {
  const auto& w = WorkspaceMemory::of(work);
  const auto p = in_world(model, w, at);
  const auto R = pose_of(model, w, in).R;
  Unchecked(model, work).jacobian(frame_of(model, of).body, p, R, J);
}
void write_jacobian_rate(const Model& model, Workspace& work, FrameId of, const Point& at, FrameId in, double* J_dot) {
  const auto& w = WorkspaceMemory::of(work);
  const auto p = in_world(model, w, at);
  const auto p_dot = velocity_in_world(w, frame_of(model, at.frame).body, p).linear;
  const auto R = pose_of(model, w, in).R;
  const auto omega = velocity_in_world(w, frame_of(model, in).body, p).angular;
  Unchecked(model, work).jacobian_rate(frame_of(model, of).body, p, p_dot, R, omega, J_dot);
}

}  // namespace

void forward_kinematics(const Model& model, Workspace& work, const VectorIn& q) {
  WorkspaceMemory::checked(model, work, q);
  Unchecked(model, work).placements(q.data());
}
void forward_kinematics(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v) {
  WorkspaceMemory::checked(model, work, q).check_v("v", v);
  Unchecked(model, work).velocities(q.data(), v.data());
}
void forward_kinematics(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, const VectorIn& a) {
  auto& w = WorkspaceMemory::checked(model, work, q);
  w.check_v("v", v);
  w.check_v("a", a);
  Unchecked(model, work).accelerations(q.data(), v.data(), a.data());
}

Pose<double> placement(const Model& model, const Workspace& work, FrameId frame) {
  const auto& w = WorkspaceMemory::checked(model, work);
  expect_frame("frame", model, frame);
  w.check_stage(Stage::positions, "placement");
  return pose_of(model, w, frame);
}
SpatialVector velocity(const Model& model, const Workspace& work, FrameId of, const Point& at, FrameId in) {
  const auto& w = WorkspaceMemory::checked(model, work);
  check_frames(model, of, at, in);
  w.check_stage(Stage::velocities, "velocity");
  return along(pose_of(model, w, in).R, velocity_in_world(w, frame_of(model, of).body, in_world(model, w, at)));
}
SpatialVector velocity(const Model& model, const Workspace& work, FrameId of) {
  return velocity(model, work, of, origin_of(of));
}
SpatialVector acceleration(const Model& model, const Workspace& work, FrameId of, const Point& at, FrameId in) {
  const auto& w = WorkspaceMemory::checked(model, work);
  check_frames(model, of, at, in);
  w.check_stage(Stage::accelerations, "acceleration");
  const int body = frame_of(model, of).body;
  const auto& X = w.pose(body);
  const auto &v = w.velocity(body), &a = w.acceleration(body);
  const auto r = transpose_times(X.R, in_world(model, w, at) - X.p);  // from the body's origin, in its frame
  const auto origin = plus_cross(a.linear, v.angular, v.linear);
  const auto linear = plus_cross(plus_cross(origin, a.angular, r), v.angular, cross(v.angular, r));
  return along(pose_of(model, w, in).R, {X.R * linear, X.R * a.angular});
}
SpatialVector acceleration(const Model& model, const Workspace& work, FrameId of) {
  return acceleration(model, work, of, origin_of(of));
}

const Columns6& jacobian(const Model& model, Workspace& work, FrameId of, const Point& at, FrameId in) {
  auto& w = WorkspaceMemory::checked(model, work);
  check_frames(model, of, at, in);
  w.check_stage(Stage::positions, "jacobian");
  write_jacobian(model, work, of, at, in, w.kinematics->jacobian.data());
  return w.kinematics->jacobian;
}
void jacobian(const Model& model, Workspace& work, FrameId of, const Point& at, FrameId in, Columns6Out J) {
  auto& w = WorkspaceMemory::checked(model, work);
  check_frames(model, of, at, in);
  w.check_stage(Stage::positions, "jacobian");
  write_columns("J", w, J, [&](double* to) { write_jacobian(model, work, of, at, in, to); });
}
const Columns6& jacobian(const Model& model, Workspace& work, const VectorIn& q, FrameId of, const Point& at,
                         FrameId in) {
  check_frames(model, of, at, in);  // before anything is computed
  forward_kinematics(model, work, q);
  return jacobian(model, work, of, at, in);
}
void jacobian(const Model& model, Workspace& work, const VectorIn& q, FrameId of, const Point& at, FrameId in,
              Columns6Out J) {
  check_frames(model, of, at, in);
  expect_shape("J", J.rows(), J.cols(), 6, model.nv());
  forward_kinematics(model, work, q);
  jacobian(model, work, of, at, in, J);
}
const Columns6& jacobian(const Model& model, Workspace& work, FrameId of) {
  return jacobian(model, work, of, origin_of(of));
}
void jacobian(const Model& model, Workspace& work, FrameId of, Columns6Out J) {
  jacobian(model, work, of, origin_of(of), world_frame, J);
}
const Columns6& jacobian(const Model& model, Workspace& work, const VectorIn& q, FrameId of) {
  return jacobian(model, work, q, of, origin_of(of));
}
void jacobian(const Model& model, Workspace& work, const VectorIn& q, FrameId of, Columns6Out J) {
  jacobian(model, work, q, of, origin_of(of), world_frame, J);
}

const Columns6& jacobian_rate(const Model& model, Workspace& work, FrameId of, const Point& at, FrameId in) {
  auto& w = WorkspaceMemory::checked(model, work);
  check_frames(model, of, at, in);
  w.check_stage(Stage::velocities, "jacobian_rate");
  write_jacobian_rate(model, work, of, at, in, w.kinematics->jacobian_rate.data());
  return w.kinematics->jacobian_rate;
}
void jacobian_rate(const Model& model, Workspace& work, FrameId of, const Point& at, FrameId in, Columns6Out J_dot) {
  auto& w = WorkspaceMemory::checked(model, work);
  check_frames(model, of, at, in);
  w.check_stage(Stage::velocities, "jacobian_rate");
  write_columns("J_dot", w, J_dot, [&](double* to) { write_jacobian_rate(model, work, of, at, in, to); });
}
const Columns6& jacobian_rate(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, FrameId of,
                              const Point& at, FrameId in) {
  check_frames(model, of, at, in);
  forward_kinematics(model, work, q, v);
  return jacobian_rate(model, work, of, at, in);
}
void jacobian_rate(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, FrameId of,
                   const Point& at, FrameId in, Columns6Out J_dot) {
  check_frames(model, of, at, in);
  expect_shape("J_dot", J_dot.rows(), J_dot.cols(), 6, model.nv());
  forward_kinematics(model, work, q, v);
  jacobian_rate(model, work, of, at, in, J_dot);
}
const Columns6& jacobian_rate(const Model& model, Workspace& work, FrameId of) {
  return jacobian_rate(model, work, of, origin_of(of));
}
void jacobian_rate(const Model& model, Workspace& work, FrameId of, Columns6Out J_dot) {
  jacobian_rate(model, work, of, origin_of(of), world_frame, J_dot);
}
const Columns6& jacobian_rate(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, FrameId of) {
  return jacobian_rate(model, work, q, v, of, origin_of(of));
}
void jacobian_rate(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, FrameId of,
                   Columns6Out J_dot) {
  jacobian_rate(model, work, q, v, of, origin_of(of), world_frame, J_dot);
}

const Columns6& joint_jacobians(const Model& model, Workspace& work, const VectorIn& q) {
  auto& w = WorkspaceMemory::checked(model, work, q);
  Unchecked(model, work).joint_jacobians(q.data(), w.kinematics->joint_jacobians.data());
  return w.kinematics->joint_jacobians;
}
void joint_jacobians(const Model& model, Workspace& work, const VectorIn& q, Columns6Out J) {
  auto& w = WorkspaceMemory::checked(model, work, q);
  write_columns("J", w, J, [&](double* to) { Unchecked(model, work).joint_jacobians(q.data(), to); });
}

Vec3<double> center_of_mass(const Model& model, Workspace& work) {
  WorkspaceMemory::checked(model, work).check_stage(Stage::positions, "center_of_mass");
  return Unchecked(model, work).center_of_mass();
}
Vec3<double> center_of_mass(const Model& model, Workspace& work, const VectorIn& q) {
  forward_kinematics(model, work, q);
  return center_of_mass(model, work);
}
void center_of_mass_jacobian(const Model& model, Workspace& work, Columns3Out J) {
  WorkspaceMemory::checked(model, work).check_stage(Stage::positions, "center_of_mass_jacobian");
  expect_shape("J", J.rows(), J.cols(), 3, model.nv());
  auto& A = WorkspaceMemory::of(work).columns;
  Unchecked(model, work).centroidal_map(A.data());
  J.noalias() = A.topRows<3>() * (model.mass() != 0 ? 1 / model.mass() : 0);
}
const Eigen::Matrix3Xd& center_of_mass_jacobian(const Model& model, Workspace& work) {
  auto& J = WorkspaceMemory::checked(model, work).kinematics->center_of_mass_jacobian;
  center_of_mass_jacobian(model, work, J);
  return J;
}
const Eigen::Matrix3Xd& center_of_mass_jacobian(const Model& model, Workspace& work, const VectorIn& q) {
  forward_kinematics(model, work, q);
  return center_of_mass_jacobian(model, work);
}
void center_of_mass_jacobian(const Model& model, Workspace& work, const VectorIn& q, Columns3Out J) {
  expect_shape("J", J.rows(), J.cols(), 3, model.nv());
  forward_kinematics(model, work, q);
  center_of_mass_jacobian(model, work, J);
}

}  // namespace lissom
