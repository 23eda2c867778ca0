// <compiler> and <option>.
#include <cmath>
#include <numbers>

#include "lissom/io/mjcf/parts.h"
#include "lissom/model/text.h"

namespace lissom::io::mjcf {

double Compiler::angle(double written) const {
  return degrees ? written * (std::numbers::pi / 180) : written;
}

namespace {

bool is_sequence(std::string_view text) {
  return text.size() == 3 && text.find_first_not_of("xyzXYZ") == std::string_view::npos;
}

void read_inertia_settings(const Settings& s, Compiler& c) {
  c.balance_inertia = s.flag("balanceinertia", c.balance_inertia);
  c.min_mass = s.number("boundmass", c.min_mass);
  c.min_inertia = s.number("boundinertia", c.min_inertia);
  c.total_mass = s.number("settotalmass", c.total_mass);
  c.inertia_from_geoms = s.tristate("inertiafromgeom", c.inertia_from_geoms);
  NumberList n;
  if (s.numbers("inertiagrouprange", 2, 2, n)) c.min_group = int(n.value[0]), c.max_group = int(n.value[1]);
}

}  // namespace

void read_compiler(const Element& element, Compiler& c) {
  ReportedAttributes reported;
  const Settings s(element, nullptr, reported);
  if (s.has("angle")) c.degrees = s.word("angle", {"degree", "radian"}) == "degree";
  c.autolimits = s.flag("autolimits", c.autolimits);
  c.discard_visual = s.flag("discardvisual", c.discard_visual);
  c.strip_path = s.flag("strippath", c.strip_path);
  c.align_free = s.flag("alignfree", c.align_free);
  c.fit_bounds = s.flag("fitaabb", c.fit_bounds);
  read_inertia_settings(s, c);
  if (s.has("assetdir")) c.mesh_folder = c.texture_folder = s.string("assetdir");
  if (s.has("meshdir")) c.mesh_folder = s.string("meshdir");
  if (s.has("texturedir")) c.texture_folder = s.string("texturedir");
  if (s.has("coordinate") && s.text("coordinate") != "local")
    element.error("coordinate-global",
                  "the coordinates are " + in_quotes(s.text("coordinate")) + ", which MuJoCo no longer reads",
                  "save the file with MuJoCo 2.3.3 or earlier, which converts it");
  if (s.has("eulerseq")) {
    if (is_sequence(s.text("eulerseq")))
      c.euler_sequence = s.string("eulerseq");
    else
      element.error(
          "euler-sequence",
          "the sequence of Euler angles is " + in_quotes(s.text("eulerseq")) + ", expected three of the letters xyzXYZ",
          "write the axes in their order: xyz for axes that move, XYZ for fixed axes");
  }
  if (s.flag("fusestatic", false))
    element.note("fuse-static", "bodies without joints stay links of their own; fixed links cost nothing in lissom",
                 "none needed");
}

void read_option(const Element& element, Reading& reading) {
  const Settings s(element, nullptr, reading.reported);
  s.vector("gravity", reading.out.gravity);
  if (s.has("timestep")) {
    const double step = s.number("timestep", 0);
    if (step > 0)
      reading.out.time_step = step;
    else
      element.warning("time-step",
                      "the time step is " + to_text(step) + " s, expected a positive number; it is ignored",
                      "write a positive number");
  }
  keep(s, "option",
       {"actuatorgroupdisable",
        "ccd_iterations",
        "ccd_tolerance",
        "cone",
        "density",
        "impratio",
        "integrator",
        "iterations",
        "jacobian",
        "ls_iterations",
        "ls_tolerance",
        "magnetic",
        "noslip_iterations",
        "noslip_tolerance",
        "o_friction",
        "o_margin",
        "o_solimp",
        "o_solref",
        "sdf_initpoints",
        "sdf_iterations",
        "sleep_tolerance",
        "solver",
        "tolerance",
        "viscosity",
        "wind"},
       reading);
  const bool fluid = s.number("density", 0) != 0 || s.number("viscosity", 0) != 0;
  if (fluid)
    element.note("fluid", "the medium has density or viscosity; lissom has no forces of fluids",
                 "none needed, unless air or water matter");
  const Element flag = element.child("flag");
  if (!flag) return;
  const Settings f(flag, nullptr, reading.reported);
  for (const pugi::xml_attribute& a : flag.attributes())
    reading.out.kept.push_back({"option/flag", a.name(), a.value(), flag.line()});
  if (f.has("gravity") && f.word("gravity", {"enable", "disable"}) == "disable") {
    reading.out.gravity = {0, 0, 0};
    flag.note("gravity-off", "gravity is disabled; it is read as 0 0 0", "none needed");
  }
}

}  // namespace lissom::io::mjcf
