// The same worlds one at a time, in lanes, and in float.
#include "contact_test_support.h"
#include "lissom/contact/fixed_sweeps.h"

namespace lissom::contact::test {
namespace {

constexpr int sweeps = 8;

double lane(double x, int) {
  return x;
}
double lane(float x, int) {
  return double(x);
}
template <class S, int N>
double lane(const Lanes<S, N>& x, int i) {
  return double(x[i]);
}
template <class S>
void set_lane(S& x, int, double value)
  requires std::is_floating_point_v<S>
{
  x = S(value);
}
template <class S, int N>
void set_lane(Lanes<S, N>& x, int i, double value) {
  x.set(i, S(value));
}

// All blocks of all kinds; other numbers in each world.
std::vector<ContactData> worlds(int count) {
  std::vector<ContactData> all;
  for (int w = 0; w < count; ++w) {
    WalkingMachine machine(std::uint64_t(w), 5, 2);
    auto data = machine.next(0.002);
    const int rows = data.rows();
    ContactRandom r(std::uint64_t(w) + 9);
    for (auto& block : data.blocks)
      if (block.kind == Kind::cone) block.friction = w % 3 ? r.between(0, 1) : 0;
    data.add(box(0, -0.01 * w, 0.02)), data.add(free<double>(0, 3)), data.add(disk(0, 1, 0, 0.01)),
        data.add(disk(0, 2, 3, 0.02));
    const int n = data.blocks.back().row + 2;
    MatrixXd G = random_positive(r, n, n) * 0.1;
    G.topLeftCorner(rows, rows) += data.G;
    VectorXd b = VectorXd::NullaryExpr(n, [&] { return 0.1 * r.normal(); });
    b.head(rows) += data.b;
    if (w % 4 == 1) {  // a contact fewer
      G.middleRows(3, 3).setZero(), G.middleCols(3, 3).setZero();
      b.segment(3, 3).setZero();
    }
    data.G = G, data.b = b;
    all.push_back(data);
  }
  return all;
}

struct InLanes {
  std::vector<VectorXd> p, u;
  std::vector<double> residual;
};

template <class T>
InLanes solve_in_lanes(const std::vector<ContactData>& all, int first) {
  constexpr int count = lanes_of<T>;
  const int rows = all[0].rows(), blocks = int(all[0].blocks.size());
  ProblemBuffer<T> buffer(rows, blocks);
  for (int k = 0; k < blocks; ++k) {
    const auto& from = all[0].blocks[std::size_t(k)];
    Block<T> block{from.kind, from.row, from.size, from.normal_row, T(), T(), T()};
    for (int w = 0; w < count; ++w) {
      const auto& other = all[std::size_t((first + w) % int(all.size()))].blocks[std::size_t(k)];
      set_lane(block.friction, w, other.friction);
      set_lane(block.lower, w, other.lower);
      set_lane(block.upper, w, other.upper);
    }
    buffer.add(block);
  }
  AlignedMemory<T> p(std::size_t(rows) + 1), u(std::size_t(rows) + 1);
  for (int w = 0; w < count; ++w) {
    const auto& data = all[std::size_t((first + w) % int(all.size()))];
    for (int i = 0; i < rows; ++i) {
      set_lane(buffer.b(i), w, data.b[i]);
      for (int j = 0; j < rows; ++j) set_lane(buffer.G(i, j), w, data.G(i, j));
    }
  }
  FixedSweeps<T> solver(rows, blocks);
  const auto report = solver.solve(buffer.problem(), sweeps, p.data(), u.data(), T(Number<T>(1e6)));
  InLanes result;
  for (int w = 0; w < count; ++w) {
    VectorXd p_w(rows), u_w(rows);
    for (int i = 0; i < rows; ++i) p_w[i] = lane(p.data()[i], w), u_w[i] = lane(u.data()[i], w);
    result.p.push_back(p_w), result.u.push_back(u_w), result.residual.push_back(lane(report.residual, w));
  }
  return result;
}

TEST(ContactScalars, LanesGiveTheBitsOfSingleWorlds) {
  const auto all = worlds(32);
  for (int first = 0; first < 32; first += 3) {  // in other lanes, beside other worlds
    const auto in_lanes = solve_in_lanes<DoubleLanes>(all, first);
    for (int w = 0; w < lanes_of<DoubleLanes>; ++w) {
      const int world = (first + w) % 32;
      const auto alone = solve(all[std::size_t(world)], {.fixed_sweeps = sweeps, .max_impulse = 1e6});
      EXPECT_EQ(alone.report.sweeps, sweeps);
      EXPECT_EQ(in_lanes.p[std::size_t(w)], alone.p) << world;
      EXPECT_EQ(in_lanes.u[std::size_t(w)], alone.u) << world;
      EXPECT_EQ(in_lanes.residual[std::size_t(w)], alone.report.residual) << world;
      EXPECT_GT(alone.p.norm(), 0);
    }
  }
}

TEST(ContactScalars, FloatLanesGiveTheBitsOfFloat) {
  const auto all = worlds(32);
  for (int first = 0; first < 32; first += 3) {
    const auto in_lanes = solve_in_lanes<FloatLanes>(all, first);
    for (int w = 0; w < lanes_of<FloatLanes>; ++w) {
      const auto alone = solve_in_lanes<float>(all, (first + w) % 32);
      EXPECT_EQ(in_lanes.p[std::size_t(w)], alone.p[0]);
      EXPECT_EQ(in_lanes.u[std::size_t(w)], alone.u[0]);
    }
  }
}

TEST(ContactScalars, FloatIsCloseToDouble) {
  const auto all = worlds(32);
  for (int w = 0; w < 32; ++w) {
    const auto exact = solve_in_lanes<double>(all, w), rounded = solve_in_lanes<float>(all, w);
    EXPECT_LT((exact.u[0] - rounded.u[0]).norm(), 3e-3 * (1 + exact.u[0].norm())) << w;
  }
}

TEST(ContactScalars, ABrokenWorldHarmsNoOther) {
  auto all = worlds(32);
  const auto before = solve_in_lanes<DoubleLanes>(all, 0);
  all[1].b[4] = std::nan(""), all[1].G(2, 7) = infinity;
  const auto after = solve_in_lanes<DoubleLanes>(all, 0);
  for (std::size_t w = 0; w < after.p.size(); ++w) {
    if (w == 1) {
      EXPECT_EQ(after.residual[w], infinity);
      EXPECT_EQ(after.p[w].norm(), 0);
      EXPECT_EQ(after.u[w].norm(), 0);
    } else {
      EXPECT_EQ(after.p[w], before.p[w]);
      EXPECT_EQ(after.residual[w], before.residual[w]);
    }
  }
}

}  // namespace
}  // namespace lissom::contact::test
