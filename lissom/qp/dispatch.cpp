// Chooses the table for the processor that the program runs on.
#include "lissom/qp/tables.h"

namespace lissom::qp {

const Kernels& kernels() {
  static const auto& table = LISSOM_CHOSEN(kernel_table)();
  return table;
}

}  // namespace lissom::qp
