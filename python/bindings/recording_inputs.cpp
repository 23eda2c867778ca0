// What recordings are made of, from Python: paths, settings, columns, the values of a frame.
#include "lissom/model/text.h"
#include "lissom/recording/header.h"
#include "recordings.h"

namespace lissom::python {

using recording::Column;
using recording::Header;
using recording::Signal;

namespace {

[[noreturn]] void type_error(const std::string& text) {
  PyErr_SetString(PyExc_TypeError, text.c_str());
  throw nb::python_error();
}
std::string kind_of(nb::handle object) {
  return python::type_name(object).c_str();
}
std::string text_of(nb::handle object, const std::string& what) {
  std::string text;
  if (!nb::try_cast<std::string>(object, text)) type_error(what + " is a " + kind_of(object) + ", expected a str");
  return text;
}

// A name, a Column, or (name, unit).
Column column_of(const std::string& signal, nb::handle column) {
  if (Column made; nb::try_cast<Column>(column, made)) return made;
  const std::string what = "column of signal '" + signal + "'";
  if (PyUnicode_Check(column.ptr())) return {text_of(column, what), "1"};
  if (nb::isinstance<nb::tuple>(column) && nb::len(column) == 2)
    return {text_of(nb::object(column[0]), what), text_of(nb::object(column[1]), "unit of a " + what)};
  type_error(what + " is a " + kind_of(column) + ", expected a name, (name, unit) or a Column");
}

std::vector<Column> columns_of(const Model* model, const std::string& signal, nb::handle columns) {
  if (columns.is_none()) {
    auto known = model ? known_columns(*model, signal) : std::vector<Column>();
    if (known.empty())
      throw Error("signal '" + signal +
                  "' has no columns, expected {column: unit} or a list of names; only q, v, a, tau, desired_q and "
                  "desired_v have those of the robot");
    return known;
  }
  if (PyUnicode_Check(columns.ptr())) return {{signal, text_of(columns, "unit")}};
  std::vector<Column> all;
  if (nb::isinstance<nb::dict>(columns)) {
    for (const auto [name, unit] : nb::borrow<nb::dict>(columns))
      all.push_back({text_of(name, "column of signal '" + signal + "'"),
                     text_of(unit, "unit of a column of signal '" + signal + "'")});
    return all;
  }
  if (!PySequence_Check(columns.ptr()))
    type_error("columns of signal '" + signal + "' are a " + kind_of(columns) +
               ", expected {column: unit} or a list of names");
  for (const auto column : nb::iter(columns)) all.push_back(column_of(signal, column));
  return all;
}

}  // namespace

std::string path_of(const char* name, nb::handle path) {
  PyObject* const text = PyOS_FSPath(path.ptr());
  if (!text) {
    PyErr_Clear();
    type_error(std::string(name) + " is a " + kind_of(path) + ", expected a path");
  }
  return text_of(nb::steal(text), name);
}

std::string settings_text(nb::handle settings) {
  if (settings.is_none()) return "{}";
  if (PyUnicode_Check(settings.ptr())) return text_of(settings, "settings");
  if (!nb::isinstance<nb::dict>(settings)) type_error("settings is a " + kind_of(settings) + ", expected a dict");
  // Arrays, and numbers of NumPy, become lists and plain numbers.
  const nb::object plain = nb::cpp_function([](nb::handle x) { return x.attr("tolist")(); });
  return nb::cast<std::string>(
      nb::module_::import_("json").attr("dumps")(settings, nb::arg("default") = plain, nb::arg("ensure_ascii") = false,
                                                 nb::arg("separators") = nb::make_tuple(",", ":")));
}

std::vector<Column> known_columns(const Model& model, std::string_view signal) {
  if (signal == "q" || signal == "desired_q") return recording::configuration_columns(model);
  if (signal == "tau") return recording::effort_columns(model);
  auto columns = recording::velocity_columns(model);
  if (signal == "v" || signal == "desired_v") return columns;
  if (signal != "a") return {};
  for (auto& column : columns) column.unit += "²";
  return columns;
}

std::vector<Signal> signals_of(const Model* model, nb::handle signals) {
  std::vector<Signal> all;
  if (nb::isinstance<nb::dict>(signals)) {
    for (const auto [key, columns] : nb::borrow<nb::dict>(signals)) {
      const auto name = text_of(key, "signal");
      all.push_back({name, columns_of(model, name, columns)});
    }
    return all;
  }
  if (PyUnicode_Check(signals.ptr()) || !PySequence_Check(signals.ptr()))
    type_error("signals is a " + kind_of(signals) + ", expected {name: columns} or a list of names");
  for (const auto item : nb::iter(signals)) {
    if (Signal made; nb::try_cast<Signal>(item, made)) {
      all.push_back(std::move(made));
      continue;
    }
    const auto name = text_of(item, "signal");
    all.push_back({name, columns_of(model, name, nb::none())});
  }
  return all;
}

Header header_of(nb::handle robot, nb::handle settings, const Model** model) {
  *model = nullptr;
  if (nb::isinstance<BoundModel>(robot)) {
    *model = nb::cast<const BoundModel*>(robot);
    return recording::describe(**model, settings_text(settings));
  }
  if (!nb::isinstance<Header>(robot)) type_error("robot is a " + kind_of(robot) + ", expected a Model or a Header");
  Header header = nb::cast<Header>(robot);
  if (!settings.is_none()) header.settings = settings_text(settings);
  return header;
}

recording::RecorderOptions with_topics(recording::RecorderOptions options, const Model& robot, nb::handle topics,
                                       std::vector<std::string> packages) {
  if (topics.is_none()) return options;
  std::string names;
  if (PyUnicode_Check(topics.ptr())) {
    names = text_of(topics, "ros");
  } else {
    if (!PySequence_Check(topics.ptr()))
      type_error("ros is a " + kind_of(topics) + ", expected 'all', 'none' or a list of topics");
    for (const auto name : nb::iter(topics)) names += (names.empty() ? "" : ",") + text_of(name, "ros");
    if (names.empty()) names = "none";
  }
  try {
    return recording::with_ros_topics(std::move(options), robot, names, std::move(packages));
  } catch (const Error& error) {
    throw Error(std::string("ros: ") + error.what());
  }
}

std::vector<FrameId> frames_to_record(const Model& model, nb::handle names) {
  std::vector<FrameId> frames;
  if (names.is_none()) return frames;
  for (const auto name : nb::iter(names)) frames.push_back(frame(model, name, "record_frames"));
  return frames;
}

void warn_of_notes(const recording::Recorder& recorder) {
  for (const auto& note : recorder.notes())
    if (PyErr_WarnEx(PyExc_RuntimeWarning, note.c_str(), 1) != 0) throw nb::python_error();
}

void read_frame(const std::vector<Signal>& signals, nb::handle values, std::vector<nb::object>& arrays,
                std::vector<recording::Row>& rows) {
  arrays.clear();
  rows.clear();
  const bool by_name = nb::isinstance<nb::dict>(values);
  if (!by_name && (PyUnicode_Check(values.ptr()) || !PySequence_Check(values.ptr())))
    type_error("values is a " + kind_of(values) + ", expected {signal: values}");
  if (nb::len(values) != signals.size() && !by_name)
    throw Error("values has " + std::to_string(nb::len(values)) + " rows, expected " + std::to_string(signals.size()) +
                ", one for each signal");
  for (std::size_t k = 0; k < signals.size(); ++k) {
    const auto& name = signals[k].name;
    if (by_name && !nb::borrow<nb::dict>(values).contains(name.c_str()))
      throw Error("values has no signal '" + name + "'");
    const nb::object value = by_name ? nb::object(values[name.c_str()]) : nb::object(values[k]);
    const long n = long(signals[k].columns.size());
    nb::object array = real_array(name.c_str(), value);
    if (n == 1 && nb::cast<int>(array.attr("ndim")) == 0) array = array.attr("reshape")(1);
    arrays.push_back(double_array(name.c_str(), array, std::array{n}));
    rows.emplace_back(std::span<const double>(data_of(arrays.back()), std::size_t(n)));
  }
  if (!by_name || nb::len(values) == signals.size()) return;
  for (const auto [key, value] : nb::borrow<nb::dict>(values)) {
    const auto name = text_of(key, "signal");
    if (std::ranges::find(signals, name, &Signal::name) != signals.end()) continue;
    std::string known;
    for (const auto& signal : signals) known += (known.empty() ? "" : ", ") + signal.name;
    throw Error("no signal '" + name + "' in this recording; signals: " + known);
  }
}

}  // namespace lissom::python
