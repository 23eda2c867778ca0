#pragma once
// Arrays of Python as arguments and results. An argument such as q has the shape (…, nq): one vector, or any number of
// them along leading axes, which are broadcast against each other as NumPy does it. NumPy arrays are read and written
// where they are; lists, and arrays of other libraries that speak DLPack (PyTorch, JAX), are converted.
#include <array>
#include <chrono>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "lissom/api/workspace.h"
#include "lissom/batch/batch.h"
#include "numpy.h"

namespace lissom::python {

/// A NumPy array of float64 or float32 in native byte order, aligned. Throws nb::python_error (TypeError, ValueError)
/// that names the argument.
nb::object real_array(const char* name, nb::handle object);
/// The same as float64, C-contiguous, of exactly this shape; -1 stands for any length. Copies only where it must.
nb::object double_array(const char* name, nb::handle object, std::span<const long> shape);
/// A vector of n elements, copied; n = -1: of any length.
Eigen::VectorXd vector(const char* name, nb::handle object, long n = -1);
/// A matrix, copied; -1 stands for any number.
Matrix matrix(const char* name, nb::handle object, long rows = -1, long columns = -1);

/// New arrays with a copy of these values.
nb::object to_numpy(const double* data, std::span<const long> shape);
nb::object to_numpy(std::span<const double> values);
/// Vectors become arrays with one axis, matrices with two.
template <class Derived>
nb::object to_numpy(const Eigen::MatrixBase<Derived>& x);
/// A view of memory that `owner` keeps alive; it cannot be written to unless `writable`.
nb::object numpy_view(const double* data, std::span<const long> shape, nb::handle owner, bool writable = false);
/// float64 array of this shape, not initialized.
nb::object new_array(std::span<const long> shape, bool single_precision = false);
double* data_of(const nb::object& array);

template <class Derived>
nb::object to_numpy(const Eigen::MatrixBase<Derived>& x) {
  const std::array shape{long(x.rows()), long(x.cols())};
  nb::object array = new_array(std::span(shape).first(Derived::ColsAtCompileTime == 1 ? 1 : 2));
  Eigen::Map<Matrix>(data_of(array), x.rows(), x.cols()) = x;
  return array;
}

/// The name of an object's type, for messages.
std::string type_name(nb::handle object);

/// "(…, 37)", "(36,)".
std::string shape_text(std::span<const long> shape);

/// The array arguments of one call, and its result.
///
///   Call call;
///   call.read("q", q, model.nq());
///   call.read("v", v, model.nv());
///   call.resolve();
///   nb::object tau = call.result(out, {model.nv()});
class Call {
 public:
  static constexpr int max_arguments = 18, max_axes = 8, max_results = 4;

  /// An argument of shape (…, n).
  void read(const char* name, nb::handle object, long n);
  /// After all arguments: determines precision and leading shape. Results are float32 only where all arguments are.
  void resolve();
  /// Converts all arguments to float64, contiguous rows; results are converted back at the end by finish().
  void compute_in_double();

  bool single() const { return axes_ == 0; }  ///< one state, without leading axes
  bool single_precision() const { return single_precision_; }
  int count() const { return count_; }  ///< arguments that were read
  long rows() const { return rows_; }
  std::span<const long> leading() const { return {shape_.data(), std::size_t(axes_)}; }

  /// Argument k, in the order of read().
  template <class S>
  const S* row(int k, long i) const {
    return reinterpret_cast<const S*>(static_cast<const char*>(arguments_[k].data) + i * arguments_[k].stride);
  }
  Eigen::Map<const Eigen::VectorXd> vector(int k, long i = 0) const {
    return {row<double>(k, i), arguments_[k].length};
  }
  template <class S>
  batch::InputRows<S> input(int k, long first, long count) const {
    using Strided = Eigen::Map<const batch::Rows<S>, 0, Eigen::OuterStride<>>;
    const auto& x = arguments_[k];
    return {Strided(row<S>(k, first), count, x.length, Eigen::OuterStride<>(x.stride / long(sizeof(S))))};
  }

  /// The array for the next result, of shape (…, trailing): `out`, checked, or a new one. Never overlaps an argument or
  /// another result. Errors call it by this name.
  void result(nb::handle out, std::initializer_list<long> trailing) {
    result(out, std::span(trailing.begin(), trailing.size()));
  }
  void result(nb::handle out, std::span<const long> trailing, const std::string& name = "out");
  /// Result k, in the order of result().
  template <class S>
  S* result_data(int k = 0) const {
    return static_cast<S*>(results_[std::size_t(k)].data);
  }
  long result_size(int k = 0) const { return results_[std::size_t(k)].size; }  ///< elements per row
  int result_count() const { return result_count_; }
  /// The object to return: `out` where it was given; a number for a single result without axes.
  nb::object finish(int k = 0);

 private:
  struct Argument {
    const char* name;
    nb::object array;
    const void* data;
    long length, stride;  // of one row, in elements; from row to row, in bytes
    nb::object hold;      // keeps NumPy from resizing the array meanwhile
  };
  struct Result {
    nb::object array, given, target;  // where it is computed; `out`, and the array that it is
    void* data = nullptr;
    long size = 1;
    bool scalar = false;
    nb::object hold;
  };
  PyArrayObject* array(int k) const { return reinterpret_cast<PyArrayObject*>(arguments_[k].array.ptr()); }
  void broadcast_shapes();
  void find_rows(int k);
  void make_contiguous(int k);
  bool overlaps(int k, const char* begin, const char* end) const;
  void take_target(Result& result, nb::handle out, std::span<const long> shape, const std::string& name);

  std::array<Argument, max_arguments> arguments_;
  int count_ = 0, axes_ = 0;
  std::array<long, max_axes> shape_{};
  long rows_ = 1;
  bool single_precision_ = false, back_to_single_ = false;
  std::array<Result, max_results> results_;
  int result_count_ = 0;
};

/// Tells a function of Python how much is done: the argument `progress` of a call, or what `with lissom.progress(f)`
/// has set for this thread; five times a second at most. The argument is told the end, too; what the thread has set
/// only if the call took so long that it was told before.
class PieceProgress {
 public:
  /// `progress`: a function of (done, total), or None.
  explicit PieceProgress(long total, nb::handle progress = nb::handle());
  /// With the GIL. The function may raise.
  void tell(long done) {
    if (function_.is_valid()) tell_now(done);
  }
  void end() {
    if (told_) tell_now(total_, true);
  }

 private:
  void tell_now(long done, bool at_end = false);
  long total_;
  nb::object function_;
  std::chrono::steady_clock::time_point next_;
  bool told_ = false;
};

/// Calls f(first, count) for pieces of `rows` without the GIL; between pieces Ctrl-C is noticed, and raises
/// KeyboardInterrupt, and `progress` is told.
template <class F>
void in_pieces(long rows, long piece, const F& f, nb::handle progress = nb::handle()) {
  if (rows <= piece && !progress.is_valid()) {
    const nb::gil_scoped_release release;
    if (rows > 0) f(0L, rows);
    return;
  }
  PieceProgress told(rows, progress);
  for (long first = 0; first < rows; first += piece) {
    if (first > 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
    told.tell(first);
    const nb::gil_scoped_release release;
    f(first, std::min(piece, rows - first));
  }
  told.end();
}

}  // namespace lissom::python
