#include "lissom/scenes/contact_slots.h"

#include <algorithm>

namespace lissom::scenes {

ContactSlots::ContactSlots(int count, const std::vector<std::string>& names)
    : used_(std::size_t(count)), row_(std::size_t(count * width)), next_(row_.size()) {
  for (std::size_t i = 0; i < names.size(); ++i) index_[names[i]] = int(i);
}

recording::Signal ContactSlots::signal() const {
  recording::Signal signal{"contacts", {}};
  for (int i = 0; i < count(); ++i)
    for (const auto& [name, unit] : {std::pair{".x", "m"},
                                     {".y", "m"},
                                     {".z", "m"},
                                     {".nx", "1"},
                                     {".ny", "1"},
                                     {".nz", "1"},
                                     {".fx", "N"},
                                     {".fy", "N"},
                                     {".fz", "N"},
                                     {".gap", "m"},
                                     {".slip", "m/s"},
                                     {".friction", "1"},
                                     {".a", "1"},
                                     {".b", "1"}})
      signal.columns.push_back({std::to_string(i) + name, unit});
  return signal;
}

const std::vector<double>& ContactSlots::row(std::vector<ContactReading> contacts) {
  const auto squared = [](const Vec3<double>& x) { return dot(x, x); };
  if (int(contacts.size()) > count()) {
    std::ranges::stable_sort(contacts, std::greater(), [&](const auto& c) { return squared(c.force); });
    contacts.resize(used_.size());
  }
  const auto was_used = used_;
  used_.assign(used_.size(), false);
  std::ranges::fill(next_, 0.);
  for (int i = 0; i < count(); ++i) next_[std::size_t(i * width + 12)] = next_[std::size_t(i * width + 13)] = -1;
  const auto put = [&](int slot, const ContactReading& c) {
    const double a = index_.at(c.a), b = index_.at(c.b);
    const double all[width] = {c.point.x, c.point.y, c.point.z, c.normal.x, c.normal.y, c.normal.z, c.force.x,
                               c.force.y, c.force.z, c.gap,     c.slip,     c.friction, a,          b};
    std::ranges::copy(all, next_.begin() + slot * width);
    used_[std::size_t(slot)] = true;
  };
  // First those that were there before, each at the nearest place of its pair; then the new ones where there is room.
  std::vector<const ContactReading*> fresh;
  for (const auto& c : contacts) {
    int best = -1;
    double nearest = 1e-2 * 1e-2;  // m², that a contact may move between two frames
    for (int i = 0; i < count(); ++i) {
      const double* const old = row_.data() + i * width;
      if (!was_used[std::size_t(i)] || used_[std::size_t(i)] || old[12] != index_.at(c.a) || old[13] != index_.at(c.b))
        continue;
      const double away = squared(c.point - Vec3<double>{old[0], old[1], old[2]});
      if (away < nearest) best = i, nearest = away;
    }
    if (best >= 0)
      put(best, c);
    else
      fresh.push_back(&c);
  }
  int slot = 0;
  for (const auto* c : fresh) {
    while (used_[std::size_t(slot)]) ++slot;
    put(slot, *c);
  }
  row_.swap(next_);
  return row_;
}

}  // namespace lissom::scenes
