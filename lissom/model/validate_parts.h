#pragma once
// The parts of validate(), one file each. Not for users.
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lissom/model/build_options.h"
#include "lissom/model/description.h"
#include "lissom/model/diagnostic_list.h"

namespace lissom::validation {

inline constexpr int none = -1;

class Findings {
 public:
  explicit Findings(const Description& description) : description_(description) {}

  void add(Severity severity, std::string code, int line, std::string subject, std::string message,
           std::string remedy) {
    found_.add({severity, std::move(code), description_.file, line, std::move(subject), std::move(message),
                std::move(remedy)});
  }
  void error(std::string code, int line, std::string subject, std::string message, std::string remedy) {
    add(Severity::error, std::move(code), line, std::move(subject), std::move(message), std::move(remedy));
  }
  void warning(std::string code, int line, std::string subject, std::string message, std::string remedy) {
    add(Severity::warning, std::move(code), line, std::move(subject), std::move(message), std::move(remedy));
  }
  void note(std::string code, int line, std::string subject, std::string message, std::string remedy) {
    add(Severity::note, std::move(code), line, std::move(subject), std::move(message), std::move(remedy));
  }
  bool any_error() const { return found_.any_error(); }
  std::vector<Diagnostic> take() { return found_.take(); }

 private:
  const Description& description_;
  DiagnosticList found_;
};

// Maps names to indices in the description; if several items have the same name, the first one is used.
using Names = std::unordered_map<std::string_view, int>;

// The tree of links and joints, as far as it is valid.
struct Tree {
  std::vector<int> joint;   // for each link the joint whose child it is, or none
  std::vector<int> parent;  // for each link its parent link, or none
  std::vector<int> order;   // the links that are connected to a root, parents before children
};

// Links that are fixed to each other are one rigid body.
struct RigidBodies {
  std::vector<std::size_t> of;          // for each link the first link of its body
  std::vector<Pose<double>> placement;  // of each link in the frame of that first link
};
RigidBodies rigid_bodies(const Description& description, const Tree& tree);

// "link 'foot'", "loop without name".
std::string subject(std::string_view kind, const std::string& name);
std::string subject(const LinkDescription& link);
std::string subject(const JointDescription& joint);
std::string subject(const FrameDescription& frame);

struct AllNames {
  Names links, joints;
};
AllNames check_names(const Description& description, Findings& findings);
void check_numbers(const Description& description, Findings& findings);
// Expects the tree of check_tree.
void check_size(const Description& description, const Tree& tree, Findings& findings);
Tree check_tree(const Description& description, const AllNames& names, Findings& findings);
void check_joints(const Description& description, Findings& findings);
void check_mimics(const Description& description, const AllNames& names, Findings& findings);
void check_extras(const Description& description, Findings& findings);
void check_references(const Description& description, const AllNames& names, Findings& findings);
void check_inertias(const Description& description, const Tree& tree, Findings& findings);
// These expect a valid tree and finite numbers.
void check_base(const Description& description, const BuildOptions& options, Findings& findings);
void check_mass_distribution(const Description& description, const Tree& tree, const BuildOptions& options,
                             Findings& findings);

void not_finite(const std::string& what, int line, const std::string& whose, Findings& findings);
void check_pose(const Pose<double>& X, const std::string& what, int line, const std::string& whose, Findings& findings);
bool finite(double number);
bool finite(const Vec3<double>& v);
double norm(const Vec3<double>& v);

}  // namespace lissom::validation
