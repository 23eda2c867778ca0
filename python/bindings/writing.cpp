// Robots written as URDF, MJCF and SDF, and compared with each other. lissom/converting.py has what people call.
#include "bound_model.h"
#include "description.h"
#include "lissom/api/compare_robots.h"
#include "lissom/io/write/write.h"
#include "lissom/recording/robot_file.h"

LISSOM_ENUM(lissom::io::write::Format, "urdf", "mjcf", "sdf")
LISSOM_ENUM(lissom::io::write::Meshes, "keep", "copy", "hulls")

namespace lissom::python {

using namespace nb::literals;
namespace write = io::write;

void bind_writing(nb::module_& m) {
  m.def(
      "write_text",
      [](const BoundDescription& description, write::Format format, Base base, bool extensions) {
        const Description robot = to_description(description);
        const nb::gil_scoped_release release;
        auto result = write::write(robot, format, {.base = base, .extensions = extensions});
        return std::pair(std::move(result.text), std::move(result.losses));
      },
      "description"_a, "format"_a, "base"_a = Base::file, "extensions"_a = true,
      "A description as the text of a URDF, MJCF or SDF file, and what the format cannot say: a warning is a loss, a "
      "note "
      "is something that is said in another way, or to lissom only.");
  m.def(
      "_write",
      [](const BoundDescription& description, const std::string& path, Base base, write::Meshes meshes,
         bool extensions) {
        const Description robot = to_description(description);
        const nb::gil_scoped_release release;
        return recording::write_robot(robot, path, {.base = base, .meshes = meshes, .extensions = extensions});
      },
      "description"_a, "path"_a, "base"_a = Base::file, "meshes"_a = write::Meshes::keep, "extensions"_a = true,
      "Writes a description to a file.");
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
