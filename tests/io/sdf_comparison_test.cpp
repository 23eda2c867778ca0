// Poses, axes and inertias as sdformat, the library of the format, reads them. Its conversion to these numbers is made
// by a program of its own (sdformat_poses.cpp), which is built where the library is installed.
#include <array>
#include <cstdio>
#include <sstream>

#include "lissom/model/axes.h"
#include "sdf_test_support.h"

namespace lissom::io {
namespace {

namespace fs = std::filesystem;

std::string output_of(const std::string& command) {
  std::string text;
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (!pipe) return text;
  std::array<char, 4096> buffer{};
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) text.append(buffer.data(), n);
  return ::pclose(pipe) == 0 ? text : std::string();
}

Mat3<double> rotation_wxyz(double w, double x, double y, double z) {
  return {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),  //
          2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),  //
          2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
}

struct Compared {
  int links = 0, joints = 0;
};

[[maybe_unused]] Compared compare(const fs::path& file, const std::string& program) {
  Compared compared;
  const ReadResult result = read_sdf(file.string());
  EXPECT_TRUE(result.usable()) << to_text(result);
  const auto poses = poses_at_zero(result.description);
  std::istringstream lines(output_of("'" + program + "' '" + file.string() + "'"));
  for (std::string kind, name; lines >> kind >> name;) {
    if (kind == "link") {
      double x, y, z, w, i, j, k, mass, cx, cy, cz;
      lines >> x >> y >> z >> w >> i >> j >> k >> mass >> cx >> cy >> cz;
      EXPECT_TRUE(poses.contains(name)) << file << ": " << name;
      if (!poses.contains(name)) continue;
      EXPECT_LT(distance(poses.at(name), {rotation_wxyz(w, i, j, k), {x, y, z}}), 1e-9) << file << ": " << name;
      const auto& link = named(result.description.links, name);
      const auto root = std::ranges::find(result.description.roots, name, &RootDescription::link);
      if (root == result.description.roots.end() || !root->is_ground) {
        EXPECT_NEAR(link.mass, mass, 1e-9) << file << ": " << name;
        EXPECT_LT(distance(link.com, {cx, cy, cz}), 1e-9) << file << ": " << name;
      }
      ++compared.links;
    } else if (kind == "joint") {
      // The axis in the world, where all joints are at zero.
      double x, y, z;
      lines >> x >> y >> z;
      const auto& joint = named(result.description.joints, name);
      EXPECT_LT(distance(poses.at(joint.child).R * unit(joint.axis), {x, y, z}), 1e-9) << file << ": " << name;
      ++compared.joints;
    }
  }
  return compared;
}

TEST(SdfComparison, WithSdformat) {
#ifndef LISSOM_SDFORMAT_POSES
  GTEST_SKIP() << "sdformat is not installed: install libsdformat-dev to compare with it";
#else
  Compared all;
  std::vector<fs::path> folders{fs::path(LISSOM_TEST_DATA) / "io" / "sdf_models"};
  if (const auto shared = shared_directory()) folders.push_back(*shared / "corpus" / "sdf");
  int files = 0;
  for (const fs::path& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const auto ending = entry.path().extension();
      if (ending != ".sdf" && ending != ".world") continue;
      const auto compared = compare(entry.path(), LISSOM_SDFORMAT_POSES);
      EXPECT_GT(compared.links, 0) << entry.path();
      all.links += compared.links, all.joints += compared.joints, ++files;
    }
  EXPECT_GE(files, 5);
  EXPECT_GE(all.links, 15);
  EXPECT_GE(all.joints, 9);
#endif
}

}  // namespace
}  // namespace lissom::io
