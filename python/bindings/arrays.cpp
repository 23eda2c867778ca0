#include "arrays.h"

#include "lissom/api/workspace.h"

namespace lissom::python {

namespace {

PyArrayObject* as_array(const nb::object& object) {
  return reinterpret_cast<PyArrayObject*>(object.ptr());
}

[[noreturn]] void type_error(const std::string& text) {
  PyErr_SetString(PyExc_TypeError, text.c_str());
  throw nb::python_error();
}

nb::object numpy() {
  return nb::module_::import_("numpy");
}

std::string dtype_name(PyArrayObject* array) {
  return nb::cast<std::string>(nb::str(nb::handle(reinterpret_cast<PyObject*>(PyArray_DESCR(array)))));
}

// NumPy does not resize an array that has weak references, not even for those who say that nobody else uses it: so what
// a function of Python does to arrays while it is told the progress of a call takes no memory from that call.
nb::object hold_of(const nb::object& array) {
  PyObject* const hold = PyWeakref_NewRef(array.ptr(), nullptr);
  if (!hold) throw nb::python_error();
  return nb::steal(hold);
}

std::span<const long> shape_of(PyArrayObject* array) {
  static_assert(sizeof(npy_intp) == sizeof(long));
  return {reinterpret_cast<const long*>(PyArray_DIMS(array)), std::size_t(PyArray_NDIM(array))};
}

// Puts the name of the argument before the text of a Python error, which stays of its type.
[[noreturn]] void rename(nb::python_error& error, const char* name) {
  const nb::object type = nb::borrow(error.type());
  const std::string text = std::string(name) + ": " + nb::cast<std::string>(nb::str(error.value()));
  PyErr_SetString(type.ptr(), text.c_str());
  throw nb::python_error();
}

bool speaks_dlpack(nb::handle object) {
  return nb::hasattr(object, "__dlpack__") && nb::hasattr(object, "__dlpack_device__");
}

// Whatever NumPy can make an array of.
nb::object to_array(const char* name, nb::handle object) {
  if (object.is_none()) type_error(std::string(name) + " is None, expected an array");
  try {
    if (speaks_dlpack(object)) {
      const auto device = nb::cast<nb::tuple>(object.attr("__dlpack_device__")());
      if (nb::cast<int>(device[0]) != 1)
        type_error(std::string(name) + " is not in the memory of the CPU; copy it there first");
      return numpy().attr("from_dlpack")(object);
    }
    return numpy().attr("asarray")(object);
  } catch (nb::python_error& error) {
    rename(error, name);
  }
}

constexpr int behaved = NPY_ARRAY_ALIGNED | NPY_ARRAY_NOTSWAPPED;

// The same numbers with elements of this type, in memory that has these flags; copied only where it must. Throws
// nb::python_error (MemoryError) where a copy does not fit: rows that are broadcast may be any number.
nb::object converted(PyArrayObject* a, int type, int flags) {
  PyObject* const array = PyArray_FromArray(a, PyArray_DescrFromType(type), flags);
  if (!array) throw nb::python_error();
  return nb::steal(array);
}

void expect_target(const std::string& name, PyArrayObject* a, std::span<const long> shape, bool single_precision) {
  const auto found = shape_of(a);
  if (!std::equal(found.begin(), found.end(), shape.begin(), shape.end()))
    throw Error(name + " has shape " + shape_text(found) + ", expected " + shape_text(shape));
  if (PyArray_TYPE(a) != (single_precision ? NPY_FLOAT : NPY_DOUBLE) || !PyArray_ISNOTSWAPPED(a))
    type_error(name + " has elements of type " + dtype_name(a) + ", expected " +
               (single_precision ? "float32" : "float64"));
  if (!PyArray_ISWRITEABLE(a)) throw Error(name + " is read-only, expected an array that can be written to");
  if (!PyArray_IS_C_CONTIGUOUS(a) || !PyArray_ISALIGNED(a))
    throw Error(name + " is not contiguous in memory, expected an array in C order");
}

}  // namespace

std::string type_name(nb::handle object) {
  return nb::cast<std::string>(nb::type_name(object.type()));
}

std::string shape_text(std::span<const long> shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + (shape[i] < 0 ? std::string("…") : std::to_string(shape[i]));
  return text + (shape.size() == 1 ? ",)" : ")");
}

nb::object real_array(const char* name, nb::handle object) {
  nb::object array = PyArray_Check(object.ptr()) ? nb::borrow(object) : to_array(name, object);
  PyArrayObject* const a = as_array(array);
  const int type = PyArray_TYPE(a);
  if ((type == NPY_DOUBLE || type == NPY_FLOAT) && PyArray_ISALIGNED(a) && PyArray_ISNOTSWAPPED(a)) return array;
  if (!PyTypeNum_ISINTEGER(type) && !PyTypeNum_ISFLOAT(type) && !PyTypeNum_ISBOOL(type))
    type_error(std::string(name) + " has elements of type " + dtype_name(a) +
               ", expected real numbers (float64 or float32)");
  return converted(a, type == NPY_FLOAT ? NPY_FLOAT : NPY_DOUBLE, behaved | NPY_ARRAY_FORCECAST);
}

nb::object double_array(const char* name, nb::handle object, std::span<const long> shape) {
  const nb::object array = real_array(name, object);
  const auto found = shape_of(as_array(array));
  bool fits = found.size() == shape.size();
  for (std::size_t i = 0; fits && i < shape.size(); ++i) fits = shape[i] < 0 || shape[i] == found[i];
  if (!fits)
    throw Error(std::string(name) + " has shape " + shape_text(found) + ", expected " +
                (shape.size() == 1 && shape[0] < 0 ? "one axis" : shape_text(shape)));
  return converted(as_array(array), NPY_DOUBLE, behaved | NPY_ARRAY_C_CONTIGUOUS);
}

Eigen::VectorXd vector(const char* name, nb::handle object, long n) {
  const nb::object array = double_array(name, object, std::array{n});
  return Eigen::Map<const Eigen::VectorXd>(data_of(array), PyArray_DIM(as_array(array), 0));
}

Matrix matrix(const char* name, nb::handle object, long rows, long columns) {
  const nb::object array = double_array(name, object, std::array{rows, columns});
  return Eigen::Map<const Matrix>(data_of(array), PyArray_DIM(as_array(array), 0), PyArray_DIM(as_array(array), 1));
}

nb::object new_array(std::span<const long> shape, bool single_precision) {
  // (NumPy takes the shape by a pointer that is not const.)
  std::array<npy_intp, NPY_MAXDIMS> dims{};
  std::copy(shape.begin(), shape.end(), dims.begin());
  PyObject* const array = PyArray_SimpleNew(int(shape.size()), dims.data(), single_precision ? NPY_FLOAT : NPY_DOUBLE);
  if (!array) throw nb::python_error();
  return nb::steal(array);
}

double* data_of(const nb::object& array) {
  return static_cast<double*>(PyArray_DATA(as_array(array)));
}

nb::object to_numpy(const double* data, std::span<const long> shape) {
  nb::object array = new_array(shape);
  std::copy_n(data, PyArray_SIZE(as_array(array)), data_of(array));
  return array;
}
nb::object to_numpy(std::span<const double> values) {
  return to_numpy(values.data(), std::array{long(values.size())});
}

nb::object numpy_view(const double* data, std::span<const long> shape, nb::handle owner, bool writable) {
  std::array<npy_intp, NPY_MAXDIMS> dims{};
  std::copy(shape.begin(), shape.end(), dims.begin());
  PyObject* const array =
      PyArray_SimpleNewFromData(int(shape.size()), dims.data(), NPY_DOUBLE, const_cast<double*>(data));
  if (!array) throw nb::python_error();
  nb::object view = nb::steal(array);
  if (!writable) PyArray_CLEARFLAGS(as_array(view), NPY_ARRAY_WRITEABLE);
  if (PyArray_SetBaseObject(as_array(view), owner.inc_ref().ptr()) != 0) throw nb::python_error();
  return view;
}

void Call::read(const char* name, nb::handle object, long n) {
  auto& argument = arguments_[std::size_t(count_++)];
  argument.name = name;
  argument.array = real_array(name, object);
  argument.length = n;
  PyArrayObject* const a = as_array(argument.array);
  const int axes = PyArray_NDIM(a);
  if (axes == 0 || PyArray_DIM(a, axes - 1) != n) {
    const auto found = shape_of(a);
    if (axes == 1)
      throw Error(std::string(name) + " has " + std::to_string(found[0]) + " elements, expected " + std::to_string(n));
    throw Error(std::string(name) + " has shape " + shape_text(found) + ", expected (…, " + std::to_string(n) + ")");
  }
  if (axes - 1 > max_axes)
    throw Error(std::string(name) + " has " + std::to_string(axes) + " axes, expected at most " +
                std::to_string(max_axes + 1));
}

void Call::broadcast_shapes() {
  for (int k = 0; k < count_; ++k) axes_ = std::max(axes_, PyArray_NDIM(array(k)) - 1);
  shape_.fill(1);
  for (int k = 0; k < count_; ++k) {
    const auto shape = shape_of(array(k)).first(std::size_t(PyArray_NDIM(array(k)) - 1));
    const std::size_t skip = std::size_t(axes_) - shape.size();
    for (std::size_t i = 0; i < shape.size(); ++i) {
      auto& common = shape_[skip + i];
      if (shape[i] == common || shape[i] == 1) continue;
      if (common != 1)
        throw Error(std::string(arguments_[std::size_t(k)].name) + " has leading shape " + shape_text(shape) +
                    ", which cannot be broadcast with " + shape_text(leading()) + " of the arguments before it");
      common = shape[i];
    }
  }
  rows_ = 1;
  for (const long n : leading())
    if (__builtin_mul_overflow(rows_, n, &rows_)) throw Error("there are more rows than can be counted");
}

// Rows that lie at equal distances are used where they are.
void Call::find_rows(int k) {
  auto& argument = arguments_[std::size_t(k)];
  PyArrayObject* a = array(k);
  const int own = PyArray_NDIM(a) - 1;
  const long item = PyArray_ITEMSIZE(a);
  argument.data = PyArray_DATA(a);
  if (axes_ > 0) argument.hold = hold_of(argument.array);
  const bool inner = argument.length <= 1 || PyArray_STRIDE(a, own) == item;
  if (inner && own == 0) {
    argument.stride = 0;
    return;
  }
  bool uniform = inner && own == axes_;
  long stride = -1, inside = 1;  // from row to row; rows per step of the axis
  for (int i = own - 1; uniform && i >= 0; --i) {
    uniform = PyArray_DIM(a, i) == shape_[std::size_t(i)];
    if (PyArray_DIM(a, i) == 1) continue;
    if (stride < 0)
      stride = PyArray_STRIDE(a, i);
    else
      uniform = uniform && PyArray_STRIDE(a, i) == stride * inside;
    inside *= PyArray_DIM(a, i);
    uniform = uniform && stride >= 0;
  }
  if (uniform && (stride < 0 || stride % item == 0)) {
    argument.stride = std::max(stride, 0L);
    return;
  }
  make_contiguous(k);
}

void Call::make_contiguous(int k) {
  auto& argument = arguments_[std::size_t(k)];
  nb::list shape;
  for (const long n : leading()) shape.append(n);
  shape.append(argument.length);
  nb::object wide = numpy().attr("broadcast_to")(argument.array, nb::tuple(shape));
  argument.array = numpy().attr("array")(wide, nb::arg("order") = "C");
  argument.data = PyArray_DATA(array(k));
  argument.stride = argument.length * PyArray_ITEMSIZE(array(k));
}

void Call::resolve() {
  single_precision_ = count_ > 0;
  for (int k = 0; k < count_; ++k) single_precision_ = single_precision_ && PyArray_TYPE(array(k)) == NPY_FLOAT;
  if (!single_precision_)
    for (int k = 0; k < count_; ++k)
      if (PyArray_TYPE(array(k)) == NPY_FLOAT)
        arguments_[std::size_t(k)].array = converted(array(k), NPY_DOUBLE, behaved);
  broadcast_shapes();
  for (int k = 0; k < count_; ++k) find_rows(k);
}

void Call::compute_in_double() {
  if (!single_precision_) return;
  back_to_single_ = true;
  single_precision_ = false;
  for (int k = 0; k < count_; ++k) {
    arguments_[std::size_t(k)].array = converted(array(k), NPY_DOUBLE, behaved);
    find_rows(k);
  }
}

bool Call::overlaps(int k, const char* begin, const char* end) const {
  const char* low = static_cast<const char*>(arguments_[std::size_t(k)].data);
  const char* high = low + arguments_[std::size_t(k)].length * PyArray_ITEMSIZE(array(k)) +
                     arguments_[std::size_t(k)].stride * std::max(0L, rows_ - 1);
  return low < end && begin < high;
}

void Call::result(nb::handle out, std::span<const long> trailing, const std::string& name) {
  std::array<long, max_axes + 3> shape{};
  std::copy_n(shape_.begin(), axes_, shape.begin());
  std::copy(trailing.begin(), trailing.end(), shape.begin() + axes_);
  const std::span<const long> wanted(shape.data(), std::size_t(axes_) + trailing.size());
  auto& result = results_[std::size_t(result_count_)];
  result.size = 1;
  for (const long n : trailing) result.size *= n;
  result.scalar = wanted.empty();
  if (out.is_none())
    result.array = new_array(wanted, single_precision_);
  else
    take_target(result, out, wanted, name);
  result.data = PyArray_DATA(as_array(result.array));
  ++result_count_;
}

void Call::take_target(Result& result, nb::handle out, std::span<const long> shape, const std::string& name) {
  result.given = nb::borrow(out);
  // (A list would be converted to an array that the caller never sees.)
  if (!PyArray_Check(out.ptr()) && !speaks_dlpack(out))
    type_error(name + " is of type " + python::type_name(out) + ", expected an array to write to");
  result.target = PyArray_Check(out.ptr()) ? result.given : to_array(name.c_str(), out);
  PyArrayObject* const a = as_array(result.target);
  expect_target(name, a, shape, single_precision_ || back_to_single_);
  const char *const begin = PyArray_BYTES(a), *const end = begin + PyArray_NBYTES(a);
  for (int k = 0; k < count_; ++k)
    if (overlaps(k, begin, end)) make_contiguous(k);
  for (int k = 0; k < result_count_; ++k) {
    const auto& before = results_[std::size_t(k)].target;
    if (!before.is_valid()) continue;
    const char* const other = PyArray_BYTES(as_array(before));
    if (other < end && begin < other + PyArray_NBYTES(as_array(before)))
      throw Error(name + " overlaps another array of out, expected arrays that share no memory");
  }
  if (axes_ > 0) result.hold = hold_of(result.target);
  result.array = back_to_single_ ? new_array(shape) : result.target;
}

nb::object Call::finish(int k) {
  const auto& [array, given, target, data, size, scalar, hold] = results_[std::size_t(k)];
  nb::object result = array;
  if (back_to_single_) {
    if (given.is_valid()) {
      if (PyArray_CopyInto(as_array(target), as_array(array)) != 0) throw nb::python_error();
    } else {
      result = nb::steal(PyArray_Cast(as_array(array), NPY_FLOAT));
      if (!result.is_valid()) throw nb::python_error();
    }
  }
  if (given.is_valid()) return given;
  return scalar ? nb::object(result.attr("item")()) : result;
}

}  // namespace lissom::python
