// Many robots on a graphics card. Arrays of devices come and go as DLPack: those of PyTorch and CuPy are used where
// they are, and the batch's own can be read by them.
#include "lissom/gpu.h"

#include <nanobind/ndarray.h>
#include <variant>

#include "bound_model.h"
#include "calls.h"
#include "lissom/codegen.h"
#include "one_caller.h"

namespace lissom::python {

using namespace nb::literals;

namespace {

struct BoundBatch {
  std::variant<gpu::Batch<float>, gpu::Batch<double>> batch;
  OneCaller in_use;

  template <class F>
  auto with(F f) {
    return std::visit(std::move(f), batch);
  }
};
template <class B>
using ScalarOf = std::remove_pointer_t<decltype(std::declval<B&>().data(""))>;

gpu::BatchOptions::Place place_of(const std::string& word) {
  using Place = gpu::BatchOptions::Place;
  if (word == "any") return Place::any;
  if (word == "device") return Place::device;
  if (word == "cpu") return Place::cpu;
  throw Error("place is '" + word + "', expected 'any', 'device' or 'cpu'");
}

void make(BoundBatch* self, const BoundModel& model, const std::vector<std::string>& algorithms, long capacity,
          const std::string& dtype, const std::string& place, int device, int threads,
          const std::vector<std::string>& frames, const std::string& cache) {
  gpu::BatchOptions options;
  options.place = place_of(place);
  options.device = device;
  options.threads = threads;
  options.frames = frames;
  options.cache = cache;
  if (dtype != "float32" && dtype != "float64")
    throw Error("dtype is '" + dtype + "', expected 'float32' or 'float64'");
  const nb::gil_scoped_release release;
  if (dtype == "float32")
    new (self) BoundBatch{gpu::Batch<float>(model, algorithms, capacity, options), {}};
  else
    new (self) BoundBatch{gpu::Batch<double>(model, algorithms, capacity, options), {}};
}

template <class B>
int rows_of(const B& batch, const std::string& name) {
  for (const auto& array : batch.arrays())
    if (array.name == name) return array.rows;
  return 0;
}

void upload(BoundBatch& self, const std::string& name, nb::handle rows, std::uintptr_t stream) {
  const OneCaller::Scope use(self.in_use, "Batch");
  self.with([&](auto& batch) {
    using S = ScalarOf<decltype(batch)>;
    batch.data(name);  // (an unknown name is an error, before anything is converted)
    const Matrix values = matrix(name.c_str(), rows, -1, rows_of(batch, name));
    const nb::gil_scoped_release release;
    batch.upload(name, lissom::batch::Rows<S>(values.template cast<S>()), reinterpret_cast<void*>(stream));
  });
}

nb::object download(BoundBatch& self, const std::string& name, std::optional<long> robots, std::uintptr_t stream) {
  const OneCaller::Scope use(self.in_use, "Batch");
  return self.with([&](auto& batch) -> nb::object {
    using S = ScalarOf<decltype(batch)>;
    batch.data(name);
    const std::array shape{robots.value_or(batch.capacity()), long(rows_of(batch, name))};
    nb::object out = new_array(shape, std::is_same_v<S, float>);
    S* const data = reinterpret_cast<S*>(data_of(out));
    const nb::gil_scoped_release release;
    batch.download(name, Eigen::Map<lissom::batch::Rows<S>>(data, shape[0], shape[1]), reinterpret_cast<void*>(stream));
    return out;
  });
}

// The batch's own array, as an object that speaks DLPack: (elements, capacity).
nb::object array(nb::handle_t<BoundBatch> self_object, const std::string& name) {
  auto& self = nb::cast<BoundBatch&>(self_object);
  const OneCaller::Scope use(self.in_use, "Batch");
  return self.with([&](auto& batch) -> nb::object {
    using S = ScalarOf<decltype(batch)>;
    S* const data = batch.data(name);
    const std::size_t shape[] = {std::size_t(rows_of(batch, name)), std::size_t(batch.capacity())};
    const std::int64_t strides[] = {batch.pitch(), 1};
    if (batch.where() == gpu::Where::device)
      return nb::cast(nb::ndarray<nb::array_api, S, nb::ndim<2>, nb::device::cuda>(
          data, 2, shape, self_object, strides, nb::dtype<S>(), nb::device::cuda::value, batch.device().info().index));
    return nb::cast(nb::ndarray<nb::numpy, S, nb::ndim<2>>(data, 2, shape, self_object, strides));
  });
}

// An array of the caller's: (elements, robots), on the same device, rows contiguous.
template <class S>
gpu::CallerArray<S> caller_array(const gpu::Batch<S>& batch, const std::string& name, nb::handle object, long& robots) {
  using Array = nb::ndarray<S, nb::ndim<2>>;
  Array array;
  if (!nb::try_cast(object, array, false))
    throw Error(name + " is no array of two axes of " + (sizeof(S) == 4 ? "float32" : "float64") +
                " that speaks DLPack; convert it, or upload() rows");
  const bool on_device = batch.where() == gpu::Where::device;
  if ((array.device_type() == nb::device::cuda::value) != on_device ||
      (on_device && array.device_id() != batch.device().info().index))
    throw Error(name + " lies on another device than the batch, which is computed on " + batch.description());
  if (long(array.shape(0)) != rows_of(batch, name) && rows_of(batch, name) != 0)
    throw Error(name + " has " + std::to_string(array.shape(0)) + " rows, expected " +
                std::to_string(rows_of(batch, name)) + ": one for each element, one column for each robot");
  if (array.shape(1) > 1 && array.stride(1) != 1)
    throw Error("the elements of a row of " + name + " are not adjacent in memory; call contiguous() on it");
  if (robots < 0) robots = long(array.shape(1));
  if (long(array.shape(1)) < robots)
    throw Error(name + " has " + std::to_string(array.shape(1)) + " columns, expected " + std::to_string(robots) +
                ", one for each robot");
  return {name, array.data(), long(array.stride(0))};
}

void run(BoundBatch& self, const std::string& algorithm, std::optional<long> robots, double dt, std::uintptr_t stream,
         const nb::kwargs& arrays) {
  const OneCaller::Scope use(self.in_use, "Batch");
  self.with([&](auto& batch) {
    using S = ScalarOf<decltype(batch)>;
    std::vector<gpu::CallerArray<S>> given;
    long count = robots.value_or(-1);
    for (const auto [name, object] : arrays)
      given.push_back(caller_array<S>(batch, nb::cast<std::string>(name), object, count));
    if (count < 0) count = batch.capacity();
    const nb::gil_scoped_release release;
    batch.run(algorithm, count, reinterpret_cast<void*>(stream), S(dt), given);
  });
}

nb::list kernels(BoundBatch& self) {
  nb::list list;
  self.with([&](auto& batch) {
    for (const auto& kernel : batch.kernels()) {
      nb::dict row;
      row["algorithm"] = kernel.algorithm;
      row["stage"] = kernel.stage;
      row["reads"] = kernel.reads;
      row["writes"] = kernel.writes;
      row["registers"] = kernel.resources.registers;
      row["local_bytes"] = kernel.resources.local_bytes;
      row["code_bytes"] = kernel.resources.code_bytes;
      row["from_cache"] = kernel.from_cache;
      row["loops"] = kernel.loops;
      list.append(row);
    }
  });
  return list;
}

nb::dict arrays_of(BoundBatch& self) {
  nb::dict rows;
  self.with([&](auto& batch) {
    for (const auto& a : batch.arrays()) rows[nb::str(a.name.c_str())] = a.rows;
  });
  return rows;
}

void bind_batch(nb::module_& m) {
  nb::class_<BoundBatch>(m, "Batch", "Many robots of one model, on a graphics card or, without one, on the processor.")
      .def("__init__", &make, "model"_a, "algorithms"_a, "capacity"_a, nb::kw_only(), "dtype"_a = "float32",
           "place"_a = "any", "device"_a = 0, "threads"_a = 0, "frames"_a = std::vector<std::string>(), "cache"_a = "")
      .def_prop_ro(
          "where", [](BoundBatch& self) { return self.with([](auto& b) { return to_string(b.where()); }); },
          "'device' or 'cpu'.")
      .def_prop_ro(
          "description", [](BoundBatch& self) { return self.with([](auto& b) { return b.description(); }); },
          "The device and its compiler, or why the processor computes.")
      .def_prop_ro("capacity", [](BoundBatch& self) { return self.with([](auto& b) { return b.capacity(); }); })
      .def_prop_ro("arrays", &arrays_of, "The number of elements per robot, by the name of the array.")
      .def_prop_ro("kernels", &kernels, "What the compiler made of each kernel; empty on the processor.")
      .def("upload", &upload, "name"_a, "rows"_a, nb::kw_only(), "stream"_a = 0,
           "Copies rows of robots, (B, elements), into an array.")
      .def("download", &download, "name"_a, "robots"_a = nb::none(), nb::kw_only(), "stream"_a = 0,
           "The rows of robots of an array, (B, elements), as a NumPy array.")
      .def("array", &array, "name"_a,
           "The array where it lies, (elements, capacity), for torch.from_dlpack or cupy.from_dlpack; a NumPy array on "
           "the "
           "processor.")
      .def(
          "swap",
          [](BoundBatch& self, const std::string& one, const std::string& other) {
            const OneCaller::Scope use(self.in_use, "Batch");
            self.with([&](auto& b) { b.swap(one, other); });
          },
          "one"_a, "other"_a, "Exchanges two arrays, such as q and q1 after a step.")
      .def("run", &run, "algorithm"_a, "robots"_a = nb::none(), nb::kw_only(), "dt"_a = 0.0, "stream"_a = 0, "arrays"_a,
           "Computes an algorithm. Keyword arguments are arrays, (elements, B), to be used in place of the batch's own "
           "of "
           "these names. On a device it returns at once.")
      .def(
          "wait",
          [](BoundBatch& self, std::uintptr_t stream) {
            const OneCaller::Scope use(self.in_use, "Batch");
            const nb::gil_scoped_release release;
            self.with([&](auto& b) { b.wait(reinterpret_cast<void*>(stream)); });
          },
          "stream"_a = 0, "Waits until everything in the stream is done.");
}

}  // namespace

void bind_gpu(nb::module_& parent) {
  auto m = parent.def_submodule("gpu", "Many robots on a graphics card.");
  bind_batch(m);
  m.def(
      "devices",
      [] {
        nb::list list;
        for (const auto& device : gpu::devices()) {
          nb::dict row;
          row["index"] = device.index;
          row["name"] = device.name;
          row["architecture"] = device.architecture();
          row["memory"] = device.memory;
          row["multiprocessors"] = device.multiprocessors;
          list.append(row);
        }
        return list;
      },
      "The devices of this machine.");
  m.def("why_no_device", &gpu::why_no_device,
        "Why there is no device, and what to do about it; empty if there is one.");
  m.def(
      "algorithms",
      [] {
        nb::dict list;
        for (const auto& algorithm : codegen::algorithms()) list[algorithm.name] = algorithm.meaning;
        return list;
      },
      "The algorithms of a Batch, and what they compute.");
}

}  // namespace lissom::python
