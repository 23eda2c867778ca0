// Rows of a robot's contacts: how joints move points and bodies, in the world and with respect to each other.
#include <algorithm>

#include "lissom/api/unchecked.h"
#include "lissom/world/robot_memory.h"
#include "lissom/world/robot_unit.h"

namespace lissom::worlds {

namespace {

// Joints that move two bodies along each other by less than this, for each meter that they slide, cannot part them.
constexpr double min_parting = 1e-4;

}  // namespace

void RobotUnit::write_point_rows(int body, const Vec3<double>& point, const Mat3<double>& axes, int count, double sign,
                                 int column) {
  auto& m = *memory_;
  const Vec3<double> directions[3] = {column_x(axes), column_y(axes), column_z(axes)};
  if (m.has_followers) {
    Unchecked(model_, m.work).jacobian(body, point, axes, m.columns.data());
    for (int i = 0; i < nv(); ++i) {
      for (int r = 0; r < count; ++r) element(i, column + r) += sign * m.columns(r, i);
      widen(i, column, count);
    }
    return;
  }
  Vec3<double> moments[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  for (int r = 0; r < count; ++r) moments[r] = cross(point, directions[r]);
  for (int i = m.last_dof_of_body[std::size_t(body)]; i >= 0; i = m.parent[std::size_t(i)]) {
    const double* const s = m.axes.col(i).data();
    const Vec3<double> linear{s[0], s[1], s[2]}, angular{s[3], s[4], s[5]};
    for (int r = 0; r < count; ++r)
      element(i, column + r) += sign * (dot(directions[r], linear) + dot(moments[r], angular));
    widen(i, column, count);
  }
}

// Only the joints between the two bodies move them with respect to each other.
bool RobotUnit::can_part(int one, int other, const Vec3<double>& point, const Vec3<double>& normal) const {
  const auto& m = *memory_;
  double along = 0, farthest = 0;  // squares, for a unit velocity of one joint
  const auto add = [&](const Vec3<double>& velocity) {
    const double of_normal = dot(normal, velocity);
    along = std::max(along, of_normal * of_normal);
    farthest = std::max(farthest, dot(velocity, velocity));
  };
  if (m.has_followers) {
    const auto write = [&](int body, Columns6& to) {
      to.setZero();
      if (body > 0) Unchecked(model_, m.work).jacobian(body, point, identity3<double>(), to.data());
    };
    write(one, m.columns), write(other, m.other_columns);
    for (int k = 0; k < nv(); ++k) {
      const auto d = (m.columns.col(k) - m.other_columns.col(k)).eval();
      add({d[0], d[1], d[2]});
    }
  } else {
    const auto last = [&](int body) { return body > 0 ? m.last_dof_of_body[std::size_t(body)] : -1; };
    for (int i = last(one), j = last(other); i != j;) {
      int& k = i > j ? i : j;  // a joint comes after those that carry it
      const double* const s = m.axes.col(k).data();
      add(Vec3<double>{s[0], s[1], s[2]} + cross(Vec3<double>{s[3], s[4], s[5]}, point));
      k = m.parent[std::size_t(k)];
    }
  }
  return along > min_parting * min_parting * farthest;
}

void RobotUnit::write_angular_rows(int body, std::span<const Vec3<double>> directions, double sign, int column) {
  auto& m = *memory_;
  const auto add = [&](int i, const double* angular) {
    for (std::size_t r = 0; r < directions.size(); ++r)
      element(i, column + int(r)) += sign * dot(directions[r], Vec3<double>{angular[0], angular[1], angular[2]});
    widen(i, column, int(directions.size()));
  };
  if (m.has_followers) {
    Unchecked(model_, m.work).jacobian(body, {0, 0, 0}, identity3<double>(), m.columns.data());
    for (int i = 0; i < nv(); ++i) add(i, m.columns.col(i).data() + 3);
    return;
  }
  for (int i = m.last_dof_of_body[std::size_t(body)]; i >= 0; i = m.parent[std::size_t(i)])
    add(i, m.axes.col(i).data() + 3);
}

}  // namespace lissom::worlds
