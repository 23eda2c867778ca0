#pragma once
// Contacts as a signal of recordings, whose rows have a fixed length.
#include <map>
#include <string>
#include <vector>

#include "lissom/recording/recorder.h"
#include "lissom/world/world.h"

namespace lissom::scenes {

/// Gives contacts places in a row of fixed length. A contact keeps its place from frame to frame, as long as the same
/// two parts touch near the same point.
class ContactSlots {
 public:
  /// x y z nx ny nz fx fy fz gap slip friction a b; unused places are 0, with a = b = -1.
  static constexpr int width = 14;
  /// `names` are those of all parts and links that may touch; a and b are indices into them.
  ContactSlots(int count, const std::vector<std::string>& names);
  recording::Signal signal() const;
  /// If there are more contacts than places, those with the largest forces are taken.
  const std::vector<double>& row(std::vector<ContactReading> contacts);
  int count() const { return int(used_.size()); }

 private:
  std::map<std::string, int> index_;
  std::vector<bool> used_;
  std::vector<double> row_, next_;
};

}  // namespace lissom::scenes
