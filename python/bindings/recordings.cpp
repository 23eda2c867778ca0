// Recordings: the values of every frame as arrays, files, tables, copies.
#include "recordings.h"

#include "html.h"
#include "lissom/model/text.h"
#include "lissom/sim/integrator.h"
#include "results.h"

namespace lissom::python {

using namespace nb::literals;
using recording::Recording;
using recording::Signal;

nb::object BoundRecording::view(nb::handle self, std::size_t signal) {
  const auto& run = nb::cast<const BoundRecording&>(self);
  static const double nothing = 0;  // (of an empty array, too, NumPy wants an address)
  const auto& values = run.values[signal];
  const std::array shape{long(run.frames()), long(run.signals[signal].columns.size())};
  return numpy_view(values.empty() ? &nothing : values.data(), shape, self);
}

namespace {

nb::object times_of(nb::handle self) {
  const auto& times = nb::cast<const BoundRecording&>(self).times;
  static const double nothing = 0;
  return numpy_view(times.empty() ? &nothing : times.data(), std::array{long(times.size())}, self);
}

nb::object column_view(nb::handle self, std::size_t signal, const std::string& column) {
  const auto& columns = nb::cast<const BoundRecording&>(self).signals[signal].columns;
  const auto found = std::ranges::find(columns, column, &recording::Column::name);
  if (found == columns.end()) {
    std::string known;
    for (const auto& c : columns) known += (known.empty() ? "" : ", ") + c.name;
    throw Error("no column '" + column + "' in signal '" + nb::cast<const BoundRecording&>(self).signals[signal].name +
                "'; columns: " + known);
  }
  return BoundRecording::view(self, signal)[nb::make_tuple(nb::ellipsis(), found - columns.begin())];
}

// run["q"], run["q", "left_knee"], run["q.left_knee"], run["time"].
nb::object item(nb::handle self, nb::handle key) {
  const auto& run = nb::cast<const BoundRecording&>(self);
  if (nb::isinstance<nb::tuple>(key) && nb::len(key) == 2)
    return column_view(self, run.signal(nb::cast<std::string>(key[0])), nb::cast<std::string>(key[1]));
  std::string name;
  if (!nb::try_cast<std::string>(key, name)) {
    PyErr_Format(PyExc_TypeError, "key is a %s, expected the name of a signal, as in run[\"q\"]",
                 python::type_name(key).c_str());
    throw nb::python_error();
  }
  if (name == "time") return times_of(self);
  for (std::size_t k = 0; k < run.signals.size(); ++k) {
    const auto& signal = run.signals[k].name;
    if (name == signal) return BoundRecording::view(self, k);
    if (name.starts_with(signal + ".")) return column_view(self, k, name.substr(signal.size() + 1));
  }
  (void)run.signal(name);  // throws, and lists the signals
  return nb::none();
}

template <std::string recording::Column::* member>
nb::list texts(const BoundRecording& run, const std::string& signal) {
  nb::list all;
  for (const auto& column : run.signals[run.signal(signal)].columns) all.append(column.*member);
  return all;
}

std::string repr(nb::handle self) {
  const auto& run = nb::cast<const BoundRecording&>(self);
  std::string text = nb::cast<std::string>(self.type().attr("__name__")) + "('" + run.header.model + "', " +
                     counted(run.frames(), "frame");
  if (run.frames() > 0) text += ", " + to_text(run.times.front()) + " … " + to_text(run.times.back()) + " s";
  for (const auto& signal : run.signals)
    text +=
        (&signal == &run.signals[0] ? ": " : ", ") + signal.name + " (" + std::to_string(signal.columns.size()) + ")";
  return text + ")";
}

void save(const BoundRecording& run, nb::handle path) {
  const auto file = path_of("path", path);
  recording::Recorder recorder = [&] {
    const nb::gil_scoped_release release;
    return recording::Recorder(file, run.header, run.signals);
  }();
  in_pieces(long(run.frames()), 16384, [&](long first, long count) {
    std::vector<recording::Row> rows;
    for (long i = first; i < first + count; ++i) {
      rows.clear();
      for (std::size_t k = 0; k < run.signals.size(); ++k) rows.emplace_back(run.row(k, std::size_t(i)));
      recorder.write(run.times[std::size_t(i)], rows);
    }
  });
  const nb::gil_scoped_release release;
  recorder.close();
}

nb::dict to_dict(nb::handle self) {
  const auto& run = nb::cast<const BoundRecording&>(self);
  nb::dict all;
  all["time"] = times_of(self);
  for (std::size_t k = 0; k < run.signals.size(); ++k) all[run.signals[k].name.c_str()] = BoundRecording::view(self, k);
  return all;
}

nb::object to_pandas(nb::handle self, nb::handle signals) {
  const auto& run = nb::cast<const BoundRecording&>(self);
  const auto pandas = nb::module_::import_("pandas");
  nb::list arrays, names;
  for (std::size_t k = 0; k < run.signals.size(); ++k) {
    const auto& signal = run.signals[k];
    if (!signals.is_none() && !nb::cast<bool>(nb::list(signals).attr("__contains__")(signal.name))) continue;
    arrays.append(BoundRecording::view(self, k));
    for (const auto& column : signal.columns) names.append(signal.name + "." + column.name);
  }
  if (!signals.is_none())
    for (const auto name : nb::iter(signals)) (void)run.signal(nb::cast<std::string>(name));
  const nb::object values = nb::len(arrays) == 0 ? new_array(std::array{long(run.frames()), 0L})
                                                 : nb::module_::import_("numpy").attr("concatenate")(arrays, 1);
  return pandas.attr("DataFrame")(values,
                                  nb::arg("index") = pandas.attr("Index")(times_of(self), nb::arg("name") = "time"),
                                  nb::arg("columns") = names);
}

void expect_times(const std::vector<double>& times) {
  for (std::size_t i = 0; i < times.size(); ++i)
    if (!std::isfinite(times[i]) || (i > 0 && times[i] < times[i - 1]))
      throw Error("times[" + std::to_string(i) + "] is " + to_text(times[i]) +
                  " s, expected finite numbers that do not decrease");
}

// A recording of arrays: {name: (frames, columns)}.
Recording made_of(nb::handle robot, nb::handle times, const nb::dict& values, nb::handle columns, nb::handle settings) {
  Recording run;
  const Model* model = nullptr;
  run.header = header_of(robot, settings, &model);
  const auto t = vector("times", times);
  run.times.assign(t.begin(), t.end());
  expect_times(run.times);
  const nb::dict given = columns.is_none() ? nb::dict() : nb::cast<nb::dict>(columns);
  for (const auto [key, array] : values) {
    const auto name = nb::cast<std::string>(key);
    nb::object rows = real_array(name.c_str(), array);
    if (nb::cast<int>(rows.attr("ndim")) == 1) rows = rows.attr("reshape")(-1, 1);
    nb::dict one;
    one[key] = given.contains(key) ? nb::object(given[key]) : nb::none();
    if (one[key].is_none() && (!model || known_columns(*model, name).empty())) {
      nb::list numbers;
      for (long i = 0; i < nb::cast<long>(rows.attr("shape")[-1]); ++i) numbers.append(std::to_string(i));
      one[key] = numbers;
    }
    run.signals.push_back(signals_of(model, one)[0]);
    const nb::object data =
        double_array(name.c_str(), rows, std::array{long(t.size()), long(run.signals.back().columns.size())});
    const auto size = std::size_t(t.size()) * run.signals.back().columns.size();
    run.values.emplace_back(data_of(data), data_of(data) + size);
  }
  recording::check(run.header, run.signals);
  return run;
}

nb::tuple state_of(nb::handle self) {
  const auto& run = nb::cast<const BoundRecording&>(self);
  nb::list values;
  for (const auto& each : run.values) values.append(to_numpy(std::span<const double>(each)));
  return nb::make_tuple(run.header, run.signals, to_numpy(std::span<const double>(run.times)), values, run.warnings);
}

sim::State state_at(const BoundRecording& run, long frame) {
  const long frames = long(run.frames()), at = frame < 0 ? frame + frames : frame;
  if (at < 0 || at >= frames)
    throw Error("frame is " + std::to_string(frame) + ", expected " + std::to_string(-frames) + " … " +
                std::to_string(frames - 1));
  const auto take = [&](const char* name) {
    const auto row = run.row(run.signal(name), std::size_t(at));
    return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(row.data(), long(row.size())));
  };
  sim::State x{run.times[std::size_t(at)], take("q"), take("v"), 0};
  const auto integrator = std::ranges::find(run.signals, "integrator", &Signal::name);
  if (integrator != run.signals.end() && !integrator->columns.empty()) x.next_step = take("integrator")[0];
  return x;
}

void bind_arrays(nb::class_<BoundRecording>& r) {
  r.def_prop_ro(
      "times", [](nb::handle self) { return times_of(self); }, nb::sig("def times(self) -> NDArray[np.float64]"),
      "Of the frames, (frames,), s; never decreasing. Read-only, without a copy.");
  r.def(
      "__getitem__", [](nb::handle self, nb::handle key) { return item(self, key); }, "key"_a,
      nb::sig("def __getitem__(self, key: str | tuple[str, str]) -> NDArray[np.float64]"),
      "run['q']: a signal, (frames, columns); run['q', 'left_knee'] or run['q.left_knee']: one column, (frames,); "
      "run['time']. Read-only, without a copy.");
  r.def("__len__", [](const BoundRecording& self) { return self.frames(); }, "Number of frames.");
  r.def(
      "__contains__",
      [](const BoundRecording& self, const std::string& name) {
        return std::ranges::find(self.signals, name, &Signal::name) != self.signals.end();
      },
      "signal"_a);
  r.attr("__iter__") = nb::none();  // (frames or signals? neither is what everybody expects)
  r.def_prop_ro(
      "signals",
      [](const BoundRecording& self) {
        nb::list names;
        for (const auto& signal : self.signals) names.append(signal.name);
        return names;
      },
      nb::sig("def signals(self) -> list[str]"), "Names of the signals, in their order.");
  r.def("columns", &texts<&recording::Column::name>, "signal"_a, nb::sig("def columns(self, signal: str) -> list[str]"),
        "Names of the columns of a signal.");
  r.def("units", &texts<&recording::Column::unit>, "signal"_a, nb::sig("def units(self, signal: str) -> list[str]"),
        "Units of the columns of a signal.");
  r.def(
      "to_dict", [](nb::handle self) { return to_dict(self); },
      nb::sig("def to_dict(self) -> dict[str, NDArray[np.float64]]"),
      "All signals by name, and 'time', without a copy: numpy.savez(path, **run.to_dict()).");
  r.def(
      "to_pandas", [](nb::handle self, nb::handle signals) { return to_pandas(self, signals); },
      "signals"_a = nb::none(), nb::sig("def to_pandas(self, signals: Sequence[str] | None = None) -> Any"),
      "A DataFrame with the columns 'q.left_knee', …, and the times as its index; of some signals, or of all. Needs "
      "pandas.");
}

void bind_class(nb::module_& m) {
  auto r =
      nb::class_<BoundRecording>(m, "Recording",
                                 "All frames of a motion: its robot, its settings, and signals such as q and v.\n\n"
                                 "    run['q']                # (frames, nq)\n    run['q', 'left_knee']   # "
                                 "(frames,)\n    run.times, run.signals, run.units('q')");
  r.def(
      "__init__",
      [](BoundRecording* self, nb::handle robot, nb::handle times, const nb::dict& values, nb::handle columns,
         nb::handle settings) { new (self) BoundRecording(made_of(robot, times, values, columns, settings)); },
      "robot"_a, "times"_a, "values"_a, "columns"_a = nb::none(), "settings"_a = nb::none(),
      nb::sig("def __init__(self, robot: Any, times: ArrayLike, values: Mapping[str, ArrayLike], columns: Mapping[str, "
              "Any] | None = None, settings: Mapping[str, Any] | str | None = None) -> None"),
      "A recording of arrays. values: {signal: (frames, columns)}; columns: {signal: {column: unit}}, not needed for "
      "q, v, a and tau.");
  bind_arrays(r);
  r.def_prop_ro(
      "header", [](const BoundRecording& self) { return self.header; },
      "The robot, names and units of q and v, settings.");
  r.def_prop_ro(
      "settings",
      [](const BoundRecording& self) { return nb::module_::import_("json").attr("loads")(self.header.settings); },
      nb::sig("def settings(self) -> dict[str, Any]"), "The settings of the run, a copy.");
  r.def_prop_ro(
      "warnings", [](const BoundRecording& self) { return self.warnings; },
      "Of the reader: where a file is truncated.");
  r.def("save", &save, "path"_a, nb::sig("def save(self, path: Any) -> None"),
        "Writes it to a file: .mcap, .npz or .csv. Replaces an existing one.");
  r.def(
      "rebuild", [](const BoundRecording& self) { return BoundModel(recording::rebuild(self.header)); },
      "The robot that was recorded, from the text of its file.");
  r.def("state", &state_at, "frame"_a = -1, nb::sig("def state(self, frame: int = -1) -> lissom.sim.State"),
        "The state in a frame, to go on from: lissom.simulate(robot, state=run.state()).");
  r.def(
      "view",
      [](nb::handle self, const nb::kwargs& options) {
        return nb::module_::import_("lissom.viewing").attr("view")(self, **options);
      },
      nb::sig("def view(self, *, rate: float = 120, bind: str = '127.0.0.1', port: int = 8420, browser: bool | None = "
              "None, package_paths: Any = ()) -> lissom.View"),
      "Shows it on a page in the browser, or in a cell of a notebook: lissom.view(run, …).");
  r.def("__repr__", &repr);
  r.def("_repr_html_", &recording_html, "A table of the signals, for notebooks.");
  r.def("__copy__", [](nb::handle self) { return nb::borrow(self); });
  r.def(
      "__deepcopy__", [](nb::handle self, nb::handle) { return nb::borrow(self); }, "memo"_a,
      "Recordings do not change: their copies are themselves.");
  r.def("__getstate__", [](nb::handle self) { return state_of(self); });
  r.def("__setstate__", [](BoundRecording& self, const nb::tuple& state) {
    new (&self) BoundRecording();
    restore(self, state);
  });
}

}  // namespace

