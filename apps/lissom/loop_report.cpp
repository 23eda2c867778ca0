#include "loop_report.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "lissom/constraints/closed_loops.h"
#include "output.h"

using lissom::Loop;
using lissom::LoopKind;
using lissom::Model;
using nlohmann::json;

namespace {

const std::string& frame_name(const Model& model, const lissom::LoopEnd& end) {
  return model.frames()[std::size_t(end.frame.index)].name;
}
// As loop_axes() reads it.
std::string axes_text(const lissom::LoopAxes& axes) {
  std::string along, about;
  for (int k = 0; k < 3; ++k) {
    if (axes.along[std::size_t(k)]) along += char('x' + k);
    if (axes.about[std::size_t(k)]) about += fmt::format(" r{}", char('x' + k));
  }
  return along.empty() && !about.empty() ? about.substr(1) : along + about;
}

}  // namespace

std::vector<std::string> loop_lines(const Model& model) {
  std::vector<std::string> lines;
  for (const Loop& loop : model.loops()) {
    const auto what = loop.kind == LoopKind::distance ? fmt::format("rod of {:g} m", *loop.length)
                                                      : "held together along and about " + axes_text(loop.axes);
    lines.push_back(
        fmt::format("{}: {}, {} and {}", loop.name, what, frame_name(model, loop.a), frame_name(model, loop.b)));
  }
  for (const auto& coupling : model.couplings())
    lines.push_back(coupling.of.empty() ? fmt::format("{}: {} is fixed", coupling.name, coupling.joint)
                                        : fmt::format("{}: {} follows {}", coupling.name, coupling.joint, coupling.of));
  return lines;
}

json loops_to_json(const Model& model) {
  json list = json::array();
  for (const Loop& loop : model.loops()) {
    json one{{"name", loop.name},
             {"kind", loop.kind == LoopKind::distance ? "distance" : "axes"},
             {"a", frame_name(model, loop.a)},
             {"b", frame_name(model, loop.b)}};
    if (loop.kind == LoopKind::distance)
      one["length"] = *loop.length;
    else
      one["axes"] = axes_text(loop.axes);
    list.push_back(std::move(one));
  }
  return list;
}

lissom::recording::Signal loop_signal(const lissom::LoopRows& rows) {
  lissom::recording::Signal signal{"loops", {}};
  for (int row = 0; row < rows.count(); ++row) {
    // "rod, along x" is the column rod.along_x, as joints are called in recordings.
    std::string name = rows.label(row).name;
    if (const auto comma = name.rfind(", "); comma != std::string::npos) {
      name.replace(comma, 2, ".");
      std::replace(name.begin() + long(comma), name.end(), ' ', '_');
    }
    const std::string unit = force_unit(rows.label(row));
    signal.columns.push_back({name, unit == "N" ? "N" : "N·m"});
  }
  return signal;
}

json loop_forces_to_json(const lissom::sim::Report& report) {
  json list = json::array();
  for (const auto& force : report.loop_forces)
    list.push_back({{"name", force.name}, {"unit", force.unit}, {"max", force.max}});
  return list;
}

std::string max_loop_forces(const lissom::sim::Report& report) {
  auto forces = report.loop_forces;
  std::ranges::sort(forces,
                    [](const auto& a, const auto& b) { return std::tie(b.max, a.name) < std::tie(a.max, b.name); });
  std::string text;
  for (std::size_t i = 0; i < forces.size() && i < 6; ++i)
    text += fmt::format("{}{} {:.4g} {}", i > 0 ? "; " : "", forces[i].name, forces[i].max, forces[i].unit);
  if (forces.size() > 6) text += fmt::format("; … {} in all", forces.size());
  return text;
}

void complain_of_other_start(int tried) {
  if (tried == 0) return;
  complain(std::string("the loops cannot be closed from the initial q itself (a linkage that is drawn straight has no "
                       "direction in which to bend); they were closed from a random configuration ") +
           (tried <= lissom::ClosedLoops::nearby_starts ? "nearby" : "farther away") +
           ". Give another one with --q to choose the branch");
}
