#pragma once
// Many robots of one model on a graphics card: one thread of the device for each robot, with kernels written for this
// robot. Where there is no device or no compiler for it, the same calls are computed on the processor, in SIMD lanes
// and on all its threads; where() tells which. Results agree to rounding errors, and have the same bits in every run on
// the same machine.
//
// Arrays stay on the device. They have one row per element and one column per robot: element i of robot k is
// data[i * pitch + k]. Rows begin at multiples of 16 bytes; those of the batch's own arrays are as far apart as the
// capacity, rounded up to 128 robots. Algorithms read and write arrays by name: rnea reads q, v and a and writes tau,
// aba reads q, v and tau and writes a.
//
// Values are not checked: a robot whose inputs are not finite, or whose angles exceed 1e9 (float: 65536), gets NaN, and
// disturbs no other. Quaternions have to be normalized.
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lissom/batch/batch.h"
#include "lissom/gpu/device.h"
#include "lissom/gpu/kernel_options.h"
#include "lissom/model/model.h"

namespace lissom::gpu {

/// Where a batch is computed.
enum class Where { device, cpu };
const char* to_string(Where where);

/// Where a batch is computed, and what of.
struct BatchOptions {
  /// `any`: the device, where there is one; the processor otherwise. `device`: an Error says what is missing.
  enum class Place { any, device, cpu };
  Place place = Place::any;
  int device = 0;   ///< its index
  int threads = 0;  ///< of the processor; 0: as many as it has
  /// Frames for placements, velocities and jacobian; see codegen::TraceOptions.
  std::vector<std::string> frames = {};
  std::string cache = {};                    ///< folder of compiled kernels; empty: the user's (Cache)
  std::optional<KernelOptions> kernel = {};  ///< how kernels are written; for experiments
};

/// An array of the caller's, to be used in place of the batch's own of this name.
template <class S>
struct CallerArray {
  std::string name;
  S* data = nullptr;  ///< on the device; on the processor where the batch is computed there
  long pitch = 0;     ///< from row to row, in elements; a multiple of 16 bytes
};

/// An array that the algorithms of a batch read or write.
struct ArrayInfo {
  std::string name;
  int rows = 0;                 ///< elements per robot
  bool written = false;         ///< by one of the algorithms
  bool between_stages = false;  ///< only of interest to the algorithm itself; not every element is written
};

/// A kernel of an algorithm. Most have one; those of several stages run one after another.
struct KernelInfo {
  std::string algorithm;
  int stage = 0;
  KernelResources resources;
  std::vector<std::string> reads, writes;
  bool from_cache = false;
  std::vector<std::vector<std::string>> loops;  ///< limbs that share their code
};

/// S is float or double. A batch belongs to one caller at a time.
template <class S>
class Batch {
 public:
  /// Algorithms by name: "rnea", "aba", … (codegen::algorithms()). Compiles what is not in the cache. Throws an Error
  /// if there is no such algorithm, or the model has no coordinates.
  Batch(const Model& model, const std::vector<std::string>& algorithms, long capacity,
        const BatchOptions& options = {});
  ~Batch();
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;

  Where where() const;
  /// "NVIDIA H200, sm_90, NVRTC 13.0"; "CPU, 16 lanes (avx512), 8 threads: no CUDA driver was found …"
  const std::string& description() const;
  long capacity() const;
  /// From row to row of the batch's own arrays, in elements.
  long pitch() const;
  const std::vector<ArrayInfo>& arrays() const;
  /// Empty on the processor.
  const std::vector<KernelInfo>& kernels() const;

  /// The batch's own array of this name, allocated by the first call that needs it; zero at first.
  S* data(const std::string& array);
  /// Copies rows of robots (B × elements, as batch:: has them) to the columns of an array, and back.
  void upload(const std::string& array, const batch::RowsIn<S>& rows, StreamHandle stream = nullptr);
  void download(const std::string& array, batch::RowsOut<S> rows, StreamHandle stream = nullptr);
  /// Exchanges the contents of two arrays of the same size, such as q and q1 after a step, without copying.
  void swap(const std::string& one, const std::string& other);

  /// Computes an algorithm for the first `robots` robots, in the batch's own arrays except for those given. On a device
  /// it returns at once; download() in the same stream waits. `dt` is read by "step" only. No array may be read and
  /// written by the same kernel.
  void run(const std::string& algorithm, long robots, StreamHandle stream = nullptr, S dt = 0,
           std::span<const CallerArray<S>> given = {});
  /// Waits until everything in the stream is done.
  void wait(StreamHandle stream = nullptr);
  /// The device; throws an Error if the batch is computed on the processor.
  const Device& device() const;

 private:
  struct Impl;
  void check_rows(const std::string& array, long rows, long columns) const;
  std::unique_ptr<Impl> impl_;
};

extern template class Batch<float>;
extern template class Batch<double>;

}  // namespace lissom::gpu
