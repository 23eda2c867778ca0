#pragma once
// A contact that may come and go: where its points are against the plane they may touch, and the rows that hold them.
//
// The plane has its own axes, z its normal. J (6 × nv) is the motion of the frame against the plane, at the frame's
// origin, along these axes; a point at the arm r from there moves with J_linear + J_angular × r. Points of a face are
// parts of one body: of their tangential rows at most three are independent. Two at one point, and one at the point
// farthest from it across the line between the two, hold them all.
#include "lissom/constraints/contact_rows.h"
#include "lissom/sim/friction_use.h"
#include "lissom/sim/simulated_robot.h"

namespace lissom::sim {

// A v = b,  l ≤ C v ≤ u;  weight > 0: soft rows of C.
struct VelocityRows {
  Matrix A, C;
  Eigen::VectorXd b, l, u, weight;
  int equalities = 0;  // rows of A that count
};

// A step of time, at the end of which the velocity is looked for.
struct TimeStep {
  double length;   // s; 0: the velocity after an impact
  double per_gap;  // 1/s: how fast a gap is closed again
  bool catching;   // points on their way down may not get under the plane within the step
};

class ContactFace {
 public:
  ContactFace(const Model& model, Contact contact);

  int spots() const { return int(spots_.size()); }
  int row_count() const;  // of C, now
  int max_rows() const { return 3 * spots(); }
  int max_equalities() const;
  const std::string& name() const { return name_; }
  FrameId frame() const { return frame_; }
  // Height in the world of the plane's origin.
  double ground(const Model& model, const Workspace& work) const;

  // Where everything is now; after forward_kinematics.
  void look(const Model& model, Workspace& work);
  double far() const { return far_; }  // of the frame from its place; some distance where it has none
  bool touching() const;
  // Points that are down come in contact (true where there are new ones), those that are up have left. Of several
  // contacts of one frame the others are not eligible.
  bool update_contact(bool eligible, double time);

  // Before a solution is looked for: all that touches stays.
  void begin();
  // v: now.
  void write(VelocityRows& rows, int first_row, const Eigen::VectorXd& v, const TimeStep& step);
  // When the first point comes down, if the velocity goes steadily from v to x in a step; infinity if none does.
  double arrival(const VelocityRows& rows, const Eigen::VectorXd& v, const Eigen::VectorXd& x, double length) const;
  // After a solution x with multipliers y, z: lets go what would have to pull. True where rows must be written anew.
  bool release_pulling(const VelocityRows& rows, const Eigen::VectorXd& x, const Eigen::VectorXd& z);
  // Impulses to forces by `rate` = 1 / step.
  void read(const Eigen::VectorXd& y, const Eigen::VectorXd& z, double rate);
  // Let it slip in this step, against friction.
  void skid() { skids_ = true; }
  bool skids() const { return skids_; }
  bool skidded() const { return skidded_; }  // in the step before
  double came() const { return came_; }      // when its last point did

  const ContactState& state() const { return state_; }  // of the solution read last

 private:
  struct Spot {
    Vec3<double> point;                            // in the frame
    Vec3<double> at = {0, 0, 0}, arm = {0, 0, 0};  // along the plane's axes, from its origin and the frame's
    Vec3<double> anchor = {0, 0, 0};               // where it came
    bool touches = false, stays = false;
    double normal = 0;  // N, found last
  };
  void row_along(const Vec3<double>& direction, const Vec3<double>& arm, Matrix& to, int row) const;
  bool slides() const { return kind_ == ContactKind::sliding || skids_; }
  void choose_pair();
  void write_grip(VelocityRows& rows, double per_gap);
  void write_normals(VelocityRows& rows, const Eigen::VectorXd& v, const TimeStep& step);
  void write_sliding(VelocityRows& rows, int spot, const Eigen::VectorXd& v, const TimeStep& step);
  void write_tangents(VelocityRows& rows, double per_gap);
  Vec3<double> across() const;
  PlaneLoad load(const Vec3<double>& force, const Eigen::VectorXd& y, double rate);

  std::string name_;
  ContactKind kind_;
  double friction_;
  FrameId frame_, against_;
  Pose<double> plane_;  // in `against`
  bool has_place_, placed_;
  std::vector<Spot> spots_;
  Columns6 J_, J_against_;
  Pose<double> X_;     // of the frame, seen from the plane
  Mat3<double> axes_;  // of the plane in the world
  double far_ = 0, slid_ = 0, came_ = 0;
  bool skids_ = false, skidded_ = false, eligible_ = true;
  int a_ = -1, b_ = -1;  // the pair of spots that holds the face
  int first_row_ = 0, first_equality_ = 0;
  FrictionUse use_;
  std::vector<Vec3<double>> staying_;
  ContactState state_;
};

}  // namespace lissom::sim
