// Robots written as URDF, MJCF and SDF, and compared with each other. lissom/converting.py has what people call.
#include "bound_model.h"
#include "description.h"
#include "lissom/api/compare_robots.h"
#include "lissom/io/write/write.h"
#include "lissom/model/text.h"
#include "lissom/recording/robot_file.h"

LISSOM_ENUM(lissom::io::write::Format, "urdf", "mjcf", "sdf")
LISSOM_ENUM(lissom::io::write::Meshes, "keep", "copy", "hulls")

namespace lissom::python {

using namespace nb::literals;
namespace write = io::write;

namespace {

[[noreturn]] void refuse(const std::string& path, const std::vector<Diagnostic>& losses) {
  std::string text = in_quotes(path) + " is not written, because something would be lost:";
  for (const auto& loss : losses)
    if (loss.severity != Severity::note) text += "\n" + to_string(loss);
  throw Error(text);
}

}  // namespace

void bind_writing(nb::module_& m) {
  m.def(
      "write_text",
      [](const BoundDescription& description, write::Format format, Base base, bool extensions,
         std::vector<Diagnostic> findings) {
        const Description robot = to_description(description);
        const nb::gil_scoped_release release;
        auto result =
            write::write(robot, format, {.base = base, .extensions = extensions, .findings = std::move(findings)});
        return std::pair(std::move(result.text), std::move(result.losses));
      },
      "description"_a, "format"_a, "base"_a = Base::file, "extensions"_a = true,
      "findings"_a = std::vector<Diagnostic>(),
      nb::sig("def write_text(description: Description, format: Literal['urdf', 'mjcf', 'sdf'], base: Literal['file', "
              "'fixed', 'free', 'planar'] = 'file', extensions: bool = True, findings: Sequence[Diagnostic] = []) -> "
              "tuple[str, list[Diagnostic]]"),
      "A description as the text of a URDF, MJCF or SDF file, and what the format cannot say: a warning is a loss, a "
      "note is something that is said in another way, or to lissom only. With the findings that read() has returned, "
      "what it has left out is listed, too.");
  m.def(
      "_write",
      [](const BoundDescription& description, const std::string& path, Base base, write::Meshes meshes, bool extensions,
         std::vector<Diagnostic> findings, bool strict) {
        const Description robot = to_description(description);
        const nb::gil_scoped_release release;
        auto result = write::write(
            robot, write::format_of(path),
            {.base = base, .path = path, .meshes = meshes, .extensions = extensions, .findings = std::move(findings)});
        if (strict && !result.lossless()) refuse(path, result.losses);
        recording::save(result, path);
        return std::move(result.losses);
      },
      "description"_a, "path"_a, "base"_a = Base::file, "meshes"_a = write::Meshes::keep, "extensions"_a = true,
      "findings"_a = std::vector<Diagnostic>(), "strict"_a = false, "Writes a description to a file.");
  m.def(
      "_compare",
      [](const BoundDescription& a, const BoundDescription& b, double tolerance, int states, std::uint64_t seed,
         Base base) {
        const Description first = to_description(a), second = to_description(b);
        CompareRobotsOptions options;
        options.tolerance = tolerance, options.states = states, options.seed = seed, options.build.base = base;
        RobotComparison c;
        {
          const nb::gil_scoped_release release;
          c = compare_robots(first, second, options);
        }
        nb::list differences;
        for (const auto& d : c.differences)
          differences.append(nb::make_tuple(d.subject, d.property, d.a, d.b, d.difference));
        return nb::make_tuple(c.same, to_sentence(c), differences, c.notes, c.names, c.states, c.placement_difference,
                              c.mass_matrix_difference, c.bias_difference);
      },
      "a"_a, "b"_a, "tolerance"_a = 1e-10, "states"_a = 20, "seed"_a = 1, "base"_a = Base::file,
      "Compares two descriptions.");
}

}  // namespace lissom::python
