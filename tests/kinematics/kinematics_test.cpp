// Placements, velocities, accelerations and Jacobians of random robots.
#include <map>

#include <Eigen/Geometry>

#include "close.h"
#include "lissom/lissom.h"
#include "random_tree.h"
#include "slopes.h"

namespace lissom::test::kinematics {
namespace {

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double tight = 1e-10;
const TreeOptions trees{.mimic = 0.2};

Vector6 stacked(const SpatialVector& x) {
  Vector6 s;
  s << to_eigen(x.linear), to_eigen(x.angular);
  return s;
}

// The transform of each joint type as description.h defines it.
Isometry3d moved(JointType type, const Vector3d& axis, const Vector3d& axis2, double pitch, const VectorXd& q) {
  Isometry3d X = Isometry3d::Identity();
  const auto rotation = [](double angle, const Vector3d& about) { return Eigen::AngleAxisd(angle, about); };
  switch (type) {
    case JointType::fixed:
      break;
    case JointType::revolute:
    case JointType::continuous:
      X.rotate(rotation(q[0], axis));
      break;
    case JointType::prismatic:
      X.translate(q[0] * axis);
      break;
    case JointType::helical:
      X.translate(pitch * q[0] * axis).rotate(rotation(q[0], axis));
      break;
    case JointType::cylindrical:
      X.translate(q[0] * axis).rotate(rotation(q[1], axis));
      break;
    case JointType::universal:
      X.rotate(rotation(q[0], axis)).rotate(rotation(q[1], axis2));
      break;
    case JointType::planar: {
      // The plane's axes are x and y after the smallest rotation that takes z to the axis (near -z, after a rotation by
      // π about x).
      const Vector3d z = Vector3d::UnitZ();
      Matrix3d E;
      if (axis.z() < -0.5) {
        const Matrix3d half = rotation(std::acos(-1.0), Vector3d::UnitX()).toRotationMatrix();
        E = half * Eigen::Quaterniond::FromTwoVectors(z, half * axis);
      } else {
        E = Eigen::Quaterniond::FromTwoVectors(z, axis);
      }
      X.translate(E * Vector3d(q[0], q[1], 0)).rotate(rotation(q[2], axis));
      break;
    }
    case JointType::spherical:
      X.rotate(Eigen::Quaterniond(q[0], q[1], q[2], q[3]));
      break;
    case JointType::free:
      X.translate(q.head<3>()).rotate(Eigen::Quaterniond(q[3], q[4], q[5], q[6]));
      break;
  }
  return X;
}

VectorXd coordinates(const Case& c, const Joint& joint) {
  if (!joint.follows) return c.q.segment(joint.q_index, joint.nq);
  const auto& f = *joint.follows;
  return VectorXd::Constant(1, f.ratio * c.q[c.model.joints()[std::size_t(f.joint)].q_index] + f.offset);
}

TEST(Kinematics, PlacesLinksAndFramesAsTheDescriptionSays) {
  for_each_tree(trees, [](Case& c) {
    std::map<std::string, Isometry3d> poses{{"world", Isometry3d::Identity()}};
    std::map<std::string, JointDescription> described;
    for (const auto& joint : c.description.joints) described[joint.name] = joint;
    for (const auto& link : c.model.links())
      if (link.joint < 0) poses[link.name] = Isometry3d::Identity();
    for (const auto& joint : c.model.joints()) {  // parents come first
      JointDescription d = described[joint.name];
      if (joint.parent == "world") d.axis = {0, 0, 1};  // the base
      poses[joint.child] = poses.at(joint.parent) * to_eigen(d.origin) *
                           moved(joint.type, to_eigen(d.axis), to_eigen(d.axis2), d.pitch, coordinates(c, joint));
    }
    forward_kinematics(c.model, c.work, c.q);
    const auto found = [&](const std::string& name) {
      return to_eigen(placement(c.model, c.work, c.model.frame(name)));
    };
    for (const auto& link : c.description.links)
      EXPECT_TRUE(close(found(link.name).matrix(), poses.at(link.name).matrix(), tight)) << link.name;
    for (const auto& frame : c.description.frames)
      EXPECT_TRUE(close(found(frame.name).matrix(), (poses.at(frame.link) * to_eigen(frame.origin)).matrix(), tight));
    EXPECT_TRUE(close(found("world").matrix(), Eigen::Matrix4d::Identity(), 0));
  });
}

TEST(Kinematics, VelocityIsTheSlopeOfPlacements) {
  for_each_tree(trees, [](Case& c) {
    Slopes slopes(c.model);
    slopes.placements(c.q, rate_of_q(c.model, c.q, c.v));
    forward_kinematics(c.model, c.work, c.q, c.v);
    for (int i = 0; i < int(c.model.frames().size()); ++i) {
      const auto& frame = c.model.frames()[std::size_t(i)];
      const auto X = slopes.pose(frame.body);
      const Matrix3d R = X.value.leftCols<3>(), R_dot = X.slope.leftCols<3>();
      const Matrix3d W = R_dot * R.transpose();
      EXPECT_TRUE(close(W + W.transpose(), Matrix3d::Zero(), tight));
      Vector6 expected;
      expected << R_dot * to_eigen(frame.placement.p) + X.slope.col(3), W(2, 1), W(0, 2), W(1, 0);
      EXPECT_TRUE(close(stacked(velocity(c.model, c.work, {i})), expected, tight));
    }
  });
}

TEST(Kinematics, VelocityIsTheJacobianTimesV) {
  for_each_tree(trees, [](Case& c) {
    Random random(c.seed);
    for (int k = 0; k < 4; ++k) {
      const auto of = c.some_frame(random), in = c.some_frame(random);
      const Point at{c.some_frame(random), random.vec3(1)};
      const Columns6 J = jacobian(c.model, c.work, c.q, of, at, in);
      forward_kinematics(c.model, c.work, c.q, c.v);
      EXPECT_TRUE(close(J * c.v, stacked(velocity(c.model, c.work, of, at, in)), tight));
      // At another point it is the same motion, by the rule of a rigid body; along other axes the same vectors.
      const auto X = placement(c.model, c.work, in), X_of = placement(c.model, c.work, of);
      const auto own = velocity(c.model, c.work, of);
      const auto p = placement(c.model, c.work, at.frame) * at.position;
      const auto linear = own.linear + cross(own.angular, p - X_of.p);
      Vector6 expected;
      expected << to_eigen(transpose_times(X.R, linear)), to_eigen(transpose_times(X.R, own.angular));
      EXPECT_TRUE(close(J * c.v, expected, tight));
      // The short call is the long one at the frame's origin along the world's axes.
      EXPECT_TRUE(identical(Columns6(jacobian(c.model, c.work, c.q, of)),
                            Columns6(jacobian(c.model, c.work, c.q, of, Point{of, {0, 0, 0}}, world_frame))));
    }
  });
}

TEST(Kinematics, ColumnsOfJointJacobiansMoveEveryBodyBeyond) {
  TreeOptions options;  // (with mimic joints a column is a sum over several joints)
  for_each_tree(options, [](Case& c) {
    const Columns6 all = joint_jacobians(c.model, c.work, c.q);
    for (int i = 0; i < int(c.model.frames().size()); ++i) {
      const Columns6 J = jacobian(c.model, c.work, c.q, {i}, Point{}, world_frame);
      for (int j = 0; j < c.model.nv(); ++j)
        EXPECT_TRUE(close(J.col(j), Vector6::Zero(), 0) || close(J.col(j), all.col(j), tight)) << i << " " << j;
    }
  });
}

// Differences over times h and 2h: the error is of order h⁴.
template <class F>
auto slope_at_zero(const F& f) {
  const double h = 2e-3;
  const Eigen::MatrixXd near = f(h) - f(-h), far = f(2 * h) - f(-2 * h);
  return Eigen::MatrixXd((8 * near - far) / (12 * h));
}

TEST(Kinematics, JacobianRateIsTheSlopeOfTheJacobian) {
  for_each_tree(
      trees,
      [](Case& c) {
        Random random(c.seed);
        for (int k = 0; k < 4; ++k) {
          const auto of = c.some_frame(random), in = k % 2 ? c.some_frame(random) : world_frame;
          const Point at{k < 2 ? of : c.some_frame(random), random.vec3(1)};
          const Columns6 rate = jacobian_rate(c.model, c.work, c.q, c.v, of, at, in);
          const auto slope = slope_at_zero([&](double t) -> Eigen::MatrixXd {
            return jacobian(c.model, c.work, integrate(c.model, c.q, c.v, t), of, at, in);
          });
          EXPECT_TRUE(close(slope, rate, 1e-7));
        }
      },
      300);
}

TEST(Kinematics, AccelerationIsJacobianTimesAPlusItsRateTimesV) {
  for_each_tree(trees, [](Case& c) {
    Random random(c.seed);
    for (int k = 0; k < 4; ++k) {
      const auto of = c.some_frame(random);
      const Point at{of, random.vec3(1)};
      const Columns6 J = jacobian(c.model, c.work, c.q, of, at),
                     J_dot = jacobian_rate(c.model, c.work, c.q, c.v, of, at);
      forward_kinematics(c.model, c.work, c.q, c.v, c.a);
      const Vector6 expected = J * c.a + J_dot * c.v;
      EXPECT_TRUE(close(stacked(acceleration(c.model, c.work, of, at)), expected, tight));
      // Along other axes they are the same vectors.
      const auto in = c.some_frame(random);
      const Matrix3d R = to_eigen(placement(c.model, c.work, in).R);
      Vector6 rotated;
      rotated << R.transpose() * expected.head<3>(), R.transpose() * expected.tail<3>();
      EXPECT_TRUE(close(stacked(acceleration(c.model, c.work, of, at, in)), rotated, tight));
    }
  });
}

TEST(Kinematics, AccelerationIsTheSlopeOfVelocityAlongTheMotion) {
  for_each_tree(
      trees,
      [](Case& c) {
        Random random(c.seed);
        const auto of = c.some_frame(random);
        const Point at{of, random.vec3(1)};
        const auto slope = slope_at_zero([&](double t) -> Eigen::MatrixXd {
          // v grows by a t, the average velocity by half of that; exact to second order, and symmetric in t.
          const VectorXd v = c.v + t * c.a;
          forward_kinematics(c.model, c.work, integrate(c.model, c.q, c.v + 0.5 * t * c.a, t), v);
          return stacked(velocity(c.model, c.work, of, at));
        });
        forward_kinematics(c.model, c.work, c.q, c.v, c.a);
        EXPECT_TRUE(close(slope, stacked(acceleration(c.model, c.work, of, at)), 1e-5));
      },
      300);
}

}  // namespace
}  // namespace lissom::test::kinematics
