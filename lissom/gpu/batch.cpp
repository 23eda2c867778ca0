#include "lissom/gpu/batch.h"

#include <algorithm>
#include <cstdint>
#include <future>
#include <map>

#include "lissom/gpu/compiled_kernel.h"
#include "lissom/gpu/cpu_engine.h"
#include "lissom/model/diagnostic.h"
#include "lissom/model/text.h"

namespace lissom::gpu {
namespace {

constexpr long column_block = 128;
constexpr long max_columns = 1 << 27;  // so that rows are less than 2 GB apart

// A stage of an algorithm: how it was traced, and its kernel if there is a device.
struct Stage {
  codegen::Program program;
  std::optional<ColumnSolve> solve;
  CompiledKernel compiled;
  Kernel kernel;
};
struct Entry {
  codegen::Algorithm algorithm;
  std::vector<Stage> stages;
};

bool is_array(const codegen::Field& field) {
  return field.name != "dt";
}

// Calls f(robot, element) for all of them, in blocks of robots, so that neither rows nor columns leave the cache.
template <class F>
void for_each_element(long robots, long elements, F f) {
  constexpr long block = 64;
  for (long begin = 0; begin < robots; begin += block)
    for (long i = 0; i < elements; ++i)
      for (long k = begin; k < std::min(begin + block, robots); ++k) f(k, i);
}

}  // namespace

const char* to_string(Where where) {
  return where == Where::device ? "device" : "cpu";
}

template <class S>
struct Batch<S>::Impl {
  long capacity, pitch;
  std::string description;
  std::vector<Entry> entries;
  std::vector<ArrayInfo> arrays;
  std::vector<KernelInfo> kernels;
  std::optional<Device> device;
  std::optional<CpuEngine<S>> cpu;
  struct Memory {
    DeviceMemory on_device;
    Array<S> on_cpu;
    S* data() { return cpu_data() ? cpu_data() : static_cast<S*>(on_device.data()); }
    S* cpu_data() { return on_cpu.size() > 0 ? on_cpu.data() : nullptr; }
  };
  std::map<std::string, Memory> memory;
  std::vector<S> staging;

