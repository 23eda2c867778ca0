#pragma once
// The classical formulations of one state, or of any number of them along leading axes: C++ has them for one.
#include <algorithm>
#include <initializer_list>
#include <thread>

#include "bound_model.h"

namespace lissom::python {

/// Vectors that a formulation reads, by name, each with its size; they are broadcast against each other.
struct RowInput {
  const char* name;
  nb::handle array;
  long size;
};
inline Call read_rows(std::initializer_list<RowInput> inputs) {
  Call call;
  for (const auto& input : inputs) call.read(input.name, input.array, input.size);
  call.resolve();
  call.compute_in_double();
  return call;
}

/// Square matrices, (…, n, n), as vectors that read_rows() takes, (…, n n).
inline nb::object flattened(const char* name, nb::handle object, long n) {
  const nb::object array = real_array(name, object);
  const auto shape = nb::cast<std::vector<long>>(array.attr("shape"));
  const std::size_t axes = shape.size();
  if (axes < 2 || shape[axes - 1] != n || shape[axes - 2] != n)
    throw Error(std::string(name) + " has shape " + shape_text(shape) + ", expected (…, " + std::to_string(n) + ", " +
                std::to_string(n) + ")");
  nb::list wanted;
  for (std::size_t i = 0; i + 2 < axes; ++i) wanted.append(shape[i]);
  wanted.append(n * n);
  return array.attr("reshape")(nb::tuple(wanted));
}

/// Calls f(i) for every row, without the GIL, on threads; Ctrl-C ends it between pieces. Of several rows, an Error says
/// which one it is about.
template <class F>
void each_row(const Call& call, const F& f) {
  const auto one = [&](long i) {
    if (call.single()) return f(i);
    try {
      f(i);
    } catch (const Error& e) {
      throw Error("row " + std::to_string(i) + ": " + e.what());
    }
  };
  const long wanted = batch_threads() ? batch_threads() : long(std::thread::hardware_concurrency());
  in_pieces(call.rows(), 64, [&](long first, long count) {
    on_threads(first, count, std::clamp(count / 8, 1L, std::max(1L, wanted)), [&](long begin, long end) {
      for (long i = begin; i < end; ++i) one(i);
    });
  });
}

/// Writes row i of result k.
template <class Derived>
void write_row(const Call& call, int k, long i, const Eigen::MatrixBase<Derived>& value) {
  Eigen::Map<Matrix>(call.result_data<double>(k) + i * call.result_size(k), value.rows(), value.cols()) = value;
}
/// The same of the wrenches or accelerations of links, (links, 6).
inline void write_row(const Call& call, int k, long i, const std::vector<Vector6>& rows) {
  for (std::size_t link = 0; link < rows.size(); ++link)
    std::copy_n(rows[link].data(), 6, call.result_data<double>(k) + i * call.result_size(k) + long(link) * 6);
}

}  // namespace lissom::python
