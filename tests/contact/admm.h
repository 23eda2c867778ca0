#pragma once
// The alternating direction method of multipliers with De Saxcé's shift: an oracle that shares nothing with the solver
// but the statement of the problem. Slow, and sure in practice. (After Carpentier, Le Lidec and Montaut 2024.)
#include <cmath>

#include "contact_problems.h"
#include "independent_residual.h"
#include "largest.h"

namespace lissom::contact::test {

using lissom::test::larger;
using lissom::test::largest;

using lissom::test::ContactData;

struct AdmmResult {
  Eigen::VectorXd p;
  double residual = 0;
  int iterations = 0;
};

inline AdmmResult admm(const ContactData& data, double tolerance, int max_iterations) {
  const long n = data.rows();
  const double most =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(data.G, Eigen::EigenvaluesOnly).eigenvalues()[n - 1];
  const double proximal = 1e-9 * most;
  double rho = 1e-2 * most;
  Eigen::LLT<Eigen::MatrixXd> factor;
  const auto factorize = [&] {
    Eigen::MatrixXd A = data.G;
    A.diagonal().array() += rho + proximal;
    factor.compute(A);
  };
  factorize();
  Eigen::VectorXd x = Eigen::VectorXd::Zero(n), y = x, z = -data.b, s = x;
  AdmmResult result;
  const auto shift = [&] {
    for (const auto& block : data.blocks)
      if (block.kind == Kind::cone) s[block.row] = block.friction * z.segment<2>(block.row + 1).norm();
  };
  shift();
  for (int since = 0; result.iterations < max_iterations;) {
    ++result.iterations, ++since;
    x = factor.solve(-(data.b + s) + proximal * x + rho * y - z);
    const Eigen::VectorXd before = y;
    y = project(data, x + z / rho, y);
    z += rho * (x - y);
    shift();
    const double primal = largest(x - y) * most, dual = rho * largest(y - before);
    if (larger(primal, dual) < tolerance || result.iterations % 50 == 0) {
      result.residual = independent_residual(data, y);
      if (result.residual < tolerance) break;
    }
    if (since >= 20 && (primal > 10 * dual || dual > 10 * primal)) {
      rho *= primal > dual ? 3 : 1.0 / 3;
      factorize(), since = 0;
    }
  }
  result.p = y;
  result.residual = independent_residual(data, y);
  return result;
}

}  // namespace lissom::contact::test
