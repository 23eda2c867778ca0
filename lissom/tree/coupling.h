#pragma once
// Mimic joints: q_full = G q + o. In the tree, every joint has coordinates of its own; in the model, followers have
// none. Every algorithm is called through a Coupling: states are spread to the tree's coordinates, and results are
// gathered by G and Gᵀ:
//   v_full = G v,   tau = Gᵀ tau_full,   M = Gᵀ M_full G,   J = J_full G
// G is constant and has one entry per row, so this costs as much as a copy.
#include <algorithm>
#include <cstring>
#include <vector>

#include "lissom/math/lanes.h"

namespace lissom {

template <class Real>
struct Coupling {
  int nq = 0, nv = 0;            ///< of the model
  int full_nq = 0, full_nv = 0;  ///< of its tree

  /// Independent coordinates: segments of `count` elements that begin at `from` in the model and at `to` in the tree.
  struct Segment {
    int from, to, count;
  };
  std::vector<Segment> q_segments, v_segments;
  /// Coordinates of followers: `from` is the leader in the model, `to` the follower in the tree.
  struct Follower {
    int q_from, q_to, v_from, v_to;
    int leader_to;  ///< the leader's index in the tree's v
    Real ratio, offset;
  };
  std::vector<Follower> followers;

  /// Whether no joint follows another: the model's coordinates are the tree's.
  LISSOM_INLINE bool trivial() const { return followers.empty(); }

  template <class T>
  LISSOM_INLINE void spread_q(const T* q, T* full) const {
    for (const auto& segment : q_segments) copy(q + segment.from, full + segment.to, segment.count);
    for (const auto& f : followers) full[f.q_to] = f.ratio * q[f.q_from] + f.offset;
  }
  template <class T>
  LISSOM_INLINE void spread_v(const T* v, T* full) const {
    for (const auto& segment : v_segments) copy(v + segment.from, full + segment.to, segment.count);
    for (const auto& f : followers) full[f.v_to] = f.ratio * v[f.v_from];
  }
  template <class T>
  LISSOM_INLINE void gather_forces(const T* full, T* tau) const {
    // Elements are copied one by one: a joint has just written each of them, and stores that have not reached the cache
    // cannot be read four at a time.
    for (const auto& segment : v_segments)
      for (int k = 0; k < segment.count; ++k) tau[segment.from + k] = keep_in_register(full[segment.to + k]);
    for (const auto& f : followers) tau[f.v_from] += f.ratio * full[f.v_to];
  }
  /// The upper triangle of Gᵀ M G from the upper triangle of M; rows of M are padded to multiples of four.
  template <class T>
  LISSOM_INLINE void gather_symmetric(const T* full, int full_stride, T* M, int stride) const {
    for (const auto& rows : v_segments)
      for (int r = 0; r < rows.count; ++r)
        for (const auto& columns : v_segments)
          if (columns.to >= rows.to) {
            // From the diagonal on, rounded down to a block; blocks may run over the end, into the next segment or the
            // padding.
            const int skip = columns.to == rows.to ? r / 4 * 4 : 0;
            for (int k = skip; k < columns.count; k += 4)
              copy_four(full + (rows.to + r) * full_stride + columns.to + k,
                        M + (rows.from + r) * stride + columns.from + k);
          }
    // (G + ΔG)ᵀ M (G + ΔG): a follower adds its row and column to its leader's.
    const auto upper = [](auto* matrix, int width, int i, int j) -> auto& {
      return matrix[std::min(i, j) * width + std::max(i, j)];
    };
    const auto entry = [&](int i, int j) { return upper(full, full_stride, i, j); };
    for (const auto& f : followers) {
      for (const auto& segment : v_segments)
        for (int k = 0; k < segment.count; ++k)
          upper(M, stride, segment.from + k, f.v_from) += f.ratio * entry(segment.to + k, f.v_to);
      T* const column = M + f.v_from;
      column[f.v_from * stride] +=
          f.ratio * entry(f.leader_to, f.v_to);  // once for (leader, follower), once for (follower, leader)
      for (const auto& g : followers)
        if (g.v_from <= f.v_from) column[g.v_from * stride] += (f.ratio * g.ratio) * entry(g.v_to, f.v_to);
    }
  }
  /// Gᵀ C G. Rows are copied in blocks of the kind they were written in, since elements that have not reached the cache
  /// can be read at once only where they were written at once. Both matrices are padded (padded_square): the last block
  /// of a segment may run over its end, into what is written after it.
  template <class Block, class T>
  LISSOM_INLINE void gather_square(const T* full, int full_stride, T* C, int stride) const {
    for (const auto& segment : v_segments)
      for (int k = 0; k < segment.count; ++k)
        gather_row<Block>(full + (segment.to + k) * full_stride, C + (segment.from + k) * stride);
    for (const auto& f : followers) add_row(f.ratio, full + f.v_to * full_stride, C + f.v_from * stride);
  }
  /// J G, with columns of `height` elements one after another
  template <class T>
  LISSOM_INLINE void gather_columns(const T* full, T* J, int height) const {
    for (const auto& segment : v_segments)
      copy(full + segment.to * height, J + segment.from * height, segment.count * height);
    for (const auto& f : followers)
      for (int k = 0; k < height; ++k) J[f.v_from * height + k] += f.ratio * full[f.v_to * height + k];
  }

 private:
  template <class T>
  LISSOM_INLINE static void copy(const T* __restrict from, T* __restrict to, int count) {
    int k = 0;
    for (; k + 4 <= count; k += 4) copy_four(from + k, to + k);
    for (; k < count; ++k) to[k] = from[k];
  }
  template <class T>
  LISSOM_INLINE static void copy_four(const T* __restrict from, T* __restrict to) {
    std::memcpy(static_cast<void*>(to), from, 4 * sizeof(T));
  }
  // A row of C G.
  template <class Block, class T>
  LISSOM_INLINE void gather_row(const T* full, T* row) const {
    if constexpr (std::is_same_v<Block, T>) {
      gather_forces(full, row);
    } else {
      for (const auto& segment : v_segments)
        for (int k = 0; k < segment.count; k += lanes_of<Block>) {
          auto x = load<Block>(full + segment.to + k);
          for (const auto& f : followers) {
            const auto leader = lane_numbers<Block>() == typename Block::Int(f.v_from - segment.from - k);
            x += select(leader, Block(f.ratio * full[f.v_to]), zero<Block>());
          }
          store(row + segment.from + k, x);
        }
    }
  }
  // A row of C G, times ratio, added to another row.
  template <class T>
  LISSOM_INLINE void add_row(Real ratio, const T* full, T* row) const {
    for (const auto& segment : v_segments)
      for (int k = 0; k < segment.count; ++k) row[segment.from + k] += ratio * full[segment.to + k];
    for (const auto& f : followers) row[f.v_from] += (ratio * f.ratio) * full[f.v_to];
  }
};

}  // namespace lissom
