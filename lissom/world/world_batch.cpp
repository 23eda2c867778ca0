#include "lissom/world/world_batch.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>

#include "lissom/batch/pool.h"
#include "lissom/files/machine_memory.h"
#include "lissom/model/text.h"
#include "lissom/world/impl.h"

namespace lissom {

struct WorldBatch::Impl {
  explicit Impl(int threads) : pool(threads) {}

  struct Row {
    World world;
    std::string failure = {};  // why it has stopped; empty: it has not
    // The state before the step that is being taken.
    double time = 0;
    std::vector<Eigen::VectorXd> q = {}, v = {};

    // Returns whether it moved; otherwise it has stopped, in the state before the step.
    bool step(double h, StepReport& report);
    void keep_state();
    void put_state_back();
    bool is_finite() const;
  };
  // Calls f(row) for all rows, on threads; then throws the Error of the first row that had one, if any. After it, some
  // rows may be left out.
  template <class F>
  void for_rows(const F& f);
  long size() const { return long(rows.size()); }
  Row& row(long i);

  batch::Pool pool;
  std::vector<Row> rows;
  std::vector<StepReport> reports;
};

namespace {

constexpr long watched_rows = 16;  // from one look at the memory to the next; worlds may be large

int checked_threads(int threads) {
  if (threads < 0 || threads > 4096)
    throw Error("threads is " + std::to_string(threads) + ", expected 0 (as many as the machine has) to 4096");
  return threads;
}
long checked_count(long count) {
  if (count < 0 || count > 10'000'000)
    throw Error("count is " + std::to_string(count) + ", expected 0 to 10000000 worlds");
  return count;
}
void expect_rows(const std::string& what, long found, long expected, bool one_for_all) {
  if (found == expected || (one_for_all && found == 1)) return;
  throw Error(what + " has " + std::to_string(found) + " rows, expected " + std::to_string(expected) +
              ", one for each world" + (one_for_all ? ", or one for all of them" : ""));
}

}  // namespace

StepReport combined(const StepReport& before, const StepReport& after) {
  return {.contacts = after.contacts,
          .sweeps = before.sweeps + after.sweeps,
          .factorizations = before.factorizations + after.factorizations,
          .residual = std::max(before.residual, after.residual),
          .impact = before.impact || after.impact,
          .moved_apart = before.moved_apart || after.moved_apart,
          .converged = before.converged && after.converged,
          .work = Work(before.work).add(1, after.work)};
}

template <class F>
void WorldBatch::Impl::for_rows(const F& f) {
  // Threads take some rows at a time, so that they end together although worlds take different times.
  const long piece = std::clamp(size() / (8L * pool.threads()), 1L, 64L);
  std::atomic<long> next = 0;
  std::atomic<bool> stopped = false;
  std::mutex mutex;
  long failed = std::numeric_limits<long>::max();
  std::string what;
  pool.run([&](int) {
    // (Rows before one that failed are in pieces that have been taken already.)
    for (long first = next.fetch_add(piece); first < size() && !stopped; first = next.fetch_add(piece))
      for (long i = first; i < std::min(first + piece, size()); ++i) try {
          f(i);
        } catch (const std::exception& e) {
          const std::lock_guard lock(mutex);
          if (i < failed) failed = i, what = e.what();
          stopped = true;
        }
  });
  if (failed < size()) throw Error("row " + std::to_string(failed) + ": " + what);
}

WorldBatch::Impl::Row& WorldBatch::Impl::row(long i) {
  if (i < 0 || i >= size())
    throw Error("row is " + std::to_string(i) + ", expected 0 to " + std::to_string(size() - 1) + " in a batch of " +
                std::to_string(size()) + " worlds");
  return rows[std::size_t(i)];
}

WorldBatch::WorldBatch(const World& prototype, long count, int threads)
    : impl_(std::make_unique<Impl>(checked_threads(threads))) {
  impl_->rows.resize(std::size_t(checked_count(count)));
  impl_->reports.resize(std::size_t(count));
  const MemoryWatch memory;
  impl_->for_rows([&](long i) {
    if (i % watched_rows == 0) memory.check(i, count, "worlds");
    impl_->rows[std::size_t(i)].world = prototype.clone();
  });
}

WorldBatch::WorldBatch(long count, const std::function<World(long row)>& make, int threads)
    : impl_(std::make_unique<Impl>(checked_threads(threads))) {
  const MemoryWatch memory;
  for (long i = 0; i < checked_count(count); ++i) {
    if (i % watched_rows == 0) memory.check(i, count, "worlds");
    impl_->rows.push_back({make(i)});
  }
  impl_->reports.resize(std::size_t(count));
}

WorldBatch::~WorldBatch() = default;
WorldBatch::WorldBatch(WorldBatch&&) noexcept = default;
WorldBatch& WorldBatch::operator=(WorldBatch&&) noexcept = default;

long WorldBatch::size() const {
  return impl_->size();
}
int WorldBatch::threads() const {
  return impl_->pool.threads();
}
World& WorldBatch::world(long row) {
  return impl_->row(row).world;
}
const World& WorldBatch::world(long row) const {
  return impl_->row(row).world;
}

void WorldBatch::scale_masses(std::span<const MassFactorRows> factors) {
  for (const auto& f : factors) {
    expect_rows("scale_masses: mass of " + in_quotes(f.name), f.mass.size(), size(), false);
    if (f.inertia.size() > 0)
      expect_rows("scale_masses: inertia of " + in_quotes(f.name), f.inertia.size(), size(), false);
  }
  impl_->for_rows([&](long i) {
    std::vector<MassFactors> own;
    for (const auto& f : factors) {
      own.push_back({.name = f.name, .mass = f.mass[i]});
      if (f.inertia.size() > 0) own.back().inertia = f.inertia[i];
    }
    world(i).scale_masses(own);
  });
}

void WorldBatch::set_friction(const std::string& a, const std::string& b, const Eigen::VectorXd& friction) {
  expect_rows("set_friction: friction", friction.size(), size(), false);
  impl_->for_rows([&](long i) {
    auto properties = world(i).properties(a, b);
    properties.friction = friction[i];
    world(i).set_properties(a, b, properties);
  });
}

void WorldBatch::set_servos(const std::string& robot, const ServoRows& servos) {
  expect_rows("set_servos: stiffness", servos.stiffness.rows(), size(), true);
  expect_rows("set_servos: damping", servos.damping.rows(), size(), true);
  expect_rows("set_servos: q_target", servos.q_target.rows(), size(), true);
  expect_rows("set_servos: v_target", servos.v_target.rows(), size(), true);
  impl_->for_rows([&](long i) {
    const auto row = [&](const Rows& rows) { return Eigen::VectorXd(rows.row(rows.rows() == 1 ? 0 : i)); };
    world(i).set_servos(robot,
                        {row(servos.stiffness), row(servos.damping), row(servos.q_target), row(servos.v_target)});
  });
}

WorldBatch::Rows WorldBatch::collect(const std::string& what,
                                     const std::function<Eigen::VectorXd(World&)>& read) const {
  if (size() == 0) return {};
  Rows all(size(), read(impl_->rows[0].world).size());
  for (long i = 0; i < size(); ++i) {
    const auto row = read(impl_->rows[std::size_t(i)].world);
    if (row.size() != all.cols())
      throw Error(what + " has " + std::to_string(row.size()) + " elements in row " + std::to_string(i) + " and " +
                  std::to_string(all.cols()) + " in row 0; read worlds that differ so much one by one");
    all.row(i) = row;
  }
  return all;
}

void WorldBatch::distribute(const std::string& what, const RowsIn& rows,
                            const std::function<Eigen::VectorXd&(World&)>& element) {
  expect_rows(what, rows.rows(), size(), true);
  for (long i = 0; i < size(); ++i)
    if (const auto& target = element(world(i)); target.size() != rows.cols())
      throw Error(what + " has " + std::to_string(rows.cols()) + " columns, expected " + std::to_string(target.size()));
  for (long i = 0; i < size(); ++i) element(world(i)) = rows.row(rows.rows() == 1 ? 0 : i);
}

WorldBatch::Rows WorldBatch::q(const std::string& name) const {
  return collect("q of " + in_quotes(name), [&](World& world) { return world.q(name); });
}
WorldBatch::Rows WorldBatch::v(const std::string& name) const {
  return collect("v of " + in_quotes(name), [&](World& world) { return world.v(name); });
}
WorldBatch::Rows WorldBatch::tau(const std::string& name) const {
  return collect("tau of " + in_quotes(name), [&](World& world) { return world.tau(name); });
}
void WorldBatch::set_q(const std::string& name, const RowsIn& rows) {
  distribute("q of " + in_quotes(name), rows, [&](World& world) -> Eigen::VectorXd& { return world.q(name); });
}
void WorldBatch::set_v(const std::string& name, const RowsIn& rows) {
  distribute("v of " + in_quotes(name), rows, [&](World& world) -> Eigen::VectorXd& { return world.v(name); });
}
void WorldBatch::set_tau(const std::string& name, const RowsIn& rows) {
  distribute("tau of " + in_quotes(name), rows, [&](World& world) -> Eigen::VectorXd& { return world.tau(name); });
}

WorldBatch::Rows WorldBatch::contact_force(const std::string& name) const {
  return collect("contact_force", [&](const World& world) {
    const auto force = world.contact_force(name);
    return Eigen::VectorXd(Eigen::Vector3d(force.x, force.y, force.z));
  });
}

WorldBatch::Rows WorldBatch::motor_torques(const std::string& robot) const {
  return collect("motor_torques", [&](World& world) {
    const auto& torques = world.motor_torques(robot);
    return torques.size() > 0 ? torques : Eigen::VectorXd(Eigen::VectorXd::Zero(world.tau(robot).size()));
  });
}

bool WorldBatch::Impl::Row::step(double h, StepReport& report) {
  keep_state();
  try {
    const auto latest = world.step(h);
    if (is_finite()) {
      report = combined(report, latest);
      return true;
    }
    failure = "the state is not finite at the end of the step; the motion has diverged, take a smaller step";
  } catch (const std::exception& e) {
    failure = e.what();
  }
  put_state_back();
  return false;
}

void WorldBatch::Impl::Row::keep_state() {
  const auto& w = *world.impl_;
  time = w.time;
  q.resize(w.units.size()), v.resize(w.units.size());
  for (std::size_t u = 0; u < w.units.size(); ++u) q[u] = w.units[u]->q, v[u] = w.units[u]->v;
}

// A step that refuses its input has changed nothing. What another one left in the world beyond its state may not be
// finite, so the next one starts without it.
void WorldBatch::Impl::Row::put_state_back() {
  bool same = true;
  for (std::size_t u = 0; u < q.size(); ++u) {
    const auto& unit = *world.impl_->units[u];
    same &= unit.q == q[u] && unit.v == v[u];
  }
  if (same) return;
  World::State state{
      .time = time, .q = q, .v = v, .tau = {}, .a = {}, .impulses = {}, .drifts = {}, .momentum = {}, .external = {}};
  for (const auto& unit : world.impl_->units) {
    state.tau.push_back(unit->tau);
    state.external.push_back(unit->external);
    state.a.emplace_back(Eigen::VectorXd::Constant(unit->nv(), std::numeric_limits<double>::quiet_NaN()));
  }
  world.restore(state);
}

bool WorldBatch::Impl::Row::is_finite() const {
  return std::ranges::all_of(world.impl_->units,
                             [](const auto& unit) { return unit->q.allFinite() && unit->v.allFinite(); });
}

std::vector<batch::FailedRow> WorldBatch::step(double h, int count) {
  if (!(h > 0 && std::isfinite(h))) throw Error("step: h is " + to_text(h) + " s, expected a positive number");
  if (count < 0) throw Error("step: count is " + std::to_string(count) + ", expected 0 or more steps");
  std::vector<char> stopped(impl_->rows.size(), 0);
  impl_->for_rows([&](long i) {
    auto& row = impl_->rows[std::size_t(i)];
    auto& report = impl_->reports[std::size_t(i)];
    report = {};
    for (int k = 0; k < count && row.failure.empty(); ++k)
      if (!row.step(h, report)) stopped[std::size_t(i)] = 1;
  });
  std::vector<batch::FailedRow> failed;
  for (long i = 0; i < size(); ++i)
    if (stopped[std::size_t(i)] != 0) failed.push_back({i, impl_->rows[std::size_t(i)].failure});
  return failed;
}

std::vector<batch::FailedRow> WorldBatch::failures() const {
  std::vector<batch::FailedRow> all;
  for (long i = 0; i < size(); ++i)
    if (const auto& why = impl_->rows[std::size_t(i)].failure; !why.empty()) all.push_back({i, why});
  return all;
}

void WorldBatch::resume(long row) {
  impl_->row(row).failure.clear();
}

const std::vector<StepReport>& WorldBatch::reports() const {
  return impl_->reports;
}

}  // namespace lissom
