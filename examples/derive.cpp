// The equations of a cart with a pole, as one would derive them by hand, and their values for another pole.
#include <iostream>
#include <lissom/equations.h>
#include <lissom/lissom.h>
#include <string>

int main(int argc, char** argv) {
  const std::string models = argc > 1 ? argv[1] : "models";
  const auto model = lissom::load(models + "/mechanisms/cart_pole.urdf");
  const auto symbolic = lissom::equations(model, {.symbols = {.masses = true, .lengths = true, .inertias = true}});
  std::cout << symbolic.text();

  // A formula is a function, too: here of the pole's mass, at one state.
  const Eigen::Vector2d q(0, 0.5), v(0, 1);
  for (const double mass : {0.5, 1.0, 2.0})
    std::cout << "with a pole of " << mass << " kg the pole pulls the cart with "
              << -symbolic["C"].evaluate(q, v, {{"m2", mass}})(0, 0) << " N\n";
}