  Impl(const Model& model, const std::vector<std::string>& algorithms, long robots, const BatchOptions& options);
  void find_arrays();
  void add_array(const Entry& of, const codegen::Field& field, bool written);
  // Empty if everything for the device is there; otherwise what is missing.
  std::string open_device(const Model& model, const BatchOptions& options);
  const Entry& entry(const std::string& algorithm) const;
  const ArrayInfo& array(const std::string& name) const;
  S* own(const std::string& name);
  Columns<S> columns(const std::string& name, long robots, std::span<const CallerArray<S>> given);
  void check_given(const Entry& of, const CallerArray<S>& theirs) const;
  void run(const Stage& stage, long robots, StreamHandle stream, S dt, std::span<const CallerArray<S>> given);
  void launch(const Stage& stage, const std::vector<Columns<S>>& in, const std::vector<Columns<S>>& out, long robots,
              S dt, StreamHandle stream);
};

template <class S>
Batch<S>::Impl::Impl(const Model& model, const std::vector<std::string>& algorithms, long robots,
                     const BatchOptions& options)
    : capacity(robots), pitch((robots + column_block - 1) / column_block * column_block) {
  if (robots < 1 || robots > max_columns)
    throw Error("capacity is " + std::to_string(robots) + ", expected 1 to " + std::to_string(max_columns) + " robots");
  if (algorithms.empty()) throw Error("algorithms is empty, expected at least one, such as \"aba\"");
  for (const auto& name : algorithms) {
    const auto algorithm = codegen::algorithm_of(name);
    if (std::ranges::any_of(entries, [&](const Entry& e) { return e.algorithm == algorithm; })) continue;
    auto& entry = entries.emplace_back(Entry{algorithm, {}});
    for (auto& [program, solve] : trace_stages(model, algorithm, {.frames = options.frames}))
      entry.stages.push_back({std::move(program), std::move(solve), {}, {}});
  }
  find_arrays();
  std::string missing;
  if (options.place != BatchOptions::Place::cpu) missing = open_device(model, options);
  if (device) return;
  if (options.place == BatchOptions::Place::device) throw Error(missing);
  cpu.emplace(model, options.threads);
  description = "CPU, " + std::to_string(cpu->lanes()) + " lanes (" + cpu->instruction_set() + "), " +
                std::to_string(cpu->threads()) + " threads" + (missing.empty() ? "" : ": " + missing);
}

template <class S>
void Batch<S>::Impl::find_arrays() {
  for (const auto& entry : entries)
    for (const auto& stage : entry.stages) {
      for (const auto& field : stage.program.inputs)
        if (is_array(field)) add_array(entry, field, false);
      for (const auto& field : stage.program.outputs) add_array(entry, field, true);
    }
}
template <class S>
void Batch<S>::Impl::add_array(const Entry& of, const codegen::Field& field, bool written) {
  const auto known = std::ranges::find(arrays, field.name, &ArrayInfo::name);
  if (known == arrays.end()) {
    const auto prefix = std::string(codegen::traits(of.algorithm).name) + "_";
    arrays.push_back({field.name, field.count, written, field.name.starts_with(prefix)});
  } else {
    if (known->rows != field.count)
      throw Error("the algorithms have arrays '" + field.name + "' of " + std::to_string(known->rows) + " and " +
                  std::to_string(field.count) + " elements, expected the same; make a batch for each");
    known->written |= written;
  }
}

template <class S>
std::string Batch<S>::Impl::open_device(const Model& model, const BatchOptions& options) {
  if (auto why = why_no_device(); !why.empty()) return why;
  const auto compiler = Compiler::find();
  if (!compiler) return Compiler::why_none();
  Device opened(options.device);
  const auto architecture = opened.info().architecture();
  const Cache cache = options.cache.empty() ? Cache() : Cache(options.cache);
  // Compilers take seconds, one thread each.
  std::vector<std::future<CompiledKernel>> work;
  for (const auto& entry : entries)
    for (int i = 0; i < int(entry.stages.size()); ++i)
      work.push_back(std::async(std::launch::async, [&, i] {
        return compile_kernel(tracer(model, entry.algorithm, i, {.frames = options.frames}), sizeof(S) == 4, *compiler,
                              architecture, cache, options.kernel);
      }));
  auto next = work.begin();
  for (auto& entry : entries)
    for (int i = 0; i < int(entry.stages.size()); ++i) {
      auto& stage = entry.stages[std::size_t(i)];
      stage.compiled = (next++)->get();
      const auto& source = stage.compiled.source;
      stage.kernel = opened.load(stage.compiled.machine_code, source.name, source.shared_bytes);
      auto& info = kernels.emplace_back();
      info.algorithm = codegen::traits(entry.algorithm).name;
      info.stage = i;
      info.resources = stage.kernel.resources();
      info.from_cache = stage.compiled.from_cache;
      info.loops = source.loops;
      for (const auto& array : source.arrays)
        if (!array.scalar) (array.output ? info.writes : info.reads).push_back(array.name);
    }
  description = opened.info().name + ", " + architecture + ", " + compiler->version();
  device = std::move(opened);
  return {};
}

template <class S>
const Entry& Batch<S>::Impl::entry(const std::string& algorithm) const {
  const auto which = codegen::algorithm_of(algorithm);
  for (const auto& e : entries)
    if (e.algorithm == which) return e;
  std::string list;
  for (const auto& e : entries) list += (list.empty() ? "" : ", ") + std::string(codegen::traits(e.algorithm).name);
  throw Error("the batch was made without " + in_quotes(algorithm) + "; its algorithms: " + list);
}
template <class S>
const ArrayInfo& Batch<S>::Impl::array(const std::string& name) const {
  const auto known = std::ranges::find(arrays, name, &ArrayInfo::name);
  if (known != arrays.end()) return *known;
  std::string list;
  for (const auto& a : arrays) list += (list.empty() ? "" : ", ") + a.name;
  throw Error("no array " + in_quotes(name) + "; arrays: " + list);
}

template <class S>
S* Batch<S>::Impl::own(const std::string& name) {
  const auto count = std::size_t(array(name).rows) * std::size_t(pitch);
  auto& at = memory[name];
  if (at.data()) return at.data();
  if (device) {
    at.on_device = device->allocate(count * sizeof(S));
    device->fill(at.on_device.data(), 0, count * sizeof(S));
    device->wait();
  } else {
    at.on_cpu = Array<S>(count);
  }
  return at.data();
}

template <class S>
Columns<S> Batch<S>::Impl::columns(const std::string& name, long robots, std::span<const CallerArray<S>> given) {
  for (const auto& theirs : given) {
    if (theirs.name != name) continue;
    if (!theirs.data) throw Error("array '" + name + "' is a null pointer");
    if (theirs.pitch < robots || theirs.pitch > max_columns)
      throw Error("array '" + name + "' has rows of " + std::to_string(theirs.pitch) + " elements, expected at least " +
                  std::to_string(robots) + ", one for each robot, and at most " + std::to_string(max_columns));
    if (reinterpret_cast<std::uintptr_t>(theirs.data) % 16 != 0 || theirs.pitch * long(sizeof(S)) % 16 != 0)
      throw Error("rows of array '" + name +
                  "' do not begin at multiples of 16 bytes; make their number of columns a "
                  "multiple of " +
                  std::to_string(16 / sizeof(S)));
    return {theirs.data, theirs.pitch};
  }
  return {own(name), pitch};
}

template <class S>
void Batch<S>::Impl::check_given(const Entry& of, const CallerArray<S>& theirs) const {
  const auto named = [&](const codegen::Field& field) { return field.name == theirs.name && is_array(field); };
  for (const auto& stage : of.stages)
    if (std::ranges::any_of(stage.program.inputs, named) || std::ranges::any_of(stage.program.outputs, named)) return;
  throw Error(in_quotes(codegen::traits(of.algorithm).name) + " has no array " + in_quotes(theirs.name));
}

template <class S>
void Batch<S>::Impl::run(const Stage& stage, long robots, StreamHandle stream, S dt,
                         std::span<const CallerArray<S>> given) {
  std::vector<Columns<S>> in, out;
  for (const auto& field : stage.program.inputs)
    in.push_back(is_array(field) ? columns(field.name, robots, given) : Columns<S>{});
  for (const auto& field : stage.program.outputs) out.push_back(columns(field.name, robots, given));
  for (const auto& o : out)
    if (std::ranges::any_of(in, [&](const auto& i) { return i.data == o.data; }))
      throw Error(in_quotes(stage.program.algorithm) +
                  " cannot write to an array that it reads; use another, and swap them");
  if (device)
    launch(stage, in, out, robots, dt, stream);
  else if (stage.solve)
    cpu->run(*stage.solve, in, out, robots);
  else
    cpu->run(stage.program, in, out, robots, dt);
}

template <class S>
void Batch<S>::Impl::launch(const Stage& stage, const std::vector<Columns<S>>& in, const std::vector<Columns<S>>& out,
                            long robots, S dt, StreamHandle stream) {
  const auto& source = stage.compiled.source;
  std::vector<Columns<S>> all = in;
  all.insert(all.end(), out.begin(), out.end());
  std::vector<void*> arguments;
  std::vector<int> pitches;
  for (const auto& array : all) pitches.push_back(int(array.pitch * long(sizeof(S))));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (source.arrays[i].scalar) {
      arguments.push_back(&dt);
    } else {
      arguments.push_back(static_cast<void*>(&all[i].data));
      arguments.push_back(&pitches[i]);
    }
  }
  int count = int(robots);
  arguments.push_back(&count);
  const auto blocks = unsigned((robots + source.robots - 1) / source.robots);
  device->launch(stage.kernel, blocks, unsigned(source.threads), source.shared_bytes, arguments, stream);
}

