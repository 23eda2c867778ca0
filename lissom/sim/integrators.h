#pragma once
// The integrators themselves, one file each. Not for users: integrator.h finds them by name.
#include <span>

#include "lissom/coordinates/charts.h"
#include "lissom/sim/integrator.h"
#include "lissom/tree/manifold.h"

namespace lissom::sim {

// Of a Runge–Kutta method, as Butcher writes it. `a` by rows: stages × stages.
struct Tableau {
  int stages;
  std::span<const double> a, b, c, error;  // error: b minus the weights of the method it is compared with; or empty
};
extern const Tableau explicit_euler_tableau, midpoint_tableau, rk4_tableau, dormand_prince_tableau;

std::unique_ptr<Integrator> runge_kutta(const Model& model, const Tableau& tableau, const IntegratorOptions& options);
std::unique_ptr<Integrator> dormand_prince(const Model& model, const IntegratorOptions& options);
std::unique_ptr<Integrator> semi_implicit_euler(const Model& model, const IntegratorOptions& options);
std::unique_ptr<Integrator> implicit_euler(const Model& model, const IntegratorOptions& options);
std::unique_ptr<Integrator> implicit_joints(const Model& model, const IntegratorOptions& options);
std::unique_ptr<Integrator> variational(const Model& model, const IntegratorOptions& options);

// Where a step has come to, in coordinates about its beginning q0: u = 0 there. By exponentials u has nv numbers, by
// quaternion rates nq, by a chart as many as the chart has for each orientation.
class StepChart {
 public:
  StepChart(const Model& model, const IntegratorOptions& options);
  int size() const;
  // q at u.
  void point(const Model& model, const Eigen::VectorXd& q0, const Eigen::VectorXd& u, Eigen::VectorXd& q);
  // u̇ at u for the velocity v.
  void rate(const Model& model, const Eigen::VectorXd& q0, const Eigen::VectorXd& u, const Eigen::VectorXd& v,
            Eigen::VectorXd& u_dot);

 private:
  // An orientation in q, v and u; where the joint is free, the position comes first in each.
  struct Orientation {
    int q, v, u;
    bool free;
  };
  Eigen::VectorXd angles(const Eigen::VectorXd& q0, const Orientation& o, const Eigen::VectorXd& u) const;

  Attitude attitude_;
  std::optional<Chart> chart_;
  std::vector<Orientation> orientations_;
  // Numbers of u that are numbers of q as they are, and the others of v they move with.
  struct Plain {
    int q, v, u, count;
  };
  std::vector<Plain> plain_;
  std::vector<Plain> planar_;
  int size_;
  Eigen::VectorXd moved_;
};

}  // namespace lissom::sim
