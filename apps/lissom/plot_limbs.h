#pragma once
// The limbs of a robot: groups of joints that are drawn together, so that no panel has more lines than an eye can
// follow.
#include <map>
#include <string>

#include "lissom/recording/recording.h"

// A panel with more lines is split by limbs.
inline constexpr std::size_t max_panel_lines = 9;

// The limb of every joint, by name; a limb is called like its first joint. Empty if the recording has no robot file.
//
// A subtree of at most max_panel_lines degrees of freedom is one limb: a leg, an arm with its hand. Of a larger one,
// the joints up to its first branching are a limb, together with small subtrees that hang there (a head on a trunk),
// and the others are limbs of their own. Chains that are too long are cut.
std::map<std::string, std::string> limbs_of(const lissom::recording::Header& header);
