// How the rows of a step change with positions: those of contacts turn and move with the bodies that touch, and their
// impulses act elsewhere (docs/contact.md, "Derivative of a step").
#include <algorithm>
#include <cmath>

#include "lissom/world/impl.h"

namespace lissom {

using worlds::Contact;
using worlds::fixed_unit;
using worlds::Linearization;

namespace {

// m or rad: overlaps up to this are those of rounding and of the mean velocity, and count as gaps of 0.
constexpr double no_overlap = 1e-6;

SpatialVector bracket(const SpatialVector& v, const SpatialVector& m) {
  return {cross(v.angular, m.linear) + cross(v.linear, m.angular), cross(v.angular, m.angular)};
}

SpatialVector minus(const SpatialVector& a, const SpatialVector& b) {
  return {a.linear - b.linear, a.angular - b.angular};
}

Vec3<double> at(const SpatialVector& v, const Vec3<double>& point) {
  return v.linear + cross(v.angular, point);
}

// Which part of a velocity turns with each entry: all that comes after its group, and the group itself.
SpatialVector carry(const std::vector<worlds::ChainEntry>& entries, const Eigen::VectorXd& v,
                    std::vector<SpatialVector>& carried) {
  SpatialVector sum{{0, 0, 0}, {0, 0, 0}};
  carried.resize(entries.size());
  for (std::size_t i = 0; i < entries.size();) {
    const auto before = sum;
    auto k = i;
    for (; k < entries.size() && entries[k].group == entries[i].group; ++k) {
      const double rate = v[entries[k].dof];
      sum = {sum.linear + rate * entries[k].axis.linear, sum.angular + rate * entries[k].axis.angular};
      carried[k] = before;
    }
    i = k;
  }
  for (auto& one : carried) one = minus(sum, one);
  return sum;
}

}  // namespace

int World::Impl::chain_of(int unit, int body) {
  auto& l = *linearization;
  for (std::size_t i = 0; i < l.chain_count; ++i)
    if (l.chains[i].unit == unit && l.chains[i].body == body) return int(i);
  if (l.chains.size() == l.chain_count) l.chains.emplace_back();
  auto& made = l.chains[l.chain_count];
  made.unit = unit, made.body = body, made.force = made.moment = {0, 0, 0};
  made.entries.clear();
  const auto& of = *units[std::size_t(unit)];
  of.chain(body, made.entries);
  made.velocity = carry(made.entries, of.v_end, made.carried);
  made.velocity_before = carry(made.entries, of.v_start, made.carried_before);
  made.changes.assign(made.entries.size(), {{0, 0, 0}, {0, 0, 0}});
  return int(l.chain_count++);
}

// Whether the bound on a velocity follows the gap, as -gap/h. Points of one pair decide together, since four corners of
// a foot could not obey different rules.
bool World::Impl::follows_gap(const worlds::Block& block) const {
  if (block.gap > 0 || block.contact < 0) return block.gap > -no_overlap;
  if (block.gap < -10 * no_overlap) return false;
  const auto& c = contacts[std::size_t(block.contact)];
  return std::ranges::any_of(contacts, [&](const Contact& other) {
    return other.unit == c.unit && other.body == c.body && other.gap > -no_overlap;
  });
}

// The lines of W that an impulse on a chain acts on: s · (what changes) for all of its axes.
void World::Impl::add_changes(const Linearization::Chain& on, double sign, const Linearization::Chain& by) const {
  auto& l = *linearization;
  auto& lines = l.units[std::size_t(on.unit)];
  const int column = l.units[std::size_t(by.unit)].columns.q;
  for (const auto& row : on.entries) {
    double* const line = lines.W.Y + row.dof * l.stride + column;
    for (std::size_t e = 0; e < by.entries.size(); ++e)
      line[by.entries[e].dof] +=
          sign * (dot(row.axis.linear, by.changes[e].linear) + dot(row.axis.angular, by.changes[e].angular));
  }
}

// The axes themselves turn: (s_e × s_i) · (force, moment), wherever s_i moves with s_e.
void World::Impl::add_turning_axes(const Linearization::Chain& chain) const {
  auto& l = *linearization;
  auto& lines = l.units[std::size_t(chain.unit)];
  for (const auto& e : chain.entries) {
    const auto force = cross(chain.force, e.axis.angular);
    const auto moment = cross(chain.moment, e.axis.angular) + cross(chain.force, e.axis.linear);
    for (const auto& i : chain.entries)
      if (i.group >= e.group)
        lines.W.Y[i.dof * l.stride + lines.columns.q + e.dof] +=
            dot(i.axis.linear, force) + dot(i.axis.angular, moment);
  }
}

// The change of the velocities of a contact's rows, and of its impulses in the world, with each coordinate of one of
// its bodies.
struct World::Impl::ContactChange {
  const Contact& c;
  worlds::ContactResponse response;
  Vec3<double> axes[3];
  Vec3<double> force, couple;               // impulses in the world
  SpatialVector velocity, velocity_before;  // of a relative to b
  // By row: the change of its velocity with the turn of the axes, and with the way of the point.
  Vec3<double> by_rotation[3], by_displacement[3];
  double closing;      // 1/h where bounds follow the gap
  double restitution;  // where the bound is that of an elastic contact: e
};

void World::Impl::change_side(const ContactChange& of, std::size_t side, Linearization::Chain& chain, int block) {
  auto& l = *linearization;
  const double sign = side == 0 ? 1 : -1;
  const auto &n = of.axes[0], &point = of.c.point;
  const int q = l.units[std::size_t(chain.unit)].columns.q, v = l.units[std::size_t(chain.unit)].columns.v;
  const auto& own = blocks[std::size_t(block)];
  double* const rows = l.rows.data() + row_of_block[std::size_t(block)] * l.stride;
  for (std::size_t e = 0; e < chain.entries.size(); ++e) {
    const auto& entry = chain.entries[e];
    const auto linear = at(entry.axis, point);
    const auto& angular = entry.axis.angular;
    auto moved = of.response.point_by_linear * linear + of.response.point_by_angular * angular;
    auto tilted = of.response.normal_by_linear * linear + of.response.normal_by_angular * angular;
    if (side == 1) moved = linear - moved, tilted = cross(angular, n) - tilted;
    const auto rotation = cross(n, tilted);
    const auto turned_velocity = bracket(entry.axis, chain.carried[e]);
    const auto change = sign * at(turned_velocity, point);
    const auto of_row = [&](const Vec3<double>& axis, const Vec3<double>& rate, const Vec3<double>& by) {
      return dot(cross(rotation, axis), rate) + dot(axis, by);
    };
    const int column = q + entry.dof;
    for (int r = 0; r < own.size; ++r)
      rows[r * l.stride + column] +=
          dot(of.axes[r], change) + dot(rotation, of.by_rotation[r]) + dot(moved, of.by_displacement[r]);
    rows[column] += of.closing * sign * dot(n, linear);
    if (of.restitution > 0) {
      const auto before =
          sign * at(bracket(entry.axis, chain.carried_before[e]), point) + cross(of.velocity_before.angular, moved);
      rows[column] += of.restitution * of_row(n, at(of.velocity_before, point), before);
      rows[v + entry.dof] += of.restitution * sign * dot(n, linear);
    }
    for (std::size_t k = std::size_t(block) + 1; k < blocks.size() && blocks[k].normal == block; ++k) {
      if (!blocks[k].active) continue;
      double* const turning = l.rows.data() + row_of_block[k] * l.stride + column;
      for (int r = 0; r < blocks[k].size; ++r)
        turning[r * l.stride] +=
            of_row(of.axes[blocks[k].size == 1 ? 0 : 1 + r], of.velocity.angular, sign * turned_velocity.angular);
    }
    const auto force = cross(rotation, of.force);
    auto& sum = chain.changes[e];
    sum = {sum.linear + force, sum.angular + cross(moved, of.force) + cross(point, force) + cross(rotation, of.couple)};
  }
}

void World::Impl::change_contact(int block, double h) {
  auto& l = *linearization;
  const auto& own = blocks[std::size_t(block)];
  const auto& c = contacts[std::size_t(own.contact)];
  ContactChange of{.c = c,
                   .response = response(c),
                   .axes = {column_x(c.axes), column_y(c.axes), column_z(c.axes)},
                   .force = {0, 0, 0},
                   .couple = {0, 0, 0},
                   .velocity = {{0, 0, 0}, {0, 0, 0}},
                   .velocity_before = {{0, 0, 0}, {0, 0, 0}},
                   .by_rotation = {},
                   .by_displacement = {},
                   .closing = 0,
                   .restitution = 0};
  for (int r = 0; r < own.size; ++r) of.force = of.force + own.impulse[std::size_t(r)] * of.axes[r];
  for (std::size_t k = std::size_t(block) + 1; k < blocks.size() && blocks[k].normal == block; ++k)
    for (int r = 0; r < blocks[k].size && blocks[k].active; ++r)
      of.couple = of.couple + blocks[k].impulse[std::size_t(r)] * of.axes[blocks[k].size == 1 ? 0 : 1 + r];
  std::array<int, 2> chains{-1, -1};
  for (std::size_t side = 0; side < 2; ++side)
    if (c.unit[side] != fixed_unit) chains[side] = chain_of(c.unit[side], c.body[side]);
  for (std::size_t side = 0; side < 2; ++side) {
    if (chains[side] < 0) continue;
    auto& chain = l.chains[std::size_t(chains[side])];
    const double sign = side == 0 ? 1 : -1;
    const auto add = [&](SpatialVector& to, const SpatialVector& v) {
      to = {to.linear + sign * v.linear, to.angular + sign * v.angular};
    };
    add(of.velocity, chain.velocity), add(of.velocity_before, chain.velocity_before);
    chain.force = chain.force + sign * of.force;
    chain.moment = chain.moment + sign * (cross(c.point, of.force) + of.couple);
  }
  const auto total = at(of.velocity, c.point);
  for (int r = 0; r < own.size; ++r) {
    // Those that stick also return from a drift: u = -drift/h.
    const bool returns = r > 0 && c.returns;
    of.by_rotation[r] = cross(of.axes[r], returns ? total + (1 / h) * c.drift : total);
    of.by_displacement[r] = cross(of.axes[r], returns ? of.velocity.angular + (1 / h) * c.turned : of.velocity.angular);
  }
  const bool elastic = c.properties->restitution > 0 && c.properties->law == ContactProperties::Law::newton;
  if (!elastic)
    of.closing = follows_gap(own) ? 1 / h : 0;
  else if (dot(of.axes[0], at(of.velocity_before, c.point)) > 0)
    of.restitution = c.properties->restitution;
  if (l.pair != chains) add_pair();
  l.pair = chains;
  for (std::size_t side = 0; side < 2; ++side)
    if (chains[side] >= 0) change_side(of, side, l.chains[std::size_t(chains[side])], block);
}

// Adds the changes of all contacts of two bodies together.
void World::Impl::add_pair() {
  auto& l = *linearization;
  for (std::size_t side = 0; side < 2; ++side) {
    if (l.pair[side] < 0) continue;
    auto& by = l.chains[std::size_t(l.pair[side])];
    for (std::size_t other = 0; other < 2; ++other)
      if (l.pair[other] >= 0) add_changes(l.chains[std::size_t(l.pair[other])], other == 0 ? 1 : -1, by);
    for (auto& change : by.changes) change = {{0, 0, 0}, {0, 0, 0}};
  }
  l.pair = {-1, -1};
}

// Writes the changes of all active blocks of an island.
void World::Impl::change_rows(const worlds::Island& island, double h) {
  auto& l = *linearization;
  l.chain_count = 0, l.pair = {-1, -1};
  for (const int i : island.blocks) {
    const auto& block = blocks[std::size_t(i)];
    if (!block.active || block.normal >= 0) continue;
    if (block.contact >= 0) {
      // A contact without impulse has none after a small change, either.
      if (block.impulse[0] != 0) change_contact(i, h);
      continue;
    }
    const auto& own = own_rows[std::size_t(block.own)];
    const auto& columns = l.units[std::size_t(block.sides[0].unit)].columns;
    double* const line = l.rows.data() + row_of_block[std::size_t(i)] * l.stride + own.dof;
    if (own.in_impacts && follows_gap(block)) line[columns.q] += own.sign / h;
    if (own.compliance > 0) {
      // The velocity where a servo gives no torque: it follows q and tau.
      line[columns.q] += own.stiffness * own.compliance * h;
      line[columns.tau] -= own.compliance * h;
    }
  }
  add_pair();
  for (std::size_t i = 0; i < l.chain_count; ++i) add_turning_axes(l.chains[i]);
}

}  // namespace lissom
