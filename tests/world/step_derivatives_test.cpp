// Derivatives of a step, against central differences of steps from states that are a little apart.
#include <cmath>

#include <gtest/gtest.h>

#include "lissom/api/load.h"
#include "lissom/api/state.h"
#include "lissom/spatial/quaternion.h"
#include "lissom/world/world.h"
#include "world_helpers.h"

namespace lissom::test {
namespace {

constexpr double h = 1e-3;

World::Options exact() {
  World::Options options;
  options.tolerance = 1e-13;
  options.conserve = false;
  return options;
}

// q ⊕ δ of a body or robot, and the δ between two of them.
Eigen::VectorXd moved(const Model* robot, const Eigen::VectorXd& q, const Eigen::VectorXd& delta) {
  if (robot) return integrate(*robot, q, delta, 1);
  Eigen::VectorXd to = q;
  to.head<3>() += delta.head<3>();
  const auto turned = normalized(Quaternion<double>{q[3], q[4], q[5], q[6]} *
                                 exponential(Vec3<double>{delta[3], delta[4], delta[5]}));
  to.tail<4>() << turned.w, turned.x, turned.y, turned.z;
  return to;
}
Eigen::VectorXd between(const Model* robot, const Eigen::VectorXd& q0, const Eigen::VectorXd& q1) {
  if (robot) return difference(*robot, q0, q1);
  Eigen::VectorXd delta(6);
  delta.head<3>() = q1.head<3>() - q0.head<3>();
  const auto R = transpose(matrix(q0[3], q0[4], q0[5], q0[6])) * matrix(q1[3], q1[4], q1[5], q1[6]);
  const auto w = .5 * Vec3<double>{R.zy - R.yz, R.xz - R.zx, R.yx - R.xy};  // small
  delta.tail<3>() << w.x, w.y, w.z;
  return delta;
}

// Steps of one world from states nearby.
class Differences {
 public:
  explicit Differences(const World& world, double width) : world_(world.clone()), start_(world_.state()), width_(width) {
    for (const auto& name : world_.names()) robots_.push_back(world_.robot(name));
    // (Fixed shapes have names, too, and no state.)
    std::vector<const Model*> moving;
    for (const auto& name : world_.names()) {
      try {
        world_.q(name);
        moving.push_back(world_.robot(name));
      } catch (const Error&) {
      }
    }
    robots_ = moving;
    for (const auto& v : start_.v) total_ += int(v.size());
  }
  int total() const { return total_; }
  // Column k of (q, v, tau).
  Eigen::VectorXd column(int k) {
    const auto at = [&](double by) {
      auto state = start_;
      int i = k % total_;
      std::size_t unit = 0;
      for (; i >= state.v[unit].size(); ++unit) i -= int(state.v[unit].size());
      if (k < total_)
        state.q[unit] = moved(robots_[unit], state.q[unit], by * Eigen::VectorXd::Unit(state.v[unit].size(), i));
      else
        (k < 2 * total_ ? state.v : state.tau)[unit][i] += by;
      return after(state);
    };
    // (The step is linear in tau, but for what contacts do; a wide difference sees small effects.)
    const double width = k < 2 * total_ ? width_ : 1e3 * width_;
    return change(at(width), at(-width)) / width;
  }
  // How the end changes where `change` alters the world.
  Eigen::VectorXd parameter(const std::function<void(World&, double)>& alter) {
    const auto at = [&](double by) {
      auto other = world_.clone();
      alter(other, by);
      std::swap(world_, other);
      auto end = after(start_);
      std::swap(world_, other);
      return end;
    };
    return change(at(width_), at(-width_)) / width_;
  }

