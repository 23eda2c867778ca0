#pragma once
// What is fuzzed: one function for each reader. It takes any bytes, and must neither crash, nor hang, nor be caught by
// a sanitizer; the Errors that the library throws about bad input are part of its answer. A broken promise about the
// result ends the program (expect). replay.cpp calls them with files, libfuzzer.cpp with what libFuzzer invents.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace lissom::fuzz {

void urdf(std::string_view input);         // robots, built and moved
void sdf(std::string_view input);          // the same for SDF, with its loops
void xacro(std::string_view input);        // robots with macros, YAML files, expressions
void mjcf(std::string_view input);         // robots in MuJoCo's format, built and moved
void recording(std::string_view input);    // MCAP, NPZ and CSV
void loops(std::string_view input);        // the JSON file of closed loops
void motion(std::string_view input);       // motion files
void posture(std::string_view input);      // posture files
void scene(std::string_view input);        // scene files, made into worlds and moved
void contacts(std::string_view input);     // files of a robot's contacts
void goal(std::string_view input);         // goals of plans
void description(std::string_view input);  // descriptions as JSON, built and moved
void question(std::string_view input);     // what the viewer's page asks
void qp(std::string_view input);           // files of quadratic programs, solved
void states(std::string_view input);       // lissom eval --states
void tosses(std::string_view input);       // measured tosses of a cube, simulated
void plot(std::string_view input);         // numbers to plot, as lines and histograms
void options(std::string_view input);      // numbers and pushes on the command line
void mesh_stl(std::string_view input);     // meshes: read, measured, enclosed, decomposed, written
void mesh_obj(std::string_view input);
void mesh_ply(std::string_view input);
void mesh_dae(std::string_view input);
void mesh_gltf(std::string_view input);
void mesh_msh(std::string_view input);
void heights(std::string_view input);
void hull(std::string_view input);  // hulls of points

// All of them, by name.
const std::map<std::string, void (*)(std::string_view)>& targets();

// The folder of robots: models/ of the tree, or $LISSOM_MODELS where the program was carried to another machine.
const std::string& models();

// Ends the program unless the condition holds.
void expect(bool condition, const char* what);

// A file in a folder of its own, which is removed at the end. For readers that take paths.
class InputFile {
 public:
  InputFile();
  ~InputFile();
  InputFile(const InputFile&) = delete;
  const std::string& folder() const { return folder_; }
  // Writes the bytes, and returns the path.
  const std::string& write(std::string_view bytes);

 private:
  std::string folder_, path_;
};

}  // namespace lissom::fuzz
