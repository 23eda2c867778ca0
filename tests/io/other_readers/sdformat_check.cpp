// Loads SDF files with libsdformat; exits with 1 if one of them has an error.
#include <iostream>
#include <sdf/sdf.hh>

int main(int argc, char** argv) {
  int refused = 0;
  for (int i = 1; i < argc; ++i) {
    sdf::Root root;
    const auto errors = root.Load(std::string(argv[i]));
    for (const auto& error : errors) std::cout << argv[i] << ": " << error.Message() << "\n";
    refused += errors.empty() ? 0 : 1;
  }
  return refused == 0 ? 0 : 1;
}
