// Rows of tasks: J is the derivative of the value, J̇ v the bias of its second derivative, and the desired acceleration
// follows from gains and error. Checked by differences along a motion.
#include <Eigen/LU>

#include "control_test_support.h"
#include "lissom/control/row_labels.h"
#include "lissom/control/task_rows.h"

namespace lissom::control::test {
namespace {

using Eigen::MatrixXd;

constexpr double h = 1e-5;

// A motion through (q, v) with the acceleration a.
struct Trajectory {
  const Model& model;
  VectorXd q, v, a;
  State at(double t) const { return {integrate(model, q, v + t / 2 * a, t), v + t * a}; }
};
Trajectory random_motion(const Model& model, Random& random) {
  return {model, random_configuration(model, random.seed()), random.vector(model.nv(), 1),
          random.vector(model.nv(), 1)};
}
// Robots of all kinds: many joints, ball joints, several free bodies.
std::vector<Model> robots() {
  std::vector<Model> all{robot("humanoid.urdf"), robot("quadruped.urdf"), robot("mechanisms/ball_pendulum.urdf")};
  for (std::uint64_t seed = 1; seed < 12; ++seed) {
    auto model = build(lissom::test::random_description(seed, {.min_joints = 3, .max_joints = 10, .mimic = .1}),
                       {.base = Base::free});
    all.push_back(std::move(model));
  }
  return all;
}
std::string random_frame(const Model& model, Random& random) {
  return model.frames()[std::size_t(random.integer(1, int(model.frames().size()) - 1))].name;
}

// Rows at a state.
TaskEntry rows_at(const Model& model, const AnyTask& task, const State& s) {
  RobotSnapshot now(model);
  auto entry = make_entry(model, task);
  now.update(s.q, s.v);
  evaluate(entry, now);
  return entry;
}
VectorXd rate_of(const std::function<VectorXd(const State&)>& f, const Trajectory& motion) {
  return (f(motion.at(h)) - f(motion.at(-h))) / (2 * h);
}
// J a + J̇ v against the change of J v.
void expect_second_derivative(const AnyTask& task, const Trajectory& motion) {
  const auto e = rows_at(motion.model, task, motion.at(0));
  const VectorXd found = e.J * motion.a + e.Jdot_v;
  const VectorXd expected =
      rate_of([&](const State& s) { return VectorXd(rows_at(motion.model, task, s).J * s.v); }, motion);
  EXPECT_TRUE(close(found, expected, 1e-7, 10)) << "task " << e.name;
}

VectorXd vector(const Vec3<double>& x) {
  return Eigen::Vector3d(x.x, x.y, x.z);
}
Pose<double> relative_pose(const Model& model, const VectorXd& q, const std::string& frame, const std::string& from) {
  return inverse(placement_at(model, q, from)) * placement_at(model, q, frame);
}

void for_each_motion(const std::function<void(const Trajectory&, Random&)>& check) {
  std::uint64_t seed = 0;
  for (const auto& model : robots())
    for (int trial = 0; trial < 4; ++trial) {
      SCOPED_TRACE(model.name() + ", seed " + std::to_string(++seed));
      Random random(seed);
      check(random_motion(model, random), random);
      if (::testing::Test::HasFailure()) return;
    }
}

TEST(Tasks, Point) {
  for_each_motion([](const Trajectory& m, Random& random) {
    PointTask task{.frame = random_frame(m.model, random), .point = random.vec3(.3), .target = random.vec3(1)};
    task.velocity = random.vec3(1), task.acceleration = random.vec3(1), task.axes = {2, 0, 1}, task.weight = 3;
    if (random.chance(.6)) task.relative_to = random_frame(m.model, random);
    const auto e = rows_at(m.model, task, m.at(0));
    const auto y = [&](const State& s) {
      return vector(relative_pose(m.model, s.q, task.frame, task.relative_to) * task.point);
    };
    EXPECT_TRUE(close(e.J * m.v, rate_of(y, m), 1e-8, 10));
    expect_second_derivative(task, m);
    const VectorXd desired = vector(task.acceleration) + 50 * (vector(task.target) - y(m.at(0))) +
                             2 * std::sqrt(50) * (vector(task.velocity) - e.J * m.v);
    EXPECT_TRUE(close(e.desired, desired, 1e-12));
    EXPECT_TRUE(close(e.row_weights, Eigen::Vector3d(6, 0, 3), 1e-15));
  });
}

TEST(Tasks, Frame) {
  for_each_motion([](const Trajectory& m, Random& random) {
    FrameTask task{.frame = random_frame(m.model, random), .target = {random.rotation(), random.vec3(1)}};
    task.linear = {1, 0, 2}, task.angular = {0, 3, 1}, task.damping = 4, task.weight = 2;
    if (random.chance(.6)) task.relative_to = random_frame(m.model, random);
    const auto e = rows_at(m.model, task, m.at(0));
    const auto R = [&](double t) { return relative_pose(m.model, m.at(t).q, task.frame, task.relative_to).R; };
    // Displacement and rotation since t = 0, along the target's axes.
    const auto y = [&](const State& s) {
      const auto X = relative_pose(m.model, s.q, task.frame, task.relative_to);
      const auto rotation = logarithm(quaternion(X.R * transpose(R(0))));
      VectorXd both(6);
      both << vector(transpose_times(task.target.R, X.p)), vector(transpose_times(task.target.R, rotation));
      return both;
    };
    EXPECT_TRUE(close(e.J * m.v, rate_of(y, m), 1e-8, 10));
    expect_second_derivative(task, m);
    // The desired acceleration rotates and translates the frame towards the target.
    const auto X = relative_pose(m.model, m.q, task.frame, task.relative_to);
    const Vec3<double> displacement = transpose_times(task.target.R, task.target.p - X.p);
    const auto rotation = transpose_times(task.target.R, logarithm(quaternion(task.target.R * transpose(X.R))));
    VectorXd error(6);
    error << vector(displacement), vector(rotation);
    EXPECT_TRUE(close(e.desired, 50 * error - 4 * (e.J * m.v), 1e-9));
    VectorXd weights(6);
    weights << 2, 0, 4, 0, 6, 2;
    EXPECT_TRUE(close(e.row_weights, weights, 1e-15));
  });
}

TEST(Tasks, CenterOfMassAndMomentum) {
  for_each_motion([](const Trajectory& m, Random&) {
    Workspace work(m.model);
    const CenterOfMassTask com{.target = {1, 2, 3}};
    const auto y = [&](const State& s) { return vector(center_of_mass(m.model, work, s.q)); };
    const auto e = rows_at(m.model, com, m.at(0));
    EXPECT_TRUE(close(e.J * m.v, rate_of(y, m), 1e-8, 10));
    expect_second_derivative(com, m);
    EXPECT_TRUE(
        close(e.desired, 50 * (Eigen::Vector3d(1, 2, 3) - y(m.at(0))) - 2 * std::sqrt(50) * (e.J * m.v), 1e-12));

    const MomentumTask momentum{.target = {{1, 2, 3}, {4, 5, 6}}, .linear = {1, 1, 1}, .damping = 7};
    const auto p = rows_at(m.model, momentum, m.at(0));
    EXPECT_TRUE(close(p.J * m.v, centroidal_momentum(m.model, work, m.q, m.v), 1e-12));
    const auto all = [&](const State& s) { return VectorXd(centroidal_momentum(m.model, work, s.q, s.v)); };
    EXPECT_TRUE(close(p.J * m.a + p.Jdot_v, rate_of(all, m), 1e-7, 100));
    VectorXd target(6);
    target << 1, 2, 3, 4, 5, 6;
    EXPECT_TRUE(close(p.desired, 7 * (target - all(m.at(0))), 1e-12));
  });
}

TEST(Tasks, Posture) {
  for_each_motion([](const Trajectory& m, Random& random) {
    for (const bool base : {false, true}) {
      PostureTask task{.target = random_configuration(m.model, random.seed()), .base = base, .stiffness = 9};
      task.velocity = random.vector(m.model.nv(), 1), task.acceleration = random.vector(m.model.nv(), 1);
      task.joint_weights = random.vector(m.model.nv(), 1).cwiseAbs();
      const auto e = rows_at(m.model, task, m.at(0));
      // The displacement to the target, along the joints' axes; also for ball joints.
      const VectorXd desired =
          task.acceleration + 6 * (task.velocity - m.v) + 9 * difference(m.model, m.q, task.target);
      int row = 0;
      for (const auto& joint : m.model.joints()) {
        if (!base && joint.type == JointType::free) continue;
        for (int i = joint.v_index; i < joint.v_index + joint.nv; ++i, ++row) {
          ASSERT_LT(row, e.size());
          EXPECT_EQ(e.dofs[std::size_t(row)], i);
          EXPECT_NEAR(e.desired[row], desired[i], 1e-12 * (1 + std::abs(desired[i])));
          EXPECT_DOUBLE_EQ(e.row_weights[row], .1 * task.joint_weights[i]);
        }
      }
      EXPECT_EQ(row, e.size());
    }
  });
}

TEST(Tasks, Gaze) {
  for_each_motion([](const Trajectory& m, Random& random) {
    const GazeTask task{.frame = random_frame(m.model, random), .axis = random.vec3(2), .target = random.vec3(5)};
    const auto e = rows_at(m.model, task, m.at(0));
    Workspace work(m.model);
    const auto frame = m.model.frame(task.frame);
    const MatrixXd J = jacobian(m.model, work, m.q, frame, {frame, {0, 0, 0}}).bottomRows(3);
    const Eigen::Matrix3d JJ = J * J.transpose();
    if (JJ.determinant() < 1e-6) return;
    // Two directions across the axis; the rows are the angular velocity along them.
    const MatrixXd across = e.J * J.transpose() * JJ.inverse();
    EXPECT_TRUE(close(across * across.transpose(), MatrixXd::Identity(2, 2), 1e-9));
    const auto X = placement_at(m.model, m.q, task.frame);
    EXPECT_TRUE(close(across * vector(X.R * task.axis), VectorXd::Zero(2), 1e-9));
    EXPECT_TRUE(close(across * J, e.J, 1e-9));
    const auto omega = [&](const State& s) {
      forward_kinematics(m.model, work, s.q, s.v);
      return vector(velocity(m.model, work, frame).angular);
    };
    EXPECT_TRUE(close(e.J * m.a + e.Jdot_v, across * rate_of(omega, m), 1e-7, 10));
  });
}

// A custom row that uses a RobotSnapshot.
TEST(Tasks, Custom) {
  const auto model = robot("humanoid.urdf");
  Random random(5);
  const auto m = random_motion(model, random);
  const auto head = model.frame("head"), palm = model.frame("left_palm");
  // Half the squared distance between the head and a palm.
  CustomTask task{.size = 1, .evaluate = [&](const RobotSnapshot& now, TaskRows rows) {
                    const auto a = now.placement(head).p, b = now.placement(palm).p;
                    static Columns6 J_a = Columns6::Zero(6, model.nv()), J_b = J_a;
                    now.jacobian(head, a, identity3<double>(), J_a), now.jacobian(palm, b, identity3<double>(), J_b);
                    const auto displacement = to_eigen(a - b);
                    rows.J = displacement.transpose() * (J_a - J_b).topRows<3>();
                    const auto v = now.velocity(head, a).linear - now.velocity(palm, b).linear;
                    const auto rate = now.acceleration(head, a).linear - now.acceleration(palm, b).linear;
                    rows.Jdot_v[0] = displacement.dot(to_eigen(rate)) + dot(v, v);
                    rows.desired[0] = 1;
                  }};
  const auto e = rows_at(model, task, m.at(0));
  const auto y = [&](const State& s) {
    const auto displacement = placement_at(model, s.q, "head").p - placement_at(model, s.q, "left_palm").p;
    return VectorXd::Constant(1, dot(displacement, displacement) / 2);
  };
  EXPECT_TRUE(close(e.J * m.v, rate_of(y, m), 1e-8, 10));
  expect_second_derivative(task, m);
}

// A slide and a hinge: every row has the unit of what it constrains.
TEST(RowLabels, HaveTheUnitsOfWhatTheyConstrain) {
  Description d;
  d.links.resize(3);
  d.links[0].name = "base", d.links[1].name = "carriage", d.links[2].name = "arm";
  d.joints.resize(2);
  d.joints[0].name = "slide", d.joints[0].type = JointType::prismatic;
  d.joints[0].parent = "base", d.joints[0].child = "carriage", d.joints[0].lower = {-1}, d.joints[0].upper = {1};
  d.joints[1].name = "hinge", d.joints[1].type = JointType::continuous;
  d.joints[1].parent = "carriage", d.joints[1].child = "arm";
  const Model model = build(d, {.base = Base::free});
  const auto dofs = degrees_of_freedom(model);
  ASSERT_EQ(dofs.size(), 8u);
  EXPECT_EQ(dofs[5].name.find("[5]"), dofs[5].name.size() - 3) << dofs[5].name;
  const auto label = [](const RowLabel& l) { return l.name + " in " + l.unit; };
  EXPECT_EQ(label(torque_label(dofs[6])), "torque of slide in N");
  EXPECT_EQ(label(torque_label(dofs[7])), "torque of hinge in N m");
  EXPECT_STREQ(equation_label(dofs[0]).unit, "N");
  EXPECT_STREQ(equation_label(dofs[3]).unit, "N m");
  EXPECT_EQ(label(acceleration_label(dofs[6])), "acceleration of slide in m/s²");
  EXPECT_EQ(label(acceleration_label(dofs[7])), "acceleration of hinge in rad/s²");
  const auto unit = [&](const AnyTask& task, int row) { return task_label(make_entry(model, task), row, dofs).unit; };
  EXPECT_STREQ(unit(FrameTask{.frame = "arm"}, 2), "m/s²");
  EXPECT_STREQ(unit(FrameTask{.frame = "arm"}, 3), "rad/s²");
  EXPECT_STREQ(unit(MomentumTask{}, 0), "N");
  EXPECT_STREQ(unit(MomentumTask{}, 5), "N m");
  EXPECT_EQ(label(task_label(make_entry(model, PostureTask{}), 0, dofs)), "task posture, slide in m/s²");
  EXPECT_EQ(label(task_label(make_entry(model, PostureTask{}), 1, dofs)), "task posture, hinge in rad/s²");
}

}  // namespace
}  // namespace lissom::control::test
