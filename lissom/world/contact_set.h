#pragma once
// The contacts of one step: where units touch or may touch within the step, with the rows that they add to the
// equations of motion. Not installed.
#include <array>
#include <cstdint>
#include <vector>

#include "lissom/geometry/collide.h"
#include "lissom/world/unit.h"
#include "lissom/world/world.h"

namespace lissom::worlds {

inline constexpr int fixed_unit = -1;

/// A convex shape on a body of a unit.
struct PlacedCollider {
  Collider collider;
  int unit = fixed_unit;
  int body = 0;
  int owner = 0;  ///< body, robot or fixed shape, for properties by name
  std::string link = {};
  Pose<double> in_body{};
};

/// One point where two units touch, or may touch within the step.
struct Contact {
  std::array<int, 2> collider{};  ///< a, b
  std::array<int, 2> unit{}, body{};
  Vec3<double> point{0, 0, 0};
  Mat3<double> axes = identity3<double>();  ///< columns: the normal, from b to a, and two tangents
  double gap = 0;
  std::uint64_t key = 0;  ///< the same in the next step, for warm starts
  const ContactProperties* properties = nullptr;
  /// Rows of the relative velocity u = Σ J v, and of M⁻¹ Jᵀ; offsets in ContactSet::numbers, 3 × nv of each unit.
  std::array<std::size_t, 2> J{}, W{};
  Mat3<double> G = identity3<double>();  ///< J M⁻¹ Jᵀ of this contact alone
  Vec3<double> impulse{0, 0, 0};
  Vec3<double> stage_impulse{0, 0, 0};  ///< of the impact
};

class ContactSet {
 public:
  using Units = std::vector<std::unique_ptr<Unit>>;

  std::vector<Contact> contacts;
  std::vector<std::vector<int>> islands;  ///< indices of contacts; islands share no unit
  std::vector<double> numbers;

  /// Computes the rows of all contacts.
  void make_rows(const Units& units);
  void find_islands(const Units& units);

  /// J v, with v given by unit.
  Vec3<double> velocity(const Contact& c, const std::vector<Eigen::VectorXd>& v) const;
  /// v ← v + M⁻¹ Jᵀ p.
  void apply(const Contact& c, const Vec3<double>& p, std::vector<Eigen::VectorXd>& v) const;

 private:
  Mat3<double> cross_terms(const Contact& c, int n) const;

  std::vector<int> root_, index_;
};

/// A Bᵀ of two matrices with 3 rows and n columns.
Mat3<double> product(const double* A, const double* B, int n);

/// Two unit vectors that are perpendicular to n, and n, as columns: n, t1, t2.
Mat3<double> contact_axes(const Vec3<double>& n);

}  // namespace lissom::worlds
