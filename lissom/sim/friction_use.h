#pragma once
// How much of its friction a face needs. A wrench is the sum of the forces of all points; how it is distributed among
// them is not determined, and the face slips only if no distribution lies within the friction cones. With points r_i in
// the plane, normal forces n_i and tangential forces t_i, the smallest possible maximum of |t_i| / (μ n_i) is 1/λ of
//
//   maximize λ   s.t.   Σ n_i = N,   Σ n_i r_i = N c,   n_i ≥ 0,   Σ t_i = λ T,   Σ r_i × t_i = λ τ,   |t_i| ≤ μ n_i,
//
// since all t_i may be scaled by the same factor while the n_i stay. With a polygon inscribed in each circle this is a
// linear program. It is solved repeatedly, each time with a corner of each polygon along the t_i found last, so that
// the polygon touches the circle where it matters; the last solution stays feasible, so that λ never decreases.
#include <span>
#include <vector>

#include "lissom/math/vec3.h"
#include "lissom/qp/solver.h"

namespace lissom::sim {

/// The wrench on a face, along the axes of its plane, about the origin of the points' coordinates.
struct PlaneLoad {
  double normal = 0, x = 0, y = 0;      ///< N, Σ n_i r_i
  double tangent_x = 0, tangent_y = 0;  ///< T
  double spin = 0;                      ///< τ
};

class FrictionUse {
 public:
  static constexpr double max_use = 1000;  ///< returned where no finite friction suffices

  explicit FrictionUse(int max_points);
  /// The smallest possible maximum of |t_i| / (μ n_i); more than 1 means that the face slips. Allocates nothing.
  double min_use(std::span<const Vec3<double>> points, const PlaneLoad& load, double friction);

 private:
  double solve(std::span<const Vec3<double>> points, const PlaneLoad& load, double friction, double scale);

  qp::Solver solver_;
  qp::Matrix H_, A_, C_;
  Eigen::VectorXd g_, b_, l_, u_, lx_, ux_;
  std::vector<double> corner_;  // angle of a corner of each point's polygon
  std::vector<int> blocks_;
};

}  // namespace lissom::sim
