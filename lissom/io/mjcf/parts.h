#pragma once
// The parts of the MJCF reader, one file each. Not for users.
#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lissom/io/mjcf/defaults.h"
#include "lissom/io/mjcf/mjcf.h"
#include "lissom/io/mjcf/sources.h"
#include "lissom/io/xml_element.h"
#include "lissom/mesh/triangle_mesh.h"
#include "lissom/model/description.h"
#include "lissom/model/text.h"

namespace lissom::io::mjcf {

inline constexpr const char* world_link = "world";

// <compiler>
struct Compiler {
  bool degrees = true, autolimits = true, balance_inertia = false, discard_visual = false, strip_path = false,
       align_free = false, fit_bounds = false;
  std::string euler_sequence = "xyz";
  double min_mass = 0, min_inertia = 0, total_mass = -1;
  Settings::Tristate inertia_from_geoms = Settings::Tristate::automatic;
  int min_group = 0, max_group = 5;
  std::string mesh_folder, texture_folder;

  double angle(double written) const;  // in radians
};

// Mass, center of mass and inertia about it.
struct MassProperties {
  double mass = 0;
  Vec3<double> center{0, 0, 0};
  Sym3<double> inertia{0, 0, 0, 0, 0, 0};
  std::optional<Mat3<double>> axes = {};  // of the inertia, if it is that of one geom
};

struct MeshAsset {
  std::string name, file, path;  // path: empty if the file is not found
  Vec3<double> scale{1, 1, 1};
  Pose<double> reference;        // <mesh refpos refquat>
  std::string inertia;           // as written; empty: the default
  std::vector<double> vertices;  // <mesh vertex>
  std::vector<double> faces;     // <mesh face>
  std::string built_in;          // <mesh builtin>: its kind; empty if it is none
  std::vector<double> params;    // <mesh params>
  int line = 0;
};

struct HeightFieldAsset {
  std::string uri;             // its heights, 0 to 1; empty if they cannot be read
  Vec3<double> size{1, 1, 1};  // full lengths along x and y, and the height of 1
  double depth = 0;
};

struct Texture {
  std::string file;
  std::optional<Color> color;  // of a builtin texture
};

struct Assets {
  std::unordered_map<std::string, MeshAsset> meshes;
  std::unordered_map<std::string, HeightFieldAsset> height_fields;
  std::unordered_map<std::string, Material> materials;
  std::unordered_map<std::string, Texture> textures;
  std::unordered_map<std::string, pugi::xml_node> models;  // <model>
};

// One model: that of the file, or one that is attached.
struct ModelPart {
  pugi::xml_node root;
  Compiler compiler;
  Defaults defaults;
  Assets assets;
  std::string prefix;  // of names, where it is attached
  std::string suffix;  // of names, where it is replicated
  std::string folder;  // of its file, if that is not the main one
  const ModelPart* attached_to = nullptr;
  int depth = 0;         // how many models it is attached within
  bool complete = true;  // otherwise only a part of it may be attached
};

// Where an element stands: its model, what <frame>, <replicate> and <attach> do to it, and the class of its body.
struct Scope {
  ModelPart* model = nullptr;
  std::string prefix, suffix;  // of names
  Pose<double> frame;          // in the frame of the body
  const DefaultClass* childclass = nullptr;
};

// Something that was read, by name, with what later sections need.
struct BodyRecord {
  std::string link;    // name of the link
  Pose<double> world;  // of the body in the world at qpos0
  bool moves = false;  // relative to the world
};
struct JointRecord {
  std::size_t index = 0;  // in Description::joints
  double ref = 0;
  std::array<double, 2> range{};     // that actuators may inherit; 0 0 if there is none
  std::string body;                  // the link that it moves
  const ModelPart* owner = nullptr;  // whose file it is written in
};
struct TendonRecord {
  std::size_t index = 0;          // in Description::tendons
  std::array<double, 2> range{};  // as of joints
};
struct SiteRecord {
  std::string link;
  Pose<double> placement;  // in the link's frame
};
struct GeomRecord {
  std::string link;
  bool collides = false;
  bool shown = true;  // by its group
  // Of a geom that nothing touches unless a pair names it: the collision that it becomes there.
  std::optional<Geometry> unused = {};
  double friction = 1;
  struct Sphere {
    Vec3<double> center;  // in the link's frame
    double radius;
  };
  std::optional<Sphere> sphere = {};
};
// A spatial tendon. One between two sites may be a rod.
struct SpatialTendon {
  int line = 0;
  double armature = 0;
  std::optional<std::pair<AttachmentDescription, AttachmentDescription>> ends = {};
  bool is_rod = false;  // an equality keeps its length
};

// The state while one file is read.
struct Reading {
  const ReadOptions& options;
  Report& report;
  Sources& sources;
  Description& out;
  ReportedAttributes reported{};
  std::unordered_set<std::string> written_names{};  // of all elements, so that those which are made up differ
  std::unordered_map<std::string, BodyRecord> bodies{};
  std::unordered_map<std::string, JointRecord> joints{};
  std::unordered_map<std::string, SiteRecord> sites{};
  std::unordered_map<std::string, Pose<double>> aligned{};  // by link: from the written frame to that of its inertia
  std::unordered_map<std::string, GeomRecord> geoms{};
  std::unordered_map<std::string, TendonRecord> tendons{};  // fixed ones
  std::map<std::string, SpatialTendon> other_tendons{};
  std::vector<std::string> joint_order{};                // of qpos
  std::map<std::string, std::pair<int, int>> skipped{};  // tag of what is not carried over: first line, count
  std::unordered_set<std::string> frame_names{};         // links and frames
  int key_count = 0;
  int body_count = 0;        // the world is 0
  std::size_t elements = 0;  // bodies, joints, geoms, sites
  bool too_large = false;
  std::unordered_set<std::string> body_names{};  // as written, of all files
  std::set<std::string> replicas{};              // suffixes of names
  struct MeshMass {
    std::string link, mesh;
    int line;
  };
  std::vector<MeshMass> mesh_masses{};               // links whose mass depends on meshes that are missing
  std::unordered_set<std::string> outside_meshes{};  // that lie where nothing may be read
  struct SpringDamper {
    std::string joint;
    double time_constant, ratio;
  };
  std::vector<SpringDamper> spring_dampers{};  // of hinges and slides
  std::map<std::pair<const MeshAsset*, int>, std::optional<MassProperties>> mesh_cache{};
  std::map<const MeshAsset*, std::string> mesh_uris{};       // of meshes without a file
  std::size_t uri_bytes = 0;                                 // of all shapes together
  std::unordered_map<const void*, AttachedFile> attached{};  // by <model> in <asset>
  std::deque<ModelPart> parts{};                             // the model of the file, and those that are attached

