#pragma once
// What runs of motions and of gaits on a simulated robot share: its imperfections, a recording, and functions of Python
// that are called on the way.
#include "lissom/control/motion_signals.h"
#include "motion.h"
#include "sim_types.h"

namespace lissom::python {

LISSOM_PYTHON_TYPE(nb::object, "Any")
LISSOM_PYTHON_TYPE(control::WholeBodyOptions, "WholeBodyOptions")

struct RunArguments {
  std::string simulator = "contact";
  std::optional<control::WholeBodyOptions> controller = {};
  std::optional<double> step = {};
  int substeps = 1;
  nb::object scene = nb::none();
  nb::object pushes = nb::make_tuple();
  double mass_error = 0, mass_scale = 1;
  std::optional<double> ground_friction = {};
  int delay = 0;
  double position_noise = 0, velocity_noise = 0;
  unsigned long seed = 0;
  nb::object observer = nb::none(), stop = nb::none(), progress = nb::none();
  nb::object record = nb::none(), record_frames = nb::none(), ros = nb::str("all");
};

inline auto run_fields() {
  using A = RunArguments;
  return std::tuple{Field{"simulator", &A::simulator, ""},
                    Field{"controller", &A::controller, ""},
                    Field{"step", &A::step, ""},
                    Field{"substeps", &A::substeps, ""},
                    Field{"scene", &A::scene, ""},
                    Field{"pushes", &A::pushes, ""},
                    Field{"mass_error", &A::mass_error, ""},
                    Field{"mass_scale", &A::mass_scale, ""},
                    Field{"ground_friction", &A::ground_friction, ""},
                    Field{"delay", &A::delay, ""},
                    Field{"position_noise", &A::position_noise, ""},
                    Field{"velocity_noise", &A::velocity_noise, ""},
                    Field{"seed", &A::seed, ""},
                    Field{"observer", &A::observer, ""},
                    Field{"stop", &A::stop, ""},
                    Field{"progress", &A::progress, ""},
                    Field{"record", &A::record, ""},
                    Field{"record_frames", &A::record_frames, ""},
                    Field{"ros", &A::ros, ""}};
}

/// Fields of RunArguments as fields of a structure that adds some.
template <class T, class... M>
auto fields_for(const std::tuple<Field<RunArguments, M>...>& fields) {
  return std::apply([](const auto&... f) { return std::tuple{Field<T, M>{f.name, f.member, f.doc}...}; }, fields);
}

/// These arguments in the signatures of functions, as stubs write them.
inline const std::string run_signature =
    "simulator: Literal['contact', 'prescribed_acceleration'] = 'contact', controller: WholeBodyOptions | None = None, "
    "step: float | None = None, substeps: int = 1, scene: Any = None, pushes: Iterable[Any] = (), mass_error: float = "
    "0.0, mass_scale: float = 1.0, ground_friction: float | None = None, delay: int = 0, position_noise: float = 0.0, "
    "velocity_noise: float = 0.0, seed: int = 0, stop: Callable[[], bool] | None = None, progress: Callable[[float, "
    "str], Any] | None = None, record: Any = None, record_frames: Sequence[str] | None = None, ros: Any = 'all'";
/// And what they mean.
inline const std::string run_meaning =
    "simulator: 'contact' applies the torques to a robot in a world of rigid bodies with Coulomb friction, "
    "'prescribed_acceleration' integrates the controller's accelerations. step: length of a tick, s; None: that of the "
    "controller's options. substeps: steps of the simulator per tick. scene: a scene file whose fixed shapes stand "
    "around the robot; contacts have no more than its friction, unless ground_friction is given. pushes: (frame, "
    "force, from, until): a force, (3,), N, on the origin of the frame, along the "
    "world's axes, in that time, s.\n\n"
    "What the controller does not know: mass_error: masses and inertias of links are wrong by up to this fraction; "
    "mass_scale: and by this factor, all of them; ground_friction: coefficient of the ground, None: that of the "
    "contacts; delay: of torques, in ticks; position_noise, velocity_noise: standard deviations of the sensed state, "
    "rad and m, rad/s and m/s; seed: of all random numbers.\n\n"
    "observer(reading) is called after each tick; stop() is asked after each tick and ends the run if it returns True; "
    "progress(fraction, text) is called every 100 ms. record: a file (.mcap, .npz, .csv) for a recording of the run, "
    "with the signals of `lissom control --record`; record_frames: names of frames whose paths are recorded, too; ros: "
    "as for recording.Recorder.";

/// The options of the controller, with the step that was given.
control::WholeBodyOptions controller_options(const RunArguments& a);
/// The simulated robot. Ticks have the controller's step.
sim::RobotOptions robot_options(const Model& model, const RunArguments& a, double step);
/// "observer is 3, expected a function or None"
void expect_functions(const RunArguments& a);

/// The recording of a run, if one was asked for.
class RunRecorder {
 public:
  /// With the GIL. The names of stages and phases are those that the signal `stage` has indices of.
  RunRecorder(const Model& model, const RunArguments& a, const std::vector<Contact>& contacts,
              const std::vector<sim::Push>& pushes, const std::string& motion, const std::vector<std::string>& stages,
              const std::vector<std::string>& phases);
  void write(const control::MotionFrame& frame) {
    if (recorder_) recorder_->write(frame.robot.time(), signals_->rows(frame));
  }
  void close() {
    if (recorder_) recorder_->close();
  }

 private:
  std::optional<control::MotionSignals> signals_;
  std::optional<recording::Recorder> recorder_;
};

/// Calls progress, notices Ctrl-C, and asks stop. Without the GIL.
class RunWatch {
 public:
  explicit RunWatch(const RunArguments& a) : stop_(a.stop), progress_(a.progress) {}
  /// Calls the observer with a reading, which is null when the call has ended.
  template <class Bound, class Reading>
  static void observe(nb::handle observer, const Reading& r) {
    if (observer.is_none()) return;
    const nb::gil_scoped_acquire acquire;
    const nb::object reading = nb::cast(Bound{&r});
    struct End {
      Bound& reading;
      ~End() { reading.now = nullptr; }
    } end{*nb::inst_ptr<Bound>(reading)};
    observer(reading);
  }
  /// `text` is a function without arguments that makes it.
  template <class Text>
  void show(double fraction, const Text& text) {
    const auto now = std::chrono::steady_clock::now();
    if (progress_.is_none() || now - shown_ < std::chrono::milliseconds(100)) return;
    shown_ = now;
    const nb::gil_scoped_acquire acquire;
    progress_(std::min(.99, fraction), text());
  }
  bool stop();

 private:
  nb::handle stop_, progress_;
  SignalWatch signals_;
  std::chrono::steady_clock::time_point shown_ = {};
};

}  // namespace lissom::python
