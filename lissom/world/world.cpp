#include "lissom/world/world.h"

#include <algorithm>
#include <cmath>

#include "lissom/model/text.h"
#include "lissom/world/impl.h"

namespace lissom {

World::World(const Options& options) : impl_(std::make_unique<Impl>(options)) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

int World::Impl::owner(const std::string& name) const {
  const auto found = owner_of.find(name);
  if (found != owner_of.end()) return found->second;
  std::string list;
  for (std::size_t i = 0; i < owners.size() && i < 10; ++i) list += (i > 0 ? ", " : "") + owners[i];
  throw Error("the world has nothing called " + in_quotes(name) + "; it has " +
              (list.empty() ? "nothing yet" : list + (owners.size() > 10 ? " …" : "")));
}

int World::Impl::add_owner(const std::string& name, int unit) {
  if (name.empty()) throw Error("World::add: the name is empty; all parts of a world are addressed by name");
  const int index = int(owners.size());
  if (!owner_of.emplace(name, index).second)
    throw Error("World::add: the world already has something called " + in_quotes(name));
  owners.push_back(name);
  pairs_are_known = false;
  unit_of_owner.push_back(unit);
  return index;
}

worlds::Unit& World::Impl::unit(const std::string& name) {
  const int index = unit_of_owner[std::size_t(owner(name))];
  if (index == worlds::fixed_unit) throw Error(in_quotes(name) + " is fixed and has no state");
  return *units[std::size_t(index)];
}

// nullptr where set_properties has said nothing.
const ContactProperties* World::Impl::given_properties(int a, int b) const {
  for (const auto& key : {std::pair{a, b}, std::pair{b, a}, std::pair{a, -1}, std::pair{b, -1}})
    if (const auto found = pair_properties.find(key); found != pair_properties.end()) return &found->second;
  return nullptr;
}

// What set_properties says, or else the robot's file about this pair of shapes, or else what the robots' files say
// about their surfaces.
const ContactProperties& World::Impl::properties_of(std::size_t a, std::size_t b) {
  const auto &A = colliders[a], &B = colliders[b];
  if (const auto* given = given_properties(A.owner, B.owner)) return *given;
  const std::pair<std::size_t, std::size_t> key = std::minmax(a, b);
  const auto friction = pair_frictions.find(key);
  if (friction == pair_frictions.end()) return properties_of_surfaces(A, B);
  const auto [place, is_new] = named_properties.try_emplace(key);
  if (is_new) {
    place->second = properties_of_surfaces(A, B);
    place->second.friction = friction->second;
  }
  return place->second;
}

// The larger friction and restitution of the two, as in MuJoCo; where only one of them says something, that.
const ContactProperties& World::Impl::properties_of_surfaces(const worlds::PlacedCollider& a,
                                                             const worlds::PlacedCollider& b) {
  if (a.material < 0 && b.material < 0) return options.default_properties;
  const std::pair<int, int> key = std::minmax(a.material, b.material);
  const auto [place, is_new] = material_properties.try_emplace(key, options.default_properties);
  if (is_new) {
    auto& p = place->second;
    p.friction = p.restitution = 0;
    p.impact_friction.reset();
    for (const int i : {a.material, b.material}) {
      if (i < 0) continue;
      p.friction = std::max(p.friction, materials[std::size_t(i)].friction);
      p.restitution = std::max(p.restitution, materials[std::size_t(i)].restitution);
    }
  }
  return place->second;
}

void World::exclude(const std::string& a, const std::string& b) {
  const auto A = impl_->colliders_of(a), B = impl_->colliders_of(b);
  for (const auto i : A)
    for (const auto j : B) impl_->excluded.insert({std::min(i, j), std::max(i, j)});
  impl_->pairs_are_known = false;
}

// Finds the colliders of an owner, or of a link.
std::vector<std::size_t> World::Impl::colliders_of(const std::string& name) const {
  std::vector<std::size_t> found;
  const auto owner = owner_of.find(name);
  for (std::size_t i = 0; i < colliders.size(); ++i)
    if (owner != owner_of.end() ? colliders[i].owner == owner->second : colliders[i].link == name) found.push_back(i);
  if (found.empty() && owner == owner_of.end())
    throw Error("the world has no body, robot, fixed shape or link with collision shapes called " + in_quotes(name));
  return found;
}

worlds::RobotUnit& World::Impl::robot_unit(const std::string& name) {
  auto* const robot = dynamic_cast<worlds::RobotUnit*>(&unit(name));
  if (!robot) throw Error(in_quotes(name) + " is a rigid body, expected a robot");
  return *robot;
}

void World::set_servos(const std::string& robot, const Servos& servos) {
  impl_->robot_unit(robot).set_servos(servos);
}

const Eigen::VectorXd& World::motor_torques(const std::string& robot) const {
  return impl_->robot_unit(robot).motor_torques;
}

const Eigen::VectorXd& World::loop_forces(const std::string& robot) const {
  return impl_->robot_unit(robot).loop_forces;
}

std::vector<std::string> World::names() const {
  return impl_->owners;
}

std::vector<std::string> World::moving() const {
  std::vector<std::string> all;
  for (const auto& unit : impl_->units) all.push_back(unit->name());
  return all;
}
const std::vector<std::string>& World::notes() const {
  return impl_->notes;
}

const Model* World::robot(const std::string& name) const {
  const int unit = impl_->unit_of_owner[std::size_t(impl_->owner(name))];
  if (unit == worlds::fixed_unit) return nullptr;
  const auto* const robot = dynamic_cast<const worlds::RobotUnit*>(impl_->units[std::size_t(unit)].get());
  return robot ? &robot->model() : nullptr;
}

void World::set_properties(const std::string& a, const std::string& b, const ContactProperties& properties) {
  if (!(properties.friction >= 0) || !(properties.impact_friction.value_or(0) >= 0))
    throw Error("World::set_properties: the friction is " + to_text(properties.friction) + ", expected 0 or more");
  for (const double length : {properties.torsional_friction, properties.rolling_friction})
    if (!(length >= 0 && std::isfinite(length)))
      throw Error("World::set_properties: the torsional or rolling friction is " + to_text(length) +
                  " m, expected 0 or more");
  if (!(properties.restitution >= 0 && properties.restitution <= 1))
    throw Error("World::set_properties: the restitution is " + to_text(properties.restitution) + ", expected 0 to 1");
  const auto index = [&](const std::string& name) { return name.empty() ? -1 : impl_->owner(name); };
  const int i = index(a), j = index(b);
  if (i >= 0 || j >= 0) {
    impl_->pair_properties[i < 0 ? std::pair{j, i} : std::pair{i, j}] = properties;
    return;
  }
  impl_->options.default_properties = properties;
  // What materials do not say is as by default. (Contacts refer to these.)
  const auto keep_surfaces = [&](ContactProperties& of_file) {
    const double friction = of_file.friction, restitution = of_file.restitution;
    of_file = properties;
    of_file.friction = friction, of_file.restitution = restitution;
    of_file.impact_friction.reset();
  };
  for (auto& [pair, of_materials] : impl_->material_properties) keep_surfaces(of_materials);
  for (auto& [pair, of_shapes] : impl_->named_properties) keep_surfaces(of_shapes);
}

double World::time() const {
  return impl_->time;
}
Eigen::VectorXd& World::q(const std::string& name) {
  return impl_->unit(name).q;
}
Eigen::VectorXd& World::v(const std::string& name) {
  return impl_->unit(name).v;
}
Eigen::VectorXd& World::tau(const std::string& name) {
  return impl_->unit(name).tau;
}
Eigen::VectorXd& World::external(const std::string& robot) {
  return impl_->robot_unit(robot).external;
}

Pose<double> World::pose(const std::string& body) const {
  auto& unit = impl_->unit(body);
  unit.update_poses();
  const auto index = std::size_t(impl_->unit_of_owner[std::size_t(impl_->owner(body))]);
  const auto X = unit.pose(0);
  return {X.R, X * (-1. * impl_->com_of_unit[index])};
}

std::vector<ContactReading> World::contacts() const {
  std::vector<ContactReading> all;
  const auto& w = *impl_;
  for (const auto& c : w.contacts) {
    const auto p = c.axes * (c.impulse + c.impact);
    if (dot(p, p) == 0) continue;
    all.push_back({w.colliders[std::size_t(c.collider[0])].link, w.colliders[std::size_t(c.collider[1])].link, c.point,
                   column_x(c.axes), c.gap, (1 / w.last_h) * p, c.slip, c.properties->friction,
                   (1 / w.last_h) * c.twist});
  }
  return all;
}

RowReading World::worst_row() const {
  return impl_->worst_row();
}

Vec3<double> World::contact_force(const std::string& name) const {
  const auto& w = *impl_;
  std::vector<bool> own(w.colliders.size());
  for (const auto i : w.colliders_of(name)) own[i] = true;
  Vec3<double> sum{0, 0, 0};
  for (const auto& c : w.contacts) {
    const bool a = own[std::size_t(c.collider[0])], b = own[std::size_t(c.collider[1])];
    if (a == b) continue;
    sum = sum + ((a ? 1 : -1) / w.last_h) * (c.axes * (c.impulse + c.impact));
  }
  return sum;
}

World::State World::state() const {
  State state;
  state.time = impl_->time;
  for (const auto& unit : impl_->units) {
    unit->update_poses();  // where somebody has set q or v, what the last step left is of no use
    state.q.push_back(unit->q);
    state.v.push_back(unit->v);
    state.tau.push_back(unit->tau);
    state.a.push_back(unit->a);
    state.momentum.push_back(unit->carried_momentum());
    state.external.push_back(unit->external);
  }
  for (const auto& [key, impulse] : impl_->last_contacts) state.impulses.emplace_back(key, impulse);
  state.drifts = impl_->drifts;
  return state;
}

void World::restore(const State& state) {
  const auto fits = [&](const std::vector<Eigen::VectorXd>& given, auto size) {
    if (given.size() != impl_->units.size()) return false;
    for (std::size_t i = 0; i < given.size(); ++i)
      if (given[i].size() != size(*impl_->units[i])) return false;
    return true;
  };
  const auto nv = [](const worlds::Unit& unit) { return unit.nv(); };
  if (!fits(state.q, [](const worlds::Unit& unit) { return unit.nq(); }) || !fits(state.v, nv) ||
      !fits(state.tau, nv) || !fits(state.a, nv))
    throw Error("World::restore: the state is of another world: its bodies and robots have other coordinates");
  for (std::size_t i = 0; i < impl_->units.size(); ++i) {
    auto& unit = *impl_->units[i];
    unit.q = state.q[i], unit.v = state.v[i], unit.tau = state.tau[i];
    unit.update_poses();
    unit.a = state.a[i];
    if (i < state.momentum.size()) unit.carry_momentum(state.momentum[i]);
    if (i < state.external.size() && state.external[i].size() == unit.external.size())
      unit.external = state.external[i];
    else
      unit.external.setZero();
  }
  impl_->time = state.time;
  impl_->last_contacts.clear();
  for (const auto& [key, impulse] : state.impulses) impl_->last_contacts.push_back({key, impulse});
  impl_->drifts = state.drifts;
  std::ranges::sort(impl_->last_contacts, {}, &Impl::LastContact::key);
  impl_->contacts.clear();
}

double World::kinetic_energy() const {
  double sum = 0;
  for (const auto& unit : impl_->units) sum += unit->kinetic_energy();
  return sum;
}
double World::potential_energy() const {
  double sum = 0;
  for (const auto& unit : impl_->units) sum += unit->potential_energy(impl_->options.gravity);
  return sum;
}
Vector6 World::momentum() const {
  Vector6 sum = Vector6::Zero();
  for (const auto& unit : impl_->units) sum += unit->momentum();
  return sum;
}

}  // namespace lissom
