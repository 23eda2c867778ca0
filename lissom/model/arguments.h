#pragma once
// The checks that public calls make of their arguments, in one place and in one wording: sizes, finite numbers, unit
// quaternions, frames that exist. Arrays come as pointers, so that calls with and without Eigen share them. All of them
// throw an Error that names the argument; text is put together only then, so that nothing allocates on the good path.
#include <string>

#include "lissom/model/model.h"

namespace lissom {

/// How an error names an argument: "q", "targets[3]", "targets[3].place".
struct Argument {
  const char* name;
  long index = -1;
  const char* part = "";
  long row = -1;  ///< of a matrix with a row for each of many robots

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
  /// "q[4]", or "q(7, 4)" of a row; with more than one element "q[3..6]".
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
/// "quaternion q[3..6] has norm 1.02, expected 1; call normalize(model, q)": the one at q[first], or all of the
/// model's. How far from 1 is allowed depends on S.
template <class S>
void expect_unit_quaternion(const Argument& argument, const S* q, int first);
template <class S>
void expect_unit_quaternions(const Argument& argument, const Model& model, const S* q) {
  for (const int first : model.quaternions()) expect_unit_quaternion(argument, q, first);
}
/// A frame of the model: "of: model 'arm' has no frame 77; …".
const Frame& expect_frame(const Argument& argument, const Model& model, FrameId frame);
/// "place.R is not a rotation matrix".
void expect_rotation(const Argument& argument, const Mat3<double>& R);

/// Whether the quaternion at q passes expect_unit_quaternion.
template <class S>
bool is_unit_quaternion(const S* q);

}  // namespace lissom
