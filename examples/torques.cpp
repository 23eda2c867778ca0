// The torques that hold a humanoid's arm up, and the same torques seen as a force of the hand.
#include <iostream>
#include <lissom/lissom.h>
#include <string>

int main(int argc, char** argv) {
  const std::string models = argc > 1 ? argv[1] : "models";
  const auto model = lissom::load(models + "/humanoid.urdf");  // its pelvis is fixed to the world
  lissom::Workspace work(model);

  Eigen::VectorXd q = lissom::neutral(model);
  q[model.joint("left_elbow").q_index] = -1.5;  // rad: forearm forward
  const Eigen::VectorXd tau = lissom::gravity_forces(model, work, q);
  for (const auto& joint : model.joints())
    if (joint.nv == 1 && joint.name.starts_with("left_") && std::abs(tau[joint.v_index]) > 0.1)
      std::cout << joint.name << " holds " << tau[joint.v_index] << " N m of " << joint.effort_limit[0] << "\n";

  // A force f of the hand needs the torques Jᵀ f; the linear rows of J come first.
  const auto& J = lissom::jacobian(model, work, q, model.frame("left_palm"));
  const Eigen::Vector3d push(0, 0, -50);  // N, along the world's axes
  const Eigen::VectorXd more = J.topRows(3).transpose() * push;
  std::cout << "pressing down with 50 N adds up to " << more.cwiseAbs().maxCoeff() << " N m\n";
}
