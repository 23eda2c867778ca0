#pragma once
// Margins of a contact: what the controller keeps in reserve while it can.
namespace lissom::control {

/// Soft limits inside those of a Contact. A task that matters more, such as balance, may use what lies between: the
/// farther it goes beyond a margin, the more it costs.
struct ContactMargins {
  double friction = 1;          ///< fraction of the friction, of all points together
  double support = 1;           ///< scale of the face about its middle, in which the center of pressure is kept
  double min_normal_force = 0;  ///< N, of all points together
};

}  // namespace lissom::control
