#pragma once
// The content of a batch::Workspace: threads, and for each of them the memory to compute on a group of robots that
// fills the lanes. Not installed.
#include <vector>

#include "lissom/batch/batch.h"
#include "lissom/batch/pool.h"
#include "lissom/kernels/kernels.h"
#include "lissom/model/arguments.h"
#include "lissom/tree/array.h"

namespace lissom::batch {

// The states of one group in lanes, results, and which intermediate results have been computed.
template <class S>
struct GroupScratch {
  std::unique_ptr<KernelScratch> scratch, matrix_scratch;
  std::unique_ptr<KernelFactor> factor;
  Array<S> q, v, a, tau, wrench, external;
  Array<S> M;  // only crba writes it: the elements that it does not write must stay zero
  Array<S> C, M_inverse, result, pose;
  bool has_poses = false, has_velocities = false, has_M = false;

  // The memory of derivatives is made by the first evaluation that asks for one. dtau_dq and dtau_dv keep their zeros,
  // as M does.
  struct Derivatives {
    std::unique_ptr<KernelScratch> scratch;
    Array<S> dq, dv, last, weights;  // the direction; last: da or dtau
    Array<S> dtau_dq, dtau_dv, dtau_da, a, da_dq, da_dv, M_inverse;
    bool has_inverse = false, has_forward = false;
    Derivatives(const Kernels<S>& kernels, const Model& model);
  };
  std::unique_ptr<Derivatives> derivatives;
  // That of second order and of inertial parameters is made likewise.
  struct SecondOrder {
    std::unique_ptr<KernelScratch> scratch;
    Array<S> H, buffer, mu, gradient, Y;
    SecondOrder(const Kernels<S>& kernels, const Model& model);
  };
  std::unique_ptr<SecondOrder> second_order;

  GroupScratch(const Kernels<S>& kernels, const Model& model);
};

template <class S>
struct Workspace<S>::Memory {
  const Kernels<S>& kernels;
  Pool pool;
  std::vector<GroupScratch<S>> group_scratch;  // one for each thread
  int nq, nv, stride;
  std::shared_ptr<const void> structure_id;  // of the model it was made for
  std::string model_name;
  Array<S> zero, axes;  // nv × lanes zeros; the identity matrix in all lanes, 9 × lanes

  Memory(const Model& model, int threads);

  // Calls f(scratch, first, count) for every group of robots, on all threads.
  template <class F>
  void for_each_group(long robots, const F& f) {
    const long groups = (robots + kernels.width - 1) / kernels.width;
    pool.run([&](int thread) {
      auto& scratch = group_scratch[std::size_t(thread)];
      for (long g = groups * thread / pool.threads(), end = groups * (thread + 1) / pool.threads(); g < end; ++g) {
        scratch.has_poses = scratch.has_velocities = scratch.has_M = false;
        if (scratch.derivatives) scratch.derivatives->has_inverse = scratch.derivatives->has_forward = false;
        const long first = g * kernels.width;
        f(scratch, first, int(std::min<long>(kernels.width, robots - first)));
      }
    });
  }
  void to_lanes(const InputRows<S>& rows, long first, int count, Array<S>& lanes) const {
    kernels.to_lanes(rows.row(first), rows.stride(), count, int(rows.columns()), lanes.data());
  }
};

template <class S>
struct MemoryOf {
  static typename Workspace<S>::Memory& in(Workspace<S>& work) { return *work.memory_; }
};

// The name of a quantity, the inputs that it reads besides q, and its number of columns.
struct QuantityInfo {
  const char* name;
  bool v = false, a = false, tau = false, external = false, frame = false;
  bool derivative = false, direction = false, weights = false;
};
QuantityInfo info(Quantity quantity);
int columns(Quantity quantity, int nv, int bodies);

// Checks the shapes of everything that the outputs read, and the frames; check() also the elements. Before anything is
// written.
template <class S>
void check_shapes(const Model& model, typename Workspace<S>::Memory& memory, const Inputs<S>& inputs,
                  std::span<const Output<S>> outputs);
template <class S>
void check(const Model& model, typename Workspace<S>::Memory& memory, const Inputs<S>& inputs,
           std::span<const Output<S>> outputs);

// Whether a row is finite and, if it is a configuration, has unit quaternions; expect_good throws if not.
template <class S>
bool is_good(const Model& model, const typename Workspace<S>::Memory& memory, const InputRows<S>& rows, long row,
             bool is_configuration);
template <class S>
void expect_good(const Model& model, const Argument& argument, const InputRows<S>& rows, long row,
                 bool is_configuration);

// The sum of the external forces on each body of a group, as the kernels take them; nullptr if there are none.
template <class S>
const S* body_forces(const Model& model, typename Workspace<S>::Memory& memory, GroupScratch<S>& scratch,
                     std::span<const ExternalForces<S>> external, long first, int count);
// Writes to the rows of `out`: element i of a row is element source(i) of the lanes.
template <class S, class Source>
void write_rows(const S* values, int lanes, const RowsOut<S>& out, long first, int count, const Source& source) {
  RowsOut<S> to = out;
  S* const rows = to.data() + first * to.outerStride();
  const int columns = int(to.cols());
  for (int i = 0; i < columns; ++i)
    for (int l = 0; l < count; ++l) rows[l * to.outerStride() + i] = values[source(i) * lanes + l];
}
// Computes one quantity of a group in lanes and writes it to the rows of the output.
template <class S>
void compute(const Model& model, typename Workspace<S>::Memory& memory, GroupScratch<S>& scratch, const S* external,
             const Output<S>& output, long first, int count);

// The same for the derivatives, whose directions and weights it reads from the inputs.
template <class S>
void compute_derivative(const Model& model, typename Workspace<S>::Memory& memory, GroupScratch<S>& scratch,
                        const S* external, const Inputs<S>& inputs, const Output<S>& output, long first, int count);

// The same for the quantities of second order and with respect to inertial parameters.
bool is_second_order(Quantity quantity);
template <class S>
void compute_second_order(const Model& model, typename Workspace<S>::Memory& memory, GroupScratch<S>& scratch,
                          const S* external, const Inputs<S>& inputs, const Output<S>& output, long first, int count);

}  // namespace lissom::batch
