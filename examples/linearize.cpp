// An arm that holds a posture by linear-quadratic regulation: the equation of motion is linearized about the posture,
// Riccati's recursion gives the gains, and the full equation of motion shows what they do.
#include <iostream>
#include <lissom/lissom.h>
#include <string>

#include <Eigen/Cholesky>

int main(int argc, char** argv) {
  const std::string models = argc > 1 ? argv[1] : "models";
  const auto model = lissom::load(models + "/arm7.urdf");
  lissom::Workspace work(model);
  const int n = model.nv();
  const double dt = 0.005;  // s

  // At rest, with the torques that hold the posture, one step of the robot is x ← A x + B δtau, x = (δq, δv).
  const Eigen::VectorXd posture = Eigen::VectorXd::Constant(n, 0.5), rest = Eigen::VectorXd::Zero(n);
  const Eigen::VectorXd hold = lissom::gravity_forces(model, work, posture);
  const auto [A, B] = lissom::linearize(model, work, posture, rest, hold, dt);

  // 1 rad costs as much as 5 rad/s, and as 100 N m.
  Eigen::MatrixXd Q = Eigen::MatrixXd::Identity(2 * n, 2 * n), P = Q, K;
  Q.bottomRightCorner(n, n) *= 0.04;
  const Eigen::MatrixXd R = 1e-4 * Eigen::MatrixXd::Identity(n, n);
  double change = 1;
  for (int i = 0; i < 20000 && change > 1e-9; ++i) {
    K = (R + B.transpose() * P * B).llt().solve(B.transpose() * P * A);
    const Eigen::MatrixXd next = Q + A.transpose() * P * (A - B * K);
    change = (next - P).norm() / next.norm();
    P = 0.5 * (next + next.transpose());
  }

  // The robot itself, from a state that is off by 0.3 rad in every joint.
  Eigen::VectorXd q = lissom::integrate(model, posture, Eigen::VectorXd::Constant(n, 0.3)), v = rest, x(2 * n);
  for (int i = 0; i <= 400; ++i) {
    x << lissom::difference(model, posture, q), v;
    if (i % 100 == 0) std::cout << "after " << i * dt << " s: " << x.head(n).cwiseAbs().maxCoeff() << " rad off\n";
    v += dt * lissom::forward_dynamics(model, work, q, v, hold - K * x);
    q = lissom::integrate(model, q, v, dt);
  }
  return x.norm() < 1e-2 ? 0 : 1;
}
