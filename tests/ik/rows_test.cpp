// The two kernels of inverse kinematics: rows of targets against differences of residuals, steps against the conditions
// of a minimum; in all lanes the same.
#include "close.h"
#include "ik_support.h"
#include "lissom/ik/kernel_calls.h"
#include "lissom/math/dense.h"
#include "lissom/tree/array.h"
#include "random_tree.h"

namespace lissom::test::rows {
namespace {

using namespace ik;

using Eigen::MatrixXd;
using Eigen::VectorXd;

const TreeOptions trees{.armature = 0.1, .mimic = 0.3};
constexpr TargetKind kinds[] = {TargetKind::position, TargetKind::orientation, TargetKind::pose, TargetKind::look_at,
                                TargetKind::center_of_mass};

TargetRows<double> random_target(const Case& c, Random& random, TargetKind kind) {
  const auto& of = c.model.frames()[std::size_t(c.some_frame(random).index)];
  const auto& in = c.model.frames()[std::size_t(c.some_frame(random).index)];
  TargetRows<double> t{.kind = kind, .of = of.body, .in = in.body, .of_placement = of.placement};
  t.in_placement = in.placement;
  t.of_placement.p += random.vec3(0.3);
  t.axis = random.axis();
  const auto weight = [&] { return random.chance(0.2) ? 0 : random.uniform(0.3, 2); };
  t.linear_weight = {weight(), weight(), weight()};
  t.angular_weight = {weight(), weight(), weight()};
  return t;
}

template <class S>
TargetRows<S> in_type(const TargetRows<double>& t) {
  return {t.kind,
          t.of,
          t.in,
          {cast<S>(t.of_placement.R), cast<S>(t.of_placement.p)},
          {cast<S>(t.in_placement.R), cast<S>(t.in_placement.p)},
          cast<S>(t.axis),
          cast<S>(t.linear_weight),
          cast<S>(t.angular_weight)};
}

struct Rows {
  VectorXd e;
  MatrixXd J;
  Eigen::Vector2d error;
};

// Rows in all lanes of a table, which must agree.
template <class S>
Rows rows(const Case& c, const ik::IkKernels<S>& kernels, const TargetRows<double>& target, const VectorXd& q,
          const Pose<double>& pose) {
  const ModelView<S> view(c.model);
  const auto scratch = kernels.scratch(view);
  const int w = kernels.width, n = c.model.nv(), m = rows_of(target.kind);
  const auto lanes = [&](const double* x, long count) {
    Array<S> all(std::size_t((count + padding) * w));
    for (long i = 0; i < count; ++i)
      for (int l = 0; l < w; ++l) all[i * w + l] = S(x[i]);
    return all;
  };
  const auto q_lanes = lanes(q.data(), q.size()), pose_lanes = lanes(&pose.R.xx, 12);
  Array<S> e(std::size_t(6 * w)), J(std::size_t((6 * n + 1) * w)), error(std::size_t(2 * w));
  std::vector<int> all;
  for (int i = 0; i < n; ++i) all.push_back(i);
  kernels.placements(view, *scratch, q_lanes.data());
  kernels.target_rows(view, *scratch, in_type<S>(target), pose_lanes.data(), {all.data(), n, m}, e.data(), J.data(),
                      error.data());
  Rows r{VectorXd(m), MatrixXd(m, n), {}};
  for (int l = w - 1; l >= 0; --l) {
    for (int i = 0; i < m; ++i) r.e[i] = e[i * w + l];
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) {
        r.J(i, j) = J[(j * m + i) * w + l];
        EXPECT_EQ(J[(j * m + i) * w + l], J[(j * m + i) * w]);
      }
    r.error << error[l], error[w + l];
  }
  return r;
}

TEST(TargetRows, JacobianIsTheSlopeOfTheResidual) {
  for_each_tree(
      trees,
      [](Case& c) {
        Random random(c.seed);
        for (const auto kind : kinds) {
          const auto target = random_target(c, random, kind);
          const Pose<double> pose{random.rotation(), random.vec3(2)};
          const auto& table = ik::single_ik_kernels();
          const auto here = rows(c, table, target, c.q, pose);
          for (int j = 0; j < c.model.nv(); ++j) {
            const double h = 1e-4;
            const auto at = [&](double t) {
              return rows(c, table, target, integrate(c.model, c.q, VectorXd::Unit(c.model.nv(), j), t), pose).e;
            };
            // Near an angle of π the rotation vector jumps.
            if ((here.e - at(2 * h)).norm() > 0.1) continue;
            const VectorXd slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
            EXPECT_TRUE(close(slope, here.J.col(j), 1e-6)) << int(kind) << " column " << j;
          }
        }
      },
      100);
}

TEST(TargetRows, AreTheSameInLanes) {
  static const auto float_lanes = ik::IkCalls<Lanes<float, natural_lanes<float>>>::table();
  for_each_tree(
      trees,
      [](Case& c) {
        Random random(c.seed);
        for (const auto kind : kinds) {
          const auto target = random_target(c, random, kind);
          const Pose<double> pose{random.rotation(), random.vec3(2)};
          const auto single = rows(c, ik::single_ik_kernels(), target, c.q, pose);
          if (single.error[1] > 9) continue;  // near an angle of π, signs depend on rounding
          for (const double tolerance : {1e-11, 1e-3}) {
            const auto lanes = tolerance < 1e-6 ? rows(c, ik::lane_ik_kernels(), target, c.q, pose)
                                                : rows(c, float_lanes, target, c.q, pose);
            EXPECT_TRUE(close(lanes.e, single.e, tolerance, 10));
            EXPECT_TRUE(close(lanes.J, single.J, tolerance, 10));
            EXPECT_TRUE(close(lanes.error, single.error, tolerance, 10));
          }
        }
      },
      200);
}

// J, e and bounds of a step; d in all lanes of a table.
struct StepCase {
  MatrixXd J;
  VectorXd e, lower, upper;
  double damping;
};
VectorXd step(const ik::IkKernels<double>& kernels, const StepCase& s) {
  const int m = int(s.J.rows()), n = int(s.J.cols()), w = kernels.width;
  const auto lanes = [&](const double* x, long count) {
    Array<double> all(std::size_t((count + 1) * w));
    for (long i = 0; i < count; ++i)
      for (int l = 0; l < w; ++l) all[i * w + l] = x[i];
    return all;
  };
  const auto J = lanes(s.J.data(), s.J.size()), e = lanes(s.e.data(), m), lower = lanes(s.lower.data(), n),
             upper = lanes(s.upper.data(), n), damping = lanes(&s.damping, 1);
  Array<double> buffer(std::size_t(damped_step_buffer_size(m, n) * w)), d(std::size_t((n + 1) * w));
  kernels.damped_step({m, n, J.data(), e.data(), lower.data(), upper.data(), damping.data(), buffer.data(), d.data()});
  VectorXd result(n);
  for (int i = 0; i < n; ++i) {
    result[i] = d[i * w];
    for (int l = 1; l < w; ++l) EXPECT_EQ(d[i * w + l], d[i * w]);
  }
  return result;
}
StepCase random_step(Random& random) {
  const int m = random.chance(0.5) ? 6 : random.integer(1, 14), n = random.integer(1, 14);
  return {MatrixXd::NullaryExpr(m, n, [&] { return random.uniform(-1, 1); }), random.vector(m, 1),
          VectorXd::Constant(n, -1e3), VectorXd::Constant(n, 1e3), std::pow(10, random.uniform(-6, 0))};
}

TEST(DampedStep, WithoutBoundsIsLeastSquares) {
  Random random(1);
  for (int i = 0; i < 500; ++i) {
    const auto s = random_step(random);
    const long n = s.J.cols();
    const MatrixXd H = s.J.transpose().lazyProduct(s.J) + s.damping * MatrixXd::Identity(n, n);
    const VectorXd expected = -dense::solve(H, s.J.transpose() * s.e);
    for (const auto* table : {&ik::single_ik_kernels(), &ik::lane_ik_kernels()})
      EXPECT_TRUE(close(step(*table, s), expected, 1e-8)) << s.J.rows() << " × " << n;
  }
}

TEST(DampedStep, StaysWithinBoundsAndWithDampingGoesDown) {
  Random random(2);
  int bound = 0;
  for (int i = 0; i < 1000; ++i) {
    auto s = random_step(random);
    for (long c = 0; c < s.J.cols(); ++c) {
      s.lower[c] = random.chance(0.3) ? 0 : -random.uniform(0, 0.3);
      s.upper[c] = random.chance(0.3) ? 0 : random.uniform(0, 0.3);
    }
    const VectorXd d = step(ik::single_ik_kernels(), s);
    EXPECT_TRUE((d.array() >= s.lower.array()).all() && (d.array() <= s.upper.array()).all());
    EXPECT_TRUE(close(step(ik::lane_ik_kernels(), s), d, 1e-9));
    for (long c = 0; c < d.size(); ++c) bound += d[c] == s.lower[c] || d[c] == s.upper[c];
    s.damping = 10 * s.J.squaredNorm();
    EXPECT_LE((s.J * step(ik::single_ik_kernels(), s) + s.e).norm(), s.e.norm());
  }
  EXPECT_GT(bound, 1000);
}

}  // namespace
}  // namespace lissom::test::rows