void restore(BoundRecording& run, const nb::tuple& state) {
  run.header = nb::cast<recording::Header>(state[0]);
  run.signals = nb::cast<std::vector<Signal>>(state[1]);
  const auto numbers = [](nb::handle array) {
    const auto x = vector("values", array);
    return std::vector<double>(x.begin(), x.end());
  };
  run.times = numbers(state[2]);
  for (const auto each : nb::cast<nb::list>(state[3])) run.values.push_back(numbers(each));
  run.warnings = nb::cast<std::vector<std::string>>(state[4]);
  recording::check(run.header, run.signals);
  bool fits = run.values.size() == run.signals.size();
  for (std::size_t k = 0; fits && k < run.signals.size(); ++k)
    fits = run.values[k].size() == run.frames() * run.signals[k].columns.size();
  if (!fits) throw Error("state has values that do not fit its signals and times");
}

nb::tuple pickled(nb::handle run) {
  return state_of(run);
}

void bind_recording(nb::module_& m) {
  nb::module_ r = m.def_submodule("recording", "Recordings of motions: writing, reading, comparing.");
  bind_recording_parts(r);
  bind_class(r);
  bind_recorder(r);
  bind_compare(r);
  r.def(
      "read_recording",
      [](nb::handle path) {
        const auto file = path_of("path", path);
        const nb::gil_scoped_release release;
        return BoundRecording(recording::read_recording(file));
      },
      "path"_a, nb::sig("def read_recording(path: Any) -> Recording"),
      "The recording in a file (.mcap, .npz, .csv), bit for bit. A truncated file is read as far as it is complete; "
      "warnings says how far that is.");
}

}  // namespace lissom::python
