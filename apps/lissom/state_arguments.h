#pragma once
// Configurations, velocities and pushes on the command line; all verbs read them the same way.
#include <string>

#include <Eigen/Core>

#include "lissom/model/model.h"
#include "lissom/sim/push.h"

// What the help says about configurations.
inline const std::string configuration_syntax =
    "all elements of q (0.1,0.2,…), JOINT=VALUE,… (rad, m; others as at the start), a posture of the robot's file by "
    "its "
    "name, or @FILE[#NAME] (JSON)";
// Reads a configuration:
//   0.1,0.2,…            all elements of q
//   elbow=0.5,base.z=1   some of them, by joint, or by joint and component as in recordings; others as in
//                        initial_configuration(model)
//   home                 a posture that the robot's file gives by name: a keyframe of MJCF
//   @FILE, @FILE#NAME    of a JSON file: "q" or "joints", as `lissom ik --json`, `sim --json` and `stance --json` write
//                        them, or a posture by its name; FILE and FILE#NAME are the same
//   #NAME                a posture of the robot's file: a keyframe of MJCF, or "initial" of SDF
// Quaternions are normalized. Errors begin with the option's name.
Eigen::VectorXd configuration_of(const lissom::Model& model, const std::string& option, const std::string& text);
// Reads a velocity, or anything of its size: all elements, or JOINT=VALUE,…; others are zero. @FILE has the option's
// name as its key: "v" for --v.
Eigen::VectorXd velocity_of(const lissom::Model& model, const std::string& option, const std::string& text);

struct PushInterval {
  double from, until;  // s
};
// What the help says about pushes.
inline const std::string push_syntax =
    "25N@FRAME (along the world's x axis) or FX,FY,FZ@FRAME (N, world axes), optionally with @FROM:UNTIL (s)";
// Reads a force at a frame's origin; without FROM:UNTIL it acts in the interval `otherwise`.
lissom::sim::Push push_of(const lissom::Model& model, const std::string& text, const PushInterval& otherwise);
