// The kinematic algorithms, and the centroidal map, over Traced scalars.
#include "lissom/codegen/trace_job.h"
#include "lissom/kernels/in_model_coordinates.h"

namespace lissom::codegen {
namespace {

namespace in_model = in_model_coordinates;
using Kinematics = in_model::KinematicsInModel<Traced>;

void append(std::vector<Traced>& to, const Vec3<Traced>& x) {
  to.insert(to.end(), {x.x, x.y, x.z});
}
void append(std::vector<Traced>& to, const Pose<Traced>& X) {
  for (const auto& row : {row_x(X.R), row_y(X.R), row_z(X.R)}) append(to, row);
  append(to, X.p);
}
Pose<Traced> cast_pose(const Pose<double>& X) {
  return {cast<Traced>(X.R), cast<Traced>(X.p)};
}
// The pose of a frame in the world.
Pose<Traced> pose_of(const Kinematics& w, const Frame& frame) {
  return w.kinematics.X[frame.body] * cast_pose(frame.placement);
}

void output_bodies(TraceJob& job, const Kinematics& w, bool with_velocities) {
  std::vector<Traced> X, V;
  std::vector<int> of_X, of_V;
  for (const auto& body : job.view.tree.outward()) {
    const int limb = job.limbs.of_body[std::size_t(body.index)];
    append(X, w.kinematics.X[body.index]);
    append(V, w.kinematics.v[body.index].angular);
    append(V, w.kinematics.v[body.index].linear);
    of_X.insert(of_X.end(), 12, limb), of_V.insert(of_V.end(), 6, limb);
  }
  job.output("X", X.data(), of_X, "for each body: rotation by rows, then origin, in the world (m)");
  if (with_velocities)
    job.output("V", V.data(), of_V, "for each body: angular (rad/s), then linear (m/s) velocity, in its own frame");
}

void output_frames(TraceJob& job, const Kinematics& w, bool with_velocities) {
  const auto frames = job.frames();
  std::vector<Traced> X, V;
  std::vector<int> of_X, of_V;
  for (const auto& frame : frames) {
    const int limb = job.limbs.of_body[std::size_t(frame.body)];
    const auto pose = pose_of(w, frame);
    append(X, pose);
    const auto& body_pose = w.kinematics.X[frame.body];
    const auto& twist = w.kinematics.v[frame.body];
    const auto omega = body_pose.R * twist.angular;
    append(V, body_pose.R * (twist.linear + cross(twist.angular, cast<Traced>(frame.placement.p))));
    append(V, omega);
    of_X.insert(of_X.end(), 12, limb), of_V.insert(of_V.end(), 6, limb);
  }
  job.output("X", X.data(), of_X,
             "for each frame, rotation by rows, then origin, in the world (m): " + job.names_of(frames));
  if (with_velocities)
    job.output("V", V.data(), of_V,
               "for each of these frames, velocity of its origin (m/s), then angular velocity (rad/s), along the "
               "world's axes");
}

void output_jacobians(TraceJob& job, Kinematics& w) {
  const auto frames = job.jacobian_frames();
  const int size = 6 * job.nv;
  auto J = job.zeros(size * int(frames.size()));
  for (std::size_t i = 0; i < frames.size(); ++i)
    in_model::jacobian(job.view, w, frames[i].body, pose_of(w, frames[i]).p, identity3<Traced>(),
                       J.data() + int(i) * size);
  job.output_columns("J", J, int(frames.size()),
                     "6 by nv, by columns: linear, then angular velocity of " + job.names_of(frames) +
                         " per unit of v, at its origin and along the world's axes" +
                         (frames.size() > 1 ? "; one frame after another" : ""));
}

}  // namespace

void trace_kinematics(TraceJob& job, Algorithm algorithm) {
  Kinematics w(job.view);
  const auto q = job.q();
  const bool with_velocities = algorithm == Algorithm::velocities;
  if (with_velocities) {
    const auto v = job.v();
    in_model::velocities(job.view, w, q.data(), v.data());
  } else {
    in_model::placements(job.view, w, q.data());
  }
  if (algorithm == Algorithm::jacobian) return output_jacobians(job, w);
  if (algorithm == Algorithm::centroidal) {
    CentroidalScratch<Traced> centroidal(job.view.tree);
    auto A = job.zeros(6 * job.nv);
    in_model::centroidal_map(job.view, w, centroidal, A.data());
    return job.output_columns("A", A, 1,
                              "6 by nv, by columns: linear (kg m/s), then angular (kg m^2/s) momentum per unit of v, "
                              "about the center of mass and along the world's axes");
  }
  if (job.options.body_frames) return output_bodies(job, w, with_velocities);
  output_frames(job, w, with_velocities);
}

}  // namespace lissom::codegen
