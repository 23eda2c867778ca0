// The viewer: scenes and their server, as lissom/viewing.py needs them.
#include "view.h"

#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <unistd.h>

#include "lissom/api/state.h"
#include "lissom/io/find_meshes.h"
#include "lissom/model/arguments.h"
#include "lissom/model/text.h"
#include "lissom/view/answers.h"
#include "lissom/view/page.h"
#include "lissom/view/server.h"
#include "recordings.h"

namespace lissom::python {

using namespace nb::literals;
using view::Mode;

namespace {

// A scene, until a server takes it.
struct ViewScene {
  view::Scene scene;
  std::vector<recording::Signal> signals = {};  // of a live run, without q
};

void expect_configuration(const Model& model, const double* q) {
  expect_finite("q", q, model.nq());
  expect_unit_quaternions("q", model, q);
}

// The model with the files of its meshes: load() does not search for them by default.
Model with_mesh_files(const Model& model, const std::vector<std::string>& packages) {
  auto description = model.description();
  return io::find_meshes(description, packages) ? build(description, model.options()) : model;
}

ViewScene robot_scene(const BoundModel& model, nb::handle q, const std::vector<std::string>& packages,
                      nb::handle signals) {
  const Eigen::VectorXd at = q.is_none() ? neutral(model) : vector("q", q, model.nq());
  expect_configuration(model, at.data());
  const bool live = !signals.is_none();
  ViewScene made{view::Scene(live ? Mode::live : Mode::pose, model.name())};
  std::vector<recording::Signal> all{{"q", recording::configuration_columns(model)}};
  if (live) made.signals = signals_of(&model, signals);
  for (const auto& signal : made.signals) {
    if (signal.name == "q") throw Error("signals has 'q', which is always shown; expected others");
    all.push_back(signal);
  }
  const nb::gil_scoped_release release;
  made.scene.add_robot(with_mesh_files(model, packages), at);
  made.scene.add_findings(model.diagnostics);
  if (live) made.scene.set_live(model.name(), all, "{}");
  return made;
}

ViewScene runs_scene(const std::string& title, const std::vector<std::pair<std::string, nb::object>>& runs, double rate,
                     const std::vector<std::string>& packages) {
  std::vector<const BoundRecording*> recordings;
  for (const auto& [name, run] : runs) recordings.push_back(&nb::cast<const BoundRecording&>(run));
  const nb::gil_scoped_release release;
  ViewScene made{view::Scene(Mode::replay, title)};
  for (std::size_t i = 0; i < runs.size(); ++i)
    made.scene.add_run(*recordings[i], runs[i].first, {.rate = rate}, packages);
  return made;
}

// The server of a scene, until close(). Every method may be called by any thread.
class ViewServer {
 public:
  ViewServer(ViewScene& what, const std::string& bind, int port)
      : model_(what.scene.models().at(0)), signals_(what.signals), live_(what.scene.live_columns() > 0) {
    what.scene.set_abilities(live_ ? std::vector<std::string>{"quantities", "contacts"} : view::Answers::abilities());
    const nb::gil_scoped_release release;
    server_ = std::make_shared<view::Server>(std::move(what.scene), view::ServerOptions{.bind = bind, .port = port});
    address_ = server_->address();
    port_ = server_->port();
  }
  ~ViewServer() { close(); }
  ViewServer(const ViewServer&) = delete;
  ViewServer& operator=(const ViewServer&) = delete;

  const std::string& address() const { return address_; }
  int port() const { return port_; }
  int clients() const {
    const auto server = taken();
    return server ? server->clients() : 0;
  }

  void show(nb::handle q, nb::handle time, nb::handle signals) {
    const auto server = taken();
    if (!server) throw Error("this View is closed");
    const nb::object configuration = double_array("q", real_array("q", q), std::array{long(model_.nq())});
    expect_configuration(model_, data_of(configuration));
    std::vector<recording::Row> rows{std::span<const double>(data_of(configuration), std::size_t(model_.nq()))};
    std::vector<nb::object> arrays;
    std::vector<std::vector<double>> missing;
    add_signals(signals, arrays, missing, rows);
    const double now = time.is_none() ? seconds_since(begin_) : nb::cast<double>(time);
    if (!std::isfinite(now)) throw Error("time is " + to_text(now) + " s, expected a finite number");
    const std::lock_guard lock(mutex_);
    if (now < last_)
      throw Error("time is " + to_text(now) + " s, but the frame before is at " + to_text(last_) +
                  " s; expected times that do not decrease");
    server->write(now, rows);
    last_ = now;
    if (told_ && Clock::now() - *told_ < std::chrono::milliseconds(250)) return;
    told_ = Clock::now();
    server->set_status({"running", now, 1, ""});
  }

