#include "world_recording.h"

#include "lissom/api/state.h"
#include "lissom/recording/header.h"
#include "lissom/recording/size.h"
#include "output.h"
#include "recording_size.h"

namespace {

namespace recording = lissom::recording;
using lissom::scenes::Scene;

recording::Recorder make_recorder(const WorldRecordingOptions& o, const recording::Header& header,
                                  const lissom::Model& model, const std::vector<recording::Signal>& signals) {
  const auto options = o.ros.options(model);
  check_recording_size(o.path, recording::estimated_bytes(o.path, header, signals, options, o.frame_count, o.seconds),
                       o.frame_count, o.max_gigabytes);
  recording::Recorder recorder(o.path, header, signals, options);
  print_notes(recorder);
  return recorder;
}

}  // namespace

WorldRecording::WorldRecording(const WorldRecordingOptions& o, const Scene& scene,
                               const lissom::scenes::WorldModel& model)
    : of_world_(scene, model),
      settings_(o.settings),
      extras_(model.model(), frames_to_record(model.model(), o.frames), o.pushes, bool(o.reference), o.pull),
      reference_(o.reference),
      desired_{neutral(model.model()), Eigen::VectorXd::Zero(model.model().nv()),
               Eigen::VectorXd::Zero(model.model().nv())} {
  settings_["contact_names"] = of_world_.contact_names();
  signals_ = of_world_.signals();
  signals_.insert(signals_.end(), extras_.signals().begin(), extras_.signals().end());
  if (o.path.empty()) return;
  const auto header = recording::describe(model.model(), json_text(settings_));
  recorder_.emplace(make_recorder(o, header, model.model(), signals_));
}

void WorldRecording::write(lissom::scenes::Simulation& simulation, const lissom::StepReport& step) {
  const double t = simulation.world().time();
  desired_.v.setZero();
  desired_.a.setZero();
  if (reference_) reference_(t, desired_);
  auto& rows = of_world_.rows(simulation, step);
  extras_.append(t, of_world_.q(), desired_.q, desired_.v, rows);
  if (recorder_) recorder_->write(t, rows);
  if (also_) also_(t, rows);
}
