// Every table of the derivatives of motions, and of second derivatives in lanes, of every instruction set.
#include "every_set.h"
#include "lissom/kernels/motion_slopes.h"
#include "lissom/kernels/second_order_lanes.h"

namespace lissom::test::every_set {
namespace {

const TreeOptions small_trees{.max_joints = 8, .armature = 0.2, .mimic = 0.2};

// The motion of the last body, and of one in the middle, and their slopes.
VectorXd motion_slopes(const MotionSlopesKernels& k, Case& c) {
  const ModelView<double> view(c.model);
  const auto scratch = k.scratch(view);
  const int nv = c.model.nv(), size = 24 * (nv + 1);
  Buffer<double> q(c.model.nq() + padding), v(nv + padding), a(nv + padding);
  std::copy_n(c.q.data(), c.q.size(), q.at), std::copy_n(c.v.data(), nv, v.at), std::copy_n(c.a.data(), nv, a.at);
  k.accelerations(view, *scratch, q.at, v.at, a.at);
  VectorXd all(2 * size);
  int at = 0;
  for (const int body : {c.model.body_count(), (c.model.body_count() + 1) / 2}) {
    k.motion_derivatives(view, *scratch, body, all.data() + at, all.data() + at + 24);
    at += size;
  }
  return all;
}
RUNS_KERNELS(SlopesOfMotions, "kernels_motion_slopes");
TEST_P(EverySet, SlopesOfMotions) {
  for_each_tree(
      small_trees,
      [&](Case& c) {
        const auto found = motion_slopes(TABLE_OF(set, motion_slopes_table), c);
        EXPECT_TRUE(close(found, motion_slopes(TABLE_OF(other, motion_slopes_table), c), 1e-11));
      },
      100);
}

// The arguments of second derivatives, of the robot in one lane: rounded, so that all compute with the same numbers.
using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
struct Lane {
  VectorXd q, v, a, weights;
  ByRows da_dq, da_dv, M_inverse;  // any numbers do
};
template <class S>
Lane random_lane(const Case& c, std::uint64_t seed) {
  Random random(seed);
  const int nv = c.model.nv();
  const auto rounded = [](const VectorXd& x) { return VectorXd(x.cast<S>().template cast<double>()); };
  const auto square = [&] { return ByRows(rounded(random.vector(nv * nv, 1)).reshaped(nv, nv)); };
  return {.q = rounded(random_configuration(c.model, random.seed())),
          .v = rounded(random.vector(nv, 1)),
          .a = rounded(random.vector(nv, 1)),
          .weights = rounded(random.vector(nv, 1)),
          .da_dq = square(),
          .da_dv = square(),
          .M_inverse = square()};
}

const double point[] = {0.125, -0.25, 0.5};

// What a table for one robot gives, and the second derivatives of forward dynamics by their formula.
std::vector<VectorXd> expected_of(const SecondOrderKernels& k, const Case& c, const Lane& x) {
  const ModelView<double> view(c.model);
  const auto scratch = k.scratch(view);
  const int nv = c.model.nv(), n = 3 * nv;
  Buffer<double> q(c.model.nq() + padding), v(nv + padding), a(nv + padding), weights(nv + padding);
  std::copy_n(x.q.data(), x.q.size(), q.at), std::copy_n(x.v.data(), nv, v.at), std::copy_n(x.a.data(), nv, a.at);
  std::copy_n(x.weights.data(), nv, weights.at);
  VectorXd jacobian(6 * nv * nv), momentum(6 * (nv + padding));
  ByRows inverse(n, n);
  k.jacobian_derivatives(view, *scratch, q.at, c.model.body_count(), point, jacobian.data());
  k.centroidal_derivatives(view, *scratch, q.at, v.at, momentum.data());
  k.rnea_second_order(view, *scratch, q.at, v.at, a.at, weights.at, inverse.data());
  momentum.conservativeResize(6 * nv);
  MatrixXd Z = MatrixXd::Identity(n, n);
  Z.bottomRows(nv) << x.da_dq, x.da_dv, x.M_inverse;
  const ByRows forward = -Z.transpose() * inverse * Z;
  const auto flat = [&](const ByRows& H) { return VectorXd(Eigen::Map<const VectorXd>(H.data(), H.size())); };
  return {jacobian, momentum, flat(inverse), flat(forward)};
}

template <class S>
class InLanes {
 public:
  InLanes(const SecondOrderLaneKernels<S>& table, const Case& c, const std::vector<Lane>& lanes)
      : k(table), view(c.model), scratch(k.scratch(view)), width(int(lanes.size())), nv(c.model.nv()) {
    const auto set = [&](auto member) {
      const auto size = (lanes[0].*member).size();
      inputs.push_back(std::make_unique<Buffer<S>>(int(size + padding) * width));
      for (int l = 0; l < width; ++l)
        for (long i = 0; i < size; ++i) inputs.back()->at[i * width + l] = S((lanes[std::size_t(l)].*member).data()[i]);
      return inputs.back()->at;
    };
    const S *const q = set(&Lane::q), *const v = set(&Lane::v), *const a = set(&Lane::a),
                   *const weights = set(&Lane::weights);
    const S *const da_dq = set(&Lane::da_dq), *const da_dv = set(&Lane::da_dv),
                   *const M_inverse = set(&Lane::M_inverse);
    const S in_body[] = {S(point[0]), S(point[1]), S(point[2])};
    const int n = 3 * nv;
    Buffer<S> buffer(3 * nv * nv * width);
    auto& w = *scratch;
    k.jacobian_derivatives(view, w, q, c.model.body_count(), in_body, result(6 * nv * nv));
    k.centroidal_derivatives(view, w, q, v, result(6 * (nv + padding)));
    k.rnea_second_order(view, w, q, v, a, weights, result(n * n));
    k.aba_second_order(view, w, q, v, a, weights, da_dq, da_dv, M_inverse, nv, buffer.at, result(n * n));
  }
  VectorXd lane(std::size_t which, int l, long size) const {
    VectorXd x(size);
    for (long i = 0; i < size; ++i) x[i] = double(results[which]->at[i * width + l]);
    return x;
  }

