#pragma once
// What a batch::Workspace holds: threads, and for each of them a station with everything it needs to work on a group of
// robots that fills the lanes. Not installed.
#include <vector>

#include "lissom/batch/batch.h"
#include "lissom/batch/pool.h"
#include "lissom/kernels/kernels.h"
#include "lissom/tree/array.h"

namespace lissom::batch {

// The states of one group in lanes, results, and what is known of them already.
template <class S>
struct Station {
  std::unique_ptr<KernelScratch> scratch, matrix_scratch;
  std::unique_ptr<KernelFactor> factor;
  Array<S> q, v, a, tau, wrench, external;
  Array<S> M;  // written by crba alone: what that leaves alone must stay zero
  Array<S> C, M_inverse, result, pose;
  bool placed = false, moving = false, has_M = false;

  Station(const Kernels<S>& kernels, const Model& model);
};

template <class S>
struct Workspace<S>::Memory {
  const Kernels<S>& kernels;
  Pool pool;
  std::vector<Station<S>> stations;  // one for each thread
  int nq, nv, stride;
  std::shared_ptr<const void> structure_id;  // of the model it was made for
  std::string model_name;
  Array<S> zero, axes;  // nv × lanes zeros; 9 × lanes: the world's axes

  Memory(const Model& model, int threads);

  // Calls f(station, first, count) for every group of robots, on all threads.
  template <class F>
  void for_each_group(long robots, const F& f) {
    const long groups = (robots + kernels.width - 1) / kernels.width;
    pool.run([&](int thread) {
      auto& station = stations[std::size_t(thread)];
      for (long g = groups * thread / pool.threads(), end = groups * (thread + 1) / pool.threads(); g < end; ++g) {
        station.placed = station.moving = station.has_M = false;
        const long first = g * kernels.width;
        f(station, first, int(std::min<long>(kernels.width, robots - first)));
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

// Which inputs a quantity reads besides q, and how many columns it has.
struct QuantityInfo {
  const char* name;
  bool v = false, a = false, tau = false, external = false, frame = false;
};
QuantityInfo info(Quantity quantity);
int columns(Quantity quantity, int nv);

// Shapes and numbers of everything that the outputs read, before anything is written.
template <class S>
void check(const Model& model, typename Workspace<S>::Memory& memory, const Inputs<S>& inputs,
           std::span<const Output<S>> outputs);

// The external forces of a group summed up per body, as the kernels take them; nullptr where there are none.
template <class S>
const S* body_forces(const Model& model, typename Workspace<S>::Memory& memory, Station<S>& station,
                     std::span<const ExternalForces<S>> external, long first, int count);
// One quantity of a group, from its lanes to the rows of the output.
template <class S>
void compute(const Model& model, typename Workspace<S>::Memory& memory, Station<S>& station, const S* external,
             const Output<S>& output, long first, int count);

}  // namespace lissom::batch
