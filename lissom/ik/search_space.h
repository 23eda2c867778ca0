#pragma once
// The coordinates of a search: those of the joints that move a target. Translations and angles are their own
// coordinates, so that limits are simple bounds on a step. Orientations take steps as rotation vectors. The position of
// a free or planar joint moves along its parent's axes here, not along the child's as in v: a step is then simply added
// to q, and keeps limits exactly. Not for users.
#include <cstdint>
#include <span>
#include <vector>

#include "lissom/api/workspace.h"
#include "lissom/ik/kernel_types.h"
#include "lissom/math/random.h"

namespace lissom::ik {

// Random numbers that depend only on a seed and a counter. (SplitMix64: Steele, Lea and Flood, 2014.)
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
  double lower, upper;  // limits, including those of joints that follow it; ±infinity if there are none
  double reach;         // half the range of random values of a coordinate without limits
  bool periodic;        // a whole revolution leads to the same pose of the robot
};

class SearchSpace {
 public:
  // The joints that move a target, or all joints if `everything` is set; without the locked ones. locked: one element
  // for each joint of the model, or empty.
  SearchSpace(const Model& model, std::span<const TargetRows<double>> targets, bool everything,
              const std::vector<bool>& locked = {});

  int columns() const { return int(index_.size()); }
  const std::vector<int>& index() const { return index_; }  // in v, of each column
  const std::vector<Coordinate>& coordinates() const { return coordinates_; }

  // In the calls below, each element of an array is followed by those of the other lanes, `width` in all; the calls
  // read and write lane `lane`.
  struct Lane {
    int lane, width;
    int operator()(int i) const { return i * width + lane; }
  };
  // Converts J of `height` rows (see ChosenColumns) from derivatives along v to derivatives along a step.
  void rotate_columns(const double* q, double* J, int height, Lane at) const;
  // The bounds of a step.
  void bounds(const double* q, double* lower, double* upper, Lane at) const;
  // Writes q after a step, within the limits, to `moved`.
  void move(const double* q, const double* step, double* moved, Lane at) const;

  // The calls below take q of one robot. Clamps to the limits; draws at random within them, or around `middle` for
  // coordinates without limits.
  void bring_inside(double* q) const;
  void draw(Random random, const double* middle, double* q) const;
  // Adds whole revolutions that bring q as near to `posture` as the limits allow.
  void unwind(const double* posture, double* q) const;
  // Squared distance of two configurations over all coordinates of the search; whole revolutions count only if `as_is`.
  double distance_squared(const double* a, const double* b, bool as_is) const;
  // The smallest distance from a limit, relative to half the range: 1 in the middle of all ranges, 0 at a limit.
  double relative_distance_to_limits(const double* q) const;

 private:
  struct Ball {
    int column, q;  // the first of three columns, a rotation vector; the first element of the quaternion
  };
  // The position of a free or planar joint.
  struct Position {
    int column, rotation;  // its first column; the index in q of the quaternion or, if planar, of the angle
    bool planar;
  };
  void add_joint(const Model& model, const Joint& joint, const std::vector<bool>& leads);
  void take_limits_of_followers(const Model& model);

  std::vector<int> index_;
  std::vector<Coordinate> coordinates_;
  std::vector<Ball> balls_;
  std::vector<Position> positions_;
};

}  // namespace lissom::ik
