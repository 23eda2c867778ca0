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

// 1 if the first name is the left one of a pair of names that differ in one letter, l or r ("lfemur", "rfemur"), or in
// one word ("leftfoot", "rightfoot"); -1 if it is the right one; 0 otherwise.
int left_of_pair(const std::string& a, const std::string& b) {
  const auto same = [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  };
  const auto begin = std::ranges::mismatch(a, b, same);
  const auto rest_a = std::string(begin.in1, a.end()), rest_b = std::string(begin.in2, b.end());
  const auto is_pair = [&](const std::string& left, const std::string& right) {
    return rest_a.size() >= left.size() && rest_b.size() >= right.size() &&
           std::ranges::equal(left, rest_a.substr(0, left.size()), same) &&
           std::ranges::equal(right, rest_b.substr(0, right.size()), same) &&
           std::ranges::equal(rest_a.substr(left.size()), rest_b.substr(right.size()), same);
  };
  if (is_pair("l", "r") || is_pair("left", "right")) return 1;
  return is_pair("r", "l") || is_pair("right", "left") ? -1 : 0;
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
  if (votes != 0) return votes;
  // Names without such words. Legs are in pairs, left before right.
  for (std::size_t k = 0; k + 1 < limbs.legs.size(); k += 2) {
    const auto joints = [&](const Limb& leg) { return tree.joints_to(leg.end, tree.body(leg.first).parent); };
    const auto a = joints(limbs.legs[k]), b = joints(limbs.legs[k + 1]);
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
      votes += limbs.legs[k].side * left_of_pair(a[i], b[i]);
  }
  return votes;
}

}  // namespace lissom::limbs
