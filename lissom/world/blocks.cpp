// The rows of a step: one block for each contact that may act, and those that units have by themselves; and the islands
// of units that they connect.
#include "lissom/world/blocks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lissom/world/impl.h"

namespace lissom {
namespace worlds {

Mat3<double> contact_axes(const Vec3<double>& n) {
  // The coordinate axis that is farthest from n gives the first tangent.
  const auto e = std::abs(n.x) < .6 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
  auto t = e - dot(e, n) * n;
  t = (1 / std::sqrt(dot(t, t))) * t;
  const auto s = cross(n, t);
  return {n.x, t.x, s.x, n.y, t.y, s.y, n.z, t.z, s.z};
}

}  // namespace worlds

using worlds::fixed_unit;

void World::Impl::make_blocks(double h) {
  blocks.clear();
  for (auto& unit : units) unit->clear_rows();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    auto& c = contacts[i];
    if (!c.has_rows) continue;
    worlds::Block block;
    // Without friction, the normal is all that there is.
    const bool slippery = c.properties->friction == 0 && c.properties->impact_friction.value_or(0) == 0;
    block.kind = slippery ? contact::Kind::box : contact::Kind::cone;
    block.size = slippery ? 1 : 3;
    block.contact = int(i), block.gap = c.gap, block.key = c.key;
    for (std::size_t side = 0; side < 2; ++side)
      if (c.unit[side] != fixed_unit && !(side == 1 && c.unit[0] == c.unit[1]))
        block.sides[side] = {c.unit[side], units[std::size_t(c.unit[side])]->take_columns(block.size)};
    blocks.push_back(block);
    add_turning_blocks(int(blocks.size()) - 1, *c.properties);
  }
  own_rows.clear();
  for (std::size_t i = 0; i < units.size(); ++i) {
    const auto before = own_rows.size();
    units[i]->own_rows(h, own_rows);
    for (auto k = before; k < own_rows.size(); ++k) {
      const auto& own = own_rows[k];
      worlds::Block block;
      block.kind = own.kind, block.size = own.size, block.own = int(k), block.gap = own.gap;
      block.compliance = own.compliance;
      block.key = std::uint64_t(1) << 63 | std::uint64_t(i) << 32 | own.id;
      block.sides[0] = {int(i), units[i]->take_columns(own.size)};
      blocks.push_back(block);
    }
  }
  for (auto& unit : units) unit->allocate_rows();
  for (const auto& block : blocks) {
    if (block.own >= 0) {
      const auto& side = block.sides[0];
      units[std::size_t(side.unit)]->write_own_rows(own_rows[std::size_t(block.own)], side.column);
      continue;
    }
    const bool turns = block.normal >= 0;
    const auto& c = contacts[std::size_t(turns ? blocks[std::size_t(block.normal)].contact : block.contact)];
    const Vec3<double> tangents[2] = {column_y(c.axes), column_z(c.axes)}, normal = column_x(c.axes);
    for (std::size_t side = 0; side < 2; ++side) {
      if (c.unit[side] == fixed_unit) continue;
      // u is the velocity of a relative to b.
      const int column = c.unit[0] == c.unit[1] ? block.sides[0].column : block.sides[side].column;
      auto& unit = *units[std::size_t(c.unit[side])];
      const double sign = side == 0 ? 1 : -1;
      if (!turns)
        unit.write_point_rows(c.body[side], c.point, c.axes, block.size, sign, column);
      else if (block.size == 1)
        unit.write_angular_rows(c.body[side], {&normal, 1}, sign, column);
      else
        unit.write_angular_rows(c.body[side], tangents, sign, column);
    }
  }
  for (auto& unit : units) unit->whiten_rows();
}

// Torsional and rolling friction of a contact.
void World::Impl::add_turning_blocks(int normal, const ContactProperties& properties) {
  const auto of = blocks[std::size_t(normal)];
  for (const int size : {1, 2}) {
    if (!((size == 1 ? properties.torsional_friction : properties.rolling_friction) > 0)) continue;
    worlds::Block block;
    block.kind = contact::Kind::disk;
    block.size = size, block.normal = normal;
    block.key = of.key ^ std::uint64_t(size) << 61;
    for (std::size_t side = 0; side < 2; ++side)
      if (const int unit = of.sides[side].unit; unit != fixed_unit)
        block.sides[side] = {unit, units[std::size_t(unit)]->take_columns(size)};
    blocks.push_back(block);
  }
}

void World::Impl::make_islands() {
  root_of_unit.resize(units.size());
  std::iota(root_of_unit.begin(), root_of_unit.end(), 0);
  const auto root_of = [&](int unit) {
    auto& roots = root_of_unit;
    while (roots[std::size_t(unit)] != unit)
      unit = roots[std::size_t(unit)] = roots[std::size_t(roots[std::size_t(unit)])];
    return unit;
  };
  for (const auto& block : blocks)
    if (block.sides[0].unit != fixed_unit && block.sides[1].unit != fixed_unit) {
      const int a = root_of(block.sides[0].unit), b = root_of(block.sides[1].unit);
      root_of_unit[std::size_t(std::max(a, b))] = std::min(a, b);
    }
  island_of_unit.assign(units.size(), -1);
  island_count = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto& sides = blocks[i].sides;
    const int root = root_of(sides[0].unit != fixed_unit ? sides[0].unit : sides[1].unit);
    int& index = island_of_unit[std::size_t(root)];
    if (index < 0) {
      index = int(island_count++);
      if (islands.size() < island_count) islands.emplace_back();
      auto& island = islands[std::size_t(index)];
      island.blocks.clear(), island.units.clear(), island.first_row.clear();
      island.rows = 0, island.has_G = false;
    }
    auto& island = islands[std::size_t(index)];
    island.blocks.push_back(int(i));
    island.first_row.push_back(island.rows);
    island.rows += blocks[i].size;
  }
  for (std::size_t i = 0; i < units.size(); ++i)
    if (const int index = island_of_unit[std::size_t(root_of(int(i)))]; index >= 0 && units[i]->rows().columns > 0)
      islands[std::size_t(index)].units.push_back(int(i));
}

const World::Impl::LastContact* World::Impl::last_contact(std::uint64_t key) const {
  const auto found = std::ranges::lower_bound(last_contacts, key, {}, &LastContact::key);
  return found != last_contacts.end() && found->key == key ? &*found : nullptr;
}

}  // namespace lissom