  void close() {
    std::shared_ptr<view::Server> server;
    double end = 0;
    {
      const std::lock_guard lock(mutex_);
      if (std::isfinite(last_)) end = last_;
      server = std::move(server_);
      server_.reset();
    }
    if (!server) return;
    if (getpid() != process_) {
      // After a fork the server and its thread are the parent's, and there is nothing to wait for.
      new std::shared_ptr<view::Server>(std::move(server));
      return;
    }
    const nb::gil_scoped_release release;
    if (live_ && server->clients() > 0) {
      // Pages then keep what they have, instead of waiting for a server. They are told within a few ms.
      server->set_status({"finished", end, 1, "ended at " + to_text(end) + " s"});
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    server.reset();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }
  std::shared_ptr<view::Server> taken() const {
    const std::lock_guard lock(mutex_);
    return server_;
  }
  // Signals that are not given are NaN in this frame: a gap in the plots.
  void add_signals(nb::handle given, std::vector<nb::object>& arrays, std::vector<std::vector<double>>& missing,
                   std::vector<recording::Row>& rows) const {
    if (!given.is_none() && !nb::isinstance<nb::dict>(given)) {
      PyErr_Format(PyExc_TypeError, "signals is a %s, expected {name: values}", python::type_name(given).c_str());
      throw nb::python_error();
    }
    std::vector<recording::Signal> there;
    std::vector<std::size_t> slots;
    missing.reserve(signals_.size());
    for (const auto& signal : signals_) {
      const bool has = !given.is_none() && nb::borrow<nb::dict>(given).contains(signal.name.c_str());
      if (has) slots.push_back(rows.size()), there.push_back(signal);
      missing.emplace_back(has ? 0 : signal.columns.size(), std::numeric_limits<double>::quiet_NaN());
      rows.emplace_back(std::span<const double>(missing.back()));
    }
    if (given.is_none()) return;
    std::vector<recording::Row> read;
    for (const auto [key, value] : nb::borrow<nb::dict>(given)) expect_known(nb::cast<std::string>(key));
    read_frame(there, given, arrays, read);
    for (std::size_t k = 0; k < slots.size(); ++k) rows[slots[k]] = read[k];
  }
  void expect_known(const std::string& name) const {
    if (std::ranges::find(signals_, name, &recording::Signal::name) != signals_.end()) return;
    std::string known;
    for (const auto& signal : signals_) known += (known.empty() ? "" : ", ") + signal.name;
    throw Error("no signal '" + name + "' in this View; " +
                (known.empty() ? "view(robot, live=True, signals=…) names them" : "signals: " + known));
  }

  Model model_;
  std::vector<recording::Signal> signals_;
  bool live_;
  const pid_t process_ = getpid();
  const Clock::time_point begin_ = Clock::now();
  std::string address_;
  int port_ = 0;
  mutable std::mutex mutex_;
  std::shared_ptr<view::Server> server_;
  double last_ = -std::numeric_limits<double>::infinity();
  std::optional<Clock::time_point> told_;
};

}  // namespace

void bind_view(nb::module_& m) {
  nb::class_<ViewScene>(m, "_ViewScene")
      .def_static("of_robot", &robot_scene, "model"_a, "q"_a.none(), "packages"_a, "signals"_a.none())
      .def_static("of_runs", &runs_scene, "title"_a, "runs"_a, "rate"_a, "packages"_a)
      .def(
          "set_layers", [](ViewScene& self, const std::vector<std::string>& layers) { self.scene.set_layers(layers); },
          "layers"_a)
      .def("page", [](const ViewScene& self) {
        const std::string text = [&] {
          const nb::gil_scoped_release release;
          return view::saved_page(self.scene);
        }();
        return nb::bytes(text.data(), text.size());
      });
  nb::class_<ViewServer>(m, "_ViewServer")
      .def(nb::init<ViewScene&, const std::string&, int>(), "scene"_a, "bind"_a, "port"_a)
      .def_prop_ro("address", &ViewServer::address)
      .def_prop_ro("port", &ViewServer::port)
      .def_prop_ro("clients", &ViewServer::clients)
      .def("show", &ViewServer::show, "q"_a, "time"_a.none(), "signals"_a.none())
      .def("close", &ViewServer::close);
  m.def("_is_recording", [](const std::string& path) { return recording::is_recording(path); }, "path"_a);
}

}  // namespace lissom::python
