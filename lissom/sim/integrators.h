#pragma once
// The integrators, one file each. Not for users: integrator.h creates them by name.
#include <span>

#include "lissom/coordinates/charts.h"
#include "lissom/sim/integrator.h"
#include "lissom/tree/manifold.h"

namespace lissom::sim {

// Butcher tableau of a Runge–Kutta method. `a` has stages × stages elements, by rows.
struct Tableau {
  int stages;
  std::span<const double> a, b, c, error;  // error: b minus the weights of the embedded method; empty if there is none
};
extern const Tableau explicit_euler_tableau, midpoint_tableau, rk4_tableau, dormand_prince_tableau;

std::unique_ptr<Integrator> runge_kutta(const Model& model, const Tableau& tableau, const IntegratorOptions& options);
std::unique_ptr<Integrator> dormand_prince(const Model& model, const IntegratorOptions& options);
std::unique_ptr<Integrator> semi_implicit_euler(const Model& model, const IntegratorOptions& options);
std::unique_ptr<Integrator> implicit_euler(const Model& model, const IntegratorOptions& options);
std::unique_ptr<Integrator> implicit_joints(const Model& model, const IntegratorOptions& options);
std::unique_ptr<Integrator> variational(const Model& model, const IntegratorOptions& options);

// The configuration within a step, in coordinates u about its beginning q0, where u = 0. For exponentials u has nv
// elements, for quaternion rates nq, for a chart as many as the chart has for each orientation.
class StepChart {
 public:
  StepChart(const Model& model, const IntegratorOptions& options);
  int size() const;
  // Writes q at u.
  void point(const Model& model, const Eigen::VectorXd& q0, const Eigen::VectorXd& u, Eigen::VectorXd& q);
  // Writes u̇ at u for the velocity v.
  void rate(const Model& model, const Eigen::VectorXd& q0, const Eigen::VectorXd& u, const Eigen::VectorXd& v,
            Eigen::VectorXd& u_dot);

 private:
  // First indices of an orientation in q, v and u; for a free joint the position comes first in each.
  struct Orientation {
    int q, v, u;
    bool free;
  };
  // The chart's coordinates of an orientation at u.
  Eigen::VectorXd coordinates(const Eigen::VectorXd& q0, const Orientation& o, const Eigen::VectorXd& u) const;

  Attitude attitude_;
  std::optional<Chart> chart_;
  std::vector<Orientation> orientations_;
  // Segments of q, v and u in which u is the difference of q; q̇ = v in plain_, but not in planar_ joints.
  struct Plain {
    int q, v, u, count;
  };
  std::vector<Plain> plain_;
  std::vector<Plain> planar_;
  int size_;
  Eigen::VectorXd moved_;
};

}  // namespace lissom::sim