 private:
  World::State after(const World::State& state) {
    world_.restore(state);
    EXPECT_TRUE(world_.step(h).converged);
    return world_.state();
  }
  Eigen::VectorXd change(const World::State& b, const World::State& a) const {
    Eigen::VectorXd delta(2 * total_);
    int first = 0;
    for (std::size_t i = 0; i < a.q.size(); ++i) {
      const auto n = int(a.v[i].size());
      delta.segment(first, n) = between(robots_[i], a.q[i], b.q[i]);
      delta.segment(total_ + first, n) = b.v[i] - a.v[i];
      first += n;
    }
    return .5 * delta;
  }
  World world_;
  World::State start_;
  double width_;
  std::vector<const Model*> robots_;
  int total_ = 0;
};

// The largest difference, relative to the largest element of the column.
double error_of(const World& world, const StepDerivatives& d, double width = 1e-6) {
  Differences differences(world, width);
  const int n = differences.total();
  double worst = 0;
  for (int k = 0; k < 3 * n; ++k) {
    const Eigen::VectorXd expected = differences.column(k);
    const Eigen::VectorXd found = k < 2 * n ? Eigen::VectorXd(d.A.col(k)) : Eigen::VectorXd(d.B.col(k - 2 * n));
    const double e = (found - expected).cwiseAbs().maxCoeff() / std::max(1e-3, expected.cwiseAbs().maxCoeff());
    if (getenv("SHOW") && e > atof(getenv("SHOW"))) printf("col %d (n=%d): err %g\n  exp %s\n  got %s\n", k, n, e, (std::stringstream() << expected.transpose()).str().c_str(), (std::stringstream() << found.transpose()).str().c_str());
    worst = std::isnan(e) ? e : std::max(worst, e);
  }
  return worst;
}

StepDerivatives differentiated(const World& world, std::vector<StepParameter> parameters = {}) {
  auto copy = world.clone();
  StepDerivatives d;
  d.parameters = std::move(parameters);
  EXPECT_TRUE(copy.step(h, d).converged);
  return d;
}

TEST(StepDerivatives, BallThatRolls) {
  World world(exact());
  world.add_ground();
  auto rolling = RigidBody::homogeneous("ball", ball(.2), 3);
  rolling.pose.p = {.1, -.3, .2 + 1e-5};
  world.add(rolling);
  world.v("ball") << .6, 0, 0, 0, 3, 0;
  world.tau("ball") << .4, .2, -30, .1, .05, .02;
  const auto d = differentiated(world, {{StepParameter::Kind::mass, "ball"}});
  ASSERT_EQ(d.modes.size(), 1u);
  EXPECT_EQ(d.modes[0], ContactMode::sticks);
  EXPECT_LT(error_of(world, d), 1e-7);
}

TEST(StepDerivatives, BoxThatSlides) {
  World world(exact());
  world.add_ground();
  auto sliding = RigidBody::homogeneous("box", box(.2, .3, .1), 2);
  sliding.pose.p = {0, 0, .05 + 1e-5};
  world.add(sliding);
  world.set_properties("box", "ground", {.friction = .3});
  world.v("box") << .8, .3, -.005, 0, 0, 0;
  const auto d = differentiated(world);
  ASSERT_EQ(d.modes.size(), 4u);
  for (const auto mode : d.modes) EXPECT_EQ(mode, ContactMode::slides);
  EXPECT_LT(error_of(world, d), 1e-6);
}

// A ball that is pressed on the ground and pushed aside, with torsional and rolling friction: nothing moves.
TEST(StepDerivatives, SphereThatSticks) {
  World world(exact());
  world.add_ground();
  auto body = RigidBody::homogeneous("ball", ball(.1), 1);
  body.pose.p = {0, 0, .1 + 1e-6};
  world.add(body);
  world.set_properties("ball", "ground", {.friction = .8, .torsional_friction = .02, .rolling_friction = .05});
  world.tau("ball") << 2, 1, -20, .05, .02, .03;
  const auto d = differentiated(world);
  ASSERT_EQ(d.modes.size(), 1u);
  EXPECT_EQ(d.modes[0], ContactMode::sticks);
  EXPECT_GT(d.border, 1e-4);
  EXPECT_NEAR(d.gap_border, 1e-6, 1e-12);
  EXPECT_LT(error_of(world, d, 1e-8), 1e-6);
}

// Curved surfaces on each other, and a box on a tilted box: points and normals move along.
TEST(StepDerivatives, BodiesOnEachOther) {
  World world(exact());
  world.add_ground();
  auto below = RigidBody::homogeneous("below", ball(.3), 5);
  below.pose.p = {0, 0, .3 + 1e-6};
  world.add(below);
  auto above = RigidBody::homogeneous("above", ball(.2), 2);
  const double tilt = .1;
  above.pose.p = {(.5 + 1e-6) * std::sin(tilt), 0, .3 + 1e-6 + (.5 + 1e-6) * std::cos(tilt)};
  world.add(above);
  world.set_properties("above", "below", {.friction = .05});
  world.v("above") << .02, .01, 0, .3, -.2, .1;
  world.tau("below")[2] = -20;
  world.tau("above")[2] = -20;
  const auto d = differentiated(world);
  EXPECT_EQ(d.modes, (std::vector<ContactMode>{ContactMode::sticks, ContactMode::slides}));
  EXPECT_LT(error_of(world, d, 1e-8), 1e-5);
}

TEST(StepDerivatives, ArmAtAJointLimit) {
  auto description = load(LISSOM_MODELS_DIR "/arm7.urdf").description();
  description.joints[2].dry_friction = 2, description.joints[4].dry_friction = 1e-3;
  description.joints[1].damping = .4, description.joints[3].spring_stiffness = 30;
  const auto model = build(description);
  World world(exact());
  Eigen::VectorXd q = neutral(model);
  for (int i = 0; i < model.nv(); ++i) q[i] = .2 * std::sin(i + 1.);
  const double limit = 2.18166156;  // of joint4
  q[3] = limit - 1e-6;
  world.add("arm", model, q, {.self_collision = false});
  for (int i = 0; i < model.nv(); ++i) world.v("arm")[i] = .5 * std::cos(1.3 * i);
  world.v("arm")[3] = .0005, world.v("arm")[2] = 0, world.tau("arm")[3] = 150;
  world.step(h);
  auto state = world.state();
  state.q[0][3] = limit - 1e-6;
  world.restore(state);
  const auto d = differentiated(world);
  EXPECT_GT(d.border, 1e-5);
  EXPECT_LT(d.gap_border, 1e-5);
  EXPECT_LT(std::abs(d.B.col(3).maxCoeff()), 1e-9);  // pushes against the limit change nothing
  EXPECT_LT(error_of(world, d, 1e-8), 1e-6);
}

// Stands on two feet of four points, and is bent a little; all points are 1 µm above the ground and pressed on it.
World standing_humanoid(const World::Options& options, double seconds) {
  World world(options);
  world.add_ground();
  const auto model = load(LISSOM_MODELS_DIR "/humanoid.urdf", {.base = Base::free});
  auto q = neutral(model);
  q[2] = 1.2;
  world.add("r", model, q, {.self_collision = false});
  Servos servos{Eigen::VectorXd::Zero(model.nv()), Eigen::VectorXd::Zero(model.nv()), q,
                Eigen::VectorXd::Zero(model.nv())};
  servos.stiffness.tail(model.nv() - 6).setConstant(3000), servos.damping.tail(model.nv() - 6).setConstant(100);
  world.set_servos("r", servos);
  // Down to the ground.
  double lowest = 1e9;
  while (lowest > 1e-3) {
    world.q("r")[2] -= .0005, world.v("r").setZero();
    world.step(1e-6);
    for (const auto& c : world.contacts()) lowest = std::min(lowest, c.gap);
  }
  for (int k = 0; k < int(seconds / h); ++k) world.step(h);
  return world;
}

TEST(StepDerivatives, HumanoidOnTheGround) {
  auto world = standing_humanoid(exact(), .3);
  auto state = world.state();
  printf("q2 %.9f\n", state.q[0][2]);
  for (const auto& c : world.contacts()) printf("gap %g  force %g\n", c.gap, c.force.z);
  state.q[0][2] += 2e-6;
  for (int i = 0; i < state.v[0].size(); ++i) state.tau[0][i] = .3 * std::sin(1.1 * i);
  world.restore(state);
  const auto d = differentiated(world);
  printf("border %g gap %g\n", d.border, d.gap_border);
  ASSERT_EQ(d.modes.size(), 8u);
  EXPECT_LT(error_of(world, d, 1e-8), 1e-5);
}

TEST(StepDerivatives, HumanoidInFreeFlight) {
  const auto model = load(LISSOM_MODELS_DIR "/humanoid.urdf", {.base = Base::free});
  World world(exact());
  Eigen::VectorXd q = neutral(model);
  Eigen::VectorXd away(model.nv());
  for (int i = 0; i < model.nv(); ++i) away[i] = .3 * std::sin(1.7 * i + .4);
  world.add("r", model, integrate(model, q, away, 1), {.joint_limits = false, .self_collision = false});
  for (int i = 0; i < model.nv(); ++i) world.v("r")[i] = std::cos(2.3 * i), world.tau("r")[i] = 5 * std::sin(i + .3);
  world.step(h);
  const auto d = differentiated(world);
  EXPECT_TRUE(d.modes.empty());
  EXPECT_LT(error_of(world, d), 1e-7);
}

}  // namespace
}  // namespace lissom::test
