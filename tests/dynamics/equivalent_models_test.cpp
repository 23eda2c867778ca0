// Two descriptions of the same robot give the same motion.
#include <map>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include "close.h"
#include "lissom/kernels/kernels.h"
#include "lissom/lissom.h"
#include "random_tree.h"

namespace lissom::test::equivalent_models {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
constexpr double tight = 1e-10, inverted = 1e-8;

// Mimic joints: q_full = G q + o, computed from the description, also along chains of followers.
struct Reduction {
  MatrixXd G;
  VectorXd q_full;
};
Reduction reduction(const Description& d, const Model& coupled, const Model& full, const VectorXd& q) {
  std::map<std::string, Mimic> mimic;
  for (const auto& joint : d.joints)
    if (joint.mimic) mimic[joint.name] = *joint.mimic;
  Reduction r{MatrixXd::Zero(full.nv(), coupled.nv()), VectorXd::Zero(full.nq())};
  for (const auto& joint : full.joints()) {
    if (joint.nv == 0) continue;
    if (!mimic.count(joint.name)) {
      const auto& same = coupled.joint(joint.name);
      r.q_full.segment(joint.q_index, joint.nq) = q.segment(same.q_index, same.nq);
      for (int k = 0; k < joint.nv; ++k) r.G(joint.v_index + k, same.v_index + k) = 1;
      continue;
    }
    // q = r1 (r2 (… q_leader + o2) + o1)
    std::vector<Mimic> chain;
    std::string leader = joint.name;
    while (mimic.count(leader)) chain.push_back(mimic[leader]), leader = chain.back().joint;
    double x = q[coupled.joint(leader).q_index], ratio = 1;
    for (auto m = chain.rbegin(); m != chain.rend(); ++m) x = m->ratio * x + m->offset, ratio *= m->ratio;
    r.q_full[joint.q_index] = x;
    r.G(joint.v_index, coupled.joint(leader).v_index) = ratio;
  }
  return r;
}

TEST(MimicJoints, AreTheExplicitReductionOfTheFullModel) {
  const TreeOptions options{.armature = 0.3, .mimic = 0.6};
  int followers = 0;
  for_each_tree(options, [&](Case& c) {
    const auto full = build(c.description, {.base = c.options.base, .mimic = false});
    Workspace w(full);
    const auto [G, q] = reduction(c.description, c.model, full, c.q);
    followers += full.nv() - c.model.nv();
    const VectorXd v = G * c.v, a = G * c.a;
    const MatrixXd Gt = G.transpose();

    const MatrixXd M = Gt * mass_matrix(full, w, q) * G;
    const VectorXd h = Gt * bias_forces(full, w, q, v);
    EXPECT_TRUE(close(mass_matrix(c.model, c.work, c.q), M, tight));
    EXPECT_TRUE(close(bias_forces(c.model, c.work, c.q, c.v), h, tight));
    EXPECT_TRUE(close(gravity_forces(c.model, c.work, c.q), Gt * gravity_forces(full, w, q), tight));
    EXPECT_TRUE(
        close(inverse_dynamics(c.model, c.work, c.q, c.v, c.a), Gt * inverse_dynamics(full, w, q, v, a), tight));
    EXPECT_TRUE(close(coriolis_matrix(c.model, c.work, c.q, c.v), Gt * coriolis_matrix(full, w, q, v) * G, tight));
    const MatrixXd inverse = M.inverse();
    EXPECT_TRUE(close(inverse_mass_matrix(c.model, c.work, c.q), inverse, inverted));
    EXPECT_TRUE(close(forward_dynamics(c.model, c.work, c.q, c.v, c.tau), inverse * (c.tau - h), inverted));
    EXPECT_TRUE(close(centroidal_map(c.model, c.work, c.q), centroidal_map(full, w, q) * G, tight));
    EXPECT_TRUE(close(joint_jacobians(c.model, c.work, c.q), joint_jacobians(full, w, q) * G, tight));
    EXPECT_TRUE(close(regressor(c.model, c.work, c.q, c.v, c.a), Gt * regressor(full, w, q, v, a), tight));
    EXPECT_TRUE(close(center_of_mass_jacobian(c.model, c.work, c.q), center_of_mass_jacobian(full, w, q) * G, tight));
    Random random(c.seed);
    const auto of = c.some_frame(random), in = c.some_frame(random);
    const Point at{c.some_frame(random), random.vec3(1)};
    EXPECT_TRUE(close(jacobian(c.model, c.work, c.q, of, at, in), jacobian(full, w, q, of, at, in) * G, tight));
    EXPECT_TRUE(close(jacobian_rate(c.model, c.work, c.q, c.v, of, at, in),
                      jacobian_rate(full, w, q, v, of, at, in) * G, tight));
    EXPECT_TRUE(close(centroidal_momentum(c.model, c.work, c.q, c.v), centroidal_momentum(full, w, q, v), tight));
    EXPECT_TRUE(close(centroidal_momentum_rate(c.model, c.work, c.q, c.v, c.a),
                      centroidal_momentum_rate(full, w, q, v, a), tight));
    EXPECT_TRUE(close(kinetic_energy(c.model, c.work, c.q, c.v), kinetic_energy(full, w, q, v), tight));
    EXPECT_TRUE(close(potential_energy(c.model, c.work, c.q), potential_energy(full, w, q), tight));
  });
  EXPECT_GT(followers, 500);
}

// Compares all results of two models that have the same coordinates. Links are compared by name.
void expect_same_motion(const Case& c, const Model& other, double tolerance = tight) {
  ASSERT_EQ(other.nq(), c.model.nq());
  ASSERT_EQ(other.nv(), c.model.nv());
  const auto& m = c.model;
  Workspace a(m), b(other);
  EXPECT_TRUE(close(mass_matrix(m, a, c.q), mass_matrix(other, b, c.q), tolerance));
  EXPECT_TRUE(close(coriolis_matrix(m, a, c.q, c.v) * c.v, coriolis_matrix(other, b, c.q, c.v) * c.v, tolerance));
  const VectorXd tau = inverse_dynamics(m, a, c.q, c.v, c.a);
  EXPECT_TRUE(close(tau, inverse_dynamics(other, b, c.q, c.v, c.a), tolerance));
  const VectorXd qdd = forward_dynamics(m, a, c.q, c.v, c.tau);
  EXPECT_TRUE(close(qdd, forward_dynamics(other, b, c.q, c.v, c.tau), 100 * tolerance));
  EXPECT_TRUE(close(centroidal_map(m, a, c.q), centroidal_map(other, b, c.q), tolerance));
  EXPECT_TRUE(close(kinetic_energy(m, a, c.q, c.v), kinetic_energy(other, b, c.q, c.v), tolerance));
  EXPECT_TRUE(close(potential_energy(m, a, c.q), potential_energy(other, b, c.q), tolerance));
  for (const auto& link : other.links()) {
    if (link.name.starts_with("between")) continue;
    EXPECT_TRUE(
        close(jacobian(m, a, c.q, m.frame(link.name)), jacobian(other, b, c.q, other.frame(link.name)), tolerance));
    const auto X = placement(m, a, m.frame(link.name)), Y = placement(other, b, other.frame(link.name));
    EXPECT_TRUE(close(to_eigen(X.p), to_eigen(Y.p), tolerance));
    EXPECT_TRUE(close(to_eigen(X.R * Vec3(1., 2., 3.)), to_eigen(Y.R * Vec3(1., 2., 3.)), tolerance));
  }
}

TEST(Equivalent, AUniversalJointIsTwoRevoluteOnes) {
  for_each_tree({.armature = 0.3}, [](Case& c) {
    auto d = c.description;
    d.joints.clear();
    for (auto joint : c.description.joints) {
      if (joint.type == JointType::universal) {
        LinkDescription between;
        between.name = "between" + joint.name;
        d.links.push_back(between);
        auto second = joint;
        joint.type = second.type = JointType::revolute;
        joint.child = second.parent = between.name;
        second.name += "b";
        second.origin = {};
        second.axis = second.axis2;
        d.joints.push_back(second);
      }
      d.joints.push_back(joint);
    }
    expect_same_motion(c, build(d, c.options));
  });
}

TEST(Equivalent, ACylindricalJointIsAPrismaticAndARevoluteOne) {
  for_each_tree({.armature = 0.3}, [](Case& c) {
    auto d = c.description;
    d.joints.clear();
    for (auto joint : c.description.joints) {
      if (joint.type == JointType::cylindrical) {
        LinkDescription between;
        between.name = "between" + joint.name;
        d.links.push_back(between);
        auto second = joint;
        joint.type = JointType::prismatic, second.type = JointType::revolute;
        joint.child = second.parent = between.name;
        second.name += "b";
        second.origin = {};
        d.joints.push_back(second);
      }
      d.joints.push_back(joint);
    }
    expect_same_motion(c, build(d, c.options));
  });
}

TEST(Equivalent, AHelicalJointOfPitchZeroIsARevoluteOne) {
  for_each_tree({}, [](Case& c) {
    auto d = c.description, e = d;
    for (std::size_t j = 0; j < d.joints.size(); ++j)
      if (d.joints[j].type == JointType::helical || d.joints[j].type == JointType::revolute) {
        d.joints[j].type = JointType::helical, d.joints[j].pitch = 0;
        e.joints[j].type = JointType::revolute;
      }
    Case helical = std::move(c);
    helical.model = build(d, helical.options);
    expect_same_motion(helical, build(e, helical.options));
  });
}

// An axis that counts as a coordinate axis is handled by other code than one that does not.
TEST(Equivalent, AnAxisAlongACoordinateAxisIsAsGoodAsAGeneralOne) {
  for_each_tree({.types = {JointType::revolute, JointType::prismatic, JointType::universal, JointType::cylindrical}},
                [](Case& c) {
                  auto d = c.description;
                  for (auto& joint : d.joints) {  // off by 1e-11, which the builder lets count as the axis, or not
                    const double tilt = 3e-12;
                    joint.axis = {joint.axis.x + tilt, joint.axis.y + tilt, joint.axis.z - tilt};
                    joint.axis = (1 / std::sqrt(dot(joint.axis, joint.axis))) * joint.axis;
                  }
                  Case moved = std::move(c);
                  auto exact = moved.options, loose = moved.options;
                  exact.axis_tolerance = 0;
                  moved.model = build(d, loose);
                  const auto other = build(d, exact);
                  EXPECT_EQ(other.snapped_axes(), 0);
                  EXPECT_LE(moved.model.max_snap(), 1e-11);
                  expect_same_motion(moved, other, 1e-8);
                });
}

// Hands mounted askew on wrists: the builder rotates a wrist's frame about its own axis, so that the next axes become
// coordinate axes; with a tolerance of zero it does not, and tilts the axes. Angles of thousands of revolutions are
// included.
TEST(Equivalent, MountsRotatedAboutAJointAxisChangeNothing) {
  std::size_t rotated = 0;
  for_each_tree({.types = {JointType::revolute, JointType::prismatic}, .several_roots = false}, [&](Case& c) {
    Random random(c.seed);
    auto d = c.description;
    std::map<std::string, Vec3<double>> axis_of;  // of the joint that moves a link, in the link's frame
    for (auto& joint : d.joints) {
      const auto e = random.integer(0, 2);
      const Vec3<double> axis{e == 0 ? 1.0 : 0.0, e == 1 ? 1.0 : 0.0, e == 2 ? -1.0 : 0.0};
      const auto mount = axis_of.count(joint.parent) ? axis_of[joint.parent] : Vec3<double>{0, 0, 1};
      const Eigen::Matrix3d R =
          Eigen::AngleAxisd(random.uniform(-4, 4), Eigen::Vector3d(mount.x, mount.y, mount.z)).toRotationMatrix();
      joint.origin.R = {R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)};
      joint.axis = axis;
      axis_of[joint.child] = joint.type == JointType::fixed ? mount : axis;
    }
    Case askew = std::move(c);
    auto exact = askew.options;
    exact.axis_tolerance = 0;
    askew.model = build(d, askew.options);
    rotated += ModelView<double>(askew.model).tree.rotated_frames.size();
    for (const auto& joint : askew.model.joints())
      if (joint.type == JointType::revolute && random.chance(0.2)) askew.q[joint.q_index] *= 1e5;
    expect_same_motion(askew, build(d, exact), 1e-9);
  });
  EXPECT_GT(rotated, 100u);
}

