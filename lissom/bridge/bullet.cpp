// Bullet's rigid bodies and constraints (not its multibodies, which work in joint coordinates), in double precision,
// with its direct solver for the constraints.
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <btBulletDynamicsCommon.h>

#include <Eigen/Eigenvalues>

#include "lissom/bridge/engine.h"
#include "lissom/model/diagnostic.h"

namespace lissom::bridge {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

btVector3 to_bullet(const Vector3d& v) {
  return {v.x(), v.y(), v.z()};
}
btMatrix3x3 to_bullet(const Matrix3d& m) {
  return {m(0, 0), m(0, 1), m(0, 2), m(1, 0), m(1, 1), m(1, 2), m(2, 0), m(2, 1), m(2, 2)};
}
Vector3d from_bullet(const btVector3& v) {
  return {v.x(), v.y(), v.z()};
}
Matrix3d from_bullet(const btMatrix3x3& m) {
  Matrix3d r;
  for (int i = 0; i < 3; ++i) r.row(i) = from_bullet(m[i]).transpose();
  return r;
}
// A rotation whose z axis is n.
Matrix3d frame_with_z(const Vector3d& n) {
  return Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), n).toRotationMatrix();
}

class Bullet final : public Engine {
 public:
  explicit Bullet(const Vector3d& gravity)
      : dispatcher_(&configuration_),
        solver_(&dantzig_),
        world_(&dispatcher_, &broadphase_, &solver_, &configuration_) {
    world_.setGravity(to_bullet(gravity));
    auto& info = world_.getSolverInfo();
    info.m_erp = 0.2;
    info.m_globalCfm = 0;
    info.m_minimumSolverBatchSize = 1;
    ground_ = std::make_unique<btRigidBody>(0, nullptr, &shape_);
  }
  ~Bullet() override {
    for (auto& joint : joints_) world_.removeConstraint(joint.get());
    for (auto& body : bodies_) world_.removeRigidBody(body.body.get());
  }
  Bullet(const Bullet&) = delete;
  Bullet& operator=(const Bullet&) = delete;

  std::string name() const override { return "bullet"; }

  int add(const BodySpec& spec, const BodyState& s) override {
    // Bullet's inertias are diagonal: its body frame has the principal axes.
    const Eigen::SelfAdjointEigenSolver<Matrix3d> principal(spec.inertia);
    Body b;
    b.principal_axes = principal.eigenvectors();
    if (b.principal_axes.determinant() < 0) b.principal_axes.col(2) *= -1;
    btRigidBody::btRigidBodyConstructionInfo info(spec.mass, nullptr, &shape_,
                                                  to_bullet(Vector3d(principal.eigenvalues())));
    info.m_startWorldTransform = btTransform(to_bullet(Matrix3d(s.R * b.principal_axes)), to_bullet(s.com));
    info.m_linearDamping = info.m_angularDamping = 0;
    b.body = std::make_unique<btRigidBody>(info);
    b.body->setLinearVelocity(to_bullet(s.v));
    b.body->setAngularVelocity(to_bullet(s.omega));
    b.body->setActivationState(DISABLE_DEACTIVATION);
    b.body->setFlags(BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY);
    world_.addRigidBody(b.body.get(), 0, 0);  // nothing collides
    bodies_.push_back(std::move(b));
    return int(bodies_.size()) - 1;
  }

  void add(const JointSpec& j) override {
    btRigidBody& parent = j.parent < 0 ? *ground_ : *bodies_[std::size_t(j.parent)].body;
    btRigidBody& child = *bodies_[std::size_t(j.child)].body;
    const auto in_body = [](const btRigidBody& body, const btTransform& X) {
      return body.getCenterOfMassTransform().inverse() * X;
    };
    // A frame at the anchor with z along the axis; lower limit 1 and upper limit -1 mean no limit.
    const btTransform at(to_bullet(frame_with_z(j.axis)), to_bullet(j.anchor));
    const auto general = [&](const btVector3& free_linear, const btVector3& free_angular) {
      auto joint =
          std::make_unique<btGeneric6DofSpring2Constraint>(parent, child, in_body(parent, at), in_body(child, at));
      joint->setLinearLowerLimit(free_linear);
      joint->setLinearUpperLimit(-free_linear);
      joint->setAngularLowerLimit(free_angular);
      joint->setAngularUpperLimit(-free_angular);
      return joint;
    };
    std::unique_ptr<btTypedConstraint> joint;
    switch (j.type) {
      case JointType::revolute:
      case JointType::continuous:
        joint = std::make_unique<btHingeConstraint>(parent, child, in_body(parent, at), in_body(child, at));
        break;
      case JointType::prismatic:
        joint = general({0, 0, 1}, {0, 0, 0});
        break;
      case JointType::cylindrical:
        joint = general({0, 0, 1}, {0, 0, 1});
        break;
      case JointType::planar:
        joint = general({1, 1, 0}, {0, 0, 1});
        break;
      case JointType::spherical:
        joint = std::make_unique<btPoint2PointConstraint>(parent, child, in_body(parent, at).getOrigin(),
                                                          in_body(child, at).getOrigin());
        break;
      case JointType::free:
        return;
      default:
        throw Error("joint '" + j.name + "' has type " + to_string(j.type) +
                    ", which the bridge to Bullet does not support");
    }
    joint->setEnabled(true);
    world_.addConstraint(joint.get(), true);
    joints_.push_back(std::move(joint));
  }

  BodyState state(int body) const override {
    const auto& b = bodies_[std::size_t(body)];
    const auto& X = b.body->getCenterOfMassTransform();
    return {from_bullet(X.getBasis()) * b.principal_axes.transpose(), from_bullet(X.getOrigin()),
            from_bullet(b.body->getLinearVelocity()), from_bullet(b.body->getAngularVelocity())};
  }

  void push(int body, const Vector3d& force, const Vector3d& torque) override {
    auto& b = *bodies_[std::size_t(body)].body;
    b.applyCentralForce(to_bullet(force));
    b.applyTorque(to_bullet(torque));
  }
  void step(double seconds) override { world_.stepSimulation(seconds, 0); }

 private:
  struct Body {
    std::unique_ptr<btRigidBody> body;
    Matrix3d principal_axes;  // Bullet's axes in the body's frame
  };
  btEmptyShape shape_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btDantzigSolver dantzig_;
  btMLCPSolver solver_;
  btDiscreteDynamicsWorld world_;
  std::unique_ptr<btRigidBody> ground_;
  std::vector<Body> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
};

}  // namespace

std::unique_ptr<Engine> make_bullet(const Vector3d& gravity) {
  return std::make_unique<Bullet>(gravity);
}

}  // namespace lissom::bridge
