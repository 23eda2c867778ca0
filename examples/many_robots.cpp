// Ten thousand quadrupeds in the air, each with a configuration of its own: all of them fall at the same rate.
#include <iostream>
#include <lissom/lissom.h>
#include <string>

int main(int argc, char** argv) {
  const std::string models = argc > 1 ? argv[1] : "models";
  const auto model = lissom::load(models + "/quadruped.urdf", {.base = lissom::Base::free});
  lissom::batch::Workspace<double> work(model);  // all threads

  const int robots = 10'000;
  lissom::batch::Rows<double> q(robots, model.nq()), a(robots, model.nv());
  for (int i = 0; i < robots; ++i) q.row(i) = lissom::random_configuration(model, std::uint64_t(i));
  const lissom::batch::Rows<double> v = a.setZero(), tau = v;
  lissom::batch::forward_dynamics(model, work, q, v, tau, a);

  // The linear part of v of a free joint is along the axes of its body, so only its length is the same for all.
  double worst = 0;
  for (int i = 0; i < robots; ++i) worst = std::max(worst, std::abs(a.row(i).head(3).norm() - 9.81));
  std::cout << robots << " robots fall with 9.81 m/s²; the largest deviation is " << worst << "\n";
  return worst < 1e-6 ? 0 : 1;
}
