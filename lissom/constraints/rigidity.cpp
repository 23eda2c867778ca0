// Finds loops that are rigid although their linearization is not. Where rows of J depend on each other, nᵀJ = 0, a
// motion with velocity v and J v = 0 also has to satisfy nᵀ c̈ = nᵀ J̇ v = 0, a quadratic form in v. It vanishes
// identically for rows that are always redundant; it has both signs where branches of motion cross (a parallelogram
// that folds flat); if it has one sign, no motion leaves the configuration (Connelly and Whiteley, Second-order
// rigidity, 1996).
#include <cmath>

#include "lissom/constraints/closed_loops.h"
#include "lissom/math/dense.h"

namespace lissom {
namespace {

// At a closed state that is singular, q is known to the square root of the rounding error, 1e-8, and so is J. All is
// relative to how far joints move the ends of the loops.
constexpr double vanishing = 1e-6;
// Forms in more variables than this are not examined: their number of elements grows with the square.
constexpr int max_motions = 60;

}  // namespace

std::string ClosedLoops::rigid_because(const Model& model, Workspace& work, const Eigen::VectorXd& q) {
  check(model, work, q);
  rows_.evaluate(model, work, q);
  const auto first = rows_.first_rows();
  for (std::size_t i = 0; i + 1 < first.size(); ++i)
    if (locks(model, work, q, first[i], first[i + 1])) {
      const auto& label = rows_.label(first[i]).name;
      return "loop '" + label.substr(0, label.rfind(", ")) +
             "' closes in this configuration only: it is stretched or folded to its limit and rigid, so that nothing "
             "can "
             "move it and forces in it have no bound; change a length, or remove the joints that cannot move";
    }
  if (first.size() > 2 && locks(model, work, q, 0, rows_.count()))
    return "the loops of model '" + model.name() +
           "' together close in this configuration only: they are rigid there, so that nothing can move them and "
           "forces "
           "in them have no bound; change a length, or remove the joints that cannot move";
  return "";
}

// Whether the rows begin … end - 1, which were evaluated at q, exclude motions that their J admits.
bool ClosedLoops::locks(const Model& model, Workspace& work, const Eigen::VectorXd& q, int begin, int end) {
  const int n = end - begin, nv = model.nv();
  Eigen::MatrixXd J = rows_.J().middleRows(begin, n);
  Eigen::VectorXd weight = rows_.scale().segment(begin, n);
  for (double& w : weight) w = w > 0 ? 1 / w : 0;
  J = weight.asDiagonal() * J;
  J = (J.array().abs() < vanishing).select(0, J);
  const bool nothing = J.isZero(0);
  const Eigen::MatrixXd combinations = nothing ? Eigen::MatrixXd::Identity(n, n) : dense::complement(J, vanishing);
  if (combinations.cols() == 0) return false;
  const Eigen::MatrixXd motions =
      nothing ? Eigen::MatrixXd::Identity(nv, nv) : dense::complement(J.transpose(), vanishing);
  const int d = int(motions.cols());
  if (d == 0 || d > max_motions) return false;
  const auto form = [&](const Eigen::VectorXd& v) -> Eigen::VectorXd {
    rows_.evaluate_Jdot_v(model, work, q, v);
    return combinations.transpose() * weight.cwiseProduct(rows_.Jdot_v().segment(begin, n));
  };
  std::vector<Eigen::MatrixXd> forms(std::size_t(combinations.cols()), Eigen::MatrixXd::Zero(d, d));
  const auto put = [&](int i, int j, const Eigen::VectorXd& values) {
    for (std::size_t k = 0; k < forms.size(); ++k) forms[k](i, j) = forms[k](j, i) = values[long(k)];
  };
  std::vector<Eigen::VectorXd> squares;
  for (int i = 0; i < d; ++i) squares.push_back(form(motions.col(i)));
  for (int i = 0; i < d; ++i) {
    put(i, i, squares[std::size_t(i)]);
    for (int j = 0; j < i; ++j)
      put(i, j, 0.5 * (form(motions.col(i) + motions.col(j)) - squares[std::size_t(i)] - squares[std::size_t(j)]));
  }
  for (const auto& matrix : forms) {
    const auto values = dense::eigenvalues(matrix);
    const double lowest = values[0], highest = values[d - 1], largest = std::max(-lowest, highest);
    if (largest > vanishing && std::min(-lowest, highest) <= vanishing * largest) return true;
  }
  return false;
}

}  // namespace lissom
