// Robots of other projects, and what other programs read from them. They are not part of this repository: without them
// these tests are skipped.
#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "lissom/io/urdf/urdf.h"
#include "urdf_test_support.h"

namespace lissom::io {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

#define NEED_SHARED(directory)               \
  const auto directory = shared_directory(); \
  if (!directory) GTEST_SKIP() << "set LISSOM_SHARED to the directory that holds corpus/ and reference/"

bool is_urdf(const fs::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension == ".urdf";
}

std::vector<fs::path> urdfs_below(const fs::path& directory) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(directory))
    if (entry.is_regular_file() && is_urdf(entry.path())) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

TEST(Corpus, RobotsAreUsable) {
  NEED_SHARED(shared);
  // xacro that was not expanded; joints along curves, which no other program supports
  const std::set<std::string> broken{"husky", "drake_joint_parsing"};
  const auto files = urdfs_below(*shared / "corpus" / "urdf");
  EXPECT_GE(files.size(), 31u);
  for (const fs::path& file : files) {
    const ReadResult result = read_urdf(file.string());
    EXPECT_EQ(result.usable(), !broken.contains(file.parent_path().filename().string())) << to_text(result);
    for (const Diagnostic& d : result.diagnostics) EXPECT_FALSE(d.remedy.empty() || d.message.empty()) << d.code;
  }
}

// Nobody reads a hundred lines; and what is good enough for its author passes.
TEST(Corpus, FindingsFitOnAScreen) {
  NEED_SHARED(shared);
  std::set<std::string> passed;
  for (const fs::path& file : urdfs_below(*shared / "corpus" / "urdf")) {
    const auto found = read_urdf(file.string()).diagnostics;
    EXPECT_LE(std::ranges::count(to_grouped_string(found), '\n'), 58) << file;
    if (std::ranges::all_of(found, [](const Diagnostic& d) { return d.severity == Severity::note; }))
      passed.insert(fs::relative(file, *shared / "corpus" / "urdf").begin()->string());
  }
  for (const char* robot : {"allegro_right", "anymal_b", "as2_floating", "atlas", "b2w", "baxter", "drchubo", "hyq",
                            "iiwa14", "panda", "r2d2", "robotiq_2f_140", "simple_humanoid", "solo12", "ur5", "wam"})
    EXPECT_TRUE(passed.contains(robot)) << robot;
}

TEST(Corpus, MalformedOnesAreReported) {
  NEED_SHARED(shared);
  // Unusual, but valid; a missing mesh is only noted.
  const std::set<std::string> odd{"zero_dof_robot.urdf", "two_unnamed_boxes.urdf", "issue838.urdf",
                                  "link_and_joint_identical_name.urdf", "missing_mesh.urdf"};
  std::map<std::string, std::string> expectations;
  for (const json& entry : json::parse(content(*shared / "corpus" / "index.json")))
    if (entry.contains("upstream_expect") && entry["upstream_expect"].is_string())
      expectations[fs::path(entry["file"].get<std::string>()).filename().string()] =
          entry["upstream_expect"].get<std::string>();
  for (const fs::path& file : urdfs_below(*shared / "corpus" / "malformed")) {
    const std::string name = file.filename().string();
    const ReadResult result = read_urdf(file.string());
    const bool reported = std::any_of(result.diagnostics.begin(), result.diagnostics.end(),
                                      [](const Diagnostic& d) { return d.severity != Severity::note; });
    const bool accepted = expectations.contains(name) && expectations[name] == "accept";
    EXPECT_TRUE(reported || accepted || odd.contains(name)) << file;
  }
}

TEST(Corpus, OtherFormatsAreNamed) {
  NEED_SHARED(shared);
  for (const char* folder : {"sdf", "mjcf"})
    for (const auto& entry : fs::recursive_directory_iterator(*shared / "corpus" / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".sdf" && extension != ".xml") continue;
      EXPECT_FALSE(read_urdf(entry.path().string()).usable()) << entry.path();
    }
}

// Placements of all links, parents first, for joints with one coordinate.
class Placements {
 public:
  Placements(const Description& description, const std::map<std::string, double>& q) : q_(q) {
    for (std::size_t i = 0; i < description.joints.size(); ++i)
      carrier_[description.joints[i].child] = &description.joints[i];
  }
  const Pose<double>& of(const std::string& link) {
    const auto known = placed_.find(link);
    if (known != placed_.end()) return known->second;
    const auto carrier = carrier_.find(link);
    if (carrier == carrier_.end()) return placed_[link] = {};
    const JointDescription& joint = *carrier->second;
    const Pose<double> parent = of(joint.parent);
    return placed_[link] = parent * joint.origin * motion(joint);
  }

