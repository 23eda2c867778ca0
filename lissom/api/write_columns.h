#pragma once
// Writes columns of six elements to the caller's array. Not installed.
#include "lissom/api/workspace_memory.h"

namespace lissom {

// Calls write(double*) with contiguous memory for 6 × nv elements: that of `to` if it is contiguous, otherwise a
// buffer.
template <class Write>
void write_columns(const char* name, WorkspaceMemory& w, Columns6Out& to, const Write& write) {
  expect_shape(name, to.rows(), to.cols(), 6, w.nv);
  if (to.outerStride() == 6) return write(to.data());
  write(w.columns.data());
  to = w.columns;
}

}  // namespace lissom
