// Many poses at once: as many are reached as one by one, and results are the same for any number of threads.
#include "close.h"
#include "ik_support.h"
#include "random_tree.h"

namespace lissom::test {
namespace {

using Eigen::VectorXd;
using ik::Status;
using Rows = batch::Rows<double>;

struct Poses {
  Model model;
  FrameId frame;
  std::vector<Pose<double>> poses;
  Rows from;
  Poses(const std::string& name, const std::string& of, int count, const LoadOptions& options = {})
      : model(own_model(name, options)), frame(model.frame(of)), from(1, model.nq()) {
    Workspace work(model);
    for (int i = 0; i < count; ++i)
      poses.push_back(pose_at(model, work, random_configuration(model, std::uint64_t(i) + 1), frame));
    from.row(0) = neutral(model).transpose();
  }
};

void expect_all_reached(Poses p) {
  ik::Batch batch(p.model, ik::pose(p.frame, {}), 2);
  ik::Solver solver(p.model, {ik::pose(p.frame, {})});
  Rows q(long(p.poses.size()), p.model.nq());
  std::vector<ik::Batch::Report> reports(p.poses.size());
  batch.solve(p.poses, p.from, q, reports);
  Workspace work(p.model);
  for (std::size_t i = 0; i < p.poses.size(); ++i) {
    solver.set_target_pose(0, p.poses[i]);
    EXPECT_EQ(reports[i].status, solver.solve(p.from.row(0).transpose()).status) << i;
    EXPECT_EQ(reports[i].status, Status::solved) << i;
    const VectorXd found = q.row(long(i)).transpose();
    EXPECT_TRUE(within_limits(p.model, found));
    const auto X = pose_at(p.model, work, found, p.frame);
    EXPECT_LE(length(X.p - p.poses[i].p), 1.001e-6);
    EXPECT_LE(angle_between(X.R, p.poses[i].R), 1.001e-6);
  }
}

TEST(IkBatch, ReachesWhatOneByOneReaches) {
  expect_all_reached({"arm7", "tool", 501});
  expect_all_reached({"humanoid", "left_palm", 100});
  expect_all_reached({"humanoid", "left_palm", 30, {.base = Base::free}});
  expect_all_reached({"mechanisms/gripper_mimic", "right_fingertip", 20});
}

TEST(IkBatch, TheSameForAnyNumberOfThreads) {
  Poses p("arm7", "tool", 300);
  Random random(1);
  for (int i = 0; i < 30; ++i) p.poses[std::size_t(7 * i)].p += random.vec3(3);  // some out of reach
  Rows first;
  for (const int threads : {1, 2, 5}) {
    ik::Batch batch(p.model, ik::pose(p.frame, {}), threads);
    EXPECT_EQ(batch.threads(), threads);
    Rows q(300, p.model.nq());
    batch.solve(p.poses, p.from, q, {}, {.starts = 10, .seed = 3});
    if (threads == 1)
      first = q;
    else
      EXPECT_TRUE(identical(q, first));
  }
}

TEST(IkBatch, RefusesWrongShapesAndNumbers) {
  Poses p("arm7", "tool", 3);
  ik::Batch batch(p.model, ik::pose(p.frame, {}), 1);
  Rows q(3, p.model.nq()), wrong(2, p.model.nq());
  std::vector<ik::Batch::Report> two(2);
  EXPECT_REFUSED(batch.solve(p.poses, wrong, q), "from is 2");
  EXPECT_REFUSED(batch.solve(p.poses, p.from, wrong), "q is 2");
  EXPECT_REFUSED(batch.solve(p.poses, p.from, q, two), "reports has 2");
  p.poses[1].p.y = std::nan("");
  EXPECT_REFUSED(batch.solve(p.poses, p.from, q), "poses[1].p.y is NaN");
  p.poses[1] = {};
  p.from(0, 2) = std::nan("");
  EXPECT_REFUSED(batch.solve(p.poses, p.from, q), "from[0][2] is NaN");
  EXPECT_REFUSED(ik::Batch(p.model, ik::pose({99}, {})), "target.of");
  EXPECT_REFUSED(ik::Batch(p.model, ik::pose(p.frame, {}), -1), "threads is -1");
}

}  // namespace
}  // namespace lissom::test
