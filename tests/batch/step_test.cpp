// A step of many robots: rows that fail are reported, and do not touch the others.
#include <cmath>
#include <functional>

#include "close.h"
#include "lissom/lissom.h"
#include "random_batch.h"
#include "random_tree.h"
#include "refusal.h"

namespace lissom::test::batch_step {
namespace {

using batch::Rows;
using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(Batch, AStepReportsTheRowsThatFail) {
  const auto model = load(std::string(LISSOM_MODELS_DIR) + "/quadruped.urdf", {.base = Base::free});
  for (const int threads : {1, 3}) {
    batch::Workspace<double> w(model, threads);
    const int B = 3 * w.lanes() + 1;
    const Batch<double> b(model, B);
    Rows<double> good_q = b.q, good_v = b.v;
    ASSERT_TRUE(batch::step(model, w, good_q, good_v, b.tau, 0.01).empty());
    Rows<double> q = b.q, v = b.v, tau = b.tau;
    q.row(1).segment(3, 4) *= 1.1;  // not a unit quaternion any more
    v(w.lanes(), 2) = std::nan("");
    tau(2 * w.lanes() + 1, 7) = INFINITY;
    v.row(B - 1).setConstant(1e200);  // overflows in the step
    const Rows<double> q_before = q, v_before = v;
    const auto failed = batch::step(model, w, q, v, tau, 0.01);
    ASSERT_EQ(failed.size(), 4u);
    const std::vector<long> rows{1, w.lanes(), 2 * w.lanes() + 1, B - 1};
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(failed[i].row, rows[i]);
    EXPECT_TRUE(failed[0].what.starts_with("quaternion q(1, 3..6) has norm")) << failed[0].what;
    EXPECT_EQ(failed[1].what, "v(" + std::to_string(w.lanes()) + ", 2) is NaN");
    EXPECT_EQ(failed[2].what, "tau(" + std::to_string(2 * w.lanes() + 1) + ", 7) is infinite");
    EXPECT_TRUE(failed[3].what.find("not finite at the end of the step") != std::string::npos) << failed[3].what;
    for (int i = 0; i < B; ++i) {
      const bool bad = std::ranges::find(rows, i) != rows.end();
      const auto& wanted_q = bad ? q_before : good_q;
      const auto& wanted_v = bad ? v_before : good_v;
      EXPECT_EQ(0, std::memcmp(&q(i, 0), &wanted_q(i, 0), sizeof(double) * std::size_t(model.nq()))) << i;
      EXPECT_EQ(0, std::memcmp(&v(i, 0), &wanted_v(i, 0), sizeof(double) * std::size_t(model.nv()))) << i;
    }
  }
}

}  // namespace
}  // namespace lissom::test::batch_step
