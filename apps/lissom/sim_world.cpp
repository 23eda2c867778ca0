#include "sim_world.h"

#include <chrono>
#include <cmath>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "energy_report.h"
#include "interrupt.h"
#include "lissom/api/statics.h"
#include "lissom/scenes/simulation.h"
#include "lissom/scenes/world_model.h"
#include "lissom/sim/simulation.h"
#include "live_view.h"
#include "output.h"
#include "progress.h"
#include "sim_start.h"
#include "world_recording.h"
#include "world_report.h"

namespace verb::sim {
namespace {

namespace sim = lissom::sim;
using lissom::Error;
using lissom::Model;
using lissom::World;
using lissom::scenes::Scene;
using lissom::scenes::Simulation;
using lissom::scenes::WorldModel;

// The controller of the robot on the ground. The gains of pd act implicitly, as servos, so that stiff ones are stable;
// everything else is a torque.
class RobotControl {
 public:
  RobotControl(const Options& o, const Model& model, std::string name)
      : model_(model), name_(std::move(name)), work_(model) {
    if (o.controller == "none") return;
    if (o.controller == "computed_torque")
      torques_ = sim::computed_torque(model, reach(model, o.motion), o.gains);
    else
      torques_ = sim::gravity_compensation(model);
    if (o.controller != "pd") return;
    trajectory_ = reach(model, o.motion);
    servos_.stiffness = servos_.damping = Eigen::VectorXd::Zero(model.nv());
    sim::pd(model, trajectory_, o.gains)->gains(servos_.stiffness, servos_.damping);
    reference_ = {o.motion.from, Eigen::VectorXd::Zero(model.nv()), Eigen::VectorXd::Zero(model.nv())};
  }
  void operator()(World& world) {
    if (torques_) torques_->torques({model_, work_, world.time(), world.q(name_), world.v(name_)}, world.tau(name_));
    if (!trajectory_) return;
    reference_.v.setZero();
    trajectory_(world.time(), reference_);
    servos_.q_target = reference_.q;
    servos_.v_target = reference_.v;
    world.set_servos(name_, servos_);
  }

 private:
  Model model_;
  std::string name_;
  lissom::Workspace work_;
  std::unique_ptr<sim::Controller> torques_;
  sim::Trajectory trajectory_;
  sim::Reference reference_;
  lissom::Servos servos_;
};

// Pushes, and what one pulls in the browser.
class OutsideForces {
 public:
  OutsideForces(const WorldModel& model, std::vector<sim::Push> pushes)
      : model_(model), work_(model.model()), pushes_(std::move(pushes)) {}
  void add(sim::ForceLaw law) { law_ = std::move(law); }
  void operator()(World& world) {
    forces_.clear();
    const double t = world.time();
    for (const auto& push : pushes_)
      if (t >= push.from && t < push.until) forces_.push_back(push.force);
    if (forces_.empty() && !law_) return;
    model_.read(world, q_, v_, tau_);
    if (law_) law_({model_.model(), work_, t, q_, v_}, forces_);
    if (!forces_.empty()) model_.add_forces(generalized_forces(model_.model(), work_, q_, forces_), world);
  }

 private:
  const WorldModel& model_;
  lissom::Workspace work_;
  std::vector<sim::Push> pushes_;
  sim::ForceLaw law_;
  std::vector<lissom::ExternalForce> forces_;
  Eigen::VectorXd q_, v_, tau_;
};

WorldRecordingOptions recorded(const Options& o, const Scene& scene, const WorldModel& model,
                               const sim::PullLaw* pull) {
  return {.path = o.record,
          .settings = world_settings(o, scene),
          .frames = o.record_frames,
          .pushes = pushes_of(o, model.model()),
          .pull = pull,
          .reference = o.motion.from.size() > 0 ? reach(model.model(), o.motion) : sim::Trajectory(),
          .frame_count = o.seconds / o.step / o.every + 1,
          .seconds = o.seconds,
          .max_gigabytes = o.max_size,
          .ros = {o.record_ros, o.model.options.package_paths}};
}

// One run: the scene, its world, and everything that acts, records and shows.
class WorldRun {
 public:
  explicit WorldRun(Options& o)
      : o_(o),
        scene_(checked_scene(o)),
        model_(scene_),
        simulation_(scene_),
        outside_(model_, pushes_of(o, model_.model())),
        pull_(o.step) {
    tell_pushes_that_never_act(o, model_.model(), 0);
    if (o.ground) control_.emplace(o, scene_.robots[0].model, scene_.robots[0].name);
    simulation_.before_step([this](World& world) {
      if (control_) (*control_)(world);
      outside_(world);
    });
    if (!o.record.empty() || o.page.view)
      frames_.emplace(recorded(o, scene_, model_, o.page.view ? &pull_ : nullptr), scene_, model_);
  }

