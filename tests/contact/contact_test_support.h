#pragma once
// Solves a problem that is given in Eigen's terms; random problems of all kinds.
#include <cstdlib>

#include <gtest/gtest.h>

#include "admm.h"
#include "largest.h"
#include "lissom/contact/solver.h"

namespace lissom::contact::test {

using lissom::test::largest;

using Eigen::MatrixXd;
using Eigen::VectorXd;
using lissom::test::ContactRandom;
using lissom::test::WalkingMachine;

inline constexpr double infinity = std::numeric_limits<double>::infinity();

struct Solved {
  Report report;
  VectorXd p, u;
};

inline Solved solve(const ContactData& data, const Settings& settings = {}, const VectorXd* start = nullptr) {
  ProblemBuffer<double> buffer(std::max(data.rows(), 1), std::max(int(data.blocks.size()), 1));
  Solver solver(std::max(data.rows(), 1), std::max(int(data.blocks.size()), 1));
  data.write(buffer);
  Solved s;
  s.p = start ? *start : VectorXd::Zero(data.rows());
  s.u = VectorXd::Constant(data.rows(), std::nan(""));
  s.report = solver.solve(buffer.problem(), s.p.data(), s.u.data(), settings);
  return s;
}

/// The report tells the truth: u = G p + b, and the residual is the one that follows from its definition.
inline void expect_honest(const ContactData& data, const Solved& s, const std::string& what) {
  const double size = largest(data.G.cwiseAbs() * s.p.cwiseAbs() + data.b.cwiseAbs());
  EXPECT_LE(largest(data.G * s.p + data.b - s.u), 1e-12 * size) << what;
  EXPECT_NEAR(s.report.residual, independent_residual(data, s.p), 1e-11 * size + 1e-3 * s.report.residual) << what;
}

inline void expect_solved(const ContactData& data, const Solved& s, const std::string& what, double tolerance = 1e-6) {
  EXPECT_TRUE(s.report.converged()) << what << ": residual " << s.report.residual << ", block " << s.report.worst_block
                                    << ", sweeps " << s.report.sweeps;
  EXPECT_LT(independent_residual(data, s.p), tolerance) << what;
}

/// A body of mass m that can only translate, with one contact.
inline ContactData point_mass(double mass, double friction, const Eigen::Vector3d& velocity) {
  ContactData data;
  data.add(cone(0, friction));
  data.G = MatrixXd::Identity(3, 3) / mass;
  data.b = velocity;
  return data;
}

/// A positive definite block of one contact with coupling between normal and tangents.
inline MatrixXd random_positive(ContactRandom& r, int n, int rank, double spread = 0) {
  MatrixXd Y = MatrixXd::NullaryExpr(n, rank, [&] { return r.normal(); });
  for (int i = 0; i < rank; ++i) Y.col(i) *= std::pow(10, r.between(-spread, spread));
  return Y * Y.transpose() / rank;
}

inline std::string numbered(const char* name, int i) {
  return name + (" " + std::to_string(i));
}

// LISSOM_LONG=1 in the environment tries many more.
inline int trials(int quick, int many) {
  return std::getenv("LISSOM_LONG") ? many : quick;
}

}  // namespace lissom::contact::test
