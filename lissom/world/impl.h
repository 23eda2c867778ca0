#pragma once
// What a World consists of, and the parts of its step, one file each. Not installed.
#include <map>
#include <memory>
#include <set>
#include <unordered_map>

#include "lissom/contact/prepared_block.h"
#include "lissom/contact/solver.h"
#include "lissom/geometry/broad_phase.h"
#include "lissom/world/blocks.h"
#include "lissom/world/linearization.h"
#include "lissom/world/robot_unit.h"
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
  std::map<std::pair<int, int>, ContactProperties> pair_properties;
  std::vector<ContactMaterial> materials;                                // of the surfaces of robots
  std::map<std::pair<int, int>, ContactProperties> material_properties;  // of pairs of them
  // A robot's file may name pairs of colliders, here with the smaller index first: their friction, and what it leads
  // to.
  std::map<std::pair<std::size_t, std::size_t>, double> pair_frictions;
  std::map<std::pair<std::size_t, std::size_t>, ContactProperties> named_properties;

  int owner(const std::string& name) const;
  int add_owner(const std::string& name, int unit);
  worlds::Unit& unit(const std::string& name);
  worlds::RobotUnit& robot_unit(const std::string& name);
  std::vector<std::size_t> colliders_of(const std::string& name) const;
  // The robot and the link that a name like "robot/link" means; {nullptr, ""} if there is none.
  std::pair<worlds::RobotUnit*, std::string> link(const std::string& name) const;
  const ContactProperties* given_properties(int owner_a, int owner_b) const;
  const ContactProperties& properties_of(std::size_t collider_a, std::size_t collider_b);
  const ContactProperties& properties_of_surfaces(const worlds::PlacedCollider& a, const worlds::PlacedCollider& b);
  int material(const Model& robot, const std::string& name);
  std::vector<std::string> notes;  // what a user should know of the parts
  void add_colliders(const std::string& name, const Model& robot, int unit, int owner);
  static int parent_with_mass(const Model& robot, int body);
  void exclude_neighbors(const std::string& name, const Model& robot, const RobotSettings& settings, std::size_t first,
                         const worlds::Unit& unit);

  // Finds all points that touch or may touch within the step (detect.cpp).
  std::vector<worlds::Contact> contacts;
  std::vector<Pose<double>> poses;    // of the colliders
  std::vector<SpatialVector> twists;  // of the colliders: of the particles at the world's origin
  std::vector<double> reaches;        // how far each collider may move in the step,
  std::vector<double> own_reaches;    // and relative to the first body of its unit
  std::vector<std::pair<int, int>> pairs, near_pairs;
  std::set<std::pair<std::size_t, std::size_t>> excluded;  // pairs of colliders, the smaller index first
  std::optional<BroadPhase> broad_phase;                   // of worlds with many colliders
  bool pairs_are_known = false;
  ContactPoints points;
  void detect(double h);
  double reach_of_pair(std::size_t a, std::size_t b) const;
  void list_pairs();
  void find_near_pairs();
  bool may_touch(std::size_t a, std::size_t b) const;
  void collide_pair(int a, int b, double margin, double h);
  // The velocity of a relative to b, at the velocities after the step.
  Vec3<double> velocity_at_end(const worlds::Contact& c) const;

  // The rows of the step (blocks.cpp).
  std::vector<worlds::Block> blocks;
  std::vector<worlds::OwnRows> own_rows;
  std::vector<worlds::Island> islands;
  std::size_t island_count = 0;
  std::vector<int> root_of_unit, island_of_unit;
  void make_blocks(double h);
  void add_turning_blocks(int normal, const ContactProperties& properties);
  // Sets what bounds torsional or rolling friction: the properties of the contact that it belongs to.
  void prepare_turning(worlds::Block& block) const;
  void make_islands();
  // Impulses of the last step in the world's axes, sorted by key.
  struct LastContact {
    std::uint64_t key;
    Vec3<double> impulse;
  };
  std::vector<LastContact> last_contacts;
  const LastContact* last_contact(std::uint64_t key) const;

  // Solves the laws of an island for the velocities z of its units (island.cpp; large_island.cpp).
  std::unique_ptr<contact::Solver> solver;
  int solver_rows = 0, solver_blocks = 0;
  std::vector<contact::Block<>> laws;
  std::vector<int> active_rows, active_blocks, row_of_block;
  AlignedMemory<double> u_of_unit, p_of_unit, b_rows, p_rows, u_rows, products;
  std::size_t memory_rows = 0, memory_products = 0;
  std::vector<contact::PreparedBlock<double>> prepared_blocks;
  void reserve_rows(int rows, int columns);
  void compute_G(worlds::Island& island);
  void add_compliance(worlds::Island& island);
  void solve(worlds::Island& island, StepReport& report);
  contact::Report solve_dense(worlds::Island& island);
  contact::Report solve_by_sweeps(worlds::Island& island);
  contact::Report solve_large(worlds::Island& island);
  std::vector<double> without_impulses;  // velocities z of an island before its solution, or by sweeps
  std::vector<std::array<double, contact::max_free_rows>> swept_impulses;
  void collect_laws(const worlds::Island& island);
  void collect_velocities(const worlds::Island& island);
  contact::Problem<double> problem_of(worlds::Island& island);
  void apply_impulses(const worlds::Island& island);
  void prepare_block(const worlds::Block& block, contact::PreparedBlock<double>& prepared) const;
  double visit(worlds::Block& block, contact::PreparedBlock<double>& prepared);
  void visit_turning(worlds::Block& block, contact::PreparedBlock<double>& prepared, const double* u);
  double residual_of(const worlds::Block& block, const contact::PreparedBlock<double>& prepared, double* u) const;
  double radius_of(const worlds::Block& block) const;
  int worst_block = -1;  // whose residual the report of the step has; -1: none
  double worst_residual = 0;
  RowReading worst_row() const;
  void read_velocity(const worlds::Block& block, double* u) const;
  double normal_velocity(const worlds::Block& block) const;
  double mean_velocity(const worlds::Block& block) const;
  void apply(const worlds::Block& block, const double* p);
  double energy_of(const worlds::Island& island) const;

  // Sensors (imus.cpp).
  struct Imu {
    std::string name;
    int unit = 0, body = 0;
    Pose<double> at{};  // in the body's frame
    Vec3<double> before{0, 0, 0};
    ImuReading reading{};
  };
  std::vector<Imu> imus;
  std::pair<worlds::RobotUnit*, std::string> frame(const std::string& name) const;
  int unit_index(const worlds::Unit* unit) const;
  Vec3<double> velocity_of(const Imu& imu) const;
  void begin_imus();
  void read_imus(double h);

  // The derivatives of a step, between its last stage and the motion (differentiate.cpp, contact_changes.cpp).
  std::unique_ptr<worlds::Linearization> linearization;
  void expect_differentiable() const;
  void differentiate(double h, StepDerivatives& to);
  void differentiate_units(double h, worlds::Island* island, std::span<const int> members, StepDerivatives& to);
  void differentiate_masses(double h, std::span<const int> members, const StepDerivatives& to);
  void change_friction(const StepDerivatives& to);
  void solve_for_changes(worlds::Island& island);
  void write_derivatives(double h, int unit, bool moves_with_end, std::span<const int> members, StepDerivatives& to);
  void correct_curved(const worlds::Unit::CurvedBlock& block, int own, double h, StepDerivatives& to) const;
  void find_borders(StepDerivatives& to);
  struct ContactChange;
  int chain_of(int unit, int body);
  bool follows_gap(const worlds::Block& block) const;
  void change_rows(const worlds::Island& island, double h);
  void change_contact(int block, double h);
  void change_side(const ContactChange& of, std::size_t side, worlds::Linearization::Chain& chain, int block);
  void add_changes(const worlds::Linearization::Chain& on, double sign, const worlds::Linearization::Chain& by) const;
  void add_pair();
  void add_turning_axes(const worlds::Linearization::Chain& chain) const;
  worlds::ContactResponse response(const worlds::Contact& c) const;  // contact_response.cpp

  // The stages of a step (step.cpp, impacts.cpp).
  StepReport step(double h, StepDerivatives* derivatives);
  std::vector<std::vector<double>> z_before, z_elastic, z_free;  // by unit
  std::vector<bool> grounded;                                    // by unit: something fixed acts on it
  double crossing_speed() const;
  bool is_euler() const { return options.stepping == Options::Stepping::semi_implicit_euler; }
  bool attempt(double h, StepReport& report);
  bool impacts(worlds::Island& island, double h, StepReport& report);
  bool prepare_impact(worlds::Island& island, double h, bool& elastic, bool& limited);
  void limit_energy(worlds::Island& island, double h, StepReport& report);
  void prepare_smooth(worlds::Island& island, double h);
  void find_excess_energy(const worlds::Island& island);

  // Points of robots that stick stay where they are (drift.cpp).
  std::vector<State::Drift> drifts;  // of pairs of bodies that stick, sorted
  void return_from_drift(worlds::Block& block, double h);
  void measure_drifts();
  Vec3<double> parted(const worlds::Contact& c) const;
  bool is_plastic_robot(const worlds::Island& island) const;
  bool crosses_with_mean(const worlds::Island& island, double h);
  bool skipped_contacts_separate(double h);
  void collect_impulses(double h);
  void collect_twist(const worlds::Block& block);

  // The work of a step, where it is asked for (step_work.cpp).
  std::vector<std::vector<double>> z_start;  // by unit, after impacts
  double impact_work = 0;
  double kinetic_energy_of(const worlds::Island& island, bool after_impacts) const;
  void add_work_of_rows(const worlds::Block& block, Work& work) const;
  Work work_of_step(double h);
  double energy_of_units(const worlds::Island& island) const;
  void remove_overlaps(StepReport& report);
  void finish(double h);
  void expect_finite(double h);
};

}  // namespace lissom