  std::unordered_set<std::string> frictions{};  // names of contact materials
  int suggestions = 0;                          // that were looked for

  // "did you mean 'foot'?", or an empty text: comparing with all names takes long, so only the first few unknown names
  // of a file get a suggestion.
  template <class Map>
  std::string suggest(std::string_view wrong, const Map& known);
  // Notes that something is not carried over.
  void skip(std::string_view what, int line) { ++skipped.try_emplace(std::string(what), line, 0).first->second.second; }
  // A model that is attached under a prefix; null, and a finding, if it cannot be read.
  ModelPart* attach(const pugi::xml_node& asset, const ModelPart& user, const std::string& prefix,
                    const std::string& suffix, const Element& element);
  // Whether another element may be added; reports once if not.
  bool may_add(const Element& element);
};

template <class Map>
std::string Reading::suggest(std::string_view wrong, const Map& known) {
  constexpr int max_count = 20;
  if (++suggestions > max_count) return {};
  std::vector<std::string_view> names;
  for (const auto& entry : known) names.push_back(entry.first);
  std::ranges::sort(names);
  return did_you_mean(wrong, names);
}

// The name of an element, as <attach> and <replicate> change it; empty if it has none.
std::string name_of(const Element& element, const Scope& scope);
// A name that nothing in the files has, beginning with this one.
std::string made_up_name(const std::string& preferred, Reading& reading);
std::string shown(std::string_view kind, std::string_view name);  // "geom 'foot'"
Settings settings_of(const Element& element, const Scope& scope, Reading& reading, std::string_view tag = {});

// schema.cpp: reports unknown elements and attributes below a root element.
void check_schema(const pugi::xml_node& root, Report& report);

// compiler.cpp
void read_compiler(const Element& element, Compiler& compiler);
void read_option(const Element& element, Reading& reading);

// orientation.cpp: pos, and one of quat, axisangle, euler, xyaxes, zaxis; not fromto.
Pose<double> read_pose(const Settings& settings, const Compiler& compiler);
bool has_orientation(const Settings& settings);
// The rotation by Euler angles that are `factor` times as large as written.
Mat3<double> read_euler(const Settings& settings, const Compiler& compiler, double factor);
Mat3<double> read_quaternion(const Settings& settings, const char* attribute);
Mat3<double> rotation_about(const Vec3<double>& axis, double angle);
// fromto: the pose of an element whose z axis points from the second point to the first; its half length. Nullopt if
// there is none.
struct FromTo {
  Pose<double> pose;
  double half_length = 0;
};
std::optional<FromTo> read_fromto(const Settings& settings);

// range.cpp
struct Range {
  double lower = 0, upper = 0;
  bool limited = false;
};
// The two numbers of an attribute, and whether they are a limit, which another attribute and autolimits say.
Range read_range(const Settings& settings, const char* attribute, const char* limited, const Compiler& compiler);
// The same for numbers that follow from the attribute.
Range inherited_range(const Settings& settings, const char* attribute, const char* limited, const Compiler& compiler,
                      Range range);

// asset.cpp
void read_assets(ModelPart& model, Reading& reading);

// body.cpp
void read_world(ModelPart& model, Reading& reading);

// joint.cpp: the joints between a body and its parent, and the massless links between them.
struct JointSource {
  Element element;
  Scope scope;
};
struct BodyJoints {
  std::string parent;      // link
  std::string body;        // link
  Pose<double> pose;       // of the body in the parent
  bool top_level = false;  // its parent is the world
  int line = 0;
};
// Returns whether the body moves relative to its parent.
bool read_joints(const std::vector<JointSource>& joints, const BodyJoints& body, Reading& reading);

// Whether MuJoCo moves the frame of a body with this free joint, if it carries no others, to its center of mass, and
// along its principal axes.
bool is_aligned(const JointSource& joint, Reading& reading);

// align.cpp: does so. `first_frame` is the first of its sites; `world` its pose, which changes. The axes are those of
// its inertia, if they are known.
void align_body(const std::optional<Mat3<double>>& axes, std::size_t first_frame, Pose<double>& world,
                LinkDescription& link, Reading& reading);
// Moves the records of its sites and spheres, once everything is read.
void align_sites(Reading& reading);

// geom.cpp
struct GeomResult {
  MassProperties mass;        // in the frame of the body
  bool counts = false;        // for the inertia of the body
  bool unknown_mass = false;  // depends on a file that is missing
  std::string mesh;           // whose file is missing
  int line = 0;
};
// The name of a surface with this friction, which becomes one of the description's.
std::string contact_material(double friction, int line, Reading& reading);
GeomResult read_geom(const Element& element, const Scope& scope, const std::string& fallback_name, bool in_world,
                     LinkDescription& link, Reading& reading);

// geom_mass.cpp: mass 1 per volume, or per area for shells, about the center of the shape.
MassProperties unit_mass_properties(const Shape& shape, bool shell);

// height_field.cpp
void read_height_field(const Element& element, const Settings& settings, ModelPart& model, Reading& reading);
// Whether a data URI may be added to the description: there is a limit for all of them together.
bool may_add_uri(const std::string& uri, Reading& reading);

// builtin_mesh.cpp: the meshes that MuJoCo makes by itself. Nullopt, and a finding, if the parameters are wrong.
std::optional<mesh::TriangleMesh> builtin_mesh(const MeshAsset& mesh, const Element& user);
// A mesh without a file as a data URI, after refpos, refquat and scale; empty if it is not known.
const std::string& mesh_uri(const MeshAsset& mesh, const Element& user, Reading& reading);
// A mesh after refpos, refquat and scale; false if it is not known.
bool read_surface(const MeshAsset& mesh, const Element& user, mesh::TriangleMesh& out);
// The mass properties of a mesh for a density of 1, in the frame of a geom; nullopt if its file is missing.
std::optional<MassProperties> mesh_mass(const MeshAsset& mesh, bool shell, const Element& user, Reading& reading);
Sym3<double> scaled(double k, const Sym3<double>& I);

// mesh_fit.cpp: a primitive of this type instead of a mesh, and its frame in that of the geom. Nullopt if the mesh is
// not known.
struct FittedShape {
  Shape shape;
  Pose<double> frame;
};
std::optional<FittedShape> fit_to_mesh(const MeshAsset& mesh, std::string_view type, const Settings& settings,
                                       const Compiler& compiler, Reading& reading);

// inertia.cpp
inline constexpr double eigenvalue_threshold = 1e-12;  // of MuJoCo
struct PrincipalAxes {
  std::array<double, 3> moments{};       // the largest first
  Mat3<double> R = identity3<double>();  // its columns are the axes
};
// Elements up to the threshold count as 0, and moments as equal.
PrincipalAxes principal_axes(const Sym3<double>& I, double threshold = 0);
// Returns the axes of the inertia, if the file says them.
std::optional<Mat3<double>> read_inertial(const Element& element, const Scope& scope, LinkDescription& link,
                                          Reading& reading);
MassProperties sum_of(const std::vector<MassProperties>& parts);
// Applies boundmass, boundinertia and balanceinertia, and reports what MuJoCo refuses.
void finish_inertia(const Element& body, const Compiler& compiler, LinkDescription& link);
void set_total_mass(double total, Description& description);

// equality.cpp, tendon.cpp, actuator.cpp, contact.cpp, keyframe.cpp
void read_equality(const Element& section, ModelPart& model, Reading& reading);
void read_tendons(const Element& section, ModelPart& model, Reading& reading);
// Says which spatial tendons are left out, once the equalities have made rods of some.
void report_spatial_tendons(Reading& reading);
void read_actuators(const Element& section, ModelPart& model, Reading& reading);
// damping_ratio.cpp: once everything is read.
void convert_spring_dampers(Reading& reading);
void convert_damping_ratios(Reading& reading);
void read_contact(const Element& section, ModelPart& model, Reading& reading);
void read_keyframes(const Element& section, ModelPart& model, Reading& reading);
void add_initial_posture(Reading& reading);

// Keeps attributes that lissom does not use; own ones and those of classes.
void keep(const Settings& settings, std::string_view subject, std::initializer_list<const char*> attributes,
          Reading& reading);
// The same for a list of which lissom uses the first number; nothing if that is all.
void keep_rest(const Settings& settings, std::string_view subject, const char* attribute, Reading& reading);

}  // namespace lissom::io::mjcf
