#pragma once
// A contact that may open and close: the positions of its points relative to the plane that they may touch, and the
// rows that constrain them. Not for users.
//
// The plane has its own axes; z is its normal. J (6 × nv) is the Jacobian of the frame relative to the plane, at the
// frame's origin, along these axes; a point with the lever arm r from there moves with J_linear + J_angular × r. The
// points of a face belong to one rigid body, so at most three of their tangential rows are independent. Two rows at one
// point, and one row at the point farthest from it, across the line between the two, constrain them all.
#include "lissom/constraints/contact_rows.h"
#include "lissom/sim/friction_use.h"
#include "lissom/sim/simulated_robot.h"

namespace lissom::sim {

// A v = b,  l ≤ C v ≤ u. Rows of C with weight > 0 are soft.
struct VelocityRows {
  Matrix A, C;
  Eigen::VectorXd b, l, u, weight;
  int equalities = 0;  // rows of A in use
};

// A time step; the unknown is the velocity at its end.
struct TimeStep {
  double length;              // s; 0: the velocity after an impact
  double gap_gain;            // 1/s: a gap is closed with this gain times the gap
  bool prevents_penetration;  // points that approach the plane may not pass it within the step
};

class ContactFace {
 public:
  ContactFace(const Model& model, Contact contact);

  int point_count() const { return int(points_.size()); }
  int row_count() const;  // rows of C at present
  int max_rows() const { return 3 * point_count(); }
  int max_equalities() const;
  const std::string& name() const { return name_; }
  FrameId frame() const { return frame_; }
  // Height of the plane's origin in the world.
  double ground(const Model& model, const Workspace& work) const;

  // Computes positions and Jacobians; call it after forward_kinematics.
  void update(const Model& model, Workspace& work);
  // Distance of the frame from the contact's placement; a constant if the contact has none.
  double distance() const { return distance_; }
  bool touching() const;
  // Points at the plane come into contact (returns true if there are new ones), points above it separate. Where several
  // contacts share a frame, only one of them is eligible.
  bool update_contact(bool eligible, double time);

  // Call it before a velocity is solved for: all points that touch are assumed to stay.
  void begin_solve();
  // v: the velocity at the beginning of the step.
  void write(VelocityRows& rows, int first_row, const Eigen::VectorXd& v, const TimeStep& step);
  // Time until the first point lands, if the velocity changes linearly from v to x within the step; infinity if none
  // does.
  double time_to_landing(const VelocityRows& rows, const Eigen::VectorXd& v, const Eigen::VectorXd& x,
                         double length) const;
  // After a solution x with multipliers y, z: releases the points that would have to pull. Returns true if the rows
  // must be written again.
  bool release_pulling(const VelocityRows& rows, const Eigen::VectorXd& x, const Eigen::VectorXd& z);
  // Reads the contact forces from the multipliers, which are impulses: rate = 1 / step.
  void read(const Eigen::VectorXd& y, const Eigen::VectorXd& z, double rate);
  // Lets the face slip in this step, against friction. Its friction use remains that of the solution read last.
  void allow_slip() { slipping_ = true, use_if_stuck_ = state_.friction_use; }
  bool slipping() const { return slipping_; }
  bool slipped_before() const { return slipped_before_; }  // in the previous step
  double contact_time() const { return contact_time_; }    // when its last point came into contact

  const ContactState& state() const { return state_; }  // of the solution read last

 private:
  struct FacePoint {
    Vec3<double> in_frame;                // position in the contact's frame
    Vec3<double> position = {0, 0, 0};    // from the plane's origin, along the plane's axes
    Vec3<double> arm = {0, 0, 0};         // from the frame's origin, along the plane's axes
    Vec3<double> anchor = {0, 0, 0};      // position at which it came into contact
    bool touches = false, stays = false;  // stays: it is constrained in the present solution
    double normal = 0;                    // normal force of the last solution, N
  };
  void row_along(const Vec3<double>& direction, const Vec3<double>& arm, Matrix& to, int row) const;
  bool slides() const { return kind_ == ContactKind::sliding || slipping_; }
  void choose_pair();
  void write_fixed(VelocityRows& rows, double gap_gain);
  void write_normals(VelocityRows& rows, const Eigen::VectorXd& v, const TimeStep& step);
  void write_sliding(VelocityRows& rows, int point, const Eigen::VectorXd& v, const TimeStep& step);
  void write_tangents(VelocityRows& rows, double gap_gain);
  Vec3<double> across() const;
  PlaneLoad load(const Vec3<double>& force, const Eigen::VectorXd& y, double rate);

  std::string name_;
  ContactKind kind_;
  double friction_;
  FrameId frame_, against_;
  Pose<double> plane_;  // in `against`
  bool has_placement_, placed_;
  std::vector<FacePoint> points_;
  Columns6 J_, J_against_;
  Pose<double> X_;        // pose of the frame in the plane's axes
  Mat3<double> axes_;     // of the plane in the world
  double distance_ = 0;   // m
  double past_slip_ = 0;  // m, in the steps in which it was allowed to slip
  double use_if_stuck_ = 0;
  double contact_time_ = 0;
  bool slipping_ = false, slipped_before_ = false, eligible_ = true;
  int a_ = -1, b_ = -1;  // the two points whose tangential rows constrain the face
  int first_row_ = 0, first_equality_ = 0;
  FrictionUse use_;
  std::vector<Vec3<double>> staying_;
  ContactState state_;
};

}  // namespace lissom::sim
