#include "sim_start.h"

#include <limits>

#include <fmt/format.h>

#include "lissom/api/postures.h"
#include "lissom/api/state.h"
#include "lissom/model/text.h"
#include "loop_report.h"
#include "output.h"
#include "state_arguments.h"

namespace verb::sim {

namespace sim = lissom::sim;
using lissom::Error;
using lissom::Model;

sim::Trajectory reach(const Model& model, const ReferenceMotion& motion) {
  return sim::reach(model, motion.from, motion.to, motion.start, motion.seconds);
}

namespace {

// Closes the loops of the initial state.
void close_loops(sim::System& system, sim::State& x) {
  const auto& model = system.model();
  try {
    complain_of_other_start(system.loops()->assemble(model, system.work(), x.q));
  } catch (const Error& error) {
    throw Error(std::string(error.what()) + "; --random 1 or --q starts elsewhere");
  }
  system.loops()->project_velocity(model, system.work(), x.q, x.v);
}

}  // namespace

sim::State beginning(const Options& o, sim::System& system) {
  const auto& model = system.model();
  sim::State x{0, initial_configuration(model), Eigen::VectorXd::Zero(model.nv()), 0};
  if (o.random) x.q = random_configuration(model, *o.random);
  if (!o.q.empty()) x.q = configuration_of(model, "--q", o.q);
  if (!o.v.empty()) x.v = velocity_of(model, "--v", o.v);
  if (system.loops()) close_loops(system, x);
  return x;
}

ReferenceMotion reference_motion(const Options& o, const Model& model, const sim::State& x,
                                 const std::optional<Restart>& restart) {
  if (o.controller != "pd" && o.controller != "computed_torque") return {};
  auto kept = restart ? restart->motion(model) : ReferenceMotion{};
  const Eigen::VectorXd to = !o.posture.empty()   ? configuration_of(model, "--posture", o.posture)
                             : kept.to.size() > 0 ? kept.to
                                                  : x.q;
  if (kept.to.size() > 0 && kept.to == to && (!o.given.contains("--move-seconds") || kept.seconds == o.move_seconds))
    return kept;
  return {x.q, to, x.t, o.move_seconds};
}

std::vector<sim::Push> pushes_of(const Options& o, const Model& model) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<sim::Push> pushes;
  for (const auto& text : o.pushes) pushes.push_back(push_of(model, text, {-infinity, infinity}));
  return pushes;
}

void tell_pushes_that_never_act(const Options& o, const Model& model, double begin) {
  if (!o.given.contains("--push")) return;
  const auto pushes = pushes_of(o, model);
  for (std::size_t i = 0; i < pushes.size(); ++i)
    if (pushes[i].from >= begin + o.seconds || pushes[i].until <= begin)
      complain(fmt::format("warning: --push {} never acts: the run is from {:g} to {:g} s",
                           lissom::in_quotes(o.pushes[i]), begin, begin + o.seconds));
}

}  // namespace verb::sim
