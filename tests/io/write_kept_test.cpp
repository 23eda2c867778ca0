// What readers keep without using it goes back to where it was.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "lissom/io/read.h"
#include "lissom/io/write/write.h"

namespace lissom::io::write_kept {  // files of tests are compiled together
namespace {

using namespace write;

bool has(const WriteResult& result, const std::string& code, Severity severity) {
  return std::ranges::any_of(result.losses,
                             [&](const Diagnostic& d) { return d.code == code && d.severity == severity; });
}

// What ROS says of a joint goes through all formats, and is URDF's own in URDF.
TEST(WriteKept, CalibrationAndSafetyComeBack) {
  const auto d = read_text(R"(<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="continuous">
    <parent link="a"/><child link="b"/><axis xyz="0 0 1"/><calibration rising="0.1"/>
    <safety_controller k_velocity="3" soft_lower_limit="-1"/></joint></robot>)",
                           "robot.urdf")
                     .description;
  ASSERT_EQ(d.kept.size(), 3u);
  for (const auto format : {Format::urdf, Format::mjcf, Format::sdf}) {
    const auto written = write(d, format);
    EXPECT_EQ(has(written, "kept", Severity::note), format != Format::urdf);
    const auto text = write_urdf(read_text(written.text, "again").description).text;
    EXPECT_NE(text.find(R"(<safety_controller k_velocity="3" soft_lower_limit="-1" />)"), std::string::npos) << text;
    EXPECT_NE(text.find(R"(<calibration rising="0.1" />)"), std::string::npos);
    EXPECT_EQ(text.find("<kept"), std::string::npos);
  }
}

}  // namespace
}  // namespace lissom::io::write_kept
