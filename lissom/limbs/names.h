#pragma once
// What names of links and frames tell about limbs. Not for users.
#include <initializer_list>
#include <string>
#include <string_view>

#include "lissom/limbs/body_tree.h"

namespace lissom::limbs {

// Whether a name has one of these words in it, in letters of any case.
bool has_word(std::string_view name, std::initializer_list<std::string_view> words);
// Whether a link or frame of the body is called a hand, palm or gripper.
bool is_hand(const BodyTree& tree, int body);
// Whether joints or links from this body on are called wrists, hands, grippers or fingers.
bool named_as_arm(const BodyTree& tree, int first);
bool names_sole(std::string_view name);
// left_foot, or left_foot_contact if the robot has a frame of that name, and so on.
std::string free_name(const Model& model, const std::string& wanted);

}  // namespace lissom::limbs
