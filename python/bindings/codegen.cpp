// Code for one robot: the texts; lissom.generate writes them (python/lissom/generating.py).
#include "bound_model.h"
#include "calls.h"
#include "lissom/codegen/generate.h"

namespace lissom::python {

using namespace nb::literals;

namespace {

std::vector<codegen::Algorithm> algorithms_of(const std::vector<std::string>& names) {
  std::vector<codegen::Algorithm> list;
  for (const auto& name : names) list.push_back(codegen::algorithm_of(name));
  return list;
}

nb::dict counts_of(const codegen::OperationCounts& n) {
  nb::dict d;
  d["multiplications"] = n.multiplications;
  d["additions"] = n.additions;
  d["negations"] = n.negations;
  d["divisions"] = n.divisions;
  d["square_roots"] = n.square_roots;
  d["sincos"] = n.sincos;
  d["arc_tangents"] = n.arc_tangents;
  d["selections"] = n.selections;
  return d;
}

// Between algorithms, Ctrl-C is noticed, and progress is told how many of them are done. Called without the GIL.
std::function<void(std::size_t, std::size_t)> watched(nb::handle progress) {
  if (!progress.is_none()) expect_callable("progress", progress, "a function of (done, total)");
  return [progress](std::size_t done, std::size_t total) {
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!progress.is_none()) progress(done, total);
  };
}

// [(name of the file, its text), …]
std::vector<std::pair<std::string, std::string>> files_of(const BoundModel& model,
                                                          const std::vector<std::string>& algorithms,
                                                          const std::string& lang,
                                                          const std::vector<std::string>& frames, bool external_forces,
                                                          bool single_precision, const std::string& name,
                                                          nb::handle progress) {
  codegen::GenerateOptions options;
  options.language = codegen::language_of(lang);
  options.trace.frames = frames;
  options.trace.external_forces = external_forces;
  options.emit.single_precision = single_precision;
  options.emit.name = name.empty() ? "" : codegen::identifier_of(name);
  options.progress = watched(progress);
  const auto list = algorithms_of(algorithms);
  const auto made = [&] {
    const nb::gil_scoped_release release;
    return codegen::generate(model, list, options);
  }();
  std::vector<std::pair<std::string, std::string>> files;
  for (const auto& file : made.files) files.emplace_back(file.name, file.text);
  return files;
}

nb::dict operation_counts(const BoundModel& model, const std::vector<std::string>& algorithms) {
  nb::dict all;
  for (const auto algorithm : algorithms_of(algorithms)) {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    const auto counts = [&] {
      const nb::gil_scoped_release release;
      return codegen::trace(model, algorithm).counts();
    }();
    all[codegen::traits(algorithm).name] = counts_of(counts);
  }
  return all;
}

}  // namespace

void bind_codegen(nb::module_& m) {
  m.def("_generated_files", &files_of, "robot"_a, "algorithms"_a, "lang"_a, "frames"_a, "external_forces"_a,
        "single_precision"_a, "name"_a, "progress"_a = nb::none(),
        "Names and texts of the files that lissom.generate writes.");
  m.def("operation_counts", &operation_counts, "robot"_a,
        "algorithms"_a = std::vector<std::string>{"rnea", "crba", "aba"},
        "How many operations of each kind algorithms need for this robot, as generated code computes them:\n"
        "{algorithm: {'multiplications': …, 'additions': …, 'sincos': …}}. Names as `lissom generate --algorithms`.");
}

}  // namespace lissom::python
