// The extension module lissom._core. One function for each area; each lives in the file of its name.
#define LISSOM_IMPORT_NUMPY
#include "bound_model.h"
#include "calls.h"
#include "charts.h"
#include "energy.h"
#include "formulations.h"
#include "lissom/recording/recording.h"
#include "shapes.h"
#include "sim_types.h"
#include "view.h"
#include "worlds.h"

namespace {

int import_numpy() {
  import_array1(-1);
  return 0;
}

// Errors carry the diagnostics that they were made of.
void bind_error(nb::module_& m) {
  static nb::object error_type = nb::steal(PyErr_NewExceptionWithDoc(
      "lissom.Error",
      "Raised where lissom cannot do what it was asked to do: a ValueError whose text says which argument or file, "
      "what "
      "was found, what was expected and what to do.\n\n"
      "diagnostics: a list of Diagnostic, the findings about a robot's file (severity, code, message, remedy, file, "
      "line), empty where there are none. run: of simulations, the frames up to the error.",
      PyExc_ValueError, nullptr));
  m.attr("Error") = error_type;
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const lissom::Error& e) {
      const nb::object instance = error_type(e.what());
      instance.attr("diagnostics") = nb::cast(e.diagnostics());
      PyErr_SetObject(error_type.ptr(), instance.ptr());
    }
  });
}

}  // namespace

NB_MODULE(_core, m) {
  using namespace lissom::python;
  using namespace nb::literals;
  if (import_numpy() != 0) throw nb::python_error();
  m.doc() = "The compiled part of lissom. Use `import lissom`.";

  bind_error(m);
  m.attr("__version__") = lissom::recording::Header::version();
  m.def("set_threads", &set_batch_threads, "threads"_a,
        "How many threads calls on many states use; 0: as many as the machine has.");
  m.def("threads", &batch_threads, "The number that set_threads() was given.");
  bind_progress(m);
  bind_work(m);
  bind_description(m);
  bind_model(m);
  bind_writing(m);
  bind_ik(m);
  bind_qp(m);
  bind_contacts(m);
  bind_stance(m);
  bind_limbs(m);
  bind_control(m);
  bind_walking(m);
  bind_duals(m);
  bind_charts(m);
  bind_formulations(m);
  bind_recording(m);
  bind_sim(m);
  bind_plan(m);
  bind_closed_loops(m);
  bind_world(m);
  bind_world_batch(m);
  bind_bridge(m);
  bind_view(m);
  bind_codegen(m);
  bind_mesh(m);
  bind_geometry(m);
  bind_gpu(m);

  // `from ._core import *` takes classes and functions; the submodules have files of their own in the package.
  nb::list all;
  for (const auto [name, value] : nb::cast<nb::dict>(m.attr("__dict__")))
    if (!PyModule_Check(value.ptr()) && !nb::cast<std::string>(name).starts_with("_")) all.append(name);
  m.attr("__all__") = all;
}
