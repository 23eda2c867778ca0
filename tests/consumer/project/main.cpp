// A program outside the repository that uses the installed library: prints the torques of a swinging robot.
#include <iostream>
#include <lissom/lissom.h>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto model = lissom::load(argv[1], {.base = lissom::Base::free});
  lissom::Workspace work(model);

  // Memory changes hands in both directions: vectors made here, vectors made there.
  Eigen::VectorXd q = lissom::random_configuration(model, 1);
  const Eigen::VectorXd v = Eigen::VectorXd::LinSpaced(model.nv(), -1, 1), a = 2 * v;
  q = lissom::integrate(model, q, v, 0.01);
  const Eigen::VectorXd tau = lissom::inverse_dynamics(model, work, q, v, a);
  const Eigen::VectorXd back = lissom::forward_dynamics(model, work, q, v, tau);
  const Eigen::VectorXd sum = lissom::mass_matrix(model, work, q) * a + lissom::bias_forces(model, work, q, v);
  const auto momentum = lissom::centroidal_momentum(model, work, q, v);
  const Eigen::VectorXd moved = lissom::centroidal_map(model, work, q) * v;

  lissom::batch::Workspace<double> batch(model, 2);
  const lissom::batch::Rows<double> Q = q.transpose(), V = v.transpose(), A = a.transpose();
  lissom::batch::Rows<double> Tau(1, model.nv());
  lissom::batch::inverse_dynamics<double>(model, batch, Q, V, A, Tau);

  const double error =
      (back - a).norm() + (sum - tau).norm() + (moved - momentum).norm() + (Tau.row(0).transpose() - tau).norm();
  std::cout << "tau: " << tau.head(6).transpose() << " …\n";
  std::cout << (error < 1e-8 ? "consistent" : "NOT CONSISTENT") << "\n";
  return error < 1e-8 ? 0 : 1;
}
