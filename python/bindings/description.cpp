// Descriptions of robots: what files say and programs write; and what validate() finds in them.
#include "description.h"

#include "bound_model.h"
#include "calls.h"
#include "lissom/io/read.h"
#include "lissom/model/validate.h"
#include "shapes.h"

namespace lissom::python {

using namespace nb::literals;
LISSOM_PYTHON_TYPE(Color, "Color")
LISSOM_PYTHON_TYPE(Material, "Material")
LISSOM_PYTHON_TYPE(Geometry, "Geometry")
LISSOM_PYTHON_TYPE(Mimic, "Mimic")
LISSOM_PYTHON_TYPE(JointDescription, "JointDescription")
LISSOM_PYTHON_TYPE(FrameDescription, "FrameDescription")
LISSOM_PYTHON_TYPE(AttachmentDescription, "AttachmentDescription")
LISSOM_PYTHON_TYPE(LoopAxes, "LoopAxes")
LISSOM_PYTHON_TYPE(LoopDescription, "LoopDescription")
LISSOM_PYTHON_TYPE(JointCoupling, "JointCoupling")
LISSOM_PYTHON_TYPE(SpringDescription, "SpringDescription")
LISSOM_PYTHON_TYPE(ActuatorDescription, "ActuatorDescription")
LISSOM_PYTHON_TYPE(ContactMaterial, "ContactMaterial")
using Flags = std::array<bool, 3>;
LISSOM_PYTHON_TYPE(Flags, "Sequence[bool]")
using ThreeNumbers = std::array<double, 3>;
LISSOM_PYTHON_TYPE(ThreeNumbers, "Sequence[float]")

template <>
inline constexpr bool copied_field<Flags> = true;
template <>
inline constexpr bool copied_field<ThreeNumbers> = true;
template <>
inline constexpr bool fields_in_place<BoundLinkDescription> = true;
template <>
inline constexpr bool fields_in_place<BoundDescription> = true;
template <>
inline constexpr bool fields_in_place<Shape> = true;
template <>
inline constexpr bool fields_in_place<Geometry> = true;
template <>
inline constexpr bool fields_in_place<JointDescription> = true;
template <>
inline constexpr bool fields_in_place<FrameDescription> = true;
template <>
inline constexpr bool fields_in_place<AttachmentDescription> = true;
template <>
inline constexpr bool fields_in_place<LoopAxes> = true;
template <>
inline constexpr bool fields_in_place<LoopDescription> = true;
template <>
inline constexpr bool fields_in_place<JointCoupling> = true;

namespace {

void bind_shapes(nb::module_& m) {
  bind_described<Color>(m, "Color", "Red, green, blue and alpha, 0 to 1.",
                        std::tuple{Field{"r", &Color::r, "Red, 0 to 1."}, Field{"g", &Color::g, "Green, 0 to 1."},
                                   Field{"b", &Color::b, "Blue, 0 to 1."}, Field{"a", &Color::a, "Opacity, 0 to 1."}});
  bind_described<Material>(m, "Material", "How a visual looks.",
                           std::tuple{Field{"name", &Material::name, "Of the material; may be empty."},
                                      Field{"color", &Material::color, "Of the whole surface."},
                                      Field{"texture", &Material::texture, "File, as written."}});
  bind_described<Shape>(
      m, "Shape", "The shape of a visual or a collision; all but meshes are centered at the origin of its frame.",
      std::tuple{
          Field{"kind", &Shape::kind,
                "'box', 'sphere', 'cylinder', 'capsule', 'ellipsoid', 'plane', 'mesh' or 'height_field'."},
          Field{
              "size", &Shape::size,
              "Box: full edge lengths; ellipsoid: radii; plane: lengths along x and y that are shown, 0: infinite; m."},
          Field{"radius", &Shape::radius, "Sphere, cylinder, capsule, m."},
          Field{"length", &Shape::length, "Cylinder, and capsule without its caps, m; along z."},
          Field{"file", &Shape::file,
                "Mesh: as written; a data URI if it has no file. Height field: the data URI of its heights."},
          Field{"path", &Shape::path, "Path of the file, or the data URI; empty if it was not found."},
          Field{"scale", &Shape::scale, "Mesh."}});
  bind_described<Geometry>(
      m, "Geometry", "A shape fixed to a link: a visual or a collision.",
      std::tuple{Field{"name", &Geometry::name, "May be empty."},
                 Field{"origin", &Geometry::origin, "Pose of the shape in the link's frame, 4 × 4."},
                 Field{"shape", &Geometry::shape, "Centered at `origin`, except for meshes."},
                 Field{"material", &Geometry::material, "None: the viewer chooses."},
                 Field{"contact_material", &Geometry::contact_material, "Name in Description.contact_materials."},
                 Field{"line", &Geometry::line, "Of the file; 0: none."},
                 Field{"contact_group", &Geometry::contact_group,
                       "Bits, MuJoCo's contype: two collisions of a file touch if one is in a group of the other's "
                       "mask, or if they are a ContactPair."},
                 Field{"contact_mask", &Geometry::contact_mask, "Bits, MuJoCo's conaffinity; see contact_group."}});
}

void bind_tree(nb::module_& m) {
  using Link = BoundLinkDescription;
  bind_described<Link, LinkDescription>(
      m, "LinkDescription", "A rigid link.",
      std::tuple{Field{"name", &Link::name, "Of the link, unique among links."}, Field{"mass", &Link::mass, "kg"},
                 Field{"com", &Link::com, "Center of mass in the link's frame, m."},
                 Field{"inertia", &Link::inertia, "About the center of mass, along the link's axes, 3 × 3, kg m²."},
                 Field{"visuals", &Link::visuals, "What is shown."},
                 Field{"collisions", &Link::collisions, "What touches, and gives contacts."},
                 Field{"line", &Link::line, "Of the file; 0: none."},
                 Field{"connects_joints", &Link::connects_joints,
                       "A link without mass between two joints of one body, or between a joint and its child."}});
  bind_described<Mimic>(m, "Mimic", "Makes a joint follow another one: q = ratio · q[joint] + offset.",
                        std::tuple{Field{"joint", &Mimic::joint, "The leader."},
                                   Field{"ratio", &Mimic::ratio, "q = ratio · q of the leader + offset."},
                                   Field{"offset", &Mimic::offset, "rad, m"}});
  using J = JointDescription;
  bind_described<J>(
      m, "JointDescription", "A joint between two links.",
      std::tuple{
          Field{"name", &J::name, "Of the joint, unique among joints."},
          Field{"type", &J::type,
                "'fixed', 'revolute', 'continuous', 'prismatic', 'helical', 'cylindrical', 'universal', 'planar', "
                "'spherical' or 'free'."},
          Field{"parent", &J::parent, "A link."}, Field{"child", &J::child, "A link."},
          Field{"origin", &J::origin,
                "Pose of the joint's frame, which is the child's at q = 0, in the parent link's frame, 4 × 4."},
          Field{"axis", &J::axis, "In the joint's frame."}, Field{"axis2", &J::axis2, "Of a universal joint."},
          Field{"pitch", &J::pitch, "Helical: m/rad."},
          Field{"lower", &J::lower, "Position limits for each element of q; empty: none."},
          Field{"upper", &J::upper, "Position limits for each element of q; empty: none."},
          Field{"velocity_limit", &J::velocity_limit, "rad/s, m/s; one for all degrees of freedom, or one for each."},
          Field{"effort_limit", &J::effort_limit, "N m, N"}, Field{"damping", &J::damping, "N m s/rad, N s/m"},
          Field{"dry_friction", &J::dry_friction, "N m, N"},
          Field{"spring_stiffness", &J::spring_stiffness, "N m/rad, N/m"},
          Field{"spring_rest", &J::spring_rest, "rad, m"},
          Field{"armature", &J::armature, "Inertia of the rotor, kg m², kg."},
          Field{"mimic", &J::mimic, "None: it has coordinates of its own."},
          Field{"line", &J::line, "Of the file; 0: none."}});
  bind_described<FrameDescription>(
      m, "FrameDescription", "A named frame fixed to a link: a sole, a camera, a tool.",
      std::tuple{Field{"name", &FrameDescription::name, "Of the frame, unique among links and frames."},
                 Field{"link", &FrameDescription::link, "To which it is fixed."},
                 Field{"origin", &FrameDescription::origin, "Pose in the link's frame, 4 × 4."},
                 Field{"line", &FrameDescription::line, "Of the file; 0: none."}});
}

void bind_extras(nb::module_& m) {
  bind_described<AttachmentDescription>(
      m, "AttachmentDescription",
      "A pose relative to a frame that is given by name: a link, a named frame, or 'world'.",
      std::tuple{Field{"frame", &AttachmentDescription::frame, "A link or frame, or the world's name."},
                 Field{"placement", &AttachmentDescription::placement, "In that frame, 4 × 4."}});
  bind_described<LoopAxes>(
      m, "LoopAxes", "The constrained motions of end b relative to end a, along and about the axes of a.",
      std::tuple{Field{"along", &LoopAxes::along, "x, y, z: this coordinate of b's origin in a stays 0."},
                 Field{"about", &LoopAxes::about, "x, y, z: no rotation about this axis."}});
  m.def(
      "loop_axes", [](const std::string& text) { return loop_axes(text); }, "text"_a,
      "From text: 'xyz' is a ball joint, 'xyz rx ry rz' a weld, 'xyz rx ry' a hinge about z, 'xy rx ry rz' a prismatic "
      "joint along z.");
  using L = LoopDescription;
  bind_described<L>(
      m, "LoopDescription", "A constraint between two attachments, which closes a kinematic loop.",
      std::tuple{Field{"name", &L::name, "Of the loop."}, Field{"a", &L::a, "One end."},
                 Field{"b", &L::b, "The other end."},
                 Field{"axes", &L::axes, "Of kind 'axes': which relative motions it holds."},
                 Field{"kind", &L::kind, "'axes' or 'distance'."},
                 Field{"length", &L::length, "kind 'distance', m; None: the distance of the origins at q = 0."},
                 Field{"line", &L::line, "Of the file; 0: none."}});
  using C = JointCoupling;
  bind_described<C>(
      m, "JointCoupling",
      "Two joints that move together: q[joint] = c0 + c1 q[of] + c2 q[of]² + …; q[joint] = c0 if `of` is empty.",
      std::tuple{Field{"name", &C::name, "Of the coupling."},
                 Field{"joint", &C::joint, "Which follows: q[joint] = c0 + c1 q[of] + c2 q[of]² + …"},
                 Field{"of", &C::of, "The joint that it follows; empty: none."},
                 Field{"coefficients", &C::coefficients, "c0, c1, …"},
                 Field{"line", &C::line, "Of the file; 0: none."}});
  using S = SpringDescription;
  bind_described<S>(
      m, "SpringDescription",
      "A spring and damper between two points; it pulls with stiffness · (length - rest) + damping · d(length)/dt.",
      std::tuple{Field{"name", &S::name, "Of the spring."}, Field{"a", &S::a, "One end."},
                 Field{"b", &S::b, "The other end."}, Field{"stiffness", &S::stiffness, "N/m"},
                 Field{"damping", &S::damping, "N s/m"}, Field{"rest", &S::rest, "m"},
                 Field{"line", &S::line, "Of the file; 0: none."}});
}

void bind_motors_and_materials(nb::module_& m) {
  using A = ActuatorDescription;
  bind_described<A>(
      m, "ActuatorDescription",
      "A motor on one degree of freedom or on a tendon. With x = gear · q and the force f = gain · command + bias[0] + "
      "bias[1] x + bias[2] dx/dt, limited to its range: tau = gear · f.",
      std::tuple{
          Field{"name", &A::name, "Of the motor."}, Field{"joint", &A::joint, "That it drives; empty with a tendon."},
          Field{"component", &A::component, "Which of the joint's degrees of freedom, from 0."},
          Field{"gear", &A::gear, "tau = gear · force."},
          Field{"min_command", &A::min_command, "Commands below are clamped."},
          Field{"max_command", &A::max_command, "Commands above are clamped."},
          Field{"line", &A::line, "Of the file; 0: none."},
          Field{"kind", &A::kind, "How the file calls it; gain and bias say what it does."},
          Field{"gain", &A::gain, "force = gain · command + bias[0] + bias[1] x + bias[2] dx/dt, with x = gear · q."},
          Field{"bias", &A::bias, "(3,), see gain."}, Field{"min_force", &A::min_force, "N m, N"},
          Field{"max_force", &A::max_force, "N m, N"}, Field{"tendon", &A::tendon, "Instead of the joint."}});
  bind_described<ContactMaterial>(
      m, "ContactMaterial", "The contact properties of the surface of a collision geometry.",
      std::tuple{Field{"name", &ContactMaterial::name, "By which geometries name it."},
                 Field{"friction", &ContactMaterial::friction, "Coulomb's coefficient."},
                 Field{"restitution", &ContactMaterial::restitution, "0: plastic, 1: elastic impact."},
                 Field{"line", &ContactMaterial::line, "Of the file; 0: none."}});
}

LinkDescription to_link(const BoundLinkDescription& link) {
  return {.name = link.name,
          .mass = link.mass,
          .com = link.com,
          .inertia = link.inertia,
          .visuals = link.visuals.values("visuals", "Geometry"),
          .collisions = link.collisions.values("collisions", "Geometry"),
          .line = link.line,
          .connects_joints = link.connects_joints};
}

}  // namespace

Description to_description(const BoundDescription& d) {
  Description description;
  description.name = d.name, description.file = d.file, description.gravity = d.gravity;
  for (const auto& link : d.links.values("links", "LinkDescription")) description.links.push_back(to_link(link));
  description.joints = d.joints.values("joints", "JointDescription");
  description.frames = d.frames.values("frames", "FrameDescription");
  description.loops = d.loops.values("loops", "LoopDescription");
  description.couplings = d.couplings.values("couplings", "JointCoupling");
  description.springs = d.springs.values("springs", "SpringDescription");
  description.actuators = d.actuators.values("actuators", "ActuatorDescription");
  description.contact_materials = d.contact_materials.values("contact_materials", "ContactMaterial");
  description.roots = d.roots.values("roots", "RootDescription");
  description.tendons = d.tendons.values("tendons", "TendonDescription");
  description.postures = d.postures.values("postures", "PostureDescription");
  description.contact_exclusions = d.contact_exclusions.values("contact_exclusions", "ContactExclusion");
  description.contact_pairs = d.contact_pairs.values("contact_pairs", "ContactPair");
  description.kept = d.kept.values("kept", "KeptAttribute");
  description.time_step = d.time_step;
  description.sources = d.sources.values("sources", "SourceFile");
  return description;
}

BoundDescription from_description(const Description& d) {
  BoundDescription description;
  description.name = d.name, description.file = d.file, description.gravity = d.gravity;
  for (const auto& link : d.links)
    description.links.list.append(
        nb::cast(BoundLinkDescription{link.name, link.mass, link.com, link.inertia, items(link.visuals),
                                      items(link.collisions), link.line, link.connects_joints}));
  description.joints = items(d.joints), description.frames = items(d.frames), description.loops = items(d.loops);
  description.couplings = items(d.couplings), description.springs = items(d.springs);
  description.actuators = items(d.actuators), description.contact_materials = items(d.contact_materials);
  description.roots = items(d.roots), description.tendons = items(d.tendons);
  description.postures = items(d.postures), description.contact_exclusions = items(d.contact_exclusions);
  description.contact_pairs = items(d.contact_pairs), description.kept = items(d.kept);
  description.time_step = d.time_step, description.sources = items(d.sources);
  return description;
}

namespace {

void bind_checks(nb::module_& m) {
  using F = Diagnostic;
  auto diagnostic = bind_record<F>(
      m, "Diagnostic", "One finding about a model.",
      std::tuple{Field{"severity", &F::severity, "'note', 'warning' or 'error'."},
                 Field{"code", &F::code, "Stable, kebab-case, for programs."},
                 Field{"file", &F::file, "In which it was found; empty: none."}, Field{"line", &F::line, "0: unknown."},
                 Field{"subject", &F::subject, "The link, joint or element that it is about."},
                 Field{"message", &F::message, "What was found, and what was expected."},
                 Field{"remedy", &F::remedy, "What to do about it."}});
  diagnostic.def("__str__", [](const Diagnostic& self) { return to_string(self); });
  using B = BuildOptions;
  bind_record<B>(
      m, "BuildOptions", "How to build a model from a description.",
      std::tuple{Field{"base", &B::base, "How roots are attached to the world."},
                 Field{"mimic", &B::mimic, "False: joints that mimic another one get coordinates of their own."},
                 Field{"axis_tolerance", &B::axis_tolerance,
                       "A joint axis within this angle of a coordinate axis is replaced by it, rad."}});
  m.def(
      "validate",
      [](const BoundDescription& description, Base base, bool mimic) {
        return validate(to_description(description), {.base = base, .mimic = mimic});
      },
      "description"_a, "base"_a = Base::file, "mimic"_a = true,
      "Everything that is wrong with a description, in the order of its lines.");
  m.def(
      "read",
      [](nb::handle path, Base base, nb::handle package_paths, bool check_meshes,
         const std::map<std::string, std::string>& xacro) {
        const auto file = path_of(path);
        const io::ReadOptions options{.package_paths = paths_of(package_paths),
                                      .check_meshes = check_meshes,
                                      .xacro_arguments = {xacro.begin(), xacro.end()},
                                      .build = {.base = base}};
        auto result = [&] {
          const nb::gil_scoped_release release;
          return io::read(file, options);
        }();
        return std::pair(from_description(result.description), std::move(result.diagnostics));
      },
      "path"_a, "base"_a = Base::file, "package_paths"_a = nb::tuple(), "check_meshes"_a = true,
      "xacro"_a = std::map<std::string, std::string>(),
      nb::sig("def read(path: str | os.PathLike[str], base: Literal['file', 'fixed', 'free', 'planar'] = 'file', "
              "package_paths: Iterable[str | os.PathLike[str]] = (), check_meshes: bool = True, xacro: Mapping[str, "
              "str] = {}) -> tuple[Description, list[Diagnostic]]"),
      "The description in a robot file (URDF, xacro, MJCF or SDF), and what is wrong with it. It never raises because "
      "of the content of the file.");
}

}  // namespace

void bind_description(nb::module_& m) {
  bind_shapes(m);
  bind_tree(m);
  bind_extras(m);
  bind_motors_and_materials(m);
  bind_file_extras(m);
  using D = BoundDescription;
  bind_described<D, Description>(
      m, "Description",
      "A robot as a file or a program describes it: links, joints and frames, each with its name and in its own frame.",
      std::tuple{Field{"name", &D::name, "Of the robot."},
                 Field{"file", &D::file, "Where it was read from; empty if a program made it."},
                 Field{"links", &D::links, "A list of LinkDescription."},
                 Field{"joints", &D::joints, "A list of JointDescription."},
                 Field{"frames", &D::frames, "A list of FrameDescription: named places on links."},
                 Field{"loops", &D::loops, "A list of LoopDescription: constraints that close loops."},
                 Field{"couplings", &D::couplings, "A list of JointCoupling."},
                 Field{"springs", &D::springs, "A list of SpringDescription, between points."},
                 Field{"actuators", &D::actuators, "A list of ActuatorDescription."},
                 Field{"contact_materials", &D::contact_materials, "A list of ContactMaterial."},
                 Field{"gravity", &D::gravity, "m/s²"},
                 Field{"roots", &D::roots, "How root links are attached to the world if nobody asks for another base."},
                 Field{"tendons", &D::tendons, "A list of TendonDescription: sums of joint positions."},
                 Field{"postures", &D::postures, "A list of PostureDescription: configurations with names."},
                 Field{"contact_exclusions", &D::contact_exclusions,
                       "A list of ContactExclusion: links that do not touch each other."},
                 Field{"contact_pairs", &D::contact_pairs, "A list of ContactPair: geometries that do."},
                 Field{"kept", &D::kept, "What the file says and lissom does not use."},
                 Field{"time_step", &D::time_step, "s, with which the file wants to be simulated."},
                 Field{"sources", &D::sources, "Files in the order of their lines; empty: `file` alone."}});
  bind_checks(m);
}

}  // namespace lissom::python
