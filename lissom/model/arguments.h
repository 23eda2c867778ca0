#pragma once
// The checks that public functions make of their arguments, with one wording for all: sizes, finite elements, unit
// quaternions, existing frames. Arrays are passed as pointers, so that functions with and without Eigen share them.
// Each check throws an Error that names the argument; the text is composed only then, so that a check that passes
// allocates nothing. Where a check that fails must not allocate either, describe_… writes the same words to a
// ShortMessage. Not installed.
#include <string>

#include "lissom/model/model.h"
#include "lissom/model/short_message.h"

namespace lissom {

/// How an error names an argument: "q", "targets[3]", "targets[3].pose".
struct Argument {
  const char* name;
  long index = -1;
  const char* part = "";
  long row = -1;  ///< of a matrix with one row per robot; -1 for a vector

  Argument(const char* argument) : name(argument) {}  // NOLINT(google-explicit-constructor): "q" is how it is written
  Argument(const char* argument, long element, const char* member = "")
      : name(argument), index(element), part(member) {}
  Argument with(const char* member) const { return {name, index, member}; }
  Argument of_row(long i) const {
    Argument one = *this;
    one.row = i;
    return one;
  }
  std::string text() const;
  /// "q[4]", or "q(7, 4)" for element 4 of row 7; "q[3..6]" for several elements.
  std::string element(long first, long count = 1) const;
};

/// "q has 36 elements, expected 37".
[[noreturn]] void wrong_size(const Argument& argument, long found, long expected);
inline void expect_size(const Argument& argument, long found, long expected) {
  if (found != expected) wrong_size(argument, found, expected);
}
/// "M is 6 × 5, expected 6 × 6".
void expect_shape(const Argument& argument, long rows, long columns, long expected_rows, long expected_columns);
/// "q[4] is NaN", "q[4] is infinite".
template <class S>
void expect_finite(const Argument& argument, const S* x, long n);
/// "force.y is NaN".
void expect_finite(const Argument& argument, const Vec3<double>& x);
/// "dt is NaN".
void expect_finite(const Argument& argument, double x);
/// "quaternion q[3..6] has norm 1.02, expected 1; call normalize(model, q)": checks the quaternion at q[first], or all
/// quaternions of the model. The tolerance depends on S.
template <class S>
void expect_unit_quaternion(const Argument& argument, const S* q, int first);
template <class S>
void expect_unit_quaternions(const Argument& argument, const Model& model, const S* q) {
  for (const int first : model.quaternions()) expect_unit_quaternion(argument, q, first);
}
/// "of is 77, expected a frame of model 'arm' (0 to 9); call model.frame(\"name\")". Returns the frame.
const Frame& expect_frame(const Argument& argument, const Model& model, FrameId frame);
/// "pose.R is not a rotation matrix (determinant -1); swap two axes, or the sign of one".
void expect_rotation(const Argument& argument, const Mat3<double>& R);

/// What expect_size would throw is written to `message`; returns whether there is such an error.
bool describe_wrong_size(ShortMessage& message, const Argument& argument, long found, long expected);
/// The same of expect_finite and expect_unit_quaternions.
bool describe_not_finite(ShortMessage& message, const Argument& argument, const double* x, long n);
bool describe_not_unit(ShortMessage& message, const Argument& argument, const Model& model, const double* q);

/// Whether the quaternion at q passes expect_unit_quaternion.
template <class S>
bool is_unit_quaternion(const S* q);

}  // namespace lissom
