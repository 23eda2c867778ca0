// The Open Dynamics Engine. Its joints are constraints between bodies, solved by a direct ("big matrix") solver
// (dWorldStep) with error reduction; its integrator is semi-implicit Euler.
#include <mutex>
#include <ode/ode.h>

#include "lissom/bridge/engine.h"
#include "lissom/model/diagnostic.h"

namespace lissom::bridge {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

class Ode final : public Engine {
 public:
  explicit Ode(const Vector3d& gravity) {
    static std::once_flag once;
    std::call_once(once, [] { dInitODE2(0); });
    dAllocateODEDataForThread(dAllocateMaskAll);
    world_ = dWorldCreate();
    dWorldSetGravity(world_, gravity.x(), gravity.y(), gravity.z());
    dWorldSetERP(world_, 0.2);
    dWorldSetCFM(world_, 1e-12);
    dWorldSetAutoDisableFlag(world_, 0);
    dWorldSetDamping(world_, 0, 0);
  }
  ~Ode() override { dWorldDestroy(world_); }
  Ode(const Ode&) = delete;
  Ode& operator=(const Ode&) = delete;

  std::string name() const override { return "ode"; }

  int add(const BodySpec& spec, const BodyState& s) override {
    const dBodyID body = dBodyCreate(world_);
    const Matrix3d& I = spec.inertia;
    dMass mass;
    dMassSetParameters(&mass, spec.mass, 0, 0, 0, I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2));
    dBodySetMass(body, &mass);
    dMatrix3 R{};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) R[4 * i + j] = s.R(i, j);
    dBodySetRotation(body, R);
    dBodySetPosition(body, s.com.x(), s.com.y(), s.com.z());
    dBodySetLinearVel(body, s.v.x(), s.v.y(), s.v.z());
    dBodySetAngularVel(body, s.omega.x(), s.omega.y(), s.omega.z());
    dBodySetGyroscopicMode(body, 1);
    bodies_.push_back(body);
    return int(bodies_.size()) - 1;
  }

  void add(const JointSpec& j) override {
    const dBodyID parent = j.parent < 0 ? nullptr : bodies_[std::size_t(j.parent)];
    const dBodyID child = bodies_[std::size_t(j.child)];
    const auto attach = [&](dJointID joint) {
      dJointAttach(joint, child, parent);
      return joint;
    };
    const Vector3d &p = j.anchor, &a = j.axis, &b = j.axis2;
    switch (j.type) {
      case JointType::revolute:
      case JointType::continuous: {
        const auto joint = attach(dJointCreateHinge(world_, nullptr));
        dJointSetHingeAnchor(joint, p.x(), p.y(), p.z());
        dJointSetHingeAxis(joint, a.x(), a.y(), a.z());
        return;
      }
      case JointType::prismatic:
        dJointSetSliderAxis(attach(dJointCreateSlider(world_, nullptr)), a.x(), a.y(), a.z());
        return;
      case JointType::cylindrical: {
        const auto joint = attach(dJointCreatePiston(world_, nullptr));
        dJointSetPistonAnchor(joint, p.x(), p.y(), p.z());
        dJointSetPistonAxis(joint, a.x(), a.y(), a.z());
        return;
      }
      case JointType::universal: {
        const auto joint = attach(dJointCreateUniversal(world_, nullptr));
        dJointSetUniversalAnchor(joint, p.x(), p.y(), p.z());
        dJointSetUniversalAxis1(joint, b.x(), b.y(),
                                b.z());  // the axis that is fixed to the first attached body, the child
        dJointSetUniversalAxis2(joint, a.x(), a.y(), a.z());
        return;
      }
      case JointType::spherical:
        dJointSetBallAnchor(attach(dJointCreateBall(world_, nullptr)), p.x(), p.y(), p.z());
        return;
      case JointType::free:
        return;
      default:
        throw Error("joint '" + j.name + "' has type " + to_string(j.type) + ", which ODE does not support");
    }
  }

  BodyState state(int body) const override {
    const dBodyID b = bodies_[std::size_t(body)];
    const auto vector = [](const dReal* x) { return Vector3d(x[0], x[1], x[2]); };
    BodyState s;
    const dReal* R = dBodyGetRotation(b);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) s.R(i, j) = R[4 * i + j];
    s.com = vector(dBodyGetPosition(b));
    s.v = vector(dBodyGetLinearVel(b));
    s.omega = vector(dBodyGetAngularVel(b));
    return s;
  }

  void push(int body, const Vector3d& f, const Vector3d& t) override {
    dBodyAddForce(bodies_[std::size_t(body)], f.x(), f.y(), f.z());
    dBodyAddTorque(bodies_[std::size_t(body)], t.x(), t.y(), t.z());
  }
  void step(double seconds) override { dWorldStep(world_, seconds); }

 private:
  dWorldID world_;
  std::vector<dBodyID> bodies_;
};

}  // namespace

std::unique_ptr<Engine> make_ode(const Vector3d& gravity) {
  return std::make_unique<Ode>(gravity);
}

}  // namespace lissom::bridge
