#pragma once
// Random states of many robots, one in each row.
#include "lissom/batch.h"
#include "random_tree.h"

namespace lissom::test {

template <class S>
struct Batch {
  batch::Rows<S> q, v, a, tau;
  Batch(const Model& model, int B) : q(B, model.nq()), v(B, model.nv()), a(B, model.nv()), tau(B, model.nv()) {
    for (int i = 0; i < B; ++i) {
      Random random{std::uint64_t(i)};
      q.row(i) = random_configuration(model, std::uint64_t(i)).transpose().cast<S>();
      v.row(i) = random.vector(model.nv(), 1).transpose().cast<S>();
      a.row(i) = random.vector(model.nv(), 1).transpose().cast<S>();
      tau.row(i) = random.vector(model.nv(), 1).transpose().cast<S>();
    }
  }
  Batch part(long first, long count) const {
    Batch b = *this;
    b.q = q.middleRows(first, count), b.v = v.middleRows(first, count);
    b.a = a.middleRows(first, count), b.tau = tau.middleRows(first, count);
    return b;
  }
};

}  // namespace lissom::test
