#include "sim_recording.h"

#include "lissom/api/state.h"
#include "lissom/recording/header.h"
#include "lissom/recording/size.h"
#include "loop_report.h"
#include "recording_size.h"

namespace {

namespace recording = lissom::recording;

std::vector<recording::Signal> sim_signals(lissom::sim::System& system, const lissom::sim::RecordedExtras& extras) {
  auto all = lissom::sim::state_signals(system.model());
  all.push_back({"integrator", {{"next_step", "s"}, {"gap", "1"}}});
  if (system.loops()) all.push_back(loop_signal(system.loops()->rows()));
  all.insert(all.end(), extras.signals().begin(), extras.signals().end());
  return all;
}

recording::Recorder make_recorder(const SimRecordingOptions& o, const lissom::Model& model,
                                  const std::vector<recording::Signal>& signals) {
  const auto options = o.ros.options(model);
  check_recording_size(o.path, recording::estimated_bytes(o.path, o.header, signals, options, o.frame_count, o.seconds),
                       o.frame_count, o.max_gigabytes);
  recording::Recorder recorder(o.path, o.header, signals, options);
  print_notes(recorder);
  return recorder;
}

}  // namespace

SimRecording::SimRecording(const SimRecordingOptions& options, lissom::sim::System& system)
    : loops_(system.loops() != nullptr),
      extras_(system.model(), frames_to_record(system.model(), options.frames), options.pushes, bool(options.reference),
              options.pull),
      reference_(options.reference),
      desired_{neutral(system.model()), Eigen::VectorXd::Zero(system.model().nv()),
               Eigen::VectorXd::Zero(system.model().nv())},
      signals_(sim_signals(system, extras_)) {
  if (!options.path.empty()) recorder_.emplace(make_recorder(options, system.model(), signals_));
}

void SimRecording::write(const lissom::sim::Reading& r) {
  const double integrator[] = {r.state.next_step, r.gap};
  desired_.v.setZero();
  desired_.a.setZero();
  if (reference_) reference_(r.state.t, desired_);
  std::vector<recording::Row> rows{r.state.q, r.state.v, r.tau};
  energy_.append(r.kinetic, r.potential, r.figures, rows);
  rows.emplace_back(r.momentum);
  rows.emplace_back(std::span(integrator));
  if (loops_) rows.push_back(r.loop_forces);
  extras_.append(r.state.t, r.state.q, desired_.q, desired_.v, rows);
  if (recorder_) recorder_->write(r.state.t, rows);
  if (also_) also_(r.state.t, rows);
}
