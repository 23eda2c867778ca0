#pragma once
// The operations of a program as statements of C, C++ or CUDA. The languages differ in how constants, inputs, outputs
// and sines are written; emit_cpp.cpp and the others write the functions around the statements. Not installed.
#include <string>
#include <vector>

#include "lissom/codegen/language.h"
#include "lissom/codegen/layout.h"

namespace lissom::codegen {

struct WriterOptions {
  Language language = Language::cpp;
  std::string type = "T";         ///< of the values
  std::string sincos = "sincos";  ///< the function that writes the sine and cosine of one number
  bool single_precision = false;  ///< C: constants are floats
  /// CUDA: values that wait for the last pass outward are written by SAVE and read by RELOAD.
  bool save_for_last_pass = false;
  /// CUDA: sines and cosines are computed again in each segment.
  bool recompute_sincos = false;
};

class BodyWriter {
 public:
  BodyWriter(const Program& program, const Schedule& schedule, const Layout& layout, const WriterOptions& options);

  /// The statements that compute the angles, into the array `angle`.
  std::vector<std::string> angles();
  std::vector<std::string> part(int index);
  /// How many values are saved for the last pass.
  int saved_count() const { return saved_count_; }

 private:
  // What binds the parts of an expression together: a sum, a product, a sign; `atom`: nothing can come between them.
  enum class Binding { sum, product, sign, atom };
  struct Expression {
    std::string text;
    Binding binding;
  };
  void find_saved();
  void enter(int part, int segment);
  std::string constant(double value) const;
  Expression value(NodeId n);
  Expression operation(NodeId n);
  std::string operand(NodeId n, Binding weakest);
  std::string kept(NodeId n);
  std::string input(NodeId n);
  std::string late_sine(NodeId n);
  void write(NodeId n);
  void store(int result, const std::string& text);
  const Field& field_of(const std::vector<Field>& fields, int position) const;

  const Program& program_;
  const Schedule& schedule_;
  const Layout& layout_;
  const WriterOptions options_;
  std::vector<std::string> lines_;
  std::vector<int> saved_;         // slot of a node that waits for the last pass; else -1
  std::vector<std::string> name_;  // of a node, in this scope
  std::vector<int> scope_of_name_;
  int part_ = -1, segment_ = -1, scope_ = 0, saved_count_ = 0;
};

/// A number with as many digits as are needed to read it back exactly, and a point or an exponent.
std::string literal(double value);
std::string literal(float value);

}  // namespace lissom::codegen
