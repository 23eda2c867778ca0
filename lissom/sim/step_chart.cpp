#include "lissom/kernels/kernels.h"
#include "lissom/sim/integrators.h"

namespace lissom::sim {

StepChart::StepChart(const Model& model, Attitude attitude)
    : attitude_(attitude),
      size_(attitude == Attitude::exponential ? model.nv() : model.nq()),
      moved_(Eigen::VectorXd::Zero(model.nq())) {}

int StepChart::size() const {
  return size_;
}

void StepChart::point(const Model& model, const Eigen::VectorXd& q0, const Eigen::VectorXd& u, Eigen::VectorXd& q) {
  if (attitude_ == Attitude::exponential) {
    single_kernels().integrate(ModelView<double>(model), q0.data(), u.data(), 1, q.data());
  } else {
    q = q0 + u;
    for (const int at : model.quaternions()) q.segment<4>(at).normalize();
  }
}

void StepChart::rate(const Model& model, const Eigen::VectorXd& q0, const Eigen::VectorXd& u, const Eigen::VectorXd& v,
                     Eigen::VectorXd& u_dot) {
  const ModelView<double> view(model);
  if (attitude_ == Attitude::exponential) {
    single_kernels().increment_rate(view, u.data(), v.data(), u_dot.data());
  } else {
    moved_ = q0 + u;
    single_kernels().coordinate_rate(view, moved_.data(), v.data(), u_dot.data());
  }
}

}  // namespace lissom::sim
