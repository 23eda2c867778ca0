#include "lissom/codegen/reference.h"

#include <cmath>
#include <limits>
#include <random>

#include "lissom/codegen/trace_job.h"
#include "lissom/kernels/kernels.h"
#include "lissom/math/random.h"
#include "lissom/spatial/pose.h"

namespace lissom::codegen {
namespace {

// The arrays of one call, padded as the kernels want them.
class Call {
 public:
  Call(const Model& model, const TraceOptions& options, const Program& program, std::span<const double> inputs)
      : model_(model), options_(options), program_(program), inputs_(inputs), job_(model, options, scratch_program_) {}
  std::vector<double> run(Algorithm algorithm);

 private:
  using Array = lissom::Array<double>;
  Array zeros(int n) const { return Array(std::size_t(n + padding)); }
  Array input(const char* name) const {
    for (const auto& field : program_.inputs)
      if (field.name == name) {
        auto x = zeros(field.count);
        for (int i = 0; i < field.count; ++i) x[i] = inputs_[std::size_t(field.first + i)];
        return x;
      }
    return zeros(model_.nq() + model_.nv());
  }
  void append(const Array& x, int n) { out_.insert(out_.end(), x.data(), x.data() + n); }
  void append(const Vec3<double>& x) { out_.insert(out_.end(), {x.x, x.y, x.z}); }
  const double* external();
  void poses(const Frame& frame);
  Pose<double> pose(int body) const;
  void kinematics(Algorithm algorithm);
  void matrices(Algorithm algorithm);
  void forward(Algorithm algorithm);
  void append_matrix(const Array& matrix);
  void derivatives(Algorithm algorithm);
  void products(Algorithm algorithm);

