// Inertial measurement units on bodies and links. What they show of acceleration is the change of a point's velocity
// over a step, so that impacts are in it, as in what a real one averages.
#include <algorithm>

#include "lissom/model/text.h"
#include "lissom/world/impl.h"

namespace lissom {

void World::add_imu(const std::string& name, const std::string& on, const Pose<double>& at) {
  auto& w = *impl_;
  if (std::ranges::find(w.imus, name, &Impl::Imu::name) != w.imus.end())
    throw Error("add_imu: there is an IMU called " + in_quotes(name) + "; expected another name");
  Impl::Imu made{.name = name};
  if (const auto [robot, frame] = w.frame(on); robot) {
    const auto& found = robot->model().frame_at(robot->model().frame(frame), "frame");
    made.body = found.body, made.at = found.placement * at;
    made.unit = w.unit_index(robot);
  } else {
    const auto& unit = w.unit(on);
    if (unit.is_robot())
      throw Error("add_imu: " + in_quotes(on) + " is a robot; expected one of its links or frames, as " +
                  in_quotes(on + "/link") + ", or a rigid body");
    made.unit = w.unit_index(&unit);
    made.at = {at.R, at.p - w.com_of_unit[std::size_t(made.unit)]};
  }
  w.imus.push_back(made);
}

ImuReading World::imu(const std::string& name) const {
  const auto found = std::ranges::find(impl_->imus, name, &Impl::Imu::name);
  if (found == impl_->imus.end()) throw Error("the world has no IMU called " + in_quotes(name) + "; add_imu adds one");
  return found->reading;
}

std::vector<std::string> World::imus() const {
  std::vector<std::string> names;
  for (const auto& imu : impl_->imus) names.push_back(imu.name);
  return names;
}

// The robot and the frame that a name like "robot/frame" means; {nullptr, ""} if there is none.
std::pair<worlds::RobotUnit*, std::string> World::Impl::frame(const std::string& name) const {
  for (auto slash = name.find('/'); slash != std::string::npos; slash = name.find('/', slash + 1)) {
    const auto found = owner_of.find(name.substr(0, slash));
    if (found == owner_of.end() || unit_of_owner[std::size_t(found->second)] == worlds::fixed_unit) continue;
    const auto index = std::size_t(unit_of_owner[std::size_t(found->second)]);
    auto* const robot = dynamic_cast<worlds::RobotUnit*>(units[index].get());
    if (robot && robot->model().has_frame(name.substr(slash + 1))) return {robot, name.substr(slash + 1)};
  }
  return {nullptr, ""};
}

int World::Impl::unit_index(const worlds::Unit* unit) const {
  return int(std::ranges::find(units, unit, &std::unique_ptr<worlds::Unit>::get) - units.begin());
}

// Along the world's axes.
Vec3<double> World::Impl::velocity_of(const Imu& imu) const {
  const auto& unit = *units[std::size_t(imu.unit)];
  const auto twist = unit.twist(imu.body, unit.v);
  return twist.linear + cross(twist.angular, unit.pose(imu.body) * imu.at.p);
}

void World::Impl::begin_imus() {
  for (auto& imu : imus) imu.before = velocity_of(imu);
}

void World::Impl::read_imus(double h) {
  for (auto& imu : imus) {
    const auto& unit = *units[std::size_t(imu.unit)];
    const auto R = (unit.pose(imu.body) * imu.at).R;
    imu.reading.angular_velocity = transpose_times(R, unit.twist(imu.body, unit.v).angular);
    imu.reading.specific_force = transpose_times(R, (1 / h) * (velocity_of(imu) - imu.before) - options.gravity);
  }
}

}  // namespace lissom
