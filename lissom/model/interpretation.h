#pragma once
// What a description means where it does not say so: the name of the inertial frame, limits that are none, mimics that
// have no effect, the joints of the base. validate() reports it, build() does it. Not installed.
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lissom/model/build_options.h"
#include "lissom/model/description.h"
#include "lissom/spatial/rigid_inertia.h"

namespace lissom {

// The name of frame 0: "world", or "universe", as in Pinocchio, if a link or frame of the description is called
// "world".
std::string inertial_frame_name(const Description& description);

// Files write limits of ±1e16 for "none". A position limit of this size, in radians (1,600 revolutions) or meters, or
// beyond it is none.
inline constexpr double max_position_limit = 1e4;
struct PositionRange {
  std::vector<double> lower, upper;  // ±infinity where there is no limit; empty if the joint has none at all
  bool any_far = false;              // a finite limit counts as none
};
PositionRange position_range(const JointDescription& joint);

// A velocity or effort limit below 0 is none: SDF writes -1. So is one of this size or beyond, in SI units, which files
// have because a program required one.
inline constexpr double max_magnitude_limit = 1e15;
PerDof magnitude_limit(const PerDof& limit);

// A direction in the joint's frame at q = 0. Those along `axis` and `axis2` are as long as the description has them.
Vec3<double> direction_of(const JointDescription& joint, Direction along);

// Whether a joint can follow another one. A mimic of, or on, a fixed joint has no effect.
bool can_follow(const JointDescription& follower, const JointDescription& leader);

// The description with the base that is asked for in place of the fixed joints by which robots are mounted on the
// ground (RootDescription::is_ground): the world of MJCF and SDF, which never moves. The posture of the start has them
// where they were mounted. Nullopt if that changes nothing.
std::optional<Description> without_mounts(const Description& description, Base base);

// The joints that move the roots of a description. The joints of the description must form trees.
class BaseJoints {
 public:
  BaseJoints(const Description& description, Base base);

  bool is_root(int link) const { return is_root_[std::size_t(link)]; }
  // The joint that moves this root; its type is fixed if none does.
  JointDescription of(int root) const;
  // The index of a joint by which this root's robot floats in any case: the root has no mass, nor do links fixed to it,
  // and only free joints lead away from them. -1 if there is none.
  int floats_by(int root) const { return floats_by_[std::size_t(root)]; }

 private:
  void find_floating(const std::vector<std::vector<int>>& joints_below);

  const Description& description_;
  Base base_;
  std::string world_;
  std::unordered_map<std::string_view, int> link_of_;
  std::vector<bool> is_root_;
  std::vector<int> floats_by_;
  bool only_root_ = false, name_taken_ = false;
};

bool is_massless(const LinkDescription& link);

// The inertia of a link about the origin of the frame B in which it has the pose X_BL.
RigidInertia<double> inertia_about_origin(const LinkDescription& link, const Pose<double>& X_BL);

}  // namespace lissom