  const Model& model_;
  const TraceOptions& options_;
  const Program& program_;
  std::span<const double> inputs_;
  Program scratch_program_;
  TraceJob job_;
  const Kernels<double>& k_ = single_kernels();
  std::unique_ptr<KernelScratch> w_ = k_.scratch(job_.view);
  Array q_ = input("q"), v_ = input("v"), external_;
  int nv_ = model_.nv();
  std::vector<double> out_;
};

Vec3<double> three(const double* x) {
  return {x[0], x[1], x[2]};
}

const double* Call::external() {
  if (!options_.external_forces) return nullptr;
  const auto f = input("f");
  external_ = zeros(6 * int(job_.view.tree.bodies.size()));
  const auto joints = job_.moving_joints();
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const auto& frame = model_.frame_at(model_.frame(joints[i]->child));
    const double* const six = f.data() + 6 * i;
    const auto at_body = to_world(frame.placement, Force<double>{three(six + 3), three(six)});
    double* const to = external_.data() + 6 * frame.body;
    to[0] = at_body.angular.x, to[1] = at_body.angular.y, to[2] = at_body.angular.z;
    to[3] = at_body.linear.x, to[4] = at_body.linear.y, to[5] = at_body.linear.z;
  }
  return external_.data();
}

Pose<double> Call::pose(int body) const {
  const double* const X = k_.poses(*w_) + 12 * body;
  return {{X[0], X[1], X[2], X[3], X[4], X[5], X[6], X[7], X[8]}, three(X + 9)};
}

void Call::kinematics(Algorithm algorithm) {
  const bool with_velocities = algorithm == Algorithm::velocities;
  if (with_velocities)
    k_.velocities(job_.view, *w_, q_.data(), v_.data());
  else
    k_.placements(job_.view, *w_, q_.data());
  const int bodies = int(job_.view.tree.bodies.size());
  if (options_.body_frames) {
    out_.assign(k_.poses(*w_) + 12, k_.poses(*w_) + 12 * bodies);
    if (with_velocities) out_.insert(out_.end(), k_.twists(*w_) + 6, k_.twists(*w_) + 6 * bodies);
    return;
  }
  const auto frames = job_.frames();
  for (const auto& frame : frames) {
    const auto X = pose(frame.body) * frame.placement;
    for (const auto& row : {row_x(X.R), row_y(X.R), row_z(X.R), X.p}) append(row);
  }
  if (!with_velocities) return;
  for (const auto& frame : frames) {
    const auto X = pose(frame.body);
    const double* const twist = k_.twists(*w_) + 6 * frame.body;
    const auto omega = X.R * three(twist);
    append(X.R * three(twist + 3) + cross(omega, X.R * frame.placement.p));
    append(omega);
  }
}

void Call::matrices(Algorithm algorithm) {
  const int stride = row_stride(nv_);
  auto M = zeros(nv_ * stride);
  k_.crba(job_.view, *w_, q_.data(), M.data(), stride);
  if (algorithm == Algorithm::crba) {
    for (int i = 0; i < nv_; ++i)
      for (int j = 0; j < nv_; ++j) out_.push_back(M[std::min(i, j) * stride + std::max(i, j)]);
    return;
  }
  const auto factor = k_.make_factor(job_.view);
  auto L = zeros(nv_ * stride), D = zeros(nv_);
  k_.factorize(job_.view, *factor, M.data(), stride);
  k_.factor_rows(job_.view, *factor, L.data(), D.data(), stride);
  for (int i = 0; i < nv_; ++i) out_.insert(out_.end(), &L[i * stride], &L[i * stride] + nv_);
  append(D, nv_);
}

void Call::forward(Algorithm algorithm) {
  const auto tau = input("tau");
  if (algorithm == Algorithm::aba) {
    auto a = zeros(nv_);
    k_.aba(job_.view, *w_, q_.data(), v_.data(), tau.data(), external(), a.data());
    return append(a, nv_);
  }
  auto q1 = zeros(model_.nq()), v1 = zeros(nv_);
  k_.step(job_.view, *w_, q_.data(), v_.data(), tau.data(), external(), input("dt")[0], q1.data(), v1.data());
  append(q1, model_.nq()), append(v1, nv_);
}

void Call::append_matrix(const Array& matrix) {
  const int stride = row_stride(nv_);
  for (int i = 0; i < nv_; ++i) out_.insert(out_.end(), &matrix[i * stride], &matrix[i * stride] + nv_);
}

void Call::derivatives(Algorithm algorithm) {
  const auto w = k_.derivative_scratch(job_.view);
  const int stride = row_stride(nv_);
  Array dq(padded_square(nv_)), dv(padded_square(nv_)), third(padded_square(nv_));
  if (algorithm == Algorithm::d_rnea) {
    k_.rnea_derivatives(job_.view, *w, q_.data(), v_.data(), input("a").data(), external(), dq.data(), dv.data(),
                        third.data(), stride);
    for (int i = 0; i < nv_; ++i)
      for (int j = 0; j < i; ++j) third[i * stride + j] = third[j * stride + i];
  } else {
    auto a = zeros(nv_);
    k_.aba_derivatives(job_.view, *w, q_.data(), v_.data(), input("tau").data(), external(), a.data(), dq.data(),
                       dv.data(), third.data(), stride);
    append(a, nv_);
  }
  append_matrix(dq), append_matrix(dv), append_matrix(third);
}

void Call::products(Algorithm algorithm) {
  const auto w = k_.derivative_scratch(job_.view);
  auto a = zeros(nv_), x = zeros(nv_), y = zeros(nv_), z = zeros(nv_);
  const bool along = algorithm == Algorithm::rnea_jvp || algorithm == Algorithm::aba_jvp;
  const auto dq = input("dq"), dv = input("dv"), weights = input("weights");
  if (algorithm == Algorithm::rnea_jvp) {
    k_.rnea_jvp(job_.view, *w, q_.data(), v_.data(), input("a").data(), external(), dq.data(), dv.data(),
                input("da").data(), x.data());
  } else if (algorithm == Algorithm::rnea_vjp) {
    k_.rnea_vjp(job_.view, *w, q_.data(), v_.data(), input("a").data(), external(), weights.data(), x.data(), y.data(),
                z.data());
  } else if (along) {
    k_.aba_jvp(job_.view, *w, q_.data(), v_.data(), input("tau").data(), external(), dq.data(), dv.data(),
               input("dtau").data(), a.data(), x.data());
    append(a, nv_);
  } else {
    k_.aba_vjp(job_.view, *w, q_.data(), v_.data(), input("tau").data(), external(), weights.data(), a.data(), x.data(),
               y.data(), z.data());
    append(a, nv_);
  }
  append(x, nv_);
  if (!along) append(y, nv_), append(z, nv_);
}

std::vector<double> Call::run(Algorithm algorithm) {
  auto out = zeros(6 * nv_);
  switch (algorithm) {
    case Algorithm::placements:
    case Algorithm::velocities:
      kinematics(algorithm);
      break;
    case Algorithm::jacobian:
      k_.placements(job_.view, *w_, q_.data());
      for (const auto& frame : job_.jacobian_frames()) {
        const auto p = pose(frame.body) * frame.placement.p;
        const double point[] = {p.x, p.y, p.z}, identity[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        k_.jacobian(job_.view, *w_, frame.body, point, identity, out.data());
        append(out, 6 * nv_);
      }
      break;
    case Algorithm::centroidal:
      k_.placements(job_.view, *w_, q_.data());
      k_.centroidal_map(job_.view, *w_, out.data());
      append(out, 6 * nv_);
      break;
    case Algorithm::crba:
    case Algorithm::factor:
      matrices(algorithm);
      break;
    case Algorithm::aba:
    case Algorithm::step:
      forward(algorithm);
      break;
    case Algorithm::d_rnea:
    case Algorithm::d_aba:
      derivatives(algorithm);
      break;
    case Algorithm::rnea_jvp:
    case Algorithm::rnea_vjp:
    case Algorithm::aba_jvp:
    case Algorithm::aba_vjp:
      products(algorithm);
      break;
    case Algorithm::rnea:
      k_.rnea(job_.view, *w_, q_.data(), v_.data(), input("a").data(), external(), out.data());
      append(out, nv_);
      break;
    case Algorithm::bias:
    case Algorithm::gravity:  // v is zero where the program has no such input
      k_.bias(job_.view, *w_, q_.data(), v_.data(), out.data());
      append(out, nv_);
      break;
  }
  for (std::size_t i = 0; i < out_.size(); ++i)
    if (program_.results[i] == no_node) out_[i] = std::numeric_limits<double>::quiet_NaN();
  return out_;
}

}  // namespace

std::vector<double> interpreted(const Model& model, Algorithm algorithm, const TraceOptions& options,
                                const Program& program, std::span<const double> inputs) {
  return Call(model, options, program, inputs).run(algorithm);
}

std::vector<double> random_inputs(const Model& model, const Program& program, std::uint64_t seed) {
  std::mt19937_64 engine(seed * 0x9E3779B97F4A7C15u + 1);
  std::vector<double> x;
  for (int i = 0; i < program.input_count(); ++i) x.push_back(2 * uniform01(engine()) - 1);
  for (const auto& field : program.inputs) {
    double* const first = x.data() + field.first;
    if (field.name == "dt") *first = 0.0055 + 0.0045 * *first;
    if (field.name != "q") continue;
    for (const int i : model.quaternions()) {
      double* const e = first + i;
      if (std::abs(e[0]) < 0.1) e[0] = 0.5;  // far from zero
      const double length = std::sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
      for (int k = 0; k < 4; ++k) e[k] /= length;
    }
  }
  return x;
}

}  // namespace lissom::codegen
