#include "lissom/model/arguments.h"

#include <cmath>

#include "lissom/model/text.h"
#include "lissom/spatial/rotation_checks.h"

namespace lissom {
namespace {

template <class S>
S norm(const S* q) {
  return std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}
const char* not_finite(double x) {
  return std::isnan(x) ? " is NaN" : " is infinite";
}

}  // namespace

std::string Argument::text() const {
  return std::string(name) + (index < 0 ? "" : "[" + std::to_string(index) + "]") + part;
}

std::string Argument::element(long first, long count) const {
  const std::string range = std::to_string(first) + (count > 1 ? ".." + std::to_string(first + count - 1) : "");
  return row < 0 ? text() + "[" + range + "]" : text() + "(" + std::to_string(row) + ", " + range + ")";
}

void wrong_size(const Argument& argument, long found, long expected) {
  throw Error(argument.text() + " has " + std::to_string(found) + (found == 1 ? " element" : " elements") +
              ", expected " + std::to_string(expected));
}

void expect_shape(const Argument& argument, long rows, long columns, long expected_rows, long expected_columns) {
  if (rows == expected_rows && columns == expected_columns) return;
  throw Error(argument.text() + " is " + std::to_string(rows) + " × " + std::to_string(columns) + ", expected " +
              std::to_string(expected_rows) + " × " + std::to_string(expected_columns));
}

template <class S>
void expect_finite(const Argument& argument, const S* x, long n) {
  for (long i = 0; i < n; ++i)
    if (!std::isfinite(x[i])) throw Error(argument.element(i) + not_finite(x[i]));
}
template void expect_finite<double>(const Argument&, const double*, long);
template void expect_finite<float>(const Argument&, const float*, long);

void expect_finite(const Argument& argument, const Vec3<double>& x) {
  constexpr const char* names[] = {".x", ".y", ".z"};
  const double values[] = {x.x, x.y, x.z};
  for (int i = 0; i < 3; ++i)
    if (!std::isfinite(values[i])) throw Error(argument.text() + names[i] + not_finite(values[i]));
}

void expect_finite(const Argument& argument, double x) {
  if (!std::isfinite(x)) throw Error(argument.text() + not_finite(x));
}

template <class S>
bool is_unit_quaternion(const S* q) {
  return std::abs(norm(q) - 1) <= (sizeof(S) == 8 ? S(1e-6) : S(1e-4));
}
template bool is_unit_quaternion<double>(const double*);
template bool is_unit_quaternion<float>(const float*);

template <class S>
void expect_unit_quaternion(const Argument& argument, const S* q, int first) {
  if (is_unit_quaternion(q + first)) return;
  throw Error("quaternion " + argument.element(first, 4) + " has norm " + to_text(double(norm(q + first))) +
              ", expected 1; call normalize(model, " + argument.text() + ")");
}
template void expect_unit_quaternion<double>(const Argument&, const double*, int);
template void expect_unit_quaternion<float>(const Argument&, const float*, int);

const Frame& expect_frame(const Argument& argument, const Model& model, FrameId frame) {
  return model.has_frame(frame) ? model.frames()[std::size_t(frame.index)] : model.frame_at(frame, argument.text());
}

void expect_rotation(const Argument& argument, const Mat3<double>& R) {
  if (is_rotation(R)) return;
  const double off = distance_from_orthonormal(R);
  throw Error(argument.text() + " is not a rotation matrix (" +
              (off > 1e-6 ? "RᵀR differs from the identity by " + to_text(off) : "determinant -1") + ")");
}

}  // namespace lissom
