#pragma once
// What a contact carries, and how far it has slipped, from the points where it touches. Not for users.
#include "lissom/sim/contact_world.h"
#include "lissom/sim/friction_use.h"
#include "lissom/sim/simulated_robot.h"

namespace lissom::sim {

class ContactLoad {
 public:
  /// `light`: the normal force below which it counts as hardly loaded, N.
  ContactLoad(const ContactWorld::Face& face, double light);

  /// Adds one step of length h, which is the fraction `part` of a tick; touches are those of the index `face`. `origin`
  /// is that of the contact's frame, `axes` are those of the surface, in the world.
  void add(const std::vector<ContactWorld::Touch>& touches, int face, const Vec3<double>& origin,
           const Mat3<double>& axes, double h, double part);
  const ContactState& state() const { return state_; }
  void begin_tick();

 private:
  double friction_use(const PlaneLoad& load, double upper_bound);

  bool grip_;
  double friction_, light_;
  FrictionUse use_;
  int capacity_;                       // points that use_ has memory for
  std::vector<Vec3<double>> points_;   // where it touches, from the origin, along the axes of the surface
  double slip_ = 0, loaded_slip_ = 0;  // m
  double open_ = 0;                    // s since it carried something
  ContactState state_;
};

}  // namespace lissom::sim
