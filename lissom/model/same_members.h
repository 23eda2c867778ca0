#pragma once
// Compares structures of description.h, member by member. Not installed.
#include <algorithm>
#include <cmath>

#include "lissom/model/description_fields.h"

namespace lissom::members {

inline bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}
inline bool same(int a, int b) {
  return a == b;
}
inline bool same(bool a, bool b) {
  return a == b;
}
inline bool same(const std::string& a, const std::string& b) {
  return a == b;
}
template <HasWords E>
bool same(E a, E b) {
  return a == b;
}
inline bool same(const Vec3<double>& a, const Vec3<double>& b) {
  return same(a.x, b.x) && same(a.y, b.y) && same(a.z, b.z);
}
inline bool same(const Mat3<double>& a, const Mat3<double>& b) {
  return same(row_x(a), row_x(b)) && same(row_y(a), row_y(b)) && same(row_z(a), row_z(b));
}
inline bool same(const Sym3<double>& a, const Sym3<double>& b) {
  return same(row_x(a), row_x(b)) && same(row_y(a), row_y(b)) && same(a.zz, b.zz);
}
inline bool same(const Pose<double>& a, const Pose<double>& b) {
  return same(a.R, b.R) && same(a.p, b.p);
}
inline bool same(const PerDof& a, const PerDof& b) {
  return a.count() == b.count() &&
         std::ranges::equal(a.values(), b.values(), [](double x, double y) { return same(x, y); });
}
template <HasFields T>
bool same(const T& a, const T& b);
template <class T>
bool same(const std::optional<T>& a, const std::optional<T>& b) {
  return a.has_value() == b.has_value() && (!a || same(*a, *b));
}
template <class T, std::size_t n>
bool same(const std::array<T, n>& a, const std::array<T, n>& b) {
  return std::ranges::equal(a, b, [](const T& x, const T& y) { return same(x, y); });
}
template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return std::ranges::equal(a, b, [](const T& x, const T& y) { return same(x, y); });
}
template <HasFields T>
bool same(const T& a, const T& b) {
  return std::apply(
      [&](const auto&... field) {
        const auto one = [&](const auto& f) {
          if constexpr (std::is_same_v<T, Shape>)
            if (std::string_view(f.name) == "path") return true;
          return same(a.*f.member, b.*f.member);
        };
        return (one(field) && ...);
      },
      description_fields<T>);
}

}  // namespace lissom::members
