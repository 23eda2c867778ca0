// Robots and what belongs to them: URDF, SDF, loops, motions, postures.
#include <filesystem>

#include "lissom/api/postures.h"
#include "lissom/constraints/closed_loops.h"
#include "lissom/control/motion_plan.h"
#include "lissom/io/description_json.h"
#include "lissom/io/loops_file.h"
#include "lissom/io/mjcf/mjcf.h"
#include "lissom/io/read.h"
#include "lissom/io/sdf/sdf.h"
#include "lissom/lissom.h"
#include "targets.h"

namespace lissom::fuzz {
namespace {

// A robot that a reader accepts can be built, or is refused with an Error; one that is built can be moved.
void build_and_move(const Description& description, Base base, bool mimic) try {
  const auto model = build(description, {base, mimic, 0});
  if (model.nv() > 60) return;  // slow
  Workspace work(model);
  const Eigen::VectorXd q = neutral(model), v = Eigen::VectorXd::Ones(model.nv());
  expect(q.size() == model.nq(), "neutral() has nq elements");
  const auto finite = [](const auto& x) { return x.allFinite(); };
  // (Numbers near the largest overflow: that is an answer, too.)
  if (!finite(inverse_dynamics(model, work, q, v, v))) return;
  const Eigen::MatrixXd M = mass_matrix(model, work, q);
  expect(M == M.transpose() || !finite(M), "the mass matrix is symmetric");
  forward_dynamics(model, work, q, v, v);
  center_of_mass(model, work, q);
} catch (const Error&) {
}

void build_with_every_base(const io::ReadResult& found) {
  for (const auto& d : found.diagnostics) expect(!to_string(d).empty(), "a diagnostic has words");
  if (!found.usable()) return;
  for (const Base base : {Base::file, Base::fixed, Base::free, Base::planar})
    for (const bool mimic : {true, false}) build_and_move(found.description, base, mimic);
}

const Model& humanoid() {
  static const Model model = load(models() + "/humanoid.urdf", {.base = Base::free});
  return model;
}

}  // namespace

void urdf(std::string_view input) {
  build_with_every_base(
      io::read_text(input, "fuzz.urdf", {.package_paths = {}, .check_meshes = false, .read_includes = false}));
}

void sdf(std::string_view input) {
  const auto found =
      io::read_sdf_text(input, "fuzz.sdf", {.package_paths = {}, .check_meshes = false, .read_includes = false});
  build_with_every_base(found);
  if (!found.usable() || found.description.loops.empty()) return;
  try {
    const auto model = build(found.description);
    if (model.nv() > 60) return;  // slow
    Workspace work(model);
    ClosedLoops closed(model);
    const Eigen::VectorXd q = neutral(model), v = Eigen::VectorXd::Zero(model.nv());
    forward_dynamics(model, work, closed, q, v, v);
  } catch (const Error&) {
  }
}

void mjcf(std::string_view input) {
  const auto found =
      io::read_mjcf_text(input, "fuzz.xml", {.package_paths = {}, .check_meshes = false, .read_includes = false});
  for (const auto& d : found.diagnostics) expect(!to_string(d).empty(), "a diagnostic has words");
  if (!found.usable()) return;
  for (const Base base : {Base::file, Base::free}) build_and_move(found.description, base, true);
}

void description(std::string_view input) {
  Description found;
  try {
    found = io::description_from_json(input);
  } catch (const Error&) {
    return;
  }
  const auto text = io::description_to_json(found);
  expect(io::description_to_json(io::description_from_json(text)) == text,
         "a description that is written is read again");
  for (const Base base : {Base::file, Base::free}) build_and_move(found, base, true);
}

void loops(std::string_view input) {
  static InputFile file;
  static const Description robots[] = {io::read(models() + "/iftomm/a03_squeezer.urdf").description,
                                       io::read(models() + "/iftomm/a05_governor.urdf").description};
  const auto& path = file.write(input);
  for (const auto& robot : robots) try {
      Description description = robot;
      io::read_loops(path, description);
      const auto model = build(description);
      Workspace work(model);
      ClosedLoops closed(model);
      Eigen::VectorXd q = neutral(model), v = Eigen::VectorXd::Zero(model.nv());
      forward_dynamics(model, work, closed, q, v, v);
    } catch (const Error&) {
    }
}

void motion(std::string_view input) {
  static InputFile file;
  // Where the motions of the tree have it: in the folder beside theirs.
  static const bool linked = [] {
    std::filesystem::create_directory_symlink(models() + "/postures", file.folder() + "/postures");
    return true;
  }();
  expect(linked, "postures");
  try {
    const auto plan = control::read_motion_plan(humanoid(), file.write(input));
    expect(plan.posture(plan.start).size() == humanoid().nq(), "the plan begins in a posture of this robot");
  } catch (const Error&) {
  }
}

void posture(std::string_view input) {
  static InputFile file;
  const auto& path = file.write(input);
  const auto each = [](auto read) {
    try {
      read();
    } catch (const Error&) {
    }
  };
  each([&] {
    for (const auto& [name, q] : read_postures(humanoid(), path))
      expect(q.size() == humanoid().nq() && q.allFinite(), "a posture has nq finite elements");
  });
  each([&] { read_posture(humanoid(), path); });
  each([&] { read_posture(humanoid(), path + "#stand"); });
}

}  // namespace lissom::fuzz
