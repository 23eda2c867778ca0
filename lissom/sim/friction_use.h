#pragma once
// How much of its friction a face needs. A wrench says what all points carry together; how they share it is not
// determined, and the face slips only where no way to share it lies within the cones. With points r_i in the plane,
// normal forces n_i and tangential ones t_i, the smallest possible largest |t_i| / (μ n_i) is 1/λ of
//
//   maximize λ   s.t.   Σ n_i = N,   Σ n_i r_i = N c,   n_i ≥ 0,   Σ t_i = λ T,   Σ r_i × t_i = λ τ,   |t_i| ≤ μ n_i,
//
// since t_i may all be multiplied by the same number where n_i are left alone. Linear, with a polygon within each
// circle. Solved again with a corner of each along the t_i found, so that the circle itself is met where it matters;
// what was found stays possible, so that λ grows.
#include <span>
#include <vector>

#include "lissom/math/vec3.h"
#include "lissom/qp/solver.h"

namespace lissom::sim {

// What a face carries, along the axes of its plane, about the origin that its points are given from.
struct PlaneLoad {
  double normal = 0, x = 0, y = 0;      // N, Σ n_i r_i
  double tangent_x = 0, tangent_y = 0;  // T
  double spin = 0;                      // τ
};

class FrictionUse {
 public:
  static constexpr double max_use = 1000;  // where no finite number will do

  explicit FrictionUse(int points);
  // Allocates nothing. points: at most so many.
  double min_use(std::span<const Vec3<double>> points, const PlaneLoad& load, double friction);

 private:
  double solve(std::span<const Vec3<double>> points, const PlaneLoad& load, double friction, double scale);

  qp::Solver solver_;
  qp::Matrix H_, A_, C_;
  Eigen::VectorXd g_, b_, l_, u_, lx_, ux_;
  std::vector<double> corner_;  // of each point's polygon, an angle
  std::vector<int> blocks_;
};

}  // namespace lissom::sim