template <class S>
Batch<S>::Batch(const Model& model, const std::vector<std::string>& algorithms, long capacity,
                const BatchOptions& options)
    : impl_(std::make_unique<Impl>(model, algorithms, capacity, options)) {}
template <class S>
Batch<S>::~Batch() = default;
template <class S>
Batch<S>::Batch(Batch&&) noexcept = default;
template <class S>
Batch<S>& Batch<S>::operator=(Batch&&) noexcept = default;

template <class S>
Where Batch<S>::where() const {
  return impl_->device ? Where::device : Where::cpu;
}
template <class S>
const std::string& Batch<S>::description() const {
  return impl_->description;
}
template <class S>
long Batch<S>::capacity() const {
  return impl_->capacity;
}
template <class S>
long Batch<S>::pitch() const {
  return impl_->pitch;
}
template <class S>
const std::vector<ArrayInfo>& Batch<S>::arrays() const {
  return impl_->arrays;
}
template <class S>
const std::vector<KernelInfo>& Batch<S>::kernels() const {
  return impl_->kernels;
}
template <class S>
const Device& Batch<S>::device() const {
  if (!impl_->device) throw Error("the batch is computed on the " + impl_->description);
  return *impl_->device;
}
template <class S>
S* Batch<S>::data(const std::string& array) {
  return impl_->own(array);
}

