// Closed loops of other projects' robots (grippers, Cassie), against the accelerations that MuJoCo and Pinocchio give.
// The robots are rebuilt from the reference data: the joints that move a link, its placements, Jacobians and mass
// properties. The data is not part of this repository; without it these tests are skipped.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include <Eigen/Geometry>
#include <nlohmann/json.hpp>

#include "close.h"
#include "largest.h"
#include "lissom/io/read.h"
#include "lissom/spatial/quaternion.h"
#include "loop_cases.h"

namespace lissom::test {
namespace {

namespace fs = std::filesystem;
using Eigen::VectorXd;
using nlohmann::json;

std::optional<fs::path> vectors() {
  const char* const named = std::getenv("LISSOM_SHARED");
  const fs::path folder = fs::path(named ? named : LISSOM_SHARED_DIR) / "reference" / "vectors";
  return fs::is_directory(folder) ? std::optional(folder) : std::nullopt;
}
json read(const fs::path& path) {
  std::ifstream file(path);
  return json::parse(file);
}

Vec3<double> vec3(const json& numbers, std::size_t from = 0) {
  return {numbers[from].get<double>(), numbers[from + 1].get<double>(), numbers[from + 2].get<double>()};
}
Pose<double> pose(const json& n) {
  const auto r = [&](std::size_t i) { return n[i].get<double>(); };
  return {{r(0), r(1), r(2), r(3), r(4), r(5), r(6), r(7), r(8)}, vec3(n, 9)};
}
Mat3<double> rotation(const Vec3<double>& axis, double angle) {
  const auto h = std::sin(angle / 2) * axis;
  return matrix(std::cos(angle / 2), h.x, h.y, h.z);
}
// A quaternion x y z w of the reference.
Mat3<double> attitude(const json& q, std::size_t at) {
  const auto n = [&](std::size_t i) { return q[at + i].get<double>(); };
  return matrix(n(3), n(0), n(1), n(2));
}
std::size_t index(const json& joint, const char* key) {
  return joint[key].get<std::size_t>();
}

// The axis of a joint (if it has one) and a point on it at one state, in the world.
struct JointAxis {
  Vec3<double> axis{0, 0, 0}, point{0, 0, 0};
};
JointAxis joint_axis(const json& joint, const json& state, const json& links) {
  // Computed from the first link that it moves: the Jacobian has a column [linear, angular] at the link's origin for
  // each degree of freedom.
  for (std::size_t i = 0; i < links.size(); ++i) {
    const auto support = links[i]["support_v"].get<std::vector<std::size_t>>();
    const auto it = std::find(support.begin(), support.end(), index(joint, "idx_v"));
    if (it == support.end()) continue;
    const auto column = [&](std::size_t k) {
      const json& all = state["jacobians"][i];
      const std::size_t n = std::size_t(it - support.begin()) + k;
      return all[0].is_array() ? std::pair{vec3(all[n], 0), vec3(all[n], 3)}
                               : std::pair{vec3(all, 6 * n), vec3(all, 6 * n + 3)};
    };
    const auto origin = pose(state["placements"][i]).p;
    if (joint["type"] == "prismatic") return {column(0).first, origin};
    if (joint["type"] == "revolute") {
      const auto [linear, angular] = column(0);
      return {angular, origin + cross(angular, linear)};
    }
    // A spherical joint: rotations about three perpendicular axes through one point give velocities ω × r, and half the
    // sum of ω × (ω × r) is -r.
    Vec3<double> sum{0, 0, 0};
    for (std::size_t k = 0; k < 3; ++k) sum = sum + cross(column(k).second, column(k).first);
    return {{0, 0, 0}, origin + 0.5 * sum};
  }
  throw Error("joint " + joint["name"].get<std::string>() + " moves no link");
}

// The displacement of a joint at a state, whose child has the pose X. Sets the type and the axis of the joint, and
// moves the origin of X to the joint.
Pose<double> displacement(const json& from, const json& state, const json& links, JointDescription& joint,
                          Pose<double>& X) {
  const std::string type = from["type"].get<std::string>();
  const std::size_t q = index(from, "idx_q");
  if (type == "floating") {
    joint.type = JointType::free;
    return {attitude(state["q"], q + 3), vec3(state["q"], q)};
  }
  const auto s = joint_axis(from, state, links);
  X.p = s.point;
  if (type == "ball") {
    joint.type = JointType::spherical;
    return {attitude(state["q"], q), {0, 0, 0}};
  }
  joint.type = type == "revolute" ? JointType::revolute : JointType::prismatic;
  joint.axis = transpose_times(X.R, s.axis);
  const double x = state["q"][q].get<double>() - from.value("ref", 0.0);
  if (type == "revolute") return {rotation(joint.axis, x), {0, 0, 0}};
  return {identity3<double>(), x * joint.axis};
}

// Links of the reference become links that are fixed to the child of their last joint; joints and placements are taken
// from one state and moved back to q = 0.
Description rebuilt(const json& reference) {
  const json &state = reference["states"][0], &links = reference["links"];
  Description d;
  d.name = reference["file"].get<std::string>();
  const auto massless = [&](const std::string& name) {
    d.links.emplace_back().name = name;
    return name;
  };
  massless("root");
  std::map<std::string, Pose<double>> at{{"root", {}}};  // poses of the links at that state
  std::map<std::size_t, const json*> joint_of;           // by degree of freedom
  for (const json& joint : reference["joints"]) joint_of[index(joint, "idx_v")] = &joint;

  for (std::size_t i = 0; i < links.size(); ++i) {
    const auto X = pose(state["placements"][i]);
    std::string parent = "root";
    for (const std::size_t v : links[i]["support_v"].get<std::vector<std::size_t>>()) {
      if (!joint_of.contains(v)) continue;  // a further degree of freedom of the same joint
      const json& from = *joint_of[v];
      JointDescription joint;
      joint.name = from["name"].get<std::string>(), joint.parent = parent, joint.child = "moved by " + joint.name;
      parent = joint.child;
      if (at.contains(joint.child)) continue;
      auto& Y = at[joint.child];
      Y = X;
      const auto moved = displacement(from, state, links, joint, Y);
      joint.origin = inverse(at[joint.parent]) * Y * inverse(moved);
      if (reference.contains("armature")) joint.armature = reference["armature"][v].get<double>();
      massless(joint.child);
      d.joints.push_back(joint);
    }
    LinkDescription link;
    link.name = links[i]["name"].get<std::string>(), link.mass = links[i]["mass"].get<double>();
    link.com = vec3(links[i]["com"]);
    const auto I = links[i]["inertia"].get<std::vector<double>>();
    link.inertia = {I[0], I[1], I[2], I[3], I[4], I[5]};
    d.links.push_back(link);
    JointDescription weld;
    weld.name = "weld of " + link.name, weld.parent = parent, weld.child = link.name;
    weld.origin = inverse(at[parent]) * X;
    d.joints.push_back(weld);
  }
  return d;
}

Closures closures(const json& loop, const Model& model) {
  Closures d;
  for (const json& c : loop["constraints"]) {
    const auto text = [&](const char* key) { return c[key].get<std::string>(); };
    const auto end = [&](const char* body, const char* anchor) {
      return LoopEnd{text(body) == "world" ? world_frame : model.frame(text(body)),
                     {identity3<double>(), vec3(c[anchor])}};
    };
    if (text("type") == "connect")
      d.loops.push_back(
          {text("body1") + " to " + text("body2"), end("body1", "anchor1"), end("body2", "anchor2"), loop_axes("xyz")});
    else
      d.couplings.push_back({text("joint1") + " as " + text("joint2"), text("joint1"), text("joint2"),
                             c["polycoef"].get<std::vector<double>>()});
  }
  return d;
}

// A state of the reference in lissom's order: quaternions have w first, and angles are relative to the pose in the
// file.
struct State {
  VectorXd q, v, tau, qdd, h;
};
State translated(const json& joints, const json& state, const json& with_ref, const Model& model) {
  State s{neutral(model), VectorXd::Zero(model.nv()), VectorXd::Zero(model.nv()), VectorXd::Zero(model.nv()),
          VectorXd::Zero(model.nv())};
  for (const json& from : joints) {
    const auto& to = model.joint(from["name"].get<std::string>());
    const std::size_t q = index(from, "idx_q"), v = index(from, "idx_v");
    const auto nq = index(from, "nq");
    const std::size_t numbers = nq == 7 ? 3 : nq == 4 ? 0 : 1;
    for (std::size_t k = 0; k < numbers; ++k) s.q[to.q_index + int(k)] = state["q"][q + k].get<double>();
    if (nq == 1)
      for (const json& other : with_ref)
        if (other["name"] == from["name"]) s.q[to.q_index] -= other.value("ref", 0.0);
    if (nq > 1)
      for (std::size_t k = 0; k < 4; ++k)
        s.q[to.q_index + int(numbers + (k + 1) % 4)] = state["q"][q + numbers + k].get<double>();
    for (std::size_t k = 0; k < index(from, "nv"); ++k) {
      s.v[to.v_index + int(k)] = state["v"][v + k].get<double>();
      s.tau[to.v_index + int(k)] = state["tau_in"][v + k].get<double>();
      s.qdd[to.v_index + int(k)] = state["qdd"][v + k].get<double>();
      s.h[to.v_index + int(k)] = state["h"][v + k].get<double>();
    }
  }
  return s;
}

class ReferenceOfClosedLoops : public ::testing::TestWithParam<const char*> {};

TEST_P(ReferenceOfClosedLoops, AcceleratesAsTheOthersSay) {
  const auto folder = vectors();
  if (!folder) GTEST_SKIP() << "set LISSOM_SHARED to the directory that holds reference/";
  const std::string name = GetParam();
  const json tree = read(*folder / (name + ".asis.json")), loop = read(*folder / (name + ".loop.json"));
  const auto model = build(rebuilt(tree));
  ASSERT_EQ(model.nv(), loop["nv"].get<int>());
  Workspace work(model);
  // First the tree alone.
  double worst = 0;
  for (const json& state : tree["states"]) {
    const auto s = translated(tree["joints"], state, tree["joints"], model);
    const double scale = largest(s.qdd);
    const VectorXd a = forward_dynamics(model, work, s.q, s.v, s.tau);
    EXPECT_TRUE(close(bias_forces(model, work, s.q, s.v), s.h, 1e-9));
    EXPECT_TRUE(close(a, s.qdd, 1e-8, scale));
  }
  ClosedLoops loops(model, closures(loop, model));
  for (const json& state : loop["states"]) {
    const auto s = translated(loop["joints"], state, tree["joints"], model);
    EXPECT_LT(loops.gap(model, work, s.q), 1e-6);
    EXPECT_TRUE(close(bias_forces(model, work, s.q, s.v), s.h, 1e-9));
    const VectorXd a = forward_dynamics(model, work, loops, s.q, s.v, s.tau);
    EXPECT_EQ(loops.rank(), int(state["independent_rows"].size()));
    const double scale = largest(s.qdd);
    EXPECT_TRUE(close(a, s.qdd, 1e-8, scale));
    worst = larger(worst, largest(a - s.qdd) / scale);
  }
  RecordProperty("max_relative_error", std::to_string(worst * 1e12) + "e-12");
}

// The reference calls joints without a name "emsc"; here they get the names of the model, in whose order they are.
json with_names_of(const Model& model, json joints) {
  std::size_t i = 0;
  for (const auto& joint : model.joints())
    if (joint.nv > 0) joints[i++]["name"] = joint.name;
  EXPECT_EQ(i, joints.size());
  return joints;
}

// Masses that depend on meshes, which are not beside the robots, are taken from the reference; all others are compared.
void complete_masses(const json& links, const std::vector<Diagnostic>& findings, Description& d) {
  std::vector<LinkDescription*> bodies;
  for (auto& link : d.links)
    if (link.name != "world" && !link.connects_joints) bodies.push_back(&link);
  ASSERT_EQ(bodies.size(), links.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto unknown = std::ranges::any_of(findings, [&](const Diagnostic& f) {
      return f.code == "mesh-mass" && f.subject == "link '" + bodies[i]->name + "'";
    });
    const auto I = links[i]["inertia"].get<std::vector<double>>();
    const Sym3<double> inertia{I[0], I[1], I[2], I[3], I[4], I[5]};
    if (unknown) {
      bodies[i]->mass = links[i]["mass"].get<double>(), bodies[i]->com = vec3(links[i]["com"]);
      bodies[i]->inertia = inertia;
    }
    EXPECT_NEAR(bodies[i]->mass, links[i]["mass"].get<double>(), 1e-9) << bodies[i]->name;
    EXPECT_NEAR(bodies[i]->inertia.xy, inertia.xy, 1e-9) << bodies[i]->name;
    EXPECT_NEAR(bodies[i]->inertia.zz, inertia.zz, 1e-9) << bodies[i]->name;
  }
}

TEST_P(ReferenceOfClosedLoops, AcceleratesAsTheOthersSayIfReadFromTheFile) {
  const auto folder = vectors();
  if (!folder) GTEST_SKIP() << "set LISSOM_SHARED to the directory that holds reference/";
  const std::string name = GetParam();
  const json tree = read(*folder / (name + ".asis.json")), loop = read(*folder / (name + ".loop.json"));
  auto result = io::read((*folder / ".." / ".." / "corpus" / tree["file"].get<std::string>()).string());
  for (const auto& d : result.diagnostics)
    EXPECT_TRUE(d.severity != Severity::error || d.code == "mesh-mass") << to_string(d);
  complete_masses(tree["links"], result.diagnostics, result.description);
  const auto model = build(result.description);
  ASSERT_EQ(model.nv(), loop["nv"].get<int>());
  Workspace work(model);
  for (const json& state : tree["states"]) {
    const auto s = translated(with_names_of(model, tree["joints"]), state, json::array(), model);
    EXPECT_TRUE(close(bias_forces(model, work, s.q, s.v), s.h, 1e-9));
    EXPECT_TRUE(close(forward_dynamics(model, work, s.q, s.v, s.tau), s.qdd, 1e-8, largest(s.qdd)));
  }
  ClosedLoops loops(model);
  for (const json& state : loop["states"]) {
    const auto s = translated(with_names_of(model, loop["joints"]), state, json::array(), model);
    EXPECT_LT(loops.gap(model, work, s.q), 1e-6);
    EXPECT_TRUE(close(forward_dynamics(model, work, loops, s.q, s.v, s.tau), s.qdd, 1e-8, largest(s.qdd)));
    EXPECT_EQ(loops.rank(), int(state["independent_rows"].size()));
  }
}

INSTANTIATE_TEST_SUITE_P(MuJoCo, ReferenceOfClosedLoops,
                         ::testing::Values("mj_2f85", "mj_closed_chain", "mj_cassie", "mj_tidybot"),
                         [](const auto& robot) { return std::string(robot.param); });

}  // namespace
}  // namespace lissom::test
