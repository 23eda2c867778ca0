#pragma once
// The coordinates that a search moves: those of the joints that have a say in the targets. Displacements and angles are
// their own coordinates, so that limits are plain bounds on a step. Orientations take steps as rotation vectors. The
// position of a free or planar joint moves along its parent's axes here, not along the child's as in v: a step then
// changes q by just itself, and keeps limits exactly.
#include <cstdint>
#include <span>
#include <vector>

#include "lissom/api/workspace.h"
#include "lissom/ik/kernel_types.h"
#include "lissom/math/random.h"

namespace lissom::ik {

// Random numbers that depend on a seed and a counter alone. (SplitMix64: Steele, Lea and Flood, 2014.)
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream) : state_(seed * 0xD1342543DE82EF95u + stream * 0xA24BAED4963EE407u) {
    next();
  }
  double uniform(double low, double high) { return low + (high - low) * uniform01(next()); }

 private:
  std::uint64_t next();
  std::uint64_t state_;
};

struct Coordinate {
  int column;  // of a step
  int q;
  double lower, upper;  // limits, those of followers included; ±infinity where there are none
  double reach;         // how far it is drawn from where there are none
  bool turns;           // after a whole turn the robot is as before
};

class SearchSpace {
 public:
  // All joints that move a target, or all where `everything` is asked for.
  SearchSpace(const Model& model, std::span<const TargetRows<double>> targets, bool everything);

  int columns() const { return int(index_.size()); }
  const std::vector<int>& index() const { return index_; }  // in v, of each column
  const std::vector<Coordinate>& coordinates() const { return coordinates_; }

  // In the calls below, arrays hold `width` numbers side by side; the robot in lane `lane` is meant.
  struct Lane {
    int lane, width;
    int operator()(int i) const { return i * width + lane; }
  };
  // From derivatives along v to derivatives along a step, for J of `height` rows (see ChosenColumns).
  void turn_columns(const double* q, double* J, int height, Lane at) const;
  // How far a step may go.
  void bounds(const double* q, double* lower, double* upper, Lane at) const;
  // q after a step, within the limits.
  void move(const double* q, const double* step, double* moved, Lane at) const;

  // For plain q. Into the limits; drawn at random within them, or around `middle` where there are none.
  void bring_inside(double* q) const;
  void draw(Random random, const double* middle, double* q) const;
  // Turned by whole turns as near to `posture` as the limits allow.
  void unwind(const double* posture, double* q) const;
  // Squared distance of two configurations over all coordinates of the search; whole turns count only where `as_is`.
  double distance_squared(const double* a, const double* b, bool as_is) const;
  // The smallest distance from a limit, as a part of the half range: 1 in the middle of all ranges, 0 on a limit.
  double buffer(const double* q) const;

 private:
  struct Ball {
    int column, q;  // three columns of a rotation vector, a quaternion
  };
  struct Carried {
    int column, turn;  // columns of a position; where the quaternion or, in the plane, the angle lies in q
    bool plane;
  };
  void add_joint(const Model& model, const Joint& joint, const std::vector<bool>& leads);
  void take_limits_of_followers(const Model& model);

  std::vector<int> index_;
  std::vector<Coordinate> coordinates_;
  std::vector<Ball> balls_;
  std::vector<Carried> carried_;
};

}  // namespace lissom::ik
