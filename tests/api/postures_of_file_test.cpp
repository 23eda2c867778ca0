// Postures that a robot's file has: where SDF puts a robot at the beginning.
#include <gtest/gtest.h>

#include "close.h"
#include "lissom/api/postures.h"
#include "lissom/lissom.h"

namespace lissom::test {
namespace {

const std::string text = R"(<sdf version="1.5"><model name="m"><pose>1 2 3 0 0 1.5707963267948966</pose>
  <link name="a"/><link name="b"><pose>0 0 1 0 0 0</pose></link>
  <joint name="j" type="revolute"><parent>a</parent><child>b</child>
    <axis><xyz>0 0 1</xyz><initial_position>0.25</initial_position></axis></joint></model></sdf>)";

TEST(DescribedPostures, AreWhereTheFileSays) {
  const auto model = load_text(text, "made.sdf");
  ASSERT_EQ(model.nq(), 8);
  const auto q = initial_configuration(model);
  Eigen::VectorXd expected(8);
  expected << 1, 2, 3, std::sqrt(0.5), 0, 0, std::sqrt(0.5), 0.25;
  EXPECT_TRUE(close(q, expected, 1e-12));
  EXPECT_EQ(posture_of_file(model, "initial"), q);
}

TEST(DescribedPostures, IgnoreTheJointOfAnotherBase) {
  const auto model = load_text(text, "made.sdf", {.base = Base::fixed});
  ASSERT_EQ(model.nq(), 1);
  EXPECT_EQ(initial_configuration(model)[0], 0.25);
}

TEST(DescribedPostures, ThatAreUnknownAreReported) {
  const auto model = load_text(text, "made.sdf");
  try {
    posture_of_file(model, "home");
    ADD_FAILURE() << "there is no such posture";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'initial'"), std::string::npos) << error.what();
  }
  const auto arm = load(LISSOM_MODELS_DIR "/arm7.urdf");
  EXPECT_EQ(initial_configuration(arm), neutral(arm));
}

}  // namespace
}  // namespace lissom::test
