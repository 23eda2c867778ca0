#pragma once
// The arithmetic of whitened.h. Sums over degrees of freedom are taken in their order, sums over columns by eight
// partial sums: the same bits for every width of registers.
#include "lissom/contact/newton.h"
#include "lissom/contact/whitened.h"

namespace lissom::contact {
inline namespace LISSOM_ISA_NAMESPACE {

/// Jᵀ → D^-½ L⁻ᵀ Jᵀ: from the last degree of freedom to the first, each is taken out of those before it.
inline void whiten(const TreeFactor& f, const RowMatrix& m) {
  for (int i = f.size - 1; i >= 0; --i) {
    double* const line = m.Y + i * m.stride;
    const int first = m.first[i], last = m.last[i];
    const double* const L = f.L + i * f.stride;
    for (int j = f.parent[i]; j >= 0; j = f.parent[j]) {
      double* const other = m.Y + j * m.stride;
      const Row l(L[j]);
      for (int c = first; c < last; c += row_width) (Row::load(other + c) - l * Row::load(line + c)).store(other + c);
    }
    const Row scale(f.scale[i]);
    for (int c = first; c < last; c += row_width) (scale * Row::load(line + c)).store(line + c);
  }
}

/// Rows i … i + 3 of G, in the columns from c on.
inline void four_rows_of_gram(const RowMatrix& m, int i, int c, double* G, int stride) {
  Row sum[4] = {Row(0.0), Row(0.0), Row(0.0), Row(0.0)};
  for (int k = 0; k < m.size; ++k) {
    if (i < m.first[k] || i >= m.last[k] || c < m.first[k] || c >= m.last[k]) continue;
    const double* const line = m.Y + k * m.stride;
    const Row y = Row::load(line + c);
    for (int r = 0; r < 4; ++r) sum[r] += Row(line[i + r]) * y;
  }
  for (int r = 0; r < 4; ++r) sum[r].store(G + (i + r) * stride + c);
}

/// G = Yᵀ Y, with lines of `stride` elements; writes whole blocks of 8 × 8.
inline void gram(const RowMatrix& m, double* G, int stride) {
  const int end = padded<double>(m.columns);
  for (int block = 0; block < end; block += 8)
    for (int i = block; i < block + 8; i += 4)
      for (int c = block; c < end; c += row_width) four_rows_of_gram(m, i, c, G, stride);
  for (int i = 8; i < end; ++i)
    for (int c = 0; c < block_start(i); ++c) G[i * stride + c] = G[c * stride + i];
}

/// u += Yᵀ z.
inline void add_velocities(const RowMatrix& m, const double* z, double* u) {
  for (int k = 0; k < m.size; ++k) {
    const double* const line = m.Y + k * m.stride;
    const Row x(z[k]);
    for (int c = m.first[k]; c < m.last[k]; c += row_width) (Row::load(u + c) + x * Row::load(line + c)).store(u + c);
  }
}

/// z += Y p.
inline void add_impulses(const RowMatrix& m, const double* p, double* z) {
  for (int k = 0; k < m.size; ++k) z[k] += dot(m.Y + k * m.stride, p, m.first[k], m.last[k]);
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom::contact
