// <freejoint align="true"/> and <compiler alignfree="true"/>: the frame of a body that floats alone is put into its
// center of mass, along its principal axes, and the coordinates of the joint are those of that frame.
#include "lissom/io/mjcf/parts.h"

namespace lissom::io::mjcf {

void align_body(const std::optional<Mat3<double>>& axes, std::size_t first_frame, Pose<double>& world,
                LinkDescription& link, Reading& reading) {
  const Pose<double> moved{axes ? *axes : principal_axes(link.inertia, eigenvalue_threshold).R, link.com};
  const Pose<double> back = inverse(moved);
  for (auto* const list : {&link.visuals, &link.collisions})
    for (Geometry& geometry : *list) geometry.origin = back * geometry.origin;
  for (std::size_t i = first_frame; i < reading.out.frames.size(); ++i)
    reading.out.frames[i].origin = back * reading.out.frames[i].origin;
  reading.aligned[link.name] = back;
  link.com = {0, 0, 0};
  link.inertia = congruence(back.R, link.inertia);
  world = world * moved;
}

void align_sites(Reading& reading) {
  if (reading.aligned.empty()) return;
  for (auto& [name, site] : reading.sites)
    if (const auto moved = reading.aligned.find(site.link); moved != reading.aligned.end())
      site.placement = moved->second * site.placement;
  for (auto& [name, geom] : reading.geoms)
    if (const auto moved = reading.aligned.find(geom.link); geom.sphere && moved != reading.aligned.end())
      geom.sphere->center = moved->second * geom.sphere->center;
}

}  // namespace lissom::io::mjcf
