#pragma once
// Programs as source code that depends on nothing: a header of C++17 or C99 for one robot, the text of device functions
// in CUDA, and a test that compares what a header computes with what lissom computes.
#include <span>
#include <string>
#include <vector>

#include "lissom/codegen/trace.h"

namespace lissom::codegen {

/// How a program is written.
struct EmitOptions {
  /// The name of the namespace in C++ and CUDA, and what names of functions begin with in C. Empty: made of the robot's
  /// name.
  std::string name = {};
  bool single_precision = false;  ///< C: float instead of double; C++ and CUDA are templates
  /// A function with more operations is divided: compilers take more than proportionally long for long functions.
  int operations_per_function = 4000;
  /// What the test that is written allows in double precision, relative to the largest element of a result and 1.
  /// Forward dynamics amplifies rounding as the mass matrix is conditioned, and its derivatives twice.
  double tolerance = 1e-10;
};

/// The robot's name as an identifier that is safe in C++, C and file names.
std::string identifier_of(const std::string& name);

/// One header that holds all programs. Throws Error if there is none.
std::string emit_cpp(const Model& model, std::span<const Program> programs, const EmitOptions& options = {});
std::string emit_c(const Model& model, std::span<const Program> programs, const EmitOptions& options = {});

/// What the text of emit_cuda is made for.
struct CudaOptions {
  bool save_for_last_pass = true;  ///< values that wait for the last pass outward go through SAVE and RELOAD
  bool recompute_sincos = false;   ///< in each segment, instead of keeping them
};
struct CudaText {
  std::string body;  ///< statements over T, K (a constant), and the macros below
  int saved = 0;     ///< how many values SAVE and RELOAD number
};
/// The statements of a program for one thread per robot. They use LOAD(field, i), STORE(field, i, x), SAVE(k, x),
/// RELOAD(k), SINCOS(x, s, c), with s and c to be written, and BARRIER() between limbs, which the surrounding code
/// defines.
CudaText emit_cuda(const Program& program, const CudaOptions& options = {});

/// What the reader of a header is told: the robot, the order of q and v, units, the programs and their operations.
/// Lines without a comment sign.
std::vector<std::string> description_of(const Model& model, std::span<const Program> programs);

}  // namespace lissom::codegen
