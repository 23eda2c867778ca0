#pragma once
// What a World consists of, and the parts of its step, one file each. Not installed.
#include <map>
#include <set>
#include <unordered_map>

#include "lissom/contact/one_contact.h"
#include "lissom/contact/solver.h"
#include "lissom/world/contact_set.h"
#include "lissom/world/world.h"

namespace lissom {

struct World::Impl {
  explicit Impl(const Options& given) : options(given) {}

  Options options;
  double time = 0, last_h = 0;
  std::vector<std::unique_ptr<worlds::Unit>> units;
  std::vector<std::string> owners;        // names of bodies, robots and fixed shapes
  std::vector<int> unit_of_owner;         // fixed_unit for fixed shapes
  std::vector<Vec3<double>> com_of_unit;  // of rigid bodies, in their frames
  std::unordered_map<std::string, int> owner_of;
  std::vector<worlds::PlacedCollider> colliders;
  std::vector<Pose<double>> poses;  // of the colliders
  std::map<std::pair<int, int>, ContactProperties> pair_properties;
  worlds::ContactSet set;
  std::vector<Eigen::VectorXd> v;                            // by unit, while a step is computed
  std::unordered_map<std::uint64_t, Vec3<double>> impulses;  // of the last step

  int owner(const std::string& name) const;
  int add_owner(const std::string& name, int unit);
  worlds::Unit& unit(const std::string& name);
  worlds::RobotUnit& robot_unit(const std::string& name);
  std::vector<std::size_t> colliders_of(const std::string& name) const;
  const ContactProperties& properties_of(int owner_a, int owner_b) const;

  // Finds all points that touch or may touch within the step (detect.cpp).
  void detect(double h);
  void find_pairs();
  bool may_touch(std::size_t a, std::size_t b) const;
  void collide_pair(std::size_t a, std::size_t b, double margin);
  std::vector<double> reaches;  // how far each collider may move in the step
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::set<std::pair<std::size_t, std::size_t>> excluded;  // pairs of colliders, the smaller index first
  ContactPoints points;

  // Solves the contact laws for the velocities v; the bounds are those of the normal velocities (solve.cpp).
  struct Row {
    bool active = true;
    double bound = 0, friction = 0;
  };
  std::vector<Row> rows;  // by contact
  void solve(StepReport& report);
  void solve_dense(const std::vector<int>& island, StepReport& report);
  void solve_by_sweeps(const std::vector<int>& island, StepReport& report);
  Mat3<double> coupling(const worlds::Contact& a, const worlds::Contact& b) const;
  std::vector<int> solved;  // contacts, in the order of the problem
  void make_problem(const std::vector<int>& island);
  std::optional<contact::ProblemBuffer<>> buffer;
  std::optional<contact::Solver> solver;
  std::vector<double> p_dense, u_dense;
  std::vector<contact::ContactFrame<double>> frames;  // by contact
  std::vector<double> slips;                          // λ of each contact

  // The stages of a step (step.cpp).
  bool impact_stage(double h, StepReport& report);
  bool is_crossing(const worlds::Contact& c, double h) const;
  void limit_energy(const std::vector<Eigen::VectorXd>& before, double h, StepReport& report);
  double energy_of(const std::vector<Eigen::VectorXd>& velocities) const;
  void finish(const std::vector<Eigen::VectorXd>& start, double h);
};

}  // namespace lissom