 private:
  S* result(int size) { return results.emplace_back(std::make_unique<Buffer<S>>(size * width))->at; }

  const SecondOrderLaneKernels<S>& k;
  ModelView<S> view;
  std::unique_ptr<KernelScratch> scratch;
  int width, nv;
  std::vector<std::unique_ptr<Buffer<S>>> inputs, results;
};

template <class S>
void compare_second_order(const SecondOrderLaneKernels<S>& table, int width, const SecondOrderKernels& reference,
                          double tolerance) {
  for_each_tree(
      small_trees,
      [&](Case& c) {
        std::vector<Lane> lanes;
        for (int l = 0; l < width; ++l) lanes.push_back(random_lane<S>(c, c.seed * 100 + std::uint64_t(l)));
        const InLanes<S> found(table, c, lanes);
        for (int l = 0; l < width; ++l) {
          const auto expected = expected_of(reference, c, lanes[std::size_t(l)]);
          for (std::size_t i = 0; i < expected.size(); ++i)
            EXPECT_TRUE(close(found.lane(i, l, expected[i].size()), expected[i], tolerance))
                << "result " << i << " in lane " << l;
        }
      },
      20);
}
RUNS_KERNELS(SecondOrderInLanesOfDoubles, "kernels_second_order_DoubleLanes");
TEST_P(EverySet, SecondOrderInLanesOfDoubles) {
  compare_second_order(TABLE_OF(set, second_order_lane_table<DoubleLanes>),
                       TABLE_OF(set, core_table<DoubleLanes>).width, TABLE_OF(other, second_order_table), 1e-10);
}
RUNS_KERNELS(SecondOrderInLanesOfFloats, "kernels_second_order_FloatLanes");
TEST_P(EverySet, SecondOrderInLanesOfFloats) {
  compare_second_order(TABLE_OF(set, second_order_lane_table<FloatLanes>), TABLE_OF(set, core_table<FloatLanes>).width,
                       TABLE_OF(other, second_order_table), 1e-3);
}

}  // namespace
}  // namespace lissom::test::every_set
