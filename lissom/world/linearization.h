#pragma once
// What the derivatives of a step work with. Not installed.
#include "lissom/contact/report.h"
#include "lissom/world/blocks.h"

namespace lissom::worlds {

/// How the point and the normal of a contact move if its first body moves: with the velocity of that body's particle at
/// the point, and with its angular velocity. (If both bodies move alike, the contact moves along.)
struct ContactResponse {
  Mat3<double> point_by_linear, point_by_angular, normal_by_linear, normal_by_angular;
};

struct Linearization {
  /// The lines of a unit: the change of its velocity, in the columns of all units that it is connected with.
  struct Lines {
    AlignedMemory<double> numbers;
    std::size_t capacity = 0;
    contact::RowMatrix W;
    std::vector<int> first, last;
    MotionColumns columns;  ///< of its own tau, q and v
  };
  std::vector<Lines> units;  ///< of the world
  int stride = 0;            ///< of all lines
  int first_parameter = 0;   ///< column

  AlignedMemory<double> rows, impulses, rows_of_unit;  ///< changes of the rows' velocities and impulses
  std::size_t rows_capacity = 0, impulses_capacity = 0, rows_of_unit_capacity = 0;
  std::vector<contact::FrictionChange> friction;

  /// A body that touches: what moves it, and the impulses on it about the world's origin.
  struct Chain {
    int unit = 0, body = 0;
    std::vector<ChainEntry> entries;
    SpatialVector velocity, velocity_before;  ///< at v_end and at v_start
    /// By entry: the part of these velocities that turns with it.
    std::vector<SpatialVector> carried, carried_before;
    Vec3<double> force{0, 0, 0}, moment{0, 0, 0};
    std::vector<SpatialVector> changes;  ///< of force and moment between the pair that is being written, by entry
  };
  std::vector<Chain> chains;
  std::array<int, 2> pair{-1, -1};  ///< chains whose changes are being summed, of bodies that touch
  std::size_t chain_count = 0;
  std::vector<Unit::CurvedBlock> curved;
  std::vector<double> curved_rows;  ///< as they were
  std::vector<int> first_of_unit;   ///< its first element of q or v, of all
  std::vector<int> alone;           ///< a unit without rows
};

}  // namespace lissom::worlds