TEST(Equivalent, FixedLinksAreOneLinkWithTheInertiaOfAll) {
  TreeOptions options;
  options.fixed_links = false;
  options.frames = false;
  for_each_tree(options, [](Case& c) {
    Random random(c.seed);
    auto d = c.description;  // with ornaments: fixed to links, and to each other
    auto lumped = c.description;
    for (int k = 0; k < 6; ++k) {
      const auto to = std::size_t(random.integer(0, int(lumped.links.size()) - 1));
      auto ornament = random_link("ornament" + std::to_string(k), random);
      JointDescription weld;
      weld.name = "weld" + std::to_string(k);
      weld.parent = lumped.links[to].name;
      weld.child = ornament.name;
      weld.origin = random.pose();
      Pose<double> X = weld.origin;
      // Every other one carries a second one, through another weld.
      for (int layer = 0; layer < 1 + k % 2; ++layer) {
        d.links.push_back(ornament);
        d.joints.push_back(weld);
        // Steiner: about the common center of mass, in Eigen.
        auto& link = lumped.links[to];
        const auto inertia_about = [](const LinkDescription& l, const Mat3<double>& R, const Vec3<double>& from) {
          const auto I = full(congruence(R, l.inertia));
          Eigen::Matrix3d S = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(&I.xx);
          const Eigen::Vector3d r = to_eigen(from);
          S += l.mass * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose());
          return S;
        };
        const auto com = X * ornament.com;
        const double mass = link.mass + ornament.mass;
        const auto common = (1 / mass) * (link.mass * link.com + ornament.mass * com);
        const Eigen::Matrix3d I =
            inertia_about(link, identity3<double>(), link.com - common) + inertia_about(ornament, X.R, com - common);
        link.mass = mass;
        link.com = common;
        link.inertia = {I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2)};
        weld.parent = ornament.name;
        ornament = random_link(ornament.name + "b", random);
        weld.name += "b";
        weld.child = ornament.name;
        weld.origin = random.pose();
        X = X * weld.origin;
      }
    }
    Case with = std::move(c);
    with.model = build(d, with.options);
    const auto other = build(lumped, with.options);
    EXPECT_EQ(with.model.body_count(), other.body_count());
    EXPECT_TRUE(close(with.model.mass(), other.mass(), tight));
    expect_same_motion(with, other);
  });
}

}  // namespace
}  // namespace lissom::test::equivalent_models
