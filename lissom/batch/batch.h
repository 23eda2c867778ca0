#pragma once
// Many robots of one model at once: a row for each, B × n. Robots fill the lanes of the processor's registers, groups
// of lanes are shared out to threads. Row i depends on row i alone: the same bits for any number of threads and any B,
// also for a B that does not fill the lanes. S is double or float. Matrices come out as rows of nv * nv numbers (whole,
// row after row), Jacobians and maps as rows of 6 * nv, row by row.
#include <memory>

#include <Eigen/Core>

#include "lissom/model/model.h"

namespace lissom::batch {

template <class S>
using Rows = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
// (The stride is named: g++ and clang write the default one differently into the names that the linker sees.)
template <class S>
using RowsIn = Eigen::Ref<const Rows<S>, 0, Eigen::OuterStride<>>;
template <class S>
using RowsOut = Eigen::Ref<Rows<S>, 0, Eigen::OuterStride<>>;

// Threads and the memory each of them needs. Belongs to one caller at a time.
template <class S>
class Workspace {
 public:
  // threads = 0: as many as the machine runs at once.
  explicit Workspace(const Model& model, int threads = 0);
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;
  int threads() const;
  int lanes() const;                    // robots per group
  const char* instruction_set() const;  // "baseline", "avx2", "avx512"

  struct Inside;
  Inside& inside() const { return *inside_; }

 private:
  std::unique_ptr<Inside> inside_;
};

// q is B × nq, v, a, tau are B × nv; results have the shapes said above, and must already have them.
template <class S>
void inverse_dynamics(const Model&, Workspace<S>&, const RowsIn<S>& q, const RowsIn<S>& v, const RowsIn<S>& a,
                      RowsOut<S> tau);
template <class S>
void forward_dynamics(const Model&, Workspace<S>&, const RowsIn<S>& q, const RowsIn<S>& v, const RowsIn<S>& tau,
                      RowsOut<S> a);
// A step of semi-implicit Euler, in place: v += dt · forward_dynamics, then q along v.
template <class S>
void step(const Model&, Workspace<S>&, RowsOut<S> q, RowsOut<S> v, const RowsIn<S>& tau, S dt);
template <class S>
void bias_forces(const Model&, Workspace<S>&, const RowsIn<S>& q, const RowsIn<S>& v, RowsOut<S> h);
template <class S>
void gravity_forces(const Model&, Workspace<S>&, const RowsIn<S>& q, RowsOut<S> g);
template <class S>
void mass_matrix(const Model&, Workspace<S>&, const RowsIn<S>& q, RowsOut<S> M);
template <class S>
void inverse_mass_matrix(const Model&, Workspace<S>&, const RowsIn<S>& q, RowsOut<S> M_inverse);
template <class S>
void coriolis_matrix(const Model&, Workspace<S>&, const RowsIn<S>& q, const RowsIn<S>& v, RowsOut<S> C);
template <class S>
void centroidal_map(const Model&, Workspace<S>&, const RowsIn<S>& q, RowsOut<S> A);
template <class S>
void center_of_mass(const Model&, Workspace<S>&, const RowsIn<S>& q, RowsOut<S> com);
// B × 1: kinetic and potential energy.
template <class S>
void kinetic_energy(const Model&, Workspace<S>&, const RowsIn<S>& q, const RowsIn<S>& v, RowsOut<S> energy);
template <class S>
void potential_energy(const Model&, Workspace<S>&, const RowsIn<S>& q, RowsOut<S> energy);
// Of one frame: rows of 12 numbers, rotation by rows and origin.
template <class S>
void placement(const Model&, Workspace<S>&, const RowsIn<S>& q, FrameId frame, RowsOut<S> X);
// Of one frame at its origin, along the world's axes.
template <class S>
void jacobian(const Model&, Workspace<S>&, const RowsIn<S>& q, FrameId of, RowsOut<S> J);

}  // namespace lissom::batch
