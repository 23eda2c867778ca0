#pragma once
// Many worlds at once: copies of one, or different ones, with parameters of their own, on threads. Each world moves as
// it would alone: its bits depend neither on the number of threads nor on the other worlds.
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lissom/batch/batch.h"
#include "lissom/world/world.h"

namespace lissom {

/// The report of steps and of those that followed them: contacts at the end, sums of sweeps and factorizations, the
/// largest residual; impact, moved_apart: in any of them; converged: in all of them.
StepReport combined(const StepReport& before, const StepReport& after);

/// MassFactors with one factor for each world.
struct MassFactorRows {
  std::string name;              ///< of a rigid body, a robot (all of its links) or a link ("robot/link")
  Eigen::VectorXd mass;          ///< one for each world
  Eigen::VectorXd inertia = {};  ///< the same; empty: as the masses
};

/// Servos with one row for each world, or one row for all of them.
struct ServoRows {
  batch::Rows<double> stiffness, damping, q_target, v_target;
};

/// It belongs to one caller at a time.
class WorldBatch {
 public:
  using Rows = batch::Rows<double>;
  using RowsIn = batch::RowsIn<double>;

  /// Copies of a world. threads = 0: as many as the machine has hardware threads.
  WorldBatch(const World& prototype, long count, int threads = 0);
  /// The worlds that a function makes, called with 0, 1, …, count - 1 in this order.
  WorldBatch(long count, const std::function<World(long row)>& make, int threads = 0);
  ~WorldBatch();
  WorldBatch(WorldBatch&&) noexcept;
  WorldBatch& operator=(WorldBatch&&) noexcept;

  long size() const;
  int threads() const;
  /// One of them, with all that a World can do.
  World& world(long row);
  const World& world(long row) const;

  // Parameters that differ from world to world. An Error begins with the first row that it is about; other rows may
  // have been changed.
  void scale_masses(std::span<const MassFactorRows> factors);
  /// Coulomb's coefficient of a pair of names, as World::set_properties; what else is known of the pair stays.
  void set_friction(const std::string& a, const std::string& b, const Eigen::VectorXd& friction);
  void set_servos(const std::string& robot, const ServoRows& servos);

  /// States and forces of a body or a robot: one row for each world.
  Rows q(const std::string& name) const;
  Rows v(const std::string& name) const;
  Rows tau(const std::string& name) const;
  /// Sets them from one row for each world, or one row for all of them.
  void set_q(const std::string& name, const RowsIn& rows);
  void set_v(const std::string& name, const RowsIn& rows);
  void set_tau(const std::string& name, const RowsIn& rows);
  /// World::contact_force: three columns.
  Rows contact_force(const std::string& name) const;
  /// World::motor_torques; zero before the first step.
  Rows motor_torques(const std::string& robot) const;

  /// Advances every world by `count` steps of h seconds. A world whose step throws an Error, or does not end in finite
  /// numbers, stops before that step: it keeps the state in which that step found it, and is left out from then on. The
  /// result lists the worlds that stopped in this call, in their order.
  std::vector<batch::FailedRow> step(double h, int count = 1);
  /// All worlds that have stopped, and why.
  std::vector<batch::FailedRow> failures() const;
  /// Lets a world that has stopped take part again; its state should have been set to a good one before.
  void resume(long row);
  /// A report for each world, the steps of the last call together (combined); contacts = 0 and so on where there was
  /// none.
  const std::vector<StepReport>& reports() const;

 private:
  struct Impl;
  Rows collect(const std::string& what, const std::function<Eigen::VectorXd(World&)>& read) const;
  void distribute(const std::string& what, const RowsIn& rows, const std::function<Eigen::VectorXd&(World&)>& element);
  std::unique_ptr<Impl> impl_;
};

}  // namespace lissom