 private:
  Pose<double> motion(const JointDescription& joint) const {
    Pose<double> X;
    if (joint.type == JointType::fixed) return X;
    const double q = q_.at(joint.name);
    const Vec3<double> a = (1 / std::sqrt(dot(joint.axis, joint.axis))) * joint.axis;
    if (joint.type == JointType::prismatic) {
      X.p = q * a;
    } else {  // Rodrigues
      const Mat3<double> K = skew(a), KK = K * K;
      const double s = std::sin(q), c = 1 - std::cos(q);
      const auto scaled = [](double k, const Mat3<double>& m) {
        return Mat3(k * m.xx, k * m.xy, k * m.xz, k * m.yx, k * m.yy, k * m.yz, k * m.zx, k * m.zy, k * m.zz);
      };
      X.R = identity3<double>() + scaled(s, K) + scaled(c, KK);
    }
    return X;
  }
  const std::map<std::string, double>& q_;
  std::map<std::string, const JointDescription*> carrier_;
  std::map<std::string, Pose<double>> placed_;
};

void compare_links(const json& reference, const Description& description) {
  std::map<std::string, const LinkDescription*> links;
  for (const LinkDescription& link : description.links) links[link.name] = &link;
  for (const json& expected : reference["links"]) {
    const auto found = links.find(expected["name"].get<std::string>());
    ASSERT_NE(found, links.end()) << expected["name"];
    const LinkDescription& link = *found->second;
    if (!expected.contains("mass")) continue;
    EXPECT_NEAR(link.mass, expected["mass"].get<double>(), 1e-12 * (1 + link.mass)) << link.name;
    if (link.mass == 0) continue;  // the other programs differ in what they keep of a body without mass
    const double com[] = {link.com.x, link.com.y, link.com.z};
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(com[i], expected["com"][i].get<double>(), 1e-12) << link.name;
    const Sym3<double>& I = link.inertia;
    const double inertia[] = {I.xx, I.xy, I.xz, I.yy, I.yz, I.zz};
    for (std::size_t i = 0; i < 6; ++i)
      EXPECT_NEAR(inertia[i], expected["inertia"][i].get<double>(), 1e-11 * (1 + std::abs(I.xx) + std::abs(I.zz)))
          << link.name;
  }
}

void compare_placements(const json& reference, const Description& description) {
  for (const json& joint : reference["joints"])
    if (joint["nq"] != 1) return;  // other tests cover these
  for (const json& state : reference["states"]) {
    std::map<std::string, double> q;
    for (const json& joint : reference["joints"])
      q[joint["name"].get<std::string>()] = state["q"][joint["idx_q"].get<std::size_t>()].get<double>();
    Placements placements(description, q);
    for (std::size_t i = 0; i < reference["links"].size(); ++i) {
      const Pose<double>& X = placements.of(reference["links"][i]["name"].get<std::string>());
      const double numbers[] = {X.R.xx, X.R.xy, X.R.xz, X.R.yx, X.R.yy, X.R.yz,
                                X.R.zx, X.R.zy, X.R.zz, X.p.x,  X.p.y,  X.p.z};
      for (std::size_t k = 0; k < 12; ++k)
        ASSERT_NEAR(numbers[k], state["placements"][i][k].get<double>(), 1e-10) << reference["links"][i]["name"];
    }
  }
}

// Mass, center of mass, inertia and placement of every link are those of Pinocchio (with urdfdom), MuJoCo and DART.
TEST(Corpus, AgreesWithOtherReaders) {
  NEED_SHARED(shared);
  int compared = 0;
  for (const json& entry : json::parse(content(*shared / "corpus" / "index.json"))) {
    if (entry["format"] != "urdf") continue;
    for (const json& variant : entry["references"]) {
      if (variant["variant"] != "fixed") continue;
      const fs::path file = *shared / "corpus" / entry["file"].get<std::string>();
      SCOPED_TRACE(file.string());
      ReadOptions options;
      options.check_meshes = false;
      const Description description = read_urdf(file.string(), options).description;
      const json reference = json::parse(content(*shared / "corpus" / variant["ref"].get<std::string>()));
      compare_links(reference, description);
      compare_placements(reference, description);
      ++compared;
    }
  }
  EXPECT_GE(compared, 25);
}

}  // namespace
}  // namespace lissom::io
