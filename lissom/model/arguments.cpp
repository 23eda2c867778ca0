#include "lissom/model/arguments.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

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

// The words of all messages are written once, for Out = std::string and for Out = ShortMessage.
template <class Out>
void write(Out& out, long number) {
  std::array<char, 24> digits;
  const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out += std::string_view(digits.data(), std::size_t(end - digits.data()));
}

template <class Out>
void write(Out& out, const Argument& argument) {
  out += argument.name;
  if (argument.index >= 0) {
    out += "[";
    write(out, argument.index);
    out += "]";
  }
  out += argument.part;
}

template <class Out>
void write_element(Out& out, const Argument& argument, long first, long count = 1) {
  write(out, argument);
  out += argument.row < 0 ? "[" : "(";
  if (argument.row >= 0) {
    write(out, argument.row);
    out += ", ";
  }
  write(out, first);
  if (count > 1) {
    out += "..";
    write(out, first + count - 1);
  }
  out += argument.row < 0 ? "]" : ")";
}

template <class Out>
void write_wrong_size(Out& out, const Argument& argument, long found, long expected) {
  write(out, argument);
  out += " has ";
  write(out, found);
  out += found == 1 ? " element, expected " : " elements, expected ";
  write(out, expected);
}

template <class Out, class S>
void write_not_finite(Out& out, const Argument& argument, const S* x, long i) {
  write_element(out, argument, i);
  out += not_finite(x[i]);
}

template <class Out>
void write_norm(Out& out, const Argument& argument, double norm, long first) {
  NumberBuffer buffer;
  out += "quaternion ";
  write_element(out, argument, first, 4);
  out += " has norm ";
  out += to_text(norm, buffer);
  out += ", expected 1; call normalize(model, ";
  write(out, argument);
  out += ")";
}

template <class S>
long first_not_finite(const S* x, long n) {
  long i = 0;
  while (i < n && std::isfinite(x[i])) ++i;
  return i;
}

}  // namespace

std::string Argument::text() const {
  std::string all;
  write(all, *this);
  return all;
}

std::string Argument::element(long first, long count) const {
  std::string all;
  write_element(all, *this, first, count);
  return all;
}

void wrong_size(const Argument& argument, long found, long expected) {
  std::string message;
  write_wrong_size(message, argument, found, expected);
  throw Error(message);
}

bool describe_wrong_size(ShortMessage& message, const Argument& argument, long found, long expected) {
  if (found == expected) return false;
  message.clear();
  write_wrong_size(message, argument, found, expected);
  return true;
}

void expect_shape(const Argument& argument, long rows, long columns, long expected_rows, long expected_columns) {
  if (rows == expected_rows && columns == expected_columns) return;
  throw Error(argument.text() + " is " + std::to_string(rows) + " × " + std::to_string(columns) + ", expected " +
              std::to_string(expected_rows) + " × " + std::to_string(expected_columns));
}

template <class S>
void expect_finite(const Argument& argument, const S* x, long n) {
  const long i = first_not_finite(x, n);
  if (i == n) return;
  std::string message;
  write_not_finite(message, argument, x, i);
  throw Error(message);
}
template void expect_finite<double>(const Argument&, const double*, long);
template void expect_finite<float>(const Argument&, const float*, long);

bool describe_not_finite(ShortMessage& message, const Argument& argument, const double* x, long n) {
  const long i = first_not_finite(x, n);
  if (i == n) return false;
  message.clear();
  write_not_finite(message, argument, x, i);
  return true;
}

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
  std::string message;
  write_norm(message, argument, double(norm(q + first)), first);
  throw Error(message);
}
template void expect_unit_quaternion<double>(const Argument&, const double*, int);
template void expect_unit_quaternion<float>(const Argument&, const float*, int);

bool describe_not_unit(ShortMessage& message, const Argument& argument, const Model& model, const double* q) {
  for (const int first : model.quaternions()) {
    if (is_unit_quaternion(q + first)) continue;
    message.clear();
    write_norm(message, argument, norm(q + first), first);
    return true;
  }
  return false;
}

const Frame& expect_frame(const Argument& argument, const Model& model, FrameId frame) {
  return model.has_frame(frame) ? model.frames()[std::size_t(frame.index)] : model.frame_at(frame, argument.text());
}

void expect_rotation(const Argument& argument, const Mat3<double>& R) {
  if (is_rotation(R)) return;
  const double off = distance_from_orthonormal(R);
  throw Error(argument.text() + " is not a rotation matrix " +
              (off > 1e-6 ? "(RᵀR differs from the identity by " + to_text(off) + ")"
                          : "(determinant -1); swap two axes, or the sign of one"));
}

}  // namespace lissom
