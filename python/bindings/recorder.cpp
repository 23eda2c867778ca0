// Writing recordings frame by frame, and comparing them.
#include "lissom/recording/header.h"
#include "lissom/recording/size.h"
#include "one_caller.h"
#include "recordings.h"
#include "results.h"

namespace lissom::python {

using namespace nb::literals;
using recording::Column;
using recording::Comparison;
using recording::Deviation;
using recording::Header;
using recording::Recorder;
using recording::Signal;
using recording::SignalComparison;
LISSOM_PYTHON_TYPE(Deviation, "Deviation")
LISSOM_PYTHON_TYPE(SignalComparison, "SignalComparison")
using Gravity = std::array<double, 3>;
LISSOM_PYTHON_TYPE(Gravity, "list[float]")

namespace {

struct BoundRecorder {
  Recorder recorder;
  std::vector<Signal> signals;
  std::vector<nb::object> arrays;
  std::vector<recording::Row> rows;
  OneCaller in_use;
};

void start(BoundRecorder* self, nb::handle path, nb::handle robot, nb::handle signals, nb::handle settings,
           std::size_t chunk_bytes, double flush_seconds, bool sync, nb::handle ros,
           const std::vector<std::string>& packages) {
  const auto file = path_of("path", path);
  const Model* model = nullptr;
  const auto header = header_of(robot, settings, &model);
  auto all = signals_of(model, signals);
  const auto options =
      with_topics({chunk_bytes, flush_seconds, sync}, model ? *model : recording::rebuild(header), ros, packages);
  Recorder recorder = [&] {
    const nb::gil_scoped_release release;
    return Recorder(file, header, all, options);
  }();
  warn_of_notes(recorder);
  new (self) BoundRecorder{std::move(recorder), std::move(all), {}, {}, {}};
}

void write(BoundRecorder& self, double time, nb::handle values) {
  const OneCaller::Scope use(self.in_use, "Recorder");
  read_frame(self.signals, values, self.arrays, self.rows);
  const nb::gil_scoped_release release;
  self.recorder.write(time, self.rows);
}

void close(BoundRecorder& self) {
  const OneCaller::Scope use(self.in_use, "Recorder");
  const nb::gil_scoped_release release;
  self.recorder.close();
}

std::string deviation_text(const Deviation& d) {
  char text[64];
  std::snprintf(text, sizeof text, "%.3g", d.difference);
  std::string time(32, '\0');
  time.resize(std::size_t(std::snprintf(time.data(), time.size(), "%g", d.time)));
  return std::string(text) + " " + d.unit + " of " + d.column + " at " + time + " s";
}

std::string header_text(const Header& h) {
  return "Header(model='" + h.model + "', robot_file='" + h.robot_file + "', " + std::to_string(h.q.size()) +
         " elements of q, " + std::to_string(h.v.size()) + " of v, settings='" + h.settings + "')";
}

// The verdict and where the two differ most, as `lissom compare` prints it.
std::string text_of(const Comparison& c) {
  std::string text =
      std::string("Comparison(") + (c.alike ? "alike" : "different") + ", " + std::to_string(c.frames) + " frames";
  for (const auto& s : c.signals) {
    text += "\n  " + s.signal + ": " +
            (s.max_deviation.difference > 0 ? "at most " + deviation_text(s.max_deviation) : "equal");
    for (const auto& complaint : s.complaints) text += "; " + complaint;
  }
  for (const auto& complaint : c.complaints) text += "\n  different: " + complaint;
  return text + ")";
}

nb::object compare(nb::handle first, nb::handle second, double tolerance, double time_tolerance,
                   const std::vector<std::string>& signals) {
  const auto recording_of = [](const char* name, nb::handle given) {
    return nb::isinstance<BoundRecording>(given)
               ? nb::borrow(given)
               : nb::module_::import_("lissom._core").attr("recording").attr("read_recording")(path_of(name, given));
  };
  const nb::object a = recording_of("first", first), b = recording_of("second", second);
  const auto &one = nb::cast<const BoundRecording&>(a), &other = nb::cast<const BoundRecording&>(b);
  Comparison result = [&] {
    const nb::gil_scoped_release release;
    return recording::compare(one, other, {tolerance, time_tolerance, signals});
  }();
  return nb::cast(std::move(result));
}

void bind_size(nb::module_& m) {
  m.def(
      "estimated_bytes",
      [](nb::handle path, nb::handle signals, double frames) {
        return recording::estimated_bytes(path_of("path", path), signals_of(nullptr, signals), frames);
      },
      "path"_a, "signals"_a, "frames"_a,
      nb::sig("def estimated_bytes(path: Any, signals: Mapping[str, Any] | Sequence[Signal], frames: float) -> float"),
      "The space on the disk that a Recorder needs for this many frames, in bytes.");
}

}  // namespace

void bind_recording_parts(nb::module_& m) {
  auto column = bind_record<Column>(
      m, "Column", "Name and unit of one element of a signal; the unit of a dimensionless one is '1'.",
      std::tuple{Field{"name", &Column::name, "Of the element."}, Field{"unit", &Column::unit, "'rad', 'N·m', '1'."}});
  column.def("__eq__", [](const Column& a, nb::handle b) {
    return nb::isinstance<Column>(b) && a == nb::cast<const Column&>(b);
  });
  bind_result<Signal>(m, "Signal", "Values that are recorded together.",
                      std::tuple{Field{"name", &Signal::name, "Of the signal."},
                                 Field{"columns", &Signal::columns, "One for each element."}})
      .def(
          "__init__",
          [](Signal* self, const std::string& name, nb::handle columns) {
            nb::dict one;
            one[name.c_str()] = nb::borrow(columns);
            new (self) Signal(signals_of(nullptr, one)[0]);
          },
          "name"_a, "columns"_a,
          nb::sig("def __init__(self, name: str, columns: Mapping[str, str] | Sequence[Any]) -> None"),
          "columns: {column: unit}, or names, whose units are then '1'.")
      .def("__eq__",
           [](const Signal& a, nb::handle b) { return nb::isinstance<Signal>(b) && a == nb::cast<const Signal&>(b); });
  bind_result<Header>(
      m, "Header",
      "Everything that is needed to build the same model again and to interpret the values. describe() makes it.",
      std::tuple{
          Field{"model", &Header::model, "Its name."},
          Field{"robot_file", &Header::robot_file, "Path of the robot file."},
          Field{"robot_text", &Header::robot_text, "Its text; empty if it would give another robot than was recorded."},
          Field{"robot_description", &Header::robot_description,
                "The robot as JSON, if the text alone does not give it."},
          Field{"base", &Header::base, "As for load()."},
          Field{"mimic", &Header::mimic, "Whether joints that mimic others follow them."},
          Field{"axis_tolerance", &Header::axis_tolerance, "rad"}, Field{"gravity", &Header::gravity, "m/s²"},
          Field{"q", &Header::q, "Names and units of the elements of q."},
          Field{"v", &Header::v, "Names and units of the elements of v."},
          Field{"settings", &Header::settings, "A JSON object, as text."},
          Field{"lissom_version", &Header::lissom_version, "Of the lissom that recorded it."}},
      &header_text)
      .def("__eq__",
           [](const Header& a, nb::handle b) { return nb::isinstance<Header>(b) && a == nb::cast<const Header&>(b); });
  m.def(
      "describe",
      [](const BoundModel& robot, nb::handle settings) { return recording::describe(robot, settings_text(settings)); },
      "robot"_a, "settings"_a = nb::none(),
      nb::sig("def describe(robot: lissom.Model, settings: Mapping[str, Any] | str | None = None) -> Header"),
      "The header for a robot; it contains the robot, so that a recording is self-contained: the text of its file, or "
      "its "
      "whole description.");
  m.def(
      "rebuild", [](const Header& header) { return BoundModel(recording::rebuild(header)); }, "header"_a,
      "The robot that was recorded.");
  m.def(
      "configuration_columns", [](const BoundModel& robot) { return recording::configuration_columns(robot); },
      "robot"_a, "Names and units of the elements of q: 'left_knee', 'base.x', …");
  m.def(
      "velocity_columns", [](const BoundModel& robot) { return recording::velocity_columns(robot); }, "robot"_a,
      "Names and units of the elements of v.");
}

void bind_recorder(nb::module_& m) {
  const recording::RecorderOptions defaults;
  nb::class_<BoundRecorder>(
      m, "Recorder",
      "Writes a recording frame by frame; the extension of the path chooses the format (.mcap, .npz, .csv).\n\n"
      "    with recording.Recorder('run.mcap', robot, {'q': None, 'v': None, 'energy': {'total': 'J'}}) as r:\n"
      "        r.write(t, {'q': q, 'v': v, 'energy': e})")
      .def(
          "__init__", &start, "path"_a, "robot"_a, "signals"_a, "settings"_a = nb::none(),
          "chunk_bytes"_a = defaults.chunk_bytes, "flush_seconds"_a = defaults.flush_seconds, "sync"_a = defaults.sync,
          "ros"_a = nb::none(), "packages"_a = std::vector<std::string>(),
          nb::sig("def __init__(self, path: Any, robot: Any, signals: Mapping[str, Any] | Sequence[Any], settings: "
                  "Mapping[str, Any] | str | None = None, chunk_bytes: int = 1048576, flush_seconds: float = 1.0, "
                  "sync: bool = False, ros: Literal['all', 'none'] | Sequence[Literal['description', 'joint_states', "
                  "'tf', 'meshes']] | None = None, packages: Sequence[str] = ()) -> None"),
          "robot: a Model or a Header. signals: {name: columns}, where columns is {column: unit}, a list of names, a "
          "unit (of a single column), or None for q, v, a, tau, desired_q and desired_v, whose columns are the "
          "robot's; or a list of such names. ros: what an .mcap file has for Foxglove, Rerun and ROS besides: 'all', "
          "or some of 'description' (/robot_description), 'joint_states' (/joint_states), 'tf' (/tf), 'meshes' "
          "(attachments); a signal q must be recorded. packages: folders in which meshes are searched. What is missing "
          "is told by a RuntimeWarning.")
      .def("write", &write, "time"_a, "values"_a,
           nb::sig("def write(self, time: float, values: Mapping[str, ArrayLike] | Sequence[ArrayLike]) -> None"),
           "Records one frame: {signal: values}, or the rows in the order of the signals. The time, in s, must not "
           "decrease.")
      .def(
          "flush",
          [](BoundRecorder& self) {
            const OneCaller::Scope use(self.in_use, "Recorder");
            const nb::gil_scoped_release release;
            self.recorder.flush();
          },
          "Writes all frames so far to the file: they survive the end of this process, whatever ends it.")
      .def("close", &close, "Writes the remaining frames and the index, and waits until the file is on the disk.")
      .def_prop_ro(
          "frames", [](const BoundRecorder& self) { return self.recorder.frames(); }, "Number of frames so far.")
      .def_prop_ro(
          "safe_frames", [](const BoundRecorder& self) { return self.recorder.safe_frames(); },
          "Number of frames that have been flushed.")
      .def_prop_ro(
          "signals",
          [](const BoundRecorder& self) {
            nb::list names;
            for (const auto& signal : self.signals) names.append(signal.name);
            return names;
          },
          nb::sig("def signals(self) -> list[str]"), "Names of the signals.")
      .def(
          "__enter__", [](nb::handle self) { return nb::borrow(self); }, nb::sig("def __enter__(self) -> Recorder"))
      .def(
          "__exit__", [](BoundRecorder& self, nb::handle, nb::handle, nb::handle) { close(self); },
          "type"_a = nb::none(), "value"_a = nb::none(), "traceback"_a = nb::none(),
          nb::sig("def __exit__(self, type: Any = None, value: Any = None, traceback: Any = None) -> None"));
  bind_size(m);
}

void bind_compare(nb::module_& m) {
  auto deviation = bind_result<Deviation>(
      m, "Deviation", "A difference between two recordings, and where it was found.",
      std::tuple{Field{"time", &Deviation::time, "s"}, Field{"column", &Deviation::column, "Its name."},
                 Field{"unit", &Deviation::unit, "Of the difference."},
                 Field{"difference", &Deviation::difference, "Infinite if one value is finite and the other is not."}});
  using S = SignalComparison;
  bind_result<S>(m, "SignalComparison", "By how much a signal differs.",
                 std::tuple{Field{"signal", &S::signal, "Its name."},
                            Field{"columns", &S::columns, "Number of columns that both have."},
                            Field{"complaints", &S::complaints, "Columns that only one has, and units that differ."},
                            Field{"max_deviation", &S::max_deviation, "The largest difference."},
                            Field{"rms", &S::rms, "Root mean square over all values that both have."},
                            Field{"first_deviation", &S::first_deviation,
                                  "The first difference above the tolerance; None if there is none."}});
  using C = Comparison;
  bind_result<C>(
      m, "Comparison", "By how much two recordings differ, at which time, in which column. True if they are alike.",
      std::tuple{Field{"frames", &C::frames, "Number of frames whose times both have."},
                 Field{"only_first", &C::only_first, "Number of frames whose times only the first one has."},
                 Field{"only_second", &C::only_second, "Number of frames whose times only the second one has."},
                 Field{"signals", &C::signals, "A list of SignalComparison."},
                 Field{"complaints", &C::complaints, "Signals and times that only one has."},
                 Field{"settings", &C::settings, "Differences of the headers; they do not affect `alike`."},
                 Field{"alike", &C::alike, "Same signals, columns and times, and no difference above the tolerance."}},
      &text_of)
      .def("__bool__", [](const C& self) { return self.alike; });
  m.def("compare", &compare, "first"_a, "second"_a, "tolerance"_a = 1e-9, "time_tolerance"_a = 1e-9,
        "signals"_a = std::vector<std::string>(),
        nb::sig("def compare(first: Any, second: Any, tolerance: float = 1e-09, time_tolerance: float = 1e-09, "
                "signals: Sequence[str] = ()) -> Comparison"),
        "Compares two recordings, or files with recordings, at the times that both have. tolerance: the largest "
        "difference of values that count as equal, in their units; time_tolerance: frames whose times differ by no "
        "more are compared, s; signals: those to compare, all if empty. A quaternion equals its negative, and NaN "
        "equals NaN.");
}

}  // namespace lissom::python
