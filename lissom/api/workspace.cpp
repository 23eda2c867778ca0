#include <cmath>

#include "lissom/api/inside.h"

namespace lissom {

Workspace::Inside::Inside(const Model& model)
    : kernels(single_kernels()),
      scratch(kernels.scratch(ModelView<double>(model))),
      matrix_scratch(kernels.matrix_scratch(ModelView<double>(model))),
      factor(kernels.make_factor(ModelView<double>(model))),
      nq(model.nq()),
      nv(model.nv()),
      bodies(model.body_count()),
      stride(row_stride(nv)),
      structure_id(model.structure_id()),
      model_name(model.name()),
      quaternions(model.quaternions()),
      tau(Eigen::VectorXd::Zero(nv)),
      a(tau),
      x(tau),
      D(tau),
      zero(tau),
      J(Columns6::Zero(6, nv)),
      J_dot(J),
      A(J),
      J_com(Eigen::Matrix3Xd::Zero(3, nv)),
      Y(Eigen::MatrixXd::Zero(nv, 10 * bodies)),
      M(std::size_t(nv * stride + padding)),
      M_inverse(M.size()),
      C(M.size()),
      L(M.size()),
      external(std::size_t(6 * (bodies + 1))),
      h(Vector6::Zero()) {}

void Workspace::Inside::check(const Model& model) const {
  if (model.structure_id() == structure_id) return;
  throw Error("workspace: made for model '" + model_name + "' (nv = " + std::to_string(nv) + "), used with model '" +
              model.name() + "' (nv = " + std::to_string(model.nv()) + "); make a Workspace for each model");
}

namespace {

[[noreturn]] void wrong_size(const char* name, long found, int expected) {
  throw Error(std::string(name) + " has " + std::to_string(found) + " numbers; this model expects " +
              std::to_string(expected));
}

[[noreturn]] void not_a_number(const char* name, const VectorIn& x) {
  long i = 0;
  while (std::isfinite(x[i])) ++i;
  throw Error(std::string(name) + "[" + std::to_string(i) + "] is " + (std::isnan(x[i]) ? "NaN" : "infinite") +
              "; expected a finite number");
}

}  // namespace

void Workspace::Inside::check_q(const VectorIn& q) const {
  if (q.size() != nq) wrong_size("q", q.size(), nq);
  if (!kernels.finite(q.data(), nq)) not_a_number("q", q);
  for (const int at : quaternions) {
    const double length =
        std::sqrt(q[at] * q[at] + q[at + 1] * q[at + 1] + q[at + 2] * q[at + 2] + q[at + 3] * q[at + 3]);
    if (std::abs(length - 1) > 1e-6)
      throw Error("q[" + std::to_string(at) + " … " + std::to_string(at + 3) +
                  "], a quaternion (w x y z), has length " + std::to_string(length) +
                  "; expected 1: call normalise(model, q) first");
  }
}

void Workspace::Inside::check_v(const char* name, const VectorIn& v) const {
  if (v.size() != nv) wrong_size(name, v.size(), nv);
  if (!kernels.finite(v.data(), nv)) not_a_number(name, v);
}

void Workspace::Inside::make_symmetric(Array<double>& matrix) const {
  for (int i = 0; i < nv; ++i)
    for (int j = i + 1; j < nv; ++j) matrix[j * stride + i] = matrix[i * stride + j];
}

Workspace::Workspace(const Model& model) : inside_(std::make_unique<Inside>(model)) {}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;

}  // namespace lissom
