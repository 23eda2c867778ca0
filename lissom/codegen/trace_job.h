#pragma once
// What the tracing of one algorithm needs: the model as the algorithms see it, and the program's inputs and outputs by
// name. Not installed.
#include <span>
#include <string>
#include <vector>

#include "lissom/codegen/limbs.h"
#include "lissom/codegen/trace.h"
#include "lissom/codegen/traced.h"
#include "lissom/kernels/model_view.h"
#include "lissom/spatial/pose.h"
#include "lissom/tree/array.h"
#include "lissom/tree/joint.h"

namespace lissom::codegen {

/// As the library's visit_joint; the recursions find this one for Traced scalars. It tells the graph to which limb the
/// operations of this body belong.
template <class F>
void visit_joint(const Body<double>& body, const Configuration<Traced>& at, F&& f) {
  Recording::enter(body.index);
  lissom::visit_joint<Traced, double>(body, at, std::forward<F>(f));
  Recording::leave();
}

class TraceJob {
 public:
  using Values = Array<Traced>;  // padded as tree.h says

  const Model& model;
  const TraceOptions& options;
  Program& program;
  const Limbs limbs;
  const ModelView<double> view;
  const int nq, nv;

  TraceJob(const Model& m, const TraceOptions& o, Program& p)
      : model(m), options(o), program(p), limbs(m), view(m), nq(m.nq()), nv(m.nv()) {}

  Values zeros(int count) const { return Values(std::size_t(count + padding)); }
  Values q() { return input("q", limbs.of_q, "configuration"); }
  Values v() { return input("v", limbs.of_v, "velocity"); }
  Values a() { return input("a", limbs.of_v, "acceleration"); }
  Values tau() { return input("tau", limbs.of_v, "generalized forces"); }
  /// One force per body, in its frame, made of an input with one force per moving link; empty where none are asked for.
  Array<Force<Traced>> external_forces();
  Values input(const std::string& name, std::span<const int> element_limbs, const std::string& meaning);

  /// Elements that do not depend on one limb belong to the first.
  void output(const std::string& name, const Traced* values, std::span<const int> element_limbs,
              const std::string& meaning);
  /// A vector of the size of v.
  void output_v(const std::string& name, const Values& values, const std::string& meaning) {
    output(name, values.data(), limbs.of_v, meaning);
  }
  /// Matrices over v with columns of six, one after another.
  void output_columns(const std::string& name, const Values& values, int matrices, const std::string& meaning);
  /// Entries of a matrix over v, n × n by rows. Where `options.sparse`, those that written(i, j) does not hold for, and
  /// zeros, are left out.
  enum class Part { all, upper, lower };
  void output_matrix(const std::string& name, const Values& values, int stride, Part part, const std::string& meaning);

  /// The joints that have or share coordinates, and the indices of the frames of the links that they move.
  std::vector<const Joint*> moving_joints() const;
  std::vector<Frame> frames() const;
  /// Those of the Jacobians: the frames that were asked for, or the link that the last joint moves.
  std::vector<Frame> jacobian_frames() const;
  std::string names_of(const std::vector<Frame>& frames) const;
};

void trace_kinematics(TraceJob& job, Algorithm algorithm);
void trace_dynamics(TraceJob& job, Algorithm algorithm);
void trace_derivatives(TraceJob& job, Algorithm algorithm);

}  // namespace lissom::codegen
