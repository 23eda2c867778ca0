// What the dynamics of a robot costs, and code for it that needs no library: the arithmetic of inverse dynamics, mass
// matrix and forward dynamics for this arm alone, as a header of C++.
#include <fstream>
#include <iostream>
#include <lissom/codegen.h>
#include <lissom/lissom.h>
#include <string>

int main(int argc, char** argv) {
  const std::string models = argc > 1 ? argv[1] : "models";
  const auto model = lissom::load(models + "/arm7.urdf");

  // The algorithms of the library, run on expressions instead of numbers.
  using lissom::codegen::Algorithm;
  const auto made = lissom::codegen::generate(model, std::vector{Algorithm::rnea, Algorithm::crba, Algorithm::aba});
  for (const auto& function : made.functions)
    std::cout << function.name << " takes " << function.counts.multiplications << " multiplications, "
              << function.counts.additions << " additions and the sines of " << function.counts.sincos << " angles\n";
  std::cout << made.files[0].name << " has " << made.files[0].text.size() / 1000 << " kB\n";
  if (argc > 2)  // a folder to write to
    for (const auto& file : made.files) std::ofstream(std::string(argv[2]) + "/" + file.name) << file.text;

  // A program can be evaluated as it is, too: gravity torques of the arm stretched out.
  const auto gravity = lissom::codegen::trace(model, Algorithm::gravity);
  std::vector<double> q(std::size_t(model.nq()));
  q[1] = 1.5707963267948966;  // the shoulder, rad
  std::cout << "stretched out, the shoulder holds " << lissom::codegen::evaluate(gravity, q)[1] << " N m\n";
}
