#pragma once
// The interface of a rigid-body engine that works in maximal coordinates: bodies, joints between them, forces on
// bodies, steps. ode.cpp and bullet.cpp implement it.
#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "lissom/model/description.h"

namespace lissom::bridge {

/// A rigid body; its frame has the center of mass as origin.
struct BodySpec {
  std::string name;
  double mass = 0;
  Eigen::Matrix3d inertia;  ///< about the center of mass, along the body's axes
};
struct BodyState {
  Eigen::Matrix3d R;         ///< the body's axes in the world
  Eigen::Vector3d com;       ///< its center of mass
  Eigen::Vector3d v, omega;  ///< of the center of mass; along the world's axes
};
/// A joint between two bodies at the poses that they have when it is added; in world coordinates.
struct JointSpec {
  std::string name;
  JointType type = JointType::revolute;
  int parent = -1, child = 0;  ///< indices of bodies; -1: the world
  Eigen::Vector3d anchor;
  Eigen::Vector3d axis;   ///< of the joint; the normal of a planar one
  Eigen::Vector3d axis2;  ///< second axis of a universal joint, fixed to the child
};

/// A rigid-body engine with a robot in it. Vectors are along the axes of the world, in SI units.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string name() const = 0;
  /// Returns the index of the body: 0, 1, 2, …
  virtual int add(const BodySpec& body, const BodyState& state) = 0;
  /// Throws an Error if the engine does not support the type of the joint.
  virtual void add(const JointSpec& joint) = 0;
  virtual BodyState state(int body) const = 0;
  /// Adds a force at the center of mass and a torque for the next step, along the world's axes.
  virtual void push(int body, const Eigen::Vector3d& force, const Eigen::Vector3d& torque) = 0;
  virtual void step(double seconds) = 0;
};

/// Creates "ode" or "bullet". Throws an Error if the name is unknown, or lissom was built without the engine.
std::unique_ptr<Engine> make_engine(const std::string& name, const Eigen::Vector3d& gravity);
/// The engines that lissom was built with.
std::vector<std::string> engines();

#ifdef LISSOM_WITH_ODE
/// ODE with this gravity, m/s².
std::unique_ptr<Engine> make_ode(const Eigen::Vector3d& gravity);
#endif
#ifdef LISSOM_WITH_BULLET
/// Bullet with this gravity, m/s².
std::unique_ptr<Engine> make_bullet(const Eigen::Vector3d& gravity);
#endif

}  // namespace lissom::bridge
