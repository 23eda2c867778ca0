#include "lissom/limbs/facing.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace lissom::limbs {

namespace {

// What a word of a name says.
struct Place {
  int side = 0;  // 1: left, -1: right
  int end = 0;   // 1: front, -1: rear
};

Place place_of(const std::string& word) {
  if (word == "left" || word == "l") return {1, 0};
  if (word == "right" || word == "r") return {-1, 0};
  if (word == "front" || word == "fore") return {0, 1};
  if (word == "rear" || word == "hind" || word == "back") return {0, -1};
  if (word.size() != 2) return {};
  // FL, RL, HL, BL, and the other way round: LF, LH. RL and RR are rear legs.
  const auto side = [](char c) { return c == 'l' ? 1 : c == 'r' ? -1 : 0; };
  const auto end = [](char c) { return c == 'f' ? 1 : c == 'h' || c == 'b' ? -1 : 0; };
  if (const int e = word[0] == 'r' ? -1 : end(word[0]); e != 0 && side(word[1]) != 0) return {side(word[1]), e};
  if (side(word[0]) != 0 && end(word[1]) != 0) return {side(word[0]), end(word[1])};
  return {};
}

// Words in small letters: "j_04FRHip" has j, fr and hip.
std::vector<std::string> words_of(const std::string& name) {
  std::vector<std::string> words(1);
  const auto is = [&](std::size_t i, auto f) { return i < name.size() && f(static_cast<unsigned char>(name[i])) != 0; };
  const auto upper = [](int c) { return std::isupper(c); };
  const auto lower = [](int c) { return std::islower(c); };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool letter = is(i, upper) || is(i, lower);
    const bool begins = is(i, upper) && i > 0 && (is(i - 1, lower) || is(i + 1, lower));
    if ((!letter || begins) && !words.back().empty()) words.emplace_back();
    if (letter) words.back() += char(std::tolower(static_cast<unsigned char>(name[i])));
  }
  return words;
}

}  // namespace

bool legs_swing_sideways(const BodyTree& tree, const Limbs& limbs) {
  double about_x = 0, about_y = 0;
  for (const auto& leg : limbs.legs)
    for (int b = leg.end;; b = tree.body(b).parent) {
      const auto& axis = tree.body(b).axis;
      if (std::abs(axis.x) > .9) about_x += 1;
      if (std::abs(axis.y) > .9) about_y += 1;
      if (b == leg.first) break;
    }
  return about_x > 1.4 * about_y;
}

int names_in_favor(const BodyTree& tree, const Limbs& limbs) {
  double middle = 0;
  for (const auto& leg : limbs.legs) middle += tree.body(leg.first).joint_at.x / double(limbs.legs.size());
  int votes = 0;
  for (const auto& leg : limbs.legs) {
    const double ahead = tree.body(leg.first).joint_at.x - middle;
    const int end = std::abs(ahead) < 1e-3 ? 0 : ahead > 0 ? 1 : -1;
    for (const auto& joint : tree.joints_to(leg.end, tree.body(leg.first).parent))
      for (const auto& word : words_of(joint)) {
        const auto place = place_of(word);
        votes += place.side * leg.side + place.end * end;
      }
  }
  return votes;
}

}  // namespace lissom::limbs