template <class S>
void Batch<S>::upload(const std::string& array, const batch::RowsIn<S>& rows, StreamHandle stream) {
  check_rows(array, rows.rows(), rows.cols());
  auto& w = *impl_;
  S* const to = w.own(array);
  const auto count = std::size_t(rows.cols()) * std::size_t(w.pitch);
  S* columns = to;
  if (w.device) {
    // What lies beyond the given robots stays as it is.
    w.staging.resize(count);
    columns = w.staging.data();
    if (rows.rows() < w.capacity) w.device->copy_to_host(columns, to, count * sizeof(S), stream);
  }
  for_each_element(rows.rows(), rows.cols(), [&](long k, long i) { columns[i * w.pitch + k] = rows(k, i); });
  if (w.device) w.device->copy_to_device(to, columns, count * sizeof(S), stream);
}

template <class S>
void Batch<S>::download(const std::string& array, batch::RowsOut<S> rows, StreamHandle stream) {
  check_rows(array, rows.rows(), rows.cols());
  auto& w = *impl_;
  const S* columns = w.own(array);
  if (w.device) {
    w.staging.resize(std::size_t(rows.cols()) * std::size_t(w.pitch));
    w.device->copy_to_host(w.staging.data(), columns, w.staging.size() * sizeof(S), stream);
    columns = w.staging.data();
  }
  for_each_element(rows.rows(), rows.cols(), [&](long k, long i) { rows(k, i) = columns[i * w.pitch + k]; });
}

template <class S>
void Batch<S>::check_rows(const std::string& array, long rows, long columns) const {
  const int expected = impl_->array(array).rows;
  if (columns != expected)
    throw Error(array + " has " + std::to_string(columns) + " columns, expected " + std::to_string(expected) +
                ", the elements of one robot");
  if (rows > impl_->capacity)
    throw Error(array + " has " + std::to_string(rows) + " rows, expected at most " + std::to_string(impl_->capacity) +
                ", the capacity of the batch");
}

template <class S>
void Batch<S>::swap(const std::string& one, const std::string& other) {
  if (impl_->array(one).rows != impl_->array(other).rows)
    throw Error("arrays '" + one + "' and '" + other + "' have " + std::to_string(impl_->array(one).rows) + " and " +
                std::to_string(impl_->array(other).rows) + " elements, expected the same number");
  impl_->own(one), impl_->own(other);
  std::swap(impl_->memory[one], impl_->memory[other]);
}

template <class S>
void Batch<S>::run(const std::string& algorithm, long robots, StreamHandle stream, S dt,
                   std::span<const CallerArray<S>> given) {
  auto& w = *impl_;
  const auto& entry = w.entry(algorithm);
  if (robots < 0 || robots > w.capacity)
    throw Error("robots is " + std::to_string(robots) + ", expected 0 to " + std::to_string(w.capacity) +
                ", the capacity of the batch");
  for (const auto& theirs : given) w.check_given(entry, theirs);
  for (const auto& stage : entry.stages)
    if (robots > 0) w.run(stage, robots, stream, dt, given);
}

template <class S>
void Batch<S>::wait(StreamHandle stream) {
  if (impl_->device) impl_->device->wait(stream);
}

template class Batch<float>;
template class Batch<double>;

}  // namespace lissom::gpu
