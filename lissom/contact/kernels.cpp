// The solver for the instruction set this file is compiled for. Products and sums are not contracted here, so that all
// sets, and lanes and single worlds, give the same bits.
#include "lissom/contact/fixed_sweeps_impl.h"
#include "lissom/contact/linearize.h"
#include "lissom/contact/solve.h"
#include "lissom/contact/tables.h"
#include "lissom/contact/whitened_impl.h"

namespace lissom::contact {
inline namespace LISSOM_ISA_NAMESPACE {

template class FixedSweeps<double>;
template class FixedSweeps<float>;
template class FixedSweeps<DoubleLanes>;
template class FixedSweeps<FloatLanes>;

const Kernels& kernel_table() {
  static const Kernels table{solve,          whiten,           gram,        add_velocities, add_impulses,
                             whiten_columns, unwhiten_columns, add_rows_of, add_rows_times, differentiate};
  return table;
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom::contact
