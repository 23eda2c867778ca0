// Problems of robots that stand on two of their links: M, h and Jacobians of real robots, feet given point by point and
// level but for some micrometers. Rows of a foot are twelve and have rank six, exactly or nearly.
#include <cstdlib>
#include <filesystem>

#include "families.h"
#include "lissom/lissom.h"
#include "verdicts.h"

namespace lissom::qp::test {
namespace {

using Eigen::VectorXd;

constexpr int points = 4, forces = 3 * points;  // of a foot

// Ours, and those of other people where they are at hand: with a free base, and of a size that controllers have.
std::vector<Model> robots() {
  const std::string ours = LISSOM_MODELS_DIR;
  std::vector<std::filesystem::path> files{ours + "/humanoid.urdf", ours + "/quadruped.urdf", ours + "/arm7.urdf"};
  const char* const shared = std::getenv("LISSOM_SHARED");
  const auto corpus = std::filesystem::path(shared ? shared : "/none") / "corpus" / "urdf";
  std::error_code none;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus, none))
    if (entry.path().extension() == ".urdf") files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<Model> all;
  for (const auto& file : files) {
    try {
      auto model = load(file.string(), {.base = Base::free});
      Workspace work(model);
      const VectorXd v = VectorXd::Zero(model.nv());
      const bool definite = forward_dynamics(model, work, neutral(model), v, v).allFinite();
      if (definite && model.nv() >= 8 && model.nv() + 2 * forces <= 100) all.push_back(std::move(model));
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): what cannot be read is tested elsewhere
    }
  }
  return all;
}

// The points of a foot as rows of J: corners of a sole, 20 by 10 cm, whose heights differ by `uneven`.
Matrix rows_of_foot(Random& r, const Model& model, Workspace& work, const VectorXd& q, FrameId foot, double uneven) {
  Matrix J(forces, model.nv());
  for (int k = 0; k < points; ++k) {
    const Point corner{foot, {k % 2 ? 0.1 : -0.1, k / 2 ? 0.05 : -0.05, -0.03 + uneven * r.normal()}};
    J.middleRows(3 * k, 3) = jacobian(model, work, q, foot, corner, world_frame).bottomRows<3>();
  }
  return J;
}

// Over accelerations and forces: the base's equation of motion, contacts that do not accelerate but as `inside` does,
// limits of torques, friction pyramids; nearest to what tasks ask for.
Data on_two_feet(Random& r, const Model& model, Workspace& work, int trial) {
  const int nv = model.nv(), n = nv + 2 * forces;
  const VectorXd q = random_configuration(model, std::uint64_t(trial)), v = r.vector(nv);
  const Eigen::MatrixXd M = mass_matrix(model, work, q);
  const VectorXd h = bias_forces(model, work, q, v);
  const double uneven = in_turn(trial);
  Matrix J(2 * forces, nv);
  const int links = int(model.frames().size());
  const int first = r.integer(0, links - 1), second = (first + r.integer(1, links - 1)) % links;
  J << rows_of_foot(r, model, work, q, {first}, uneven), rows_of_foot(r, model, work, q, {second}, uneven);

  Data d = unconstrained(Matrix::Zero(n, n), VectorXd(n));
  const VectorXd wanted = 5 * r.vector(nv);
  d.H.topLeftCorner(nv, nv) = M, d.g.head(nv) = -M * wanted;
  d.H.bottomRightCorner(2 * forces, 2 * forces) = 1e-4 * Matrix::Identity(2 * forces, 2 * forces);
  d.g.tail(2 * forces).setZero();
  Matrix motion(nv, n);
  motion << M, -J.transpose();
  d.A = Matrix::Zero(6 + 2 * forces, n);
  d.A.topRows(6) = motion.topRows(6), d.A.bottomLeftCorner(2 * forces, nv) = J;
  d.C = Matrix::Zero(nv - 6 + 4 * 2 * points, n);
  d.C.topRows(nv - 6) = motion.bottomRows(nv - 6);
  for (int k = 0; k < 2 * points; ++k)
    for (int side = 0; side < 4; ++side) {
      auto row = d.C.row(nv - 6 + 4 * k + side);
      row[nv + 3 * k + side % 2] = side < 2 ? 1 : -1, row[nv + 3 * k + 2] = 0.7;
    }
  VectorXd inside(n);
  inside << wanted + r.vector(nv), 20 * r.vector(2 * forces);
  bound_around(r, d, inside);
  return d;
}

TEST(QpRobots, StandOnTwoLinks) {
  const auto all = robots();
  ASSERT_GE(all.size(), 2u);
  std::vector<Workspace> works;
  for (const auto& model : all) works.emplace_back(model);
  double slowest = 0;
  for (int trial = 0; trial < trials(200, 100'000) && !::testing::Test::HasFailure(); ++trial) {
    const auto which = std::size_t(trial) % all.size();
    Random r{std::uint64_t(trial) + 5};
    const Data d = on_two_feet(r, all[which], works[which], trial);
    Solver solver(d.sizes());
    const Solution* s = nullptr;
    slowest = larger(slowest, processor_time([&] { s = &solver.solve(d.problem()); }));
    EXPECT_EQ(not_optimal(d, *s), "") << all[which].name() << " " << trial;
  }
  RecordProperty("robots", int(all.size()));
  RecordProperty("slowest_ms", std::to_string(1e3 * slowest));
}

}  // namespace
}  // namespace lissom::qp::test
