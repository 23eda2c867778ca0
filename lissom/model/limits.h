#pragma once
// How large an input may be. Everything that reads what other people wrote takes its limits from here; docs/limits.md
// lists them, and tests try each of them at the limit and one beyond.
#include <cstddef>

namespace lissom::limits {

inline constexpr std::size_t MiB = std::size_t{1} << 20;
inline constexpr std::size_t GiB = std::size_t{1} << 30;

// In a fuzzing build, small inputs that stand for very much meet their limit a hundred times earlier: a million of them
// can then be tried (docs/fuzzing.md).
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
inline constexpr std::size_t fuzzing_divisor = 100;
#else
inline constexpr std::size_t fuzzing_divisor = 1;
#endif

// Robot files (URDF); the defaults of io::ReadOptions.
inline constexpr std::size_t robot_bytes = 64 * MiB;
inline constexpr int xml_depth = 64;
// In MJCF, bodies are nested: a chain of links is as deep as it is long.
inline constexpr int mjcf_depth = 400;
// Bodies, joints, geoms and sites of an MJCF model, in which a few elements may stand for many.
inline constexpr std::size_t mjcf_elements = 200'000 / fuzzing_divisor;
// Files of one MJCF model, and replicas among which the one is looked for that a name means.
inline constexpr std::size_t mjcf_files = 1000, mjcf_replicas = 10'000;
// Files that include others (SDF); together, they are no larger than one file may be. The manifest of a model's folder.
inline constexpr std::size_t include_depth = 16, included_files = 1000, sdf_manifest_bytes = 1 * MiB;

// Expanding a xacro file, all its includes together: operations of expressions and elements that are visited, memory
// that is ever allocated, levels of elements, macros, includes and properties inside each other, files that are read.
inline constexpr std::size_t xacro_steps = 5'000'000 / fuzzing_divisor, xacro_bytes = 256 * MiB / fuzzing_divisor,
                             xacro_files = 1000;
inline constexpr int xacro_depth = 400;
// One expression, and the lists and dictionaries in it and in YAML files.
inline constexpr std::size_t xacro_expression_bytes = 64 * 1024;
inline constexpr int xacro_expression_depth = 60, xacro_value_depth = 60;
// Width and precision of a format, in characters.
inline constexpr int xacro_format_width = 1000;
// A YAML file.
inline constexpr std::size_t yaml_bytes = 16 * MiB;

// Findings with the same code; further ones are only counted.
inline constexpr std::size_t diagnostics_per_code = 1000;
// A model has at most so many, with 6 for each root link, which may become a free base. The mass matrix has the square
// of it in elements, and what evaluates everything hundreds of times that (docs/limits.md). Robots have less than a
// thousand.
inline constexpr std::size_t degrees_of_freedom = 4'000;

// JSON files: states, loops, scenes, motions, postures, contacts, goals, descriptions.
inline constexpr std::size_t json_bytes = 64 * MiB;
// JSON anywhere, also in recordings.
inline constexpr int json_depth = 64;

// Robots, bodies, fixed shapes and the ground of a scene, with all bodies of its grids.
inline constexpr std::size_t scene_parts = 1600;

// Meshes: bytes of a file and of the files it refers to; of what is XML or JSON, which takes up to 27 times its size in
// memory; triangles; and nodes of a scene, each counted as often as it is placed.
inline constexpr std::size_t mesh_bytes = 256 * MiB, mesh_document_bytes = 64 * MiB;
inline constexpr std::size_t mesh_triangles = 10'000'000;
inline constexpr int mesh_nodes = 1'000'000;
// Heights of a height field: 2049 x 2049.
inline constexpr std::size_t heights = 4'198'401;

// Recordings. Besides, a file may have at most half the size of the machine's memory.
inline constexpr std::size_t recording_signals = 65'535;
inline constexpr std::size_t recording_name_bytes = 1000;

// Files of quadratic programs.
inline constexpr int qp_problems = 10'000'000, qp_variables = 5'000, qp_rows = 50'000;
inline constexpr std::size_t qp_bytes = 1 * GiB;  // of all problems, not compressed

// Tables of measured motions (CSV), also when they are unpacked.
inline constexpr std::size_t table_bytes = 1 * GiB;

// Footsteps of a gait.
inline constexpr int footsteps = 10'000;

// The viewer's page and its server: messages of pages, pictures of them, connections, pages with a stream; frames and
// numbers that are kept for slow pages.
inline constexpr std::size_t page_message_bytes = 64 * 1024, page_picture_bytes = 64 * MiB;
inline constexpr int page_connections = 64, page_streams = 16;
inline constexpr std::size_t page_frames = 4096, page_values = 64 * MiB / 4;

// The cache: all entries together, unless the user says otherwise, and one of them.
inline constexpr std::size_t cache_bytes = 512 * MiB, cache_entry_bytes = 256 * MiB;

// Delay of the torques of a simulated robot, in ticks.
inline constexpr int delay_ticks = 100'000;

// Pictures.
inline constexpr std::size_t plot_panels = 48, plot_lines = 2000;

}  // namespace lissom::limits
