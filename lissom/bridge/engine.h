#pragma once
// What a bridge asks of a rigid-body engine that works in maximal coordinates: bodies, joints between them, forces on
// bodies, steps. ode.cpp and bullet.cpp answer it.
#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "lissom/model/description.h"

namespace lissom::bridge {

// A rigid body at its center of mass.
struct BodySpec {
  std::string name;
  double mass = 0;
  Eigen::Matrix3d inertia;  // about the center of mass, along the body's axes
};
struct BodyState {
  Eigen::Matrix3d R;         // the body's axes in the world
  Eigen::Vector3d com;       // its center of mass
  Eigen::Vector3d v, omega;  // of the center of mass; along the world's axes
};
// A joint between two bodies, as they are placed when it is made; everything in the world.
struct JointSpec {
  std::string name;
  JointType type = JointType::revolute;
  int parent = -1, child = 0;  // -1: the world
  Eigen::Vector3d anchor;
  Eigen::Vector3d axis;   // of the joint; the normal of a planar one
  Eigen::Vector3d axis2;  // of a universal joint: carried by the child
};

class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string name() const = 0;
  virtual int add(const BodySpec& body, const BodyState& state) = 0;  // its number: 0, 1, 2, …
  virtual void add(const JointSpec& joint) = 0;                       // Error where the engine has no such joint
  virtual BodyState state(int body) const = 0;
  // For the next step: at the center of mass, along the world's axes.
  virtual void push(int body, const Eigen::Vector3d& force, const Eigen::Vector3d& torque) = 0;
  virtual void step(double seconds) = 0;
};

// "ode" or "bullet". Error where the engine is not known, or was not there when lissom was built.
std::unique_ptr<Engine> make_engine(const std::string& name, const Eigen::Vector3d& gravity);
std::vector<std::string> engines();  // those that were

#ifdef LISSOM_WITH_ODE
std::unique_ptr<Engine> make_ode(const Eigen::Vector3d& gravity);
#endif
#ifdef LISSOM_WITH_BULLET
std::unique_ptr<Engine> make_bullet(const Eigen::Vector3d& gravity);
#endif

}  // namespace lissom::bridge
