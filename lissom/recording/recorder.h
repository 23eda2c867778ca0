#pragma once
// Writes a recording frame by frame. The extension of the file's name chooses the format:
//   .mcap  for long runs and for other tools (Foxglove, PlotJuggler, ROS): written in chunks, survives a crash
//   .npz   for numpy; frames go to FILE.npz.part until close() writes the archive
//   .csv   for spreadsheets, and for reading by eye
// All three reproduce the same bits. docs/recordings.md describes their contents.
#include <concepts>
#include <initializer_list>
#include <memory>
#include <optional>

#include "lissom/recording/recording.h"

namespace lissom::recording {

/// The values of one signal in one frame: a vector, an array, a span, an Eigen vector, or a single number. It refers to
/// them, and must not outlive them.
class Row {
 public:
  Row(const double& value) : values_(&value, 1) {}
  template <class V>
    requires requires(const V& x) {
      { x.data() } -> std::convertible_to<const double*>;
      { x.size() } -> std::convertible_to<std::size_t>;
    }
  Row(const V& x) : values_(x.data(), std::size_t(x.size())) {
    if constexpr (requires { V::InnerStrideAtCompileTime; })
      static_assert(V::InnerStrideAtCompileTime == 1, "the values of a row must be contiguous in memory");
  }
  std::span<const double> values() const { return values_; }

 private:
  std::span<const double> values_;
};

/// What an .mcap file has besides its signals, so that programs that read messages of ROS 2 (Foxglove, Rerun) show the
/// robot, not only curves.
struct RosTopics {
  /// /robot_description (std_msgs/msg/String), with the first frame: the robot file. Names of meshes are replaced by
  /// file:// and their paths where they are found.
  bool description = true;
  /// /joint_states (sensor_msgs/msg/JointState): all joints with one coordinate; velocities and efforts if there are
  /// signals v and tau.
  bool joint_states = true;
  /// /tf (tf2_msgs/msg/TFMessage): the pose of every link relative to its parent link, or to the world.
  bool tf = true;
  /// The meshes of the robot, as attachments that are called as in the robot file.
  bool meshes = true;
  /// Joint states and transforms come with no more frames than this, in Hz.
  double max_rate = 60;
  /// Size of all meshes together; those beyond are left out.
  std::uint64_t max_mesh_bytes = std::uint64_t{64} << 20;
  /// Where meshes are searched, as in LoadOptions.
  std::vector<std::string> package_paths = {};
};

/// How often frames are written to the file, and how large it may become.
struct RecorderOptions {
  /// Buffered frames are written to the file when they have this many bytes.
  std::size_t chunk_bytes = std::size_t{1} << 20;
  /// They are also written when the oldest of them is this old. The age is checked at every write(): while no frame
  /// arrives, nothing is written. Use flush() to write at once.
  double flush_seconds = 1;
  /// Whether to wait, each time, until they are on the disk, so that they survive a power failure, too. It may take
  /// milliseconds. (A recording that was closed is on the disk in any case.)
  bool sync = false;
  /// The robot that moves. If it is given, and the file is .mcap, the file has `ros`, too. A signal q with all elements
  /// of its configuration must be recorded.
  std::optional<Model> robot = {};
  RosTopics ros = {};
};

/// The options with topics of ROS for a robot: `topics` is "all", "none", or some of description, joint_states, tf and
/// meshes, separated by commas. Throws an Error if it is something else.
RecorderOptions with_ros_topics(RecorderOptions options, const Model& robot, const std::string& topics,
                                std::vector<std::string> package_paths = {});

/// Records frames to a file. It is not thread-safe. The constructor allocates; write() does not (except for the list of
/// chunks, which doubles when it is full, for the first time after 1024 chunks).
class Recorder {
 public:
  /// Creates the file, or replaces it. Throws an Error if that is impossible, if another recorder is writing to it, or
  /// if the header or the signals are invalid.
  Recorder(const std::string& path, const Header& header, const std::vector<Signal>& signals,
           const RecorderOptions& options = {});
  /// Closes the recording if close() was not called; errors are then ignored.
  ~Recorder();
  Recorder(Recorder&&) noexcept;
  Recorder& operator=(Recorder&&) noexcept;

  /// Records one frame: a row for each signal, in their order. The time, in seconds, must not decrease. Throws an Error
  /// if the sizes are not those of the signals, or the file cannot be written; the latter says how many frames are
  /// safe, and further calls throw it again.
  void write(double time, std::initializer_list<Row> rows) { write(time, std::span(rows.begin(), rows.size())); }
  void write(double time, std::span<const Row> rows);
  /// Writes all frames so far to the file: they survive the end of this process, whatever ends it.
  void flush();
  /// Writes the remaining frames and the index, and waits until the file is on the disk. A recording that is not closed
  /// can be read nevertheless.
  void close();

  std::uint64_t frames() const;       ///< number of frames so far
  std::uint64_t safe_frames() const;  ///< number of frames that have been flushed
  /// What is missing in the file, such as meshes that were not found.
  std::vector<std::string> notes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lissom::recording
