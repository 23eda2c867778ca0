// Prints what sdformat, the library of the format, makes of a file: the pose in the world, mass and center of mass of
// each link, and the direction in the world of the first axis of each joint. For sdf_comparison_test.cpp.
#include <iomanip>
#include <iostream>
#include <sdf/sdf.hh>
#include <sstream>

namespace {

using ignition::math::Pose3d;

// (Its own operator << rounds.)
std::string digits(const ignition::math::Vector3d& v) {
  std::ostringstream text;
  text << std::setprecision(17) << v.X() << " " << v.Y() << " " << v.Z();
  return text.str();
}

void print(const sdf::Model& model, const Pose3d& X_WM, const std::string& prefix) {
  for (std::uint64_t i = 0; i < model.LinkCount(); ++i) {
    const sdf::Link& link = *model.LinkByIndex(i);
    Pose3d X;
    if (!link.SemanticPose().Resolve(X, "__model__").empty()) continue;
    X = X_WM * X;
    const auto center = link.Inertial().Pose().Pos();
    std::cout << "link " << prefix << link.Name() << " " << digits(X.Pos()) << " " << X.Rot().W() << " " << X.Rot().X()
              << " " << X.Rot().Y() << " " << X.Rot().Z() << " " << link.Inertial().MassMatrix().Mass() << " "
              << digits(center) << "\n";
  }
  for (std::uint64_t i = 0; i < model.JointCount(); ++i) {
    const sdf::Joint& joint = *model.JointByIndex(i);
    ignition::math::Vector3d axis;
    const bool has_axis = joint.Type() == sdf::JointType::REVOLUTE || joint.Type() == sdf::JointType::PRISMATIC ||
                          joint.Type() == sdf::JointType::UNIVERSAL || joint.Type() == sdf::JointType::CONTINUOUS;
    if (!has_axis || !joint.Axis(0) || !joint.Axis(0)->ResolveXyz(axis, "__model__").empty()) continue;
    std::cout << "joint " << prefix << joint.Name() << " " << digits(X_WM.Rot().RotateVector(axis)) << "\n";
  }
  for (std::uint64_t i = 0; i < model.ModelCount(); ++i) {
    const sdf::Model& inner = *model.ModelByIndex(i);
    Pose3d X;
    if (inner.SemanticPose().Resolve(X, "__model__").empty()) print(inner, X_WM * X, prefix + inner.Name() + "::");
  }
}

}  // namespace

int main(int argc, char** argv) {
  sdf::Root root;
  if (argc != 2) return 2;
  // Errors, such as models that are not found, do not keep it from reading the rest.
  for (const auto& error : root.Load(argv[1])) std::cerr << error.Message() << "\n";
  std::cout << std::setprecision(17);
  Pose3d X;
  if (root.Model() && root.Model()->SemanticPose().Resolve(X, "__root__").empty()) print(*root.Model(), X, "");
  for (std::uint64_t w = 0; w < root.WorldCount(); ++w) {
    const sdf::World& world = *root.WorldByIndex(w);
    std::uint64_t moving = 0;
    for (std::uint64_t i = 0; i < world.ModelCount(); ++i) moving += world.ModelByIndex(i)->Static() ? 0 : 1;
    for (std::uint64_t i = 0; i < world.ModelCount(); ++i) {
      const sdf::Model& model = *world.ModelByIndex(i);
      if (model.SemanticPose().Resolve(X, "world").empty())
        print(model, X, moving == 1 && !model.Static() ? "" : model.Name() + "::");
    }
  }
  return 0;
}
