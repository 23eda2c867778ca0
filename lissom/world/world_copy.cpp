// Worlds that differ from others: copies, and other masses.
#include <cmath>
#include <map>

#include "lissom/model/text.h"
#include "lissom/world/impl.h"
#include "lissom/world/rigid_body_unit.h"

namespace lissom {
namespace {

Sym3<double> scaled(const Sym3<double>& I, double factor) {
  return {factor * I.xx, factor * I.xy, factor * I.xz, factor * I.yy, factor * I.yz, factor * I.zz};
}

void expect_positive(const MassFactors& factors, const char* what, double found) {
  if (!(found > 0 && std::isfinite(found)))
    throw Error("scale_masses: the factor on the " + std::string(what) + " of " + in_quotes(factors.name) + " is " +
                to_text(found) + ", expected a positive number");
}

// Multiplies those of one link, or of all if `name` is empty.
void scale(Description& description, const std::string& name, double mass, double inertia) {
  for (auto& link : description.links) {
    if (!name.empty() && link.name != name) continue;
    link.mass *= mass;
    link.inertia = scaled(link.inertia, inertia);
  }
}

}  // namespace

World World::clone() const {
  World copy(impl_->options);
  const auto& from = *impl_;
  auto& to = *copy.impl_;
  to.time = from.time, to.last_h = from.last_h;
  for (const auto& unit : from.units) to.units.push_back(unit->copy());
  to.owners = from.owners, to.owner_of = from.owner_of;
  to.unit_of_owner = from.unit_of_owner, to.com_of_unit = from.com_of_unit;
  to.colliders = from.colliders, to.excluded = from.excluded;
  to.pair_properties = from.pair_properties;
  to.notes = from.notes, to.imus = from.imus;
  to.last_contacts = from.last_contacts, to.drifts = from.drifts;
  to.contacts = from.contacts;
  to.materials = from.materials, to.material_properties = from.material_properties;
  to.pair_frictions = from.pair_frictions, to.named_properties = from.named_properties;
  for (auto& c : to.contacts) c.properties = &to.properties_of(std::size_t(c.collider[0]), std::size_t(c.collider[1]));
  return copy;
}

// (Names of robots may contain slashes, too.)
std::pair<worlds::RobotUnit*, std::string> World::Impl::link(const std::string& name) const {
  for (auto slash = name.find('/'); slash != std::string::npos; slash = name.find('/', slash + 1)) {
    const auto found = owner_of.find(name.substr(0, slash));
    if (found == owner_of.end() || unit_of_owner[std::size_t(found->second)] == worlds::fixed_unit) continue;
    const auto unit = std::size_t(unit_of_owner[std::size_t(found->second)]);
    auto* const robot = dynamic_cast<worlds::RobotUnit*>(units[unit].get());
    if (robot && robot->model().has_link(name.substr(slash + 1))) return {robot, name.substr(slash + 1)};
  }
  return {nullptr, ""};
}

void World::scale_masses(std::span<const MassFactors> factors) {
  // Everything is checked, and robots are built, before anything changes.
  std::map<worlds::RobotUnit*, Description> robots;
  std::map<worlds::RigidBodyUnit*, std::pair<double, double>> bodies;
  for (const auto& f : factors) {
    const double inertia = f.inertia.value_or(f.mass);
    expect_positive(f, "mass", f.mass), expect_positive(f, "inertia", inertia);
    auto [robot, name] = impl_->link(f.name);
    if (!robot || impl_->owner_of.contains(f.name)) {
      name.clear();
      auto& unit = impl_->unit(f.name);
      robot = dynamic_cast<worlds::RobotUnit*>(&unit);
      if (auto* const body = dynamic_cast<worlds::RigidBodyUnit*>(&unit)) {
        auto& product = bodies.try_emplace(body, 1, 1).first->second;
        product.first *= f.mass, product.second *= inertia;
        continue;
      }
    }
    scale(robots.try_emplace(robot, robot->model().description()).first->second, name, f.mass, inertia);
  }
  std::map<worlds::RobotUnit*, Model> models;
  for (const auto& [robot, description] : robots) models.emplace(robot, build(description, robot->model().options()));
  for (auto& [body, by] : bodies) body->set_mass(by.first * body->mass(), scaled(body->inertia(), by.second));
  for (const auto& [robot, model] : models) robot->set_model(model);
}

double World::mass(const std::string& name) const {
  if (!impl_->owner_of.contains(name))
    if (const auto [robot, link] = impl_->link(name); robot) return robot->model().link(link).mass;
  const auto& unit = impl_->unit(name);
  if (const auto* const robot = dynamic_cast<const worlds::RobotUnit*>(&unit)) return robot->model().mass();
  return dynamic_cast<const worlds::RigidBodyUnit&>(unit).mass();
}

const Servos& World::servos(const std::string& robot) const {
  return impl_->robot_unit(robot).servos();
}

const ContactProperties& World::properties(const std::string& a, const std::string& b) const {
  const auto index = [&](const std::string& name) { return name.empty() ? -1 : impl_->owner(name); };
  const int i = index(a), j = index(b);
  const auto* const given = impl_->given_properties(i < 0 ? j : i, i < 0 ? i : j);
  return given ? *given : impl_->options.default_properties;
}

}  // namespace lissom
