#include "lissom/api/external_forces.h"

#include "lissom/api/unchecked.h"

namespace lissom {

void expect_forces(const char* name, const Model& model, std::span<const ExternalForce> forces) {
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const auto& f = forces[i];
    const Argument argument(name, long(i));
    expect_frame(argument.with(".on"), model, f.on);
    expect_frame(argument.with(".at.frame"), model, f.at.frame);
    expect_frame(argument.with(".in"), model, f.in);
    expect_finite(argument.with(".force"), f.force);
    expect_finite(argument.with(".torque"), f.torque);
    expect_finite(argument.with(".at.position"), f.at.position);
  }
}

const double* body_forces(const Model& model, Workspace& work, const VectorIn& q,
                          std::span<const ExternalForce> external) {
  if (external.empty()) return nullptr;
  expect_forces("external", model, external);
  auto& w = WorkspaceMemory::of(work);
  Unchecked(model, work).placements(q.data());
  for (auto& element : w.external) element = 0;
  auto* const sum = reinterpret_cast<Force<double>*>(w.external.data());
  const auto pose_of = [&](FrameId id) {
    const auto& frame = model.frames()[std::size_t(id.index)];
    return w.pose(frame.body) * frame.placement;
  };
  for (const auto& e : external) {
    const auto X_WE = pose_of(e.in);
    const auto p = pose_of(e.at.frame) * e.at.position;
    const int body = model.frames()[std::size_t(e.on.index)].body;
    const auto& X_WB = w.pose(body);
    const auto force = transpose_times(X_WB.R, X_WE.R * e.force);
    const auto arm = transpose_times(X_WB.R, p - X_WB.p);
    sum[body] += Force<double>{transpose_times(X_WB.R, X_WE.R * e.torque) + cross(arm, force), force};
  }
  return w.external.data();
}

}  // namespace lissom