  int run() {
    end_on_request();
    if (o_.page.view) show();
    Progress progress(o_.quiet);
    WorldReportContext context;
    context.file = o_.model.file, context.settings = world_settings(o_, scene_), context.recording = o_.record;
    const auto begin = std::chrono::steady_clock::now();
    try {
      context.stopped = advance(progress);
    } catch (const Error& e) {
      context.error = e.what();
    }
    context.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    try {
      if (frames_) frames_->close();
    } catch (const Error& e) {
      if (context.error.empty()) context.error = e.what();
    }
    progress.clear();
    context.t = simulation_.world().time();
    context.frames = frames_ ? frames_->frames() : 0;
    return tell(context);
  }

 private:
  static Scene checked_scene(Options& o) {
    auto scene = scene_of(o);
    sim::RunOptions limits;
    limits.seconds = o.seconds, limits.step = o.step, limits.every = o.every;
    sim::check(limits);
    return scene;
  }

  // Shows the run in the browser, and lets it pause and pull.
  void show() {
    Eigen::VectorXd q, v, tau;
    model_.read(simulation_.world(), q, v, tau);
    live_ = std::make_unique<LiveView>(o_.page, model_.model(), q,
                                       LiveView::Run{"sim", frames_->signals(), json_text(frames_->settings())}, pull_);
    frames_->show([this](double time, auto rows) { live_->write(time, rows); });
    outside_.add(std::ref(pull_));
  }

  bool wants_to_end() { return live_ ? !live_->wait(simulation_.world().time()) : interrupted(); }

  // Steps until the end of the run. Returns whether somebody ended it before.
  bool advance(Progress& progress) {
    const auto count = long(std::ceil(o_.seconds / o_.step * (1 - 1e-12)));
    if (frames_) frames_->write(simulation_, {});
    for (long k = 0; k < count; ++k) {
      // The last step may be shorter.
      const auto step = simulation_.step(std::min(o_.step, o_.seconds - double(k) * o_.step));
      const bool last = k + 1 == count, ends = wants_to_end();
      if (frames_ && ((k + 1) % o_.every == 0 || last || ends)) frames_->write(simulation_, step);
      if (ends) return !last;
      progress.show(double(k + 1) / double(count), fmt::format("t = {:.3f} s", simulation_.world().time()));
    }
    return false;
  }

  int tell(const WorldReportContext& context) {
    const auto report = simulation_.report();
    for (const auto& note : simulation_.world().notes()) complain("note: " + note);
    if (o_.json)
      print_json(to_json(context, scene_, simulation_.world(), report));
    else
      print(context, scene_, report);
    const int code = complain_of_energy(report);
    if (!context.error.empty()) complain(context.error);
    if (live_) live_->finish(context.t, context.error);
    return !context.error.empty() ? 1 : context.stopped ? interrupted_code : code;
  }

  Options& o_;
  Scene scene_;
  WorldModel model_;
  Simulation simulation_;
  OutsideForces outside_;
  sim::PullLaw pull_;
  std::optional<RobotControl> control_;
  std::optional<WorldRecording> frames_;
  std::unique_ptr<LiveView> live_;
};

}  // namespace

int run_world(Options& o) {
  return WorldRun(o).run();
}

}  // namespace verb::sim
